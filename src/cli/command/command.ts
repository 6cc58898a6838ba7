/** Commands: each declares its name, flags and help once; parsing, errors and help follow. */
import { Client, type Transport } from '../../client/index.ts';
import { CommandError, describeError, misused } from './errors.ts';
import { integer, parseFlags, text, texts, type Flags, type Values } from './flags.ts';
import type { Session } from './session.ts';
import { verbose } from './verbose.ts';

/** The flags of every command. */
export const globalFlags = {
  namespace: text('If present, the namespace scope for this CLI request', { short: 'n' }),
  as: text('Username to impersonate for the operation'),
  'as-group': texts('Group to impersonate for the operation, this flag can be repeated to specify multiple groups.'),
  v: integer('number for the log level verbosity', { short: 'v' }),
} as const satisfies Flags;

/** One run of a command. */
export interface Call<F extends Flags = Flags> {
  readonly flags: Values<F & typeof globalFlags>;
  readonly given: ReadonlySet<string>;
  readonly args: readonly string[];
  /** The number of `args` before `--`; -1 if there is no `--`. */
  readonly argsBeforeDash: number;
  readonly session: Session;
  /** Asks as whoever `--as` names. */
  readonly client: Client;
  readonly namespace: string;
  /** The command as it was called: `kubectl get`. */
  readonly path: string;
}

export interface Command {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  /** What stands behind the name: `[(-o|--output=)json|yaml|…] (TYPE[.VERSION][.GROUP] [NAME | -l label] | TYPE[.VERSION][.GROUP]/NAME ...)`. */
  readonly usage: string;
  readonly flags: Flags;
  /** Commands under this one, such as `rollout status`. */
  readonly subcommands: readonly Command[];
  /** Runs with the words behind its name. */
  readonly run: (words: readonly string[], session: Session, path: string) => Promise<void>;
}

interface Declaration<F extends Flags> {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly summary: string;
  readonly usage?: string;
  readonly flags: F;
  readonly subcommands?: readonly Command[];
  readonly run: (call: Call<F>) => Promise<void>;
}

/** Declares a command. */
export function command<F extends Flags>({
  flags: own,
  run,
  aliases = [],
  usage = '',
  subcommands = [],
  ...rest
}: Declaration<F>): Command {
  const flags = { ...own, ...globalFlags };
  return {
    ...rest,
    ...{ aliases, usage, flags, subcommands },
    run: async (words, session, path) => {
      const [first = '', ...more] = words;
      const below = subcommands.find((each) => each.name === first || each.aliases.includes(first));
      if (below) return below.run(more, session, `${path} ${below.name}`);
      const { values, ...parsed } = parseFlags(flags, words, path);
      const { namespace, as, 'as-group': groups, v: level }: Values<typeof globalFlags> = values;
      const transport = warning(impersonating(verbose(session.transport, session, level), as, groups), session);
      await run({
        ...parsed,
        ...{ flags: values as Values<F & typeof globalFlags>, session, path },
        client: new Client({ transport, names: session.names, userAgent: session.program }),
        namespace: namespace || session.namespace,
      });
    },
  };
}

/** Declares a command that only has others under it. */
export const group = (declared: Omit<Command, 'run' | 'flags' | 'usage'>): Command => ({
  ...declared,
  ...{ flags: {}, usage: '' },
  run: (words, session, path) => runCommand(declared.subcommands, words, session, path),
});

function impersonating(transport: Transport, user: string, groups: readonly string[]): Transport {
  if (user === '' && groups.length === 0) return transport;
  return (path, init) => {
    const headers = new Headers(init?.headers);
    if (user !== '') headers.set('impersonate-user', user);
    for (const each of groups) headers.append('impersonate-group', each);
    return transport(path, { ...init, headers });
  };
}

/** Says what the server warns of, each text once. */
function warning(transport: Transport, session: Session): Transport {
  const said = new Set<string>();
  return async (path, init) => {
    const response = await transport(path, init);
    for (const [, quoted = ''] of (response.headers.get('warning') ?? '').matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/g)) {
      const text = quoted.replace(/\\(.)/g, '$1');
      if (!said.has(text)) session.err(`Warning: ${text}\n`);
      said.add(text);
    }
    return response;
  };
}

/** Finds the command that the words name, and runs it. */
async function runCommand(
  commands: readonly Command[],
  words: readonly string[],
  session: Session,
  path: string,
): Promise<void> {
  const [name = '', ...rest] = words;
  const found = commands.find((each) => each.name === name || each.aliases.includes(name));
  if (!found && path !== session.program) throw misused(`unknown command ${JSON.stringify(name)}`, path);
  if (!found) throw unknownCommand(commands, name, path);
  await found.run(rest, session, `${path} ${found.name}`);
}

function unknownCommand(commands: readonly Command[], name: string, path: string): CommandError {
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

/** A shell's exit code for an interrupted program. */
const INTERRUPTED = 130;

/** Runs a command line's words (the first names a command); returns the exit code. What goes wrong is said on the error stream. */
export async function run(commands: readonly Command[], words: readonly string[], session: Session): Promise<number> {
  try {
    await runCommand(commands, words, session, session.program);
    return 0;
  } catch (error) {
    if (session.signal.aborted) return INTERRUPTED;
    const said = describeFailure(error);
    if (said !== '') session.err(`${said}\n`);
    return error instanceof CommandError ? error.exitCode : 1;
  }
}

/** Several problems are told one below the other. */
function describeFailure(error: unknown): string {
  if (!(error instanceof AggregateError)) return describeError(error);
  const problems = error.errors.map(describeError);
  return problems.length === 1 ? problems.join() : problems.map((each) => each.replace(/^error: /, '')).join('\n');
}
