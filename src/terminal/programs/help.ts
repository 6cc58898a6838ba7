import { out, type Program } from '../../programs/index.ts';

/** A program, as `help` tells of it. */
export interface Described {
  /** The names that it answers to, the usual one first. */
  readonly names: readonly string[];
  readonly about: string;
}

const KEYS: readonly (readonly [string, string])[] = [
  ['Tab', 'complete commands, flags, kinds, names, files'],
  ['Up, Down', 'earlier and later command lines'],
  ['Ctrl+R', 'search the command lines; Enter runs what was found'],
  ['Ctrl+C', 'end the command, or give up the line'],
  ['Ctrl+L', 'empty the screen'],
  ['F6', 'leave the terminal'],
];
const MORE =
  'The files of your home folder (~) are kept with this cluster. Pipes, redirects, variables, loops and here-documents work as in ' +
  'a POSIX shell, with the usual tools: ls, cat, grep, sed, awk, sort, head, tail, wc, xargs, and more in /bin.';
const USUAL_WIDTH = 100;

/** Text in lines of a width; lines but the first are indented. */
function wrapped(text: string, width: number, indent: number): string {
  let column = indent;
  let wrap = '';
  for (const word of text.split(' ')) {
    const isFirst = wrap === '';
    const breaks = !isFirst && column + 1 + word.length > width;
    wrap += isFirst ? word : breaks ? `\n${' '.repeat(indent)}${word}` : ` ${word}`;
    column = breaks ? indent + word.length : column + word.length + (isFirst ? 0 : 1);
  }
  return `${wrap}\n`;
}

/** Names, and beside them what they do. */
function table(rows: readonly (readonly [string, string])[], width: number): string {
  const indent = Math.max(...rows.map(([name]) => name.length)) + 4;
  return rows.map(([name, about]) => `  ${name.padEnd(indent - 2)}${wrapped(about, width, indent)}`).join('');
}

/** Says which programs there are, and which keys. */
export const helpOf =
  (listed: readonly Described[]): Program =>
  async (process) => {
    const width = process.stdout.terminal?.columns ?? USUAL_WIDTH;
    const programs = listed.map(({ names, about }) => [names.slice(0, 3).join(', '), about] as const);
    const more = wrapped(MORE, Math.min(width, USUAL_WIDTH), 0);
    await out(process, `Commands\n${table(programs, width)}\nKeys\n${table(KEYS, width)}\n${more}`);
    return 0;
  };
