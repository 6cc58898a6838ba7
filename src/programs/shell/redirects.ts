import { SystemError } from '../errors.ts';
import { openFile } from '../files/index.ts';
import type { Process } from '../process.ts';
import { textSource, type Stream } from '../streams/index.ts';
import type { Redirect } from './ast.ts';
import { expandText, type Expansion } from './expand.ts';

type Streams = ReadonlyMap<number, Stream>;

export interface Redirected {
  readonly streams: Streams;
  /** Releases what was opened. */
  close(): void;
}

/** The streams of a command after its redirects. Throws SystemError where a file can't be opened. */
export async function applyRedirects(
  redirects: readonly Redirect[],
  streams: Streams,
  expansion: Expansion,
): Promise<Redirected | undefined> {
  const changed = new Map(streams);
  const opened: Stream[] = [];
  const close = (): void => opened.forEach((stream) => stream.release());
  try {
    for (const redirect of redirects) await apply(redirect, changed, opened, expansion);
  } catch (problem) {
    close();
    throw problem;
  }
  return { streams: changed, close };
}

async function apply(
  { fd, operator, target }: Redirect,
  streams: Map<number, Stream>,
  opened: Stream[],
  expansion: Expansion,
): Promise<void> {
  const text = await expandText(target, expansion);
  const put = (to: number, stream: Stream): void => void streams.set(to, stream);
  const open = (stream: Stream): Stream => {
    opened.push(stream);
    return stream;
  };
  if (operator === '<<') return put(fd, open(textSource(text)));
  if (operator === '<<<') return put(fd, open(textSource(`${text}\n`)));
  if (operator === '<&' || (operator === '>&' && /^(\d+|-)$/.test(text))) return duplicate(fd, text, streams);
  const stream = open(openTarget(operator, text, expansion.process, streams));
  put(fd, stream);
  if (operator === '&>' || operator === '&>>' || operator === '>&') put(2, stream);
}

/** `/dev/stdout` is the command's, not the shell's. */
function openTarget(operator: Redirect['operator'], path: string, process: Process, streams: Streams): Stream {
  try {
    if (operator === '<') return openFile(process, path, { read: true }, streams);
    if (operator === '<>') return openFile(process, path, { read: true, write: true }, streams);
    const append = operator.endsWith('>>');
    return openFile(process, path, { write: true, append, truncate: !append }, streams);
  } catch (problem) {
    if (problem instanceof SystemError) throw new SystemError(problem.code, path);
    throw problem;
  }
}

function duplicate(fd: number, from: string, streams: Map<number, Stream>): void {
  if (from === '-') return void streams.delete(fd);
  const stream = streams.get(Number(from));
  if (!stream) throw new SystemError('EBADF', from);
  streams.set(fd, stream);
}
