import { joinPath, sizeOf, type Node } from '../files/index.ts';
import type { Process, Program } from '../process.ts';
import { attempt, out, readOptions, type Options } from './tool.ts';
import { idName } from './users.ts';

const TYPES = { file: '-', generated: '-', directory: 'd', link: 'l', special: 'c' } as const;

/** The permissions alone: `rwxr-xr-x`. */
export const permissionText = ({ mode }: Node): string =>
  [...Array(9).keys()].map((i) => ((mode >> (8 - i)) & 1 ? 'rwx'.charAt(i % 3) : '-')).join('');

/** As `ls -l` shows a mode: `drwxr-xr-t`. */
export function modeText(node: Node): string {
  const bits = [...permissionText(node)];
  const special: readonly [number, number, string][] = [
    [0o4000, 2, 's'],
    [0o2000, 5, 's'],
    [0o1000, 8, 't'],
  ];
  for (const [bit, at, letter] of special)
    if (node.mode & bit) bits[at] = bits[at] === 'x' ? letter : letter.toUpperCase();
  return TYPES[node.type] + bits.join('');
}

export const ls: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'laA1dhRtrSFinsLC', '', ['color=', 'color']);
  const names = options.rest.length > 0 ? options.rest : ['.'];
  let code = 0;
  const show = async (path: string, titled: boolean): Promise<void> => {
    if (titled) await out(process, `${path}:\n`);
    await list(process, path, options);
  };
  for (const [i, path] of names.entries())
    code = Math.max(
      code,
      await attempt(process, path, async () => {
        const { node } = process.files.find(path, !options.has('l') || path.endsWith('/'));
        if (node.type !== 'directory' || options.has('d'))
          return out(process, `${line(process, path, path, options)}\n`);
        if (i > 0) await out(process, '\n');
        await show(path, names.length > 1 || options.has('R'));
        if (options.has('R')) await recurse(process, path, show);
      }),
    );
  return code;
};

async function recurse(
  process: Process,
  path: string,
  show: (path: string, titled: boolean) => Promise<void>,
): Promise<void> {
  for (const name of process.files.list(path)) {
    const child = joinPath(path, name);
    if (process.files.tryFind(child, false)?.node.type !== 'directory') continue;
    await out(process, '\n');
    await show(child, true);
    await recurse(process, child, show);
  }
}

async function list(process: Process, path: string, options: Options): Promise<void> {
  const all = process.files.list(path).filter((name) => !name.startsWith('.') || options.has('a', 'A'));
  const names = options.has('a') ? ['.', '..', ...all] : all;
  const sorted = ordered(process, path, names, options);
  const total = options.has('l') ? `total ${sorted.length * 4}\n` : '';
  await out(process, total + sorted.map((name) => `${line(process, joinPath(path, name), name, options)}\n`).join(''));
}

function ordered(process: Process, path: string, names: readonly string[], options: Options): readonly string[] {
  const node = (name: string): Node | undefined => process.files.tryFind(joinPath(path, name), false)?.node;
  const key = options.has('t')
    ? (n: Node | undefined) => -(n?.modified ?? 0)
    : options.has('S')
      ? (n: Node | undefined) => -(n ? sizeOf(n) : 0)
      : undefined;
  const sorted = key ? [...names].sort((a, b) => key(node(a)) - key(node(b))) : [...names];
  return options.has('r') ? sorted.reverse() : sorted;
}

function line(process: Process, path: string, name: string, options: Options): string {
  const { node } = process.files.find(path, options.has('L'));
  const mark = options.has('F') && node.type === 'directory' ? '/' : '';
  const inode = options.has('i') ? `${node.id} ` : '';
  if (!options.has('l', 'n')) return inode + name + mark;
  const [user, group] = options.has('n')
    ? [node.uid, node.gid]
    : [idName(process, 'passwd', node.uid), idName(process, 'group', node.gid)];
  const size = options.has('h') ? humanSize(sizeOf(node)) : String(sizeOf(node));
  const target = node.type === 'link' ? ` -> ${node.target}` : '';
  return `${inode}${modeText(node)} ${String(node.type === 'directory' ? 2 : 1).padStart(4)} ${String(user).padEnd(8)} ${String(group).padEnd(8)} ${size.padStart(9)} ${shortDate(node.modified)} ${name}${mark}${target}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function shortDate(ms: number): string {
  const date = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${MONTHS[date.getUTCMonth()]} ${String(date.getUTCDate()).padStart(2)} ${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`;
}

/** `1.5K`, `20M` */
export function humanSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  for (; value >= 1024 && unit < 4; unit++) value /= 1024;
  return unit === 0 ? String(bytes) : `${value < 10 ? value.toFixed(1) : Math.round(value)}${'KMGT'.charAt(unit - 1)}`;
}
