/** States that a host tells its page, for as long as somebody reads. */
import { expect, test } from 'vitest';
import { streamLines } from '../../src/hosts/worker/streaming.ts';

/** A stream of numbers, what tells them, and whether anybody still listens. */
function numbers() {
  const state = { tell: (_: number): void => undefined, isOver: false };
  const gone = new AbortController();
  const response = streamLines<number>((tell) => {
    state.tell = tell;
    return () => void (state.isOver = true);
  }, gone.signal);
  const reader = response.body?.getReader();
  return { state, gone, response, reader };
}

test('whoever reads gets every state', async () => {
  const { state, reader } = numbers();
  for (const each of [1, 2, 3]) {
    state.tell(each);
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(`${each}\n`);
  }
});

test('whoever does not read gets the first and the newest, and nothing piles up', async () => {
  const state = { tell: (_: number): void => undefined };
  const response = streamLines<number>((tell) => {
    state.tell = tell;
    return () => undefined;
  }, new AbortController().signal);
  for (let each = 1; each <= 1000; each++) state.tell(each);
  const reader = response.body?.getReader();
  const read = async (): Promise<string> => new TextDecoder().decode((await reader?.read())?.value);
  expect([await read(), await read()]).toEqual(['1\n', '1000\n']);
  state.tell(1001);
  expect(await read()).toBe('1001\n');
});

test.each<[string, (stream: ReturnType<typeof numbers>) => unknown]>([
  ['the page is gone', ({ gone }) => gone.abort()],
  ['nobody reads on', ({ reader }) => reader?.cancel()],
])('it ends when %s', async (_, end) => {
  const stream = numbers();
  await end(stream);
  expect(stream.state.isOver).toBe(true);
});
