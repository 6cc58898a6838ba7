import { describe, expect, test, vi } from 'vitest';
import type { Connection } from '../../src/hosts/page/connection.ts';
import { watchRoom } from '../../src/hosts/page/room.ts';
import type { Call } from '../../src/hosts/wire/index.ts';

const call = (method: string, realm: Call['realm'] = 'page'): Call => ({ realm, method, path: '/x', headers: [] });

function bench(status = 201) {
  const room = { usage: 10, quota: 100, kept: false };
  const storage = {
    estimate: vi.fn(() => Promise.resolve(room)),
    persisted: () => Promise.resolve(room.kept),
    persist: vi.fn(() => Promise.resolve((room.kept = true))),
  };
  const connection: Connection = {
    send: () => Promise.resolve(new Response(null, { status })),
    leave: () => Promise.resolve(),
    left: new Promise(() => undefined),
  };
  const scarce = vi.fn();
  return { room, storage, scarce, watched: watchRoom(connection, scarce, storage) };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the room of a browser', () => {
  test.each([
    ['a read', call('GET'), 200],
    ['a refused write', call('POST'), 403],
    ['a question to the host', call('POST', 'host'), 200],
  ])('is not asked for by %s', async (_, asked, status) => {
    const { storage, watched } = bench(status);
    await watched.send(asked);
    await settled();
    expect(storage.persist).not.toHaveBeenCalled();
  });

  test('is asked to be kept once, after the first write', async () => {
    const { storage, watched } = bench();
    for (let i = 0; i < 3; i++) await watched.send(call('POST'));
    await settled();
    expect(storage.persist).toHaveBeenCalledTimes(1);
  });

  test('is told of once while it is scarce, and again when it becomes so again', async () => {
    const { room, scarce, watched } = bench();
    const writes = async (usage: number): Promise<void> => {
      room.usage = usage;
      for (let i = 0; i < 100; i++) await watched.send(call('PUT'));
      await settled();
    };
    await writes(50);
    await writes(81);
    await writes(90);
    expect(scarce.mock.calls).toEqual([[{ usage: 81, quota: 100 }]]);
    await writes(20);
    await writes(95);
    expect(scarce).toHaveBeenCalledTimes(2);
  });
});
