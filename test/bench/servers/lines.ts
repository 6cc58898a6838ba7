import type { BenchServer } from './server.ts';

/** Follows a watch, line by line, until `seen` says that it has seen enough. */
async function follow(chunks: AsyncIterable<Uint8Array>, seen: (line: string) => boolean): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (seen(line)) return;
  }
  throw new Error('a watch ended early');
}

/**
 * Opens a watch, and resolves with a promise of the moment in which as many objects were named on it as said, by lines
 * that fit; the watch is closed then.
 */
export async function untilSeen(
  server: BenchServer,
  path: string,
  count: number,
  fits: (line: string) => boolean = () => true,
): Promise<{ readonly all: Promise<void> }> {
  const ending = new AbortController();
  const chunks = await server.watch(`${path}${path.includes('?') ? '&' : '?'}watch=1`, ending.signal);
  const names = new Set<string>();
  const all = follow(chunks, (line) => {
    if (fits(line)) names.add(/"name":"([^"]*)"/.exec(line)?.[1] ?? '');
    return names.size >= count;
  }).finally(() => ending.abort());
  return { all };
}
