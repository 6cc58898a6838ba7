/** What `--help` says: as the reference's client says it, and for commands that it does not have, what follows from their declaration. */
import { getOwn } from '../../std/index.ts';
import type { Flag, Flags } from './flags.ts';
import type { Session } from './session.ts';

/** What a command says of itself. */
export interface Described {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly summary?: string | undefined;
  readonly usage?: string | undefined;
  readonly flags: Flags;
  readonly subcommands: readonly Described[];
}

type Texts = Readonly<Record<string, string>>;

/** What the reference's client says of each command, by the words behind the program's name. It is fetched when somebody asks for help. */
const recorded = async (): Promise<Texts> => (await import('../help/recorded.json')).default;

/** The help of one command; `path` is how it is called, `globals` are the flags that every command has. */
export async function helpOf(described: Described, path: string, globals: Flags, session: Session): Promise<string> {
  const [program = '', ...behind] = path.split(' ');
  const texts = await recorded();
  const text = getOwn(texts, behind.join(' '));
  if (text === undefined) return declaredHelp(described, path, globals);
  return withAdded(placed(text, program, session), described.subcommands, behind, texts);
}

/** The help of the program itself. */
export async function helpOfAll(commands: readonly Described[], session: Session): Promise<string> {
  const texts = await recorded();
  return withAdded(placed(getOwn(texts, '') ?? '', session.program, session), commands, [], texts);
}

/** What `options` says. */
export const helpOfGlobals = async (session: Session): Promise<string> =>
  placed(getOwn(await recorded(), 'options') ?? '', session.program, session);

/** The text with the names of the profile, and the program as it was called. */
const placed = (text: string, program: string, { names }: Session): string =>
  names.fill(text).replaceAll('{program}', program);

/** Lists the commands that the reference's client does not have in a section of their own. */
function withAdded(text: string, commands: readonly Described[], path: readonly string[], texts: Texts): string {
  const added = commands.filter(({ name }) => getOwn(texts, [...path, name].join(' ')) === undefined);
  return added.length === 0
    ? text
    : text.replace('\nUsage:\n', () => `\nAdded Commands:\n${listOf(added)}\n\nUsage:\n`);
}

/** The help of a command that the reference's client does not have. */
function declaredHelp({ name, aliases, summary = '', usage, flags }: Described, path: string, globals: Flags): string {
  const [program = ''] = path.split(' ');
  const own = Object.entries(flags).filter(([flag, declared]) => getOwn(globals, flag) !== declared);
  return [
    summary.replace(/\.?$/, '.'),
    ...(aliases.length > 0 ? [`Aliases:\n${[name, ...aliases].join(', ')}`] : []),
    `Options:\n${optionsOf(own)}`,
    `Usage:\n  ${[path, usage, '[options]'].filter(Boolean).join(' ')}`,
    `Use "${program} options" for a list of global command-line options (applies to all commands).\n`,
  ].join('\n\n');
}

/** Of the column of names. */
const LEAST_WIDTH = 11;

function listOf(commands: readonly Described[]): string {
  const width = Math.max(LEAST_WIDTH, ...commands.map(({ name }) => name.length));
  const sorted = commands.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return sorted.map(({ name, summary }) => `  ${name.padEnd(width)} ${summary ?? ''}`).join('\n');
}

const optionsOf = (flags: readonly (readonly [string, Flag])[]): string =>
  flags
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { short, help = '', initial }]) => {
      const letter = short === undefined ? '      ' : `  -${short}, `;
      return `${letter}--${name}=${initialText(initial)}: ${help}`;
    })
    .join('\n');

function initialText(initial: unknown): string {
  if (Array.isArray(initial)) return `[${initial.join(',')}]`;
  return typeof initial === 'string' ? `'${initial}'` : String(initial);
}
