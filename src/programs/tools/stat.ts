import { getOwn } from '../../std/index.ts';
import { sizeOf, type Place } from '../files/index.ts';
import type { Process, Program } from '../process.ts';
import { modeText } from './ls.ts';
import { attempt, out, readOptions } from './tool.ts';
import { idName } from './users.ts';

const KINDS = {
  file: 'regular file',
  generated: 'regular empty file',
  directory: 'directory',
  link: 'symbolic link',
  special: 'character special file',
} as const;

/** What a letter of `stat -c` shows. */
const LETTERS: Readonly<Record<string, (place: Place, process: Process, name: string) => string | number>> = {
  a: ({ node }) => (node.mode & 0o7777).toString(8),
  A: ({ node }) => modeText(node),
  d: () => 1,
  F: ({ node }) => KINDS[node.type],
  g: ({ node }) => node.gid,
  G: ({ node }, process) => idName(process, 'group', node.gid),
  h: () => 1,
  i: ({ node }) => node.id,
  m: ({ mount }) => mount.path,
  n: (_, __, name) => name,
  s: ({ node }) => sizeOf(node),
  T: ({ node }) => node.device.type,
  u: ({ node }) => node.uid,
  U: ({ node }, process) => idName(process, 'passwd', node.uid),
  y: ({ node }) => dateText(node.modified),
  Y: ({ node }) => Math.floor(node.modified / 1000),
};

const dateText = (ms: number): string => `${new Date(ms).toISOString().replace('T', ' ').replace('Z', '000000')} +0000`;

const WHOLE = `  File: %n
  Size: %s	Blocks: 8	IO Block: 4096	%F
Device: %dh	Inode: %i	Links: %h
Access: (0%a/%A)  Uid: ( %u/ %U)   Gid: ( %g/ %G)
Modify: %y`;

export const stat: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'Lt', 'c', ['format=', 'printf=', 'file-system', 'dereference']);
  const format = options.value('c', 'format') ?? WHOLE;
  let code = 0;
  for (const name of options.rest)
    code = Math.max(
      code,
      await attempt(process, `can't stat '${name}'`, async () => {
        const place = process.files.find(name, options.has('L', 'dereference'));
        await out(
          process,
          `${format.replace(/%([a-zA-Z])/g, (whole, letter: string) => String(getOwn(LETTERS, letter)?.(place, process, name) ?? whole))}\n`,
        );
      }),
    );
  return code;
};
