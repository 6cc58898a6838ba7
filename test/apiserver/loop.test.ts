import { expect, test, vi } from 'vitest';
import { createLoop } from '../../src/apiserver/extensions/loop.ts';
import { manualClock } from '../../src/std/index.ts';
import { WriteError } from '../../src/storage/index.ts';

test('a round that storage refuses is retried after a second, until it is stopped', async () => {
  const clock = manualClock();
  const round = vi.fn(() => Promise.reject(new WriteError('failed', 'etcd is away')));
  const loop = createLoop(clock, round);
  loop.wake();
  await clock.step(2500);
  expect(round).toHaveBeenCalledTimes(3);
  round.mockResolvedValue(undefined as never);
  await clock.step(5000);
  expect(round).toHaveBeenCalledTimes(4);
  await loop.stop();
});

test('a loop stopped after a failure runs no further round', async () => {
  const clock = manualClock();
  const round = vi.fn(() => Promise.reject(new WriteError('quota', 'there is no room')));
  const loop = createLoop(clock, round);
  loop.wake();
  await clock.step(1);
  await loop.stop();
  await clock.step(5000);
  expect(round).toHaveBeenCalledTimes(1);
});
