/** Files of a container, read with its own tools as a person would with exec. */
import { execIn, readAll, type Client, type ContainerTarget } from '../../../client/index.ts';
import { decodeText } from '../../../std/index.ts';

export interface FileEntry {
  readonly name: string;
  readonly type: 'directory' | 'link' | 'file' | 'other';
  /** As `ls -l` writes it. */
  readonly mode: string;
  readonly size: number;
  /** Where a link leads. */
  readonly to?: string;
}

/** Bytes of a file that are shown. */
export const MOST_SHOWN = 256 * 1024;
/** Bytes of a file that are downloaded. */
export const MOST_DOWNLOADED = 5 * 1024 * 1024;

const TYPES: ReadonlyMap<string, FileEntry['type']> = new Map([
  ['d', 'directory'],
  ['l', 'link'],
  ['-', 'file'],
]);

const LINE = /^([-a-z])([-rwxsStT]{9})\S*\s+\d+\s+\S+\s+\S+\s+(\d+)(?:,\s*\d+)?\s+(?:\S+\s+){2,3}?[\d:]+\s(.*)$/i;

/** Reads what `ls -lA` writes; lines that are no entries are left out. Directories come first. */
export function entriesOf(listing: string): readonly FileEntry[] {
  const entries = listing.split('\n').flatMap((line): FileEntry[] => {
    const [, letter = '', mode = '', size = '', rest = ''] = LINE.exec(line) ?? [];
    if (rest === '') return [];
    const type = TYPES.get(letter) ?? 'other';
    const [name = rest, to] = type === 'link' ? rest.split(' -> ') : [rest];
    return [{ name, type, mode: letter + mode, size: Number(size), ...(to !== undefined && { to }) }];
  });
  const rank = ({ type }: FileEntry): number => (type === 'directory' ? 0 : 1);
  return entries.sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
}

async function run(
  client: Client,
  target: ContainerTarget,
  command: readonly string[],
): Promise<Uint8Array<ArrayBuffer>> {
  const running = await execIn(client, target, command);
  const [bytes, errors, { exitCode, message }] = await Promise.all([
    readAll(running.stdout),
    readAll(running.stderr),
    running.result,
  ]);
  if (exitCode !== 0) throw new Error(decodeText(errors).trim() || message);
  return bytes;
}

/** The entries of a directory. Rejects with what the container's own `ls` says. */
export async function listFiles(client: Client, target: ContainerTarget, path: string): Promise<readonly FileEntry[]> {
  return entriesOf(decodeText(await run(client, target, ['ls', '-lA', path.endsWith('/') ? path : `${path}/`])));
}

/** The first bytes of a file. */
export function readFile(
  client: Client,
  target: ContainerTarget,
  path: string,
  most: number,
): Promise<Uint8Array<ArrayBuffer>> {
  return run(client, target, ['head', '-c', String(most), path]);
}

/** The path of an entry; `..` leads to the directory above. */
export function pathOf(directory: string, name: string): string {
  if (name === '..') return directory.replace(/\/[^/]*\/?$/, '') || '/';
  return `${directory === '/' ? '' : directory}/${name}`;
}

/** The text of some bytes; undefined where they are none. */
export function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  // A character may be cut off at the end.
  for (let cut = 0; cut < 4; cut++)
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, bytes.length - cut));
    } catch {
      // Perhaps with one byte less.
    }
  return undefined;
}
