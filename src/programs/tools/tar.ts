import { decodeText, encodeText } from '../../std/index.ts';
import { directoryName, joinPath } from '../files/index.ts';
import type { Process, Program } from '../process.ts';
import { concatenate, readAll } from '../streams/index.ts';
import { attempt, fail, out, readOptions } from './tool.ts';
import { below } from './fileCommands.ts';

const BLOCK = 512;

/** Packs and unpacks archives without compression (ustar), as `cp` between a container and its owner needs it. */
export const tar: Program = async (process) => {
  const [first = '', ...rest] = process.args.slice(1);
  const words = first.startsWith('-') ? [first, ...rest] : [`-${first}`, ...rest];
  const options = readOptions(words, 'cxtvmpOkhz', 'fC', [
    'no-same-permissions',
    'no-same-owner',
    'strip-components=',
    'warning=',
  ]);
  if (options.has('z')) return fail(process, 'compression is not simulated');
  const directory = options.value('C') ?? '.';
  const file = options.value('f') ?? '-';
  if (options.has('c')) {
    return attempt(process, options.rest.join(' '), async () => {
      const archive = concatenate([
        ...options.rest.flatMap((path) => entries(process, directory, path)),
        new Uint8Array(BLOCK * 2),
      ]);
      if (file === '-') await out(process, archive);
      else process.files.write(file, archive);
    });
  }
  const archive = file === '-' ? await readAll(process.stdin, process.killed) : process.files.read(file);
  return attempt(process, file, () =>
    unpack(process, archive, directory, { lists: options.has('t'), toOutput: options.has('O') }),
  );
};

function entries({ files }: Process, directory: string, path: string): Uint8Array[] {
  return below(files, path.startsWith('/') ? path : joinPath(directory, path)).flatMap((found) => {
    const { node } = files.find(found, false);
    const relative = path.startsWith('/') ? found.slice(1) : found.slice(directory.length).replace(/^\//, '') || path;
    const content = node.type === 'directory' || node.type === 'link' ? new Uint8Array(0) : files.read(found);
    const target = node.type === 'link' ? node.target : '';
    const type = node.type === 'directory' ? '5' : node.type === 'link' ? '2' : '0';
    const padding = new Uint8Array((BLOCK - (content.length % BLOCK)) % BLOCK);
    return [
      header(node.type === 'directory' ? `${relative}/` : relative, node, content.length, type, target),
      content,
      padding,
    ];
  });
}

function header(
  name: string,
  node: { mode: number; uid: number; gid: number; modified: number },
  size: number,
  type: string,
  target: string,
): Uint8Array {
  const block = new Uint8Array(BLOCK);
  const put = (at: number, text: string): void => block.set(encodeText(text), at);
  const octal = (value: number, width: number): string => `${Math.floor(value).toString(8).padStart(width, '0')}\0`;
  const slash = name.length > 100 ? name.lastIndexOf('/', 155) : -1;
  put(0, (slash < 0 ? name : name.slice(slash + 1)).slice(0, 100));
  put(
    100,
    octal(node.mode & 0o7777, 7) +
      octal(node.uid, 7) +
      octal(node.gid, 7) +
      octal(size, 11) +
      octal(node.modified / 1000, 11),
  );
  put(148, '        ');
  put(156, type);
  put(157, target.slice(0, 100));
  put(257, 'ustar\x0000');
  if (slash > 0) put(345, name.slice(0, slash));
  put(
    148,
    `${block
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
  );
  return block;
}

interface Entry {
  readonly name: string;
  readonly type: string;
  readonly target: string;
  readonly mode: number;
  readonly content: Uint8Array;
}

/** The entries of an archive. */
function* read(archive: Uint8Array): Generator<Entry> {
  for (let at = 0; at + BLOCK <= archive.length;) {
    const start = at;
    const text = (from: number, length: number): string =>
      decodeText(archive.subarray(start + from, start + from + length)).replace(/\0.*$/s, '');
    const name = [text(345, 155), text(0, 100)].filter(Boolean).join('/');
    if (name === '') return;
    const size = parseInt(text(124, 12), 8) || 0;
    yield {
      name,
      type: text(156, 1) || '0',
      target: text(157, 100),
      mode: parseInt(text(100, 8), 8) & 0o777,
      content: archive.slice(at + BLOCK, at + BLOCK + size),
    };
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
}

async function unpack(
  process: Process,
  archive: Uint8Array,
  directory: string,
  { lists, toOutput }: { lists: boolean; toOutput: boolean },
): Promise<void> {
  for (const entry of read(archive)) {
    const slice = process.step();
    if (slice) await slice;
    if (lists) await out(process, `${entry.name}\n`);
    else if (toOutput) await out(process, entry.content);
    else place(process.files, joinPath(directory, entry.name.replace(/^\/+/, '').replace(/\/$/, '')), entry);
  }
}

function place(files: Process['files'], path: string, { type, target, mode, content }: Entry): void {
  makeParents(files, type === '5' ? path : directoryName(path));
  if (type === '5') return;
  if (files.tryFind(path, false)) files.remove(path);
  if (type === '2') files.makeLink(path, target);
  else files.write(path, content, mode);
}

function makeParents(files: Process['files'], path: string): void {
  if (files.isDirectory(path)) return;
  makeParents(files, directoryName(path));
  files.makeDirectory(path, 0o755);
}
