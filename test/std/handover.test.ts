import { expect, test } from 'vitest';
import { EventsResponse, Handover, type SharedEvent } from '../../src/std/index.ts';

interface Told {
  taken: number;
  cancelled: number;
}

function handover(limit = 2): { values: Handover<number>; told: Told } {
  const told = { taken: 0, cancelled: 0 };
  return {
    told,
    values: new Handover(limit, { drained: () => told.taken++, gone: () => told.cancelled++ }),
  };
}

test('gives all that waits at once, in order, and tells that there is room', async () => {
  const { values, told } = handover();
  values.give(1);
  expect(values.isFull).toBe(false);
  values.give(2);
  expect(values.isFull).toBe(true);
  expect(await values.take()).toEqual([1, 2]);
  expect(values.isFull).toBe(false);
  expect(told.taken).toBe(1);
});

test('wakes a taker that waits', async () => {
  const { values } = handover();
  const taken = values.take();
  values.give(7);
  expect(await taken).toEqual([7]);
});

test('after the end what waits can still be taken, and nothing more comes', async () => {
  const { values } = handover();
  values.give(1);
  values.close();
  values.give(2);
  expect(await values.take()).toEqual([1]);
  expect(await values.take()).toBeUndefined();
});

test('a taker that waits hears of the end', async () => {
  const { values } = handover();
  const taken = values.take();
  values.close();
  expect(await taken).toBeUndefined();
});

test('drops what waits when its taker goes', async () => {
  const { values, told } = handover();
  values.give(1);
  values.cancel();
  expect(await values.take()).toBeUndefined();
  expect(told).toEqual({ taken: 0, cancelled: 1 });
});

test('a reader gets all that came in one turn, and hears of the end once', async () => {
  const { values, told } = handover();
  const read: (readonly number[] | 'end')[] = [];
  values.give(1);
  values.readBy({ read: (some) => read.push(some), ended: () => read.push('end') });
  values.give(2);
  expect(read).toEqual([]);
  await Promise.resolve();
  values.give(3);
  values.close();
  values.close();
  await Promise.resolve();
  values.give(4);
  await Promise.resolve();
  expect(read).toEqual([[1, 2], [3], 'end']);
  expect(told).toEqual({ taken: 2, cancelled: 0 });
});

test('a reader that has cancelled gets nothing more', async () => {
  const { values, told } = handover();
  const read: unknown[] = [];
  values.readBy({ read: (some) => read.push(some), ended: () => read.push('end') });
  values.give(1);
  values.cancel();
  await Promise.resolve();
  expect(read).toEqual(['end']);
  expect(told).toEqual({ taken: 0, cancelled: 1 });
});

test('a reader that comes after the end hears of it', async () => {
  const { values } = handover();
  values.close();
  const read: unknown[] = [];
  values.readBy({ read: (some) => read.push(some), ended: () => read.push('end') });
  await Promise.resolve();
  expect(read).toEqual(['end']);
});

test('whoever reads the body of the answer gets the same events as bytes', async () => {
  const events = new Handover<SharedEvent>(9, { drained: () => undefined, gone: () => undefined });
  const response = new EventsResponse(events, { headers: { 'content-type': 'application/json' } });
  for (const type of ['ADDED', 'DELETED'])
    events.give({ type, object: {}, bytes: () => new TextEncoder().encode(`${type}\n`) });
  events.close();
  expect(response.bodyUsed).toBe(false);
  expect(await response.text()).toBe('ADDED\nDELETED\n');
  expect(response.bodyUsed).toBe(true);
  await expect(response.text()).rejects.toThrow(TypeError);
});

test('cancelling the body ends the events', async () => {
  let gone = false;
  const events = new Handover<SharedEvent>(9, { drained: () => undefined, gone: () => (gone = true) });
  await new EventsResponse(events, {}).body?.cancel();
  expect(gone).toBe(true);
});
