import { out, type Program } from '../../programs/index.ts';

/** A program, as `help` tells of it. */
export interface Described {
  /** The names that it answers to, the usual one first. */
  readonly names: readonly string[];
  readonly about: string;
}

const KEYS = `Keys
  Tab           complete commands, flags, kinds, names, files
  Up, Down      earlier and later command lines
  Ctrl+R        search the command lines; Enter runs what was found
  Ctrl+C        end the command, or give up the line
  Ctrl+L        empty the screen
  F6            leave the terminal

Files of your home folder (~) are kept with this cluster. Pipes, redirects, variables, loops and here-documents
work as in a POSIX shell, with the usual tools: ls, cat, grep, sed, awk, sort, head, tail, wc, xargs, and more in /bin.
`;

/** Says which programs there are, and which keys. */
export const helpOf =
  (listed: readonly Described[]): Program =>
  async (process) => {
    const names = listed.map((each) => each.names.slice(0, 3).join(', '));
    const width = Math.max(...names.map((name) => name.length)) + 2;
    const lines = listed.map(({ about }, i) => `  ${(names[i] ?? '').padEnd(width)}${about}\n`);
    await out(process, `Commands\n${lines.join('')}\n${KEYS}`);
    return 0;
  };
