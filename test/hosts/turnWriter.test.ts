import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { TurnWriter } from '../../src/hosts/node/turnWriter.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function sink(highWaterMark = 1_000_000) {
  const got: string[] = [];
  const target = new Writable({
    highWaterMark,
    write: (chunk, _, done) => (got.push(String(chunk)), setImmediate(done)),
  });
  return { got, target };
}

test('what comes within one turn is written in one piece at its end', async () => {
  const { got, target } = sink();
  const writer = new TurnWriter(target);
  for (const text of ['a', 'b', 'c']) expect(writer.write(bytes(text))).toBe(true);
  expect(got).toEqual([]);
  await turn();
  expect(got).toEqual(['abc']);
  writer.write(bytes('d'));
  await turn();
  expect(got).toEqual(['abc', 'd']);
});

test('what is flushed does not come again', async () => {
  const { got, target } = sink();
  const writer = new TurnWriter(target);
  writer.write(bytes('a'));
  writer.flush();
  expect(got).toEqual(['a']);
  await turn();
  await turn();
  expect(got).toEqual(['a']);
});

test('much is written at once, and the writer says whether the target has to drain', async () => {
  const { got, target } = sink(100);
  const writer = new TurnWriter(target);
  expect(writer.write(bytes('x'.repeat(64 * 1024)))).toBe(false);
  expect(got.map(({ length }) => length)).toEqual([64 * 1024]);
  await new Promise((resolve) => target.once('drain', resolve));
  expect(writer.write(bytes('y'))).toBe(true);
});

test('what is written while the target has to drain is not held back', async () => {
  const { target } = sink(10);
  const writer = new TurnWriter(target);
  expect(writer.write(bytes('x'.repeat(20)))).toBe(true);
  await turn();
  expect(target.writableNeedDrain).toBe(true);
  expect(writer.write(bytes('y'))).toBe(false);
});

test('a client that went away gets nothing more, and nothing fails', async () => {
  const { got, target } = sink();
  const writer = new TurnWriter(target);
  writer.write(bytes('a'));
  target.destroy();
  await turn();
  expect(got).toEqual([]);
});
