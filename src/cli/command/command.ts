/** Commands: each declares its name, flags and help once; parsing, errors and help follow. */
import { Client, type Transport } from '../../client/index.ts';
import { CommandError, complaint, PrintedError, describeFailure, misused } from './errors.ts';
import { connected, connectionFlags, idleFlags, warning } from './connection.ts';
import { integer, leadingFlags, parseFlags, text, toggle, type Flags, type Values } from './flags.ts';
import { helpOf, helpOfAll, helpOfGlobals } from './help.ts';
import type { Session } from './session.ts';
import { chosenContext } from '../kubeconfig/chosen.ts';
import { verbose } from './verbose.ts';

/** The flags of every command. */
export const globalFlags = {
  namespace: text({ short: 'n' }),
  ...connectionFlags,
  ...idleFlags,
  v: integer({ short: 'v' }),
} as const satisfies Flags;

/** One run of a command. */
export interface Call<F extends Flags = Flags> {
  readonly flags: Values<F & Pick<typeof globalFlags, 'namespace' | 'v' | 'as' | 'token' | 'kubeconfig' | 'context'>>;
  readonly given: ReadonlySet<string>;
  readonly typed: readonly (readonly [name: string, value: string])[];
  readonly args: readonly string[];
  /** The number of `args` before `--`; -1 if there is no `--`. */
  readonly argsBeforeDash: number;
  readonly session: Session;
  /** Asks as whoever `--as` names. */
  readonly client: Client;
  /** What the client asks by. */
  readonly transport: Transport;
  readonly namespace: string;
  /** Who asks where no flag names somebody else, as the server sees them; empty where only the server knows. */
  readonly user: string;
  /** The command as it was called: `kubectl get`. */
  readonly path: string;
  /** What `--help` would say. */
  readonly help: () => Promise<string>;
}

export interface Command {
  readonly name: string;
  readonly aliases: readonly string[];
  /** What the help says of a command that the reference's client does not have; of others it says what that client says. */
  readonly summary?: string | undefined;
  /** What stands behind the name of such a command: `VERB [TYPE | NONRESOURCEURL]`. */
  readonly usage?: string | undefined;
  readonly flags: Flags;
  /** Commands under this one, such as `rollout status`. */
  readonly subcommands: readonly Command[];
  /** Runs with the words behind its name. */
  readonly run: (words: readonly string[], session: Session, path: string) => Promise<void>;
}

interface Declaration<F extends Flags> {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly summary?: string;
  readonly usage?: string;
  readonly flags: F;
  readonly subcommands?: readonly Command[];
  /** Whether the command asks no server, so that it works whatever the configuration says. */
  readonly offline?: boolean;
  readonly run: (call: Call<F>) => Promise<void>;
}

/** Declares a command. */
export function command<F extends Flags>({
  flags: own,
  run,
  aliases = [],
  subcommands = [],
  offline = false,
  ...rest
}: Declaration<F>): Command {
  const flags = { ...globalFlags, ...own };
  const declared: Command = {
    ...rest,
    ...{ aliases, flags, subcommands },
    run: async (words, session, path) => {
      const below = subcommands.length > 0 ? named(subcommands, flags, words, path) : undefined;
      if (below?.found) return below.found.run(below.words, session, `${path} ${below.found.name}`);
      const { values, ...parsed } = parseFlags({ ...flags, ...helpFlags }, words, path);
      const help = (): Promise<string> => helpOf(declared, path, globalFlags, session);
      if (values.help) return session.out(await help());
      const { namespace, v: level, 'warnings-as-errors': strict }: Values<typeof globalFlags> = values;
      const warned = warning(verbose(session.transport, session, level), session);
      const globals = globalsOf(values, own);
      const chosen = offline ? undefined : await chosenContext(session, globals);
      const transport = chosen ? connected(warned.transport, session, globals, chosen) : warned.transport;
      await run({
        ...parsed,
        ...{ flags: values as Call<F>['flags'], session, transport, path, help },
        client: new Client({ transport, names: session.names, userAgent: session.program }),
        namespace: namespace || (chosen ?? session).namespace,
        user: chosen?.subject ?? '',
      });
      const warnings = warned.count();
      if (strict && warnings > 0) throw complaint(`${warnings} warning${warnings === 1 ? '' : 's'} received`);
    },
  };
  return declared;
}

/** The values of the connection flags, without those that the command declares itself, such as `--user` of `create rolebinding`. */
const globalsOf = (values: Values<typeof globalFlags>, own: Flags): Partial<Values<typeof globalFlags>> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !Object.hasOwn(own, name)));

/** How a group that is called without a command tells its help: as an error, as output of a failure, or as help, which is also given for unknown commands. */
type Alone = 'error' | 'failure' | 'help';

