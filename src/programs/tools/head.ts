import type { FileNode } from '../files/index.ts';
import type { Process, Program } from '../process.ts';
import { concatenate, readAll, type Stream } from '../streams/index.ts';
import { eachInput, linesOf, out, parseSize, readOptions } from './tool.ts';

/** `-5` is how the number of lines was once given. */
const modern = (words: readonly string[]): string[] =>
  words.map((word, i) =>
    /^-[nc]$/.test(words[i - 1] ?? '') ? word : word.replace(/^-(\d+)$/, '-n$1').replace(/^(\+\d+)$/, '-n$1'),
  );

export const head: Program = async (process) => {
  const words = process.args.slice(1);
  const options = readOptions(modern(words), 'qv', 'nc', ['lines=', 'bytes=']);
  const bytes = options.value('c', 'bytes');
  const count = Number(options.value('n', 'lines') ?? 10);
  let first = true;
  return eachInput(process, options.rest, async (stream, name) => {
    if (options.rest.length > 1 && !options.has('q')) await out(process, `${first ? '' : '\n'}==> ${name} <==\n`);
    first = false;
    if (bytes !== undefined) return firstBytes(process, stream, parseSize(bytes) ?? 0);
    if (count < 0) return allButLast(process, stream, -count);
    let left = count;
    if (left > 0)
      for await (const line of linesOf(process, stream)) {
        await out(process, `${line}\n`);
        if (--left === 0) break;
      }
  });
};

async function firstBytes(process: Process, stream: Stream, count: number): Promise<void> {
  for (let left = count; left > 0;) {
    const chunk = await stream.read(process.killed);
    if (!chunk) return;
    stream.unread(chunk.subarray(left));
    await out(process, chunk.subarray(0, left));
    left -= Math.min(left, chunk.length);
  }
}

async function allButLast(process: Process, stream: Stream, count: number): Promise<void> {
  const kept: string[] = [];
  for await (const line of linesOf(process, stream)) {
    kept.push(line);
    if (kept.length > count) await out(process, `${kept.shift()}\n`);
  }
}

export const tail: Program = async (process) => {
  const words = process.args.slice(1);
  const options = readOptions(modern(words), 'fFqv', 'ncs', ['lines=', 'bytes=', 'follow', 'follow=', 'retry', 'pid=']);
  const follows = options.has('f', 'F', 'follow');
  const show = async (stream: Stream): Promise<void> => {
    const all = await readAll(stream, process.killed);
    await out(process, lastOf(all, options.value('n', 'lines') ?? '10', options.value('c', 'bytes')));
  };
  const waitsForFile = options.has('F', 'retry');
  const missing = waitsForFile ? options.rest.filter((name) => !process.files.tryFind(name)) : [];
  const present = options.rest.filter((name) => !missing.includes(name));
  const nodes = follows ? present.map((name) => process.files.tryFind(name)?.node) : [];
  const sizes = nodes.map((node) => (node?.type === 'file' ? node.size : 0));
  const code = missing.length > 0 && present.length === 0 ? 0 : await eachInput(process, present, show);
  if (!follows || options.rest.length === 0) return code;
  const watched = nodes.flatMap((node, i) => (node?.type === 'file' ? [follow(process, node, sizes[i] ?? 0)] : []));
  await Promise.all([...watched, ...missing.map((name) => appearing(process, name))]);
  if (watched.length + missing.length > 0 || nodes.some((node) => node?.type === 'special'))
    await process.wait(new Promise(() => undefined));
  return code;
};

function lastOf(all: Uint8Array, lines: string, bytes: string | undefined): Uint8Array {
  if (bytes !== undefined)
    return bytes.startsWith('+')
      ? all.subarray(Number(bytes) - 1)
      : all.subarray(Math.max(0, all.length - (parseSize(bytes.replace('-', '')) ?? 0)));
  if (lines.startsWith('+')) return all.subarray(startOfLine(all, Number(lines) - 1));
  const wanted = Math.abs(Number(lines));
  let at = all.length - (all[all.length - 1] === 10 ? 1 : 0);
  for (let found = 0; at > 0; at--) if (all[at - 1] === 10 && ++found === wanted) break;
  return wanted === 0 ? new Uint8Array(0) : all.subarray(at);
}

function startOfLine(all: Uint8Array, number: number): number {
  let at = 0;
  for (let i = 0; i < number && at < all.length; i++)
    at = all.indexOf(10, at) < 0 ? all.length : all.indexOf(10, at) + 1;
  return at;
}

/** Writes what is appended to a file, as soon as it is. */
async function follow(process: Process, node: FileNode, from: number): Promise<never> {
  let at = from;
  for (;;) {
    if (node.size < at) at = 0;
    if (node.size > at) {
      const added = concatenate([node.content.subarray(at)]).slice();
      at = node.size;
      await out(process, added);
    } else await changeOf(process, node);
  }
}

function changeOf(process: Process, node: FileNode): Promise<void> {
  let stop = (): void => undefined;
  const changed = new Promise<void>((resolve) => (stop = node.watch(resolve)));
  return process.wait(changed).finally(() => stop());
}

/** Waits for a file to be created by checking once a second, because there is no notification. */
async function appearing(process: Process, name: string): Promise<void> {
  for (;;) {
    const node = process.files.tryFind(name)?.node;
    if (node?.type === 'file') return follow(process, node, 0);
    await process.sleep(1000);
  }
}
