import { afterEach, describe, expect, test } from 'vitest';
import { createCluster, type Cluster, type ClusterOptions } from '../../src/cluster/index.ts';
import { keepClock } from '../../src/cluster/keptClock.ts';
import {
  hostTime,
  manualClock,
  yieldToTasks,
  realClock,
  type ControlledClock,
  type HostTime,
} from '../../src/std/index.ts';
import { memoryBackend, memoryDisk, openStorage, type MemoryDisk } from '../../src/storage/index.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 1);

describe('a reopened cluster', () => {
  let cluster: Cluster | undefined;
  afterEach(async () => {
    await cluster?.stop();
    cluster = undefined;
  });

  const open = async (disk: MemoryDisk, clock: ClusterOptions['clock']): Promise<Cluster> =>
    (cluster = await createCluster(
      { name: 'kept', seed: 1, ...(clock && { clock }) },
      { backend: memoryBackend(disk) },
    ));

  test.each(['real', 'manual', 10] as const)('continues from its last time (clock: %s)', async (clock) => {
    const disk = memoryDisk();
    const first = await open(disk, clock);
    await first.clock.step(HOUR);
    first.clock.pause();
    const reached = first.clock.now();
    await first.stop();
    const second = await open(disk, clock);
    expect(second.clock.now()).toBe(reached);
    expect(second.clock.paused).toBe(true);
  });
});

describe('a clock after its cluster is reopened', () => {
  /** Closes and opens a clock's storage again while the host's time passes. */
  async function reopened(
    use: (clock: ControlledClock) => void | Promise<void>,
    away: number,
    { crash = false, choices = ['real', 'real'] as readonly ClusterOptions['clock'][] } = {},
  ): Promise<{ readonly before: number; readonly after: ControlledClock; readonly writes: number }> {
    let now = START;
    const host = { ...hostTime, now: () => now };
    const disk = memoryDisk();
    const storage = await openStorage({ backend: memoryBackend(disk), clock: manualClock() });
    const clock = realClock(typeof choices[0] === 'number' ? choices[0] : 1, host);
    const leave = await keepClock(clock, storage, choices[0], host);
    await use(clock);
    now += 1000;
    const before = clock.now();
    if (!crash) await leave();
    const writes = storage.revision;
    await storage.close();
    clock.dispose();
    now += away;
    const again = await openStorage({ backend: memoryBackend(disk), clock: manualClock() });
    const after = realClock(typeof choices[1] === 'number' ? choices[1] : 1, host);
    await keepClock(after, again, choices[1], host);
    after.dispose();
    return { before, after, writes };
  }

  test('shows the host’s time if nobody moved it, and stores nothing', async () => {
    const { after, before, writes } = await reopened(() => undefined, HOUR);
    expect(after.now()).toBe(before + HOUR);
    expect(writes).toBe(0);
  });

  test('keeps the offset of its steps, and includes the time it was closed', async () => {
    const { after, before } = await reopened((clock) => clock.step(24 * HOUR), HOUR);
    expect(after.now()).toBe(before + HOUR);
  });

  test('stays paused at the same time', async () => {
    const { after, before } = await reopened((clock) => clock.pause(), HOUR);
    expect(after.now()).toBe(before);
    expect(after.paused).toBe(true);
  });

  test('keeps its speed and never goes back, whether it was closed or killed', async () => {
    for (const crash of [false, true]) {
      const { after, before } = await reopened((clock) => clock.setScale(60), 0, { crash });
      expect(after.now()).toBeGreaterThanOrEqual(before);
      expect(after.scale).toBe(60);
    }
  });

  test('does not catch up on the time while it was closed', async () => {
    const { after, before } = await reopened((clock) => clock.setScale(600), 8 * HOUR);
    expect(after.now() - before).toBeLessThan(8 * HOUR + 600 * 5 * 60_000);
  });

  test('keeps only its time when it is opened with another speed', async () => {
    const { after, before } = await reopened((clock) => clock.pause(), HOUR, { choices: [10, 'real'] });
    expect(after.now()).toBe(before);
    expect([after.paused, after.scale]).toEqual([false, 1]);
  });

  test('leaves no timer behind when it is closed during overlapping writes', async () => {
    const pending = new Set<object>();
    const host: HostTime = {
      now: () => START,
      schedule: () => {
        const handle = {};
        pending.add(handle);
        return handle;
      },
      cancel: (handle) => void pending.delete(handle as object),
    };
    const storage = await openStorage({ backend: memoryBackend(memoryDisk()), clock: manualClock() });
    const clock = realClock(10, hostTime);
    const leave = await keepClock(clock, storage, 10, host);
    for (const scale of [20, 30, 40]) clock.setScale(scale);
    await expect.poll(() => storage.revision).toBeGreaterThanOrEqual(4);
    expect(pending.size).toBe(1);
    clock.setScale(50);
    await leave();
    clock.dispose();
    await storage.close();
    expect(pending.size).toBe(0);
  });

  test('is not missed where storage closes first, as when a start fails', async () => {
    const due: (() => void)[] = [];
    const host: HostTime = { now: () => START, schedule: (run) => due.push(run), cancel: () => undefined };
    const storage = await openStorage({ backend: memoryBackend(memoryDisk()), clock: manualClock() });
    const clock = realClock(10, hostTime);
    await keepClock(clock, storage, 10, host);
    await expect.poll(() => due.length).toBe(1);
    await storage.close();
    const thrown: unknown[] = [];
    const hear = (error: unknown): void => void thrown.push(error);
    process.prependOnceListener('uncaughtException', hear);
    due[0]?.();
    await yieldToTasks();
    await yieldToTasks();
    process.removeListener('uncaughtException', hear);
    clock.dispose();
    expect(thrown).toEqual([]);
  });
});
