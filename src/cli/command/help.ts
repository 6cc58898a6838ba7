/** What `--help` says: it follows from what each command declares. */
import { getOwn } from '../../std/index.ts';
import type { Flag, Flags } from './flags.ts';
import { helpTexts } from './helpTexts.ts';

/** What a command says of itself. */
interface Described {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly usage: string;
  readonly flags: Flags;
  readonly subcommands: readonly Described[];
}

const HELP = ['-h', '--help'];

/** Whether the words ask for help; what stands behind `--` is somebody else's. */
export function asksForHelp(words: readonly string[]): boolean {
  const dash = words.indexOf('--');
  return words.slice(0, dash < 0 ? undefined : dash).some((word) => HELP.includes(word));
}

/** The help of one command; `path` is how it is called, `globals` are the flags that every command has. */
export function helpOf(described: Described, path: string, globals: Flags): string {
  const { name, aliases, summary, usage, flags, subcommands } = described;
  const [program = '', ...behind] = path.split(' ');
  const { about, examples = [] } = getOwn(helpTexts, behind.join(' ')) ?? {};
  const own = Object.entries(flags).filter(([name, flag]) => getOwn(globals, name) !== flag);
  const isGroup = subcommands.length > 0 && own.length === 0;
  const words = isGroup && usage === '' ? 'SUBCOMMAND' : usage;
  return [
    about ?? (isGroup ? summary : ` ${summary.replace(/\.?$/, '.')}`),
    ...(aliases.length > 0 ? [`Aliases:\n${[name, ...aliases].join(', ')}`] : []),
    ...(examples.length > 0 ? [`Examples:\n${examplesOf(examples, program)}`] : []),
    ...(subcommands.length > 0 ? [`Available Commands:\n${listOf(subcommands)}`] : []),
    ...(own.length > 0 ? [`Options:\n${optionsOf(own)}`] : []),
    `Usage:\n  ${[path, words].filter(Boolean).join(' ')}${own.length > 0 || isGroup ? ' [options]' : ''}`,
    subcommands.length > 0
      ? `Use "${program} <command> --help" for more information about a given command.\n${optionsHint(program)}`
      : optionsHint(program),
  ].join('\n\n');
}

/** What each example does stands above its line. */
const examplesOf = (examples: readonly (readonly [string, string])[], program: string): string =>
  examples.map(([what, line]) => `  # ${what}\n  ${program} ${line}`).join('\n  \n');

const optionsHint = (program: string): string =>
  `Use "${program} options" for a list of global command-line options (applies to all commands).\n`;

/** The help of the program itself. */
export function helpOfAll(commands: readonly Described[], program: string): string {
  return [
    `${program} controls the cluster manager.`,
    `Available Commands:\n${listOf(commands)}`,
    `Usage:\n  ${program} [flags] [options]`,
    `Use "${program} <command> --help" for more information about a given command.\n${optionsHint(program)}`,
  ].join('\n\n');
}

/** What `options` says. */
export const helpOfGlobals = (globals: Flags): string =>
  `The following options can be passed to any command:\n\n${optionsOf(Object.entries(globals))}\n`;

/** Of the column of names. */
const LEAST_WIDTH = 11;

function listOf(commands: readonly Described[]): string {
  const width = Math.max(LEAST_WIDTH, ...commands.map(({ name }) => name.length));
  const sorted = commands.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return sorted.map(({ name, summary }) => `  ${name.padEnd(width)} ${summary}`).join('\n');
}

const optionsOf = (flags: readonly (readonly [string, Flag])[]): string =>
  flags
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { short, help, initial }]) => {
      const letter = short === undefined ? '      ' : `  -${short}, `;
      return `${letter}--${name}=${initialText(initial)}: ${help}`;
    })
    .join('\n');

function initialText(initial: unknown): string {
  if (initial instanceof Map) return '[]';
  if (Array.isArray(initial)) return `[${initial.join(',')}]`;
  return typeof initial === 'string' ? `'${initial}'` : String(initial);
}
