import { expect, test } from 'vitest';
import { WorkQueue } from '../../src/client/index.ts';
import { manualClock, Metrics, settle } from '../../src/std/index.ts';

/** The lines of one queue's metrics, without its label. */
function shown(metrics: Metrics): Record<string, number> {
  const lines = metrics.text().matchAll(/^(workqueue_\w+)\{name="q"\} (\S+)$/gm);
  return Object.fromEntries([...lines].map(([, name = '', value]) => [name.replace('workqueue_', ''), Number(value)]));
}

test('a queue counts added, waiting, running and retried keys', async () => {
  const clock = manualClock();
  const metrics = new Metrics();
  const ends: (() => void)[] = [];
  const process = (): Promise<void> => new Promise((resolve) => ends.push(resolve));
  const queue = new WorkQueue({ clock, process, counting: { metrics, name: 'q' } });
  queue.add('a');
  queue.add('a');
  queue.add('b');
  expect(shown(metrics)).toMatchObject({ depth: 2, adds_total: 3 });
  await settle();
  expect(shown(metrics)).toMatchObject({ depth: 1 });
  await clock.step(2000);
  expect(shown(metrics)).toMatchObject({ unfinished_work_seconds: 2, longest_running_processor_seconds: 2 });
  ends[0]?.();
  await settle();
  expect(shown(metrics)).toMatchObject({
    ...{ depth: 0, queue_duration_seconds_sum: 2, queue_duration_seconds_count: 2 },
    ...{ work_duration_seconds_sum: 2, work_duration_seconds_count: 1, unfinished_work_seconds: 0 },
  });
  queue.addRateLimited('b');
  expect(shown(metrics)).toMatchObject({ retries_total: 1 });
  queue.add('c');
  queue.stop();
  expect(shown(metrics)).toMatchObject({ depth: 0 });
});
