import { delay, inBackground, realClock, throwToHost } from '../../std/index.ts';
import { callFrom } from './call.ts';
import type { Call } from '../wire/index.ts';
import type { Connection } from './connection.ts';

/** How long to wait before reading again, in milliseconds: doubled after each attempt that brought nothing. */
const FIRST_WAIT = 50;
const LONGEST_WAIT = 5_000;

/** The browser's time: the cluster's may stand still. */
const clock = realClock();

/** Reads lines of JSON until it is ended; when the tab that ran the cluster is closed, those of the next one. */
export function listen<T>(
  connection: Pick<Connection, 'send' | 'left'>,
  path: string,
  listener: (lines: readonly T[]) => void,
): () => void {
  const end = new AbortController();
  const { signal } = end;
  inBackground(
    connection.left.then(() => end.abort()),
    throwToHost,
  );
  let wait = FIRST_WAIT;
  const deliver = (lines: readonly T[]): void => {
    wait = FIRST_WAIT;
    listener(lines);
  };
  const readOn = async (): Promise<void> => {
    while (!signal.aborted) {
      await callFrom('host', path, { signal })
        .then((call) => linesOf(connection, call, deliver))
        .catch(() => undefined);
      await delay(clock, wait, signal);
      wait = Math.min(wait * 2, LONGEST_WAIT);
    }
  };
  inBackground(readOn(), throwToHost);
  return () => end.abort();
}

/** Reads the lines of one answer to its end. */
export async function linesOf<T>(
  connection: Pick<Connection, 'send'>,
  call: Call,
  deliver: (lines: readonly T[]) => void,
): Promise<void> {
  const response = await connection.send(call);
  const text = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let next = await text?.read(); next && !next.done; next = await text?.read()) {
    const lines = (rest + next.value).split('\n');
    rest = lines.pop() ?? '';
    if (lines.length > 0) deliver(lines.map((line) => JSON.parse(line) as T));
  }
}
