import { describe, expect, test, vi } from 'vitest';
import { onlyOnce, requestIdHeader } from '../../src/hosts/page/once.ts';
import { deferred } from '../../src/hosts/wire/index.ts';
import { WholeResponse } from '../../src/std/index.ts';

const write = (id?: string): Request =>
  new Request('http://x/clusters/c/api/v1/pods', { method: 'POST', ...(id && { headers: { [requestIdHeader]: id } }) });

/** A server that counts what it does; `answers` are handed out in turn. */
function server(...answers: (Response | Promise<Response>)[]) {
  const time = { now: 0 };
  const handle = vi.fn((_request: Request) => Promise.resolve(answers[handle.mock.calls.length - 1] ?? made()));
  return { handle, time, once: onlyOnce(handle, () => time.now) };
}

const made = (text = 'made'): Response => new WholeResponse(text, { status: 201 });

describe('a request that is dispatched twice', () => {
  test('is done once, and both dispatches get its answer', async () => {
    const { handle, once } = server();
    const [first, second] = [await once(write('a')), await once(write('a'))];
    expect([await first.text(), await second.text()]).toEqual(['made', 'made']);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(handle).toHaveBeenCalledTimes(1);
  });

  test('is done once while it is still under way', async () => {
    const pending = deferred<Response>();
    const { handle, once } = server(pending.promise);
    const both = [once(write('a')), once(write('a'))];
    pending.resolve(made());
    expect(await Promise.all(both.map(async (answer) => (await answer).text()))).toEqual(['made', 'made']);
    expect(handle).toHaveBeenCalledTimes(1);
  });

  test('fails twice when it failed', async () => {
    const { handle, once } = server(Promise.reject(new TypeError('gone')));
    await expect(once(write('a'))).rejects.toThrow('gone');
    await expect(once(write('a'))).rejects.toThrow('gone');
    expect(handle).toHaveBeenCalledTimes(1);
  });

  test('gives each dispatch a response of its own, also of a stream that nobody has read yet', async () => {
    const { once } = server(new Response('streamed'));
    const [first, second] = [await once(write('a')), await once(write('a'))];
    expect(second).not.toBe(first);
    expect([await first.text(), await second.text()]).toEqual(['streamed', 'streamed']);
  });

  test('is answered with an unknown outcome when the first answer was a stream', async () => {
    const { once } = server(new Response('streamed'));
    await (await once(write('a'))).text();
    expect(await (await once(write('a'))).json()).toMatchObject({ kind: 'Status', code: 504 });
  });

  test('differs from another with the same content', async () => {
    const { handle, once } = server();
    await Promise.all([once(write('a')), once(write('b')), once(write()), once(write())]);
    expect(handle).toHaveBeenCalledTimes(4);
  });

  test('does not show its id to the cluster', async () => {
    const { handle, once } = server();
    await once(write('a'));
    expect(handle.mock.calls[0]?.[0].headers.get(requestIdHeader)).toBeNull();
  });

  test('is remembered for a minute after its answer, however long that took', async () => {
    const pending = deferred<Response>();
    const { handle, time, once } = server(pending.promise);
    const first = once(write('a'));
    time.now = 300_000;
    pending.resolve(made());
    await first;
    time.now += 59_999;
    await once(write('a'));
    expect(handle).toHaveBeenCalledTimes(1);
    time.now += 1;
    await once(write('a'));
    expect(handle).toHaveBeenCalledTimes(2);
  });

  test('is forgotten on time even while an earlier request is still under way', async () => {
    const held = deferred<Response>();
    const { handle, time, once } = server(held.promise);
    const first = once(write('held'));
    await once(write('b'));
    time.now = 60_000;
    await once(write('b'));
    expect(handle).toHaveBeenCalledTimes(3);
    held.resolve(made());
    await first;
    await once(write('held'));
    expect(handle, 'the held one is remembered from its answer on').toHaveBeenCalledTimes(3);
  });
});
