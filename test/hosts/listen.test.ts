import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listen } from '../../src/hosts/page/listen.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('navigator', { userAgent: 'test' });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A connection that gives each answer in turn, and fails when there are no more. */
function connection(...answers: string[]) {
  const send = vi.fn(() => {
    const answer = answers.shift();
    return answer === undefined ? Promise.reject(new TypeError('gone')) : Promise.resolve(new Response(answer));
  });
  return { send, left: new Promise<string>(() => undefined) };
}

test('reads again after a failure, ever more slowly', async () => {
  const wire = connection();
  const end = listen(wire, '/trace', () => undefined);
  await vi.advanceTimersByTimeAsync(49);
  expect(wire.send).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(60_000);
  // After 0, 50, 150, 350, 750, 1550, 3150, 6350 ms, then every 5 s.
  expect(wire.send).toHaveBeenCalledTimes(18);
  end();
});

test('begins with the shortest wait again once something was read', async () => {
  const wire = connection();
  const lines = vi.fn();
  const end = listen(wire, '/trace', lines);
  await vi.advanceTimersByTimeAsync(6_000);
  const before = wire.send.mock.calls.length;
  wire.send.mockImplementationOnce(() => Promise.resolve(new Response('{"a":1}\n{"a":2}\n{"a"')));
  await vi.advanceTimersByTimeAsync(350 + 100);
  expect(lines.mock.calls).toEqual([[[{ a: 1 }, { a: 2 }]]]);
  expect(wire.send.mock.calls.length).toBe(before + 2);
  end();
});

test('ends at once, also while it waits', async () => {
  const wire = connection();
  listen(wire, '/trace', () => undefined)();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(wire.send).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});