interface Group extends Omit<Command, 'run' | 'flags'> {
  readonly alone?: Alone;
}

/** Declares a command that only has others under it. */
export function group({ alone = 'error', ...declared }: Group): Command {
  const whole: Command = {
    ...declared,
    flags: {},
    run: async (words, session, path) => {
      const { name, found, words: rest } = named(declared.subcommands, globalFlags, words, path);
      if (found) return found.run(rest, session, `${path} ${found.name}`);
      const unknown = rest.filter((word) => !word.startsWith('-'));
      if (name !== undefined && alone !== 'help')
        throw misused(`unknown command ${JSON.stringify([name, ...unknown].join(' '))}`, path);
      const { help: asked } = parseFlags({ ...globalFlags, ...helpFlags }, rest, path).values;
      const help = await helpOf(whole, path, globalFlags, session);
      if (asked || alone === 'help') return session.out(help);
      throw alone === 'error' ? new CommandError(help.trimEnd()) : new PrintedError('', help);
    },
  };
  return whole;
}

interface Named {
  /** Undefined where the words are flags alone. */
  readonly name: string | undefined;
  readonly found: Command | undefined;
  /** The words for the command: those before its name, too. */
  readonly words: readonly string[];
}

const helpFlags = { help: toggle({ short: 'h' }) };

/** Finds the command that the words name: flags may stand before its name. */
function named(commands: readonly Command[], flags: Flags, words: readonly string[], path: string): Named {
  const { leading, rest } = leadingFlags({ ...flags, ...helpFlags }, words, path);
  const [name, ...more] = rest;
  const found = commands.find((each) => each.name === name || each.aliases.includes(name ?? ''));
  return { name, found, words: [...leading, ...more] };
}

function unknownCommand(
  commands: readonly Command[],
  [first = '']: readonly string[],
  name: string,
  path: string,
): CommandError {
  if (first.startsWith('-')) return new CommandError(`Error: flags cannot be placed before plugin name: ${first}`);
  const near = commands.filter((each) => distance(each.name, name) <= 2 || each.name.startsWith(name));
  const hint = near.length === 0 ? '' : `\n\nDid you mean this?\n${near.map((each) => `\t${each.name}\n`).join('')}`;
  return new CommandError(
    `Error: unknown command ${JSON.stringify(name)} for ${JSON.stringify(path)}${hint}\nRun '${path} --help' for usage.`,
  );
}

/** How many letters have to be changed, added or taken away to come from one word to the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries())
      next.push(Math.min((row[j] ?? 0) + (letter === other ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    row = next;
  }
  return row[b.length] ?? 0;
}

/** What the program says of itself; undefined where the words name a command. */
async function helpFor(
  commands: readonly Command[],
  words: readonly string[],
  session: Session,
): Promise<string | undefined> {
  const [first, ...topic] = words;
  if (first === undefined) return helpOfAll(commands, session);
  if (first === 'options') return helpOfGlobals(session);
  return first === 'help' ? helpAbout(commands, topic, session) : undefined;
}

/** The help of the last command that the words name. */
async function helpAbout(commands: readonly Command[], words: readonly string[], session: Session): Promise<string> {
  let found: Command | undefined;
  let path = session.program;
  for (const word of words) {
    const among: readonly Command[] = found?.subcommands ?? commands;
    const next = among.find(({ name, aliases }) => name === word || aliases.includes(word));
    if (!next) break;
    found = next;
    path += ` ${found.name}`;
  }
  if (found) return helpOf(found, path, globalFlags, session);
  const whole = await helpOfAll(commands, session);
  if (words.length === 0) return whole;
  session.err(
    `Unknown help topic [${words.map((word) => `\`${word}\``).join(' ')}]\n\n\n${withoutIntroduction(whole)}`,
  );
  return '';
}

const withoutIntroduction = (help: string): string => help.slice(help.search(/^.* Commands.*:$/m));

/** A shell's exit code for an interrupted program. */
const INTERRUPTED = 130;

/** Runs a command line's words (the first names a command); returns the exit code. What goes wrong is said on the error stream. */
export async function run(commands: readonly Command[], words: readonly string[], session: Session): Promise<number> {
  try {
    const { program } = session;
    const { name, found, words: rest } = named(commands, globalFlags, words, program);
    const help = found ? undefined : await helpFor(commands, name === undefined ? [] : words, session);
    if (found) await found.run(rest, session, `${program} ${found.name}`);
    else if (help === undefined) throw unknownCommand(commands, words, name ?? '', program);
    else session.out(help);
    return 0;
  } catch (error) {
    if (session.signal.aborted) return INTERRUPTED;
    if (error instanceof PrintedError) session.out(error.printed);
    const said = describeFailure(error);
    if (said !== '') session.err(`${said}\n`);
    return error instanceof CommandError ? error.exitCode : 1;
  }
}
