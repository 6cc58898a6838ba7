import type { Line, Program } from './program.ts';

/**
 * As much of a shell as manifests use: commands one after another with `;`, `&&` and `||`, `sleep`, `echo`, `exit`,
 * loops. What it can't know the outcome of (files, other programs) is taken to succeed at once.
 */

interface State {
  /** Milliseconds since the start. */
  now: number;
  readonly output: Line[];
  status: number;
  ended: boolean;
  /** The body of a loop without end, once one is reached. */
  endless: { from: number; body: string } | undefined;
  readonly variables: Record<string, string>;
}

const LOOPS_AT_MOST = 1000;
/** Milliseconds that a command takes that does nothing slow. */
const INSTANT = 1;
/** Milliseconds between the rounds of a loop that never sleeps. */
const BUSY = 100;

/** What a script does. `variables` are its environment. */
export function runScript(script: string, variables: Readonly<Record<string, string>> = {}): Program {
  const state: State = { now: 0, output: [], status: 0, ended: false, endless: undefined, variables: { ...variables } };
  run(script, state);
  if (!state.endless) return { runsFor: Math.max(state.now, INSTANT), exitCode: state.status, output: state.output };
  return { exitCode: 0, output: state.output, ...roundOf(state, state.endless) };
}

/** What a single command does, given as the list of its words. */
export function runCommand(words: readonly string[], variables: Readonly<Record<string, string>> = {}): Program {
  const inShell = /(^|\/)(sh|bash|ash|dash)$/.test(words[0] ?? '');
  const option = words.findIndex((word) => /^-[a-z]*c$/.test(word));
  if (inShell && option > 0) return runScript(words[option + 1] ?? '', variables);
  // A shell without a script and without a terminal has nothing to do.
  if (inShell) return { runsFor: INSTANT, exitCode: 0, output: [] };
  return runScript(words.map(quote).join(' '), variables);
}

const quote = (word: string): string => `'${word.replace(/'/g, `'\\''`)}'`;

function roundOf(state: State, { from, body }: { from: number; body: string }): Pick<Program, 'repeating'> {
  const round: State = {
    ...state,
    now: 0,
    output: [],
    endless: undefined,
    ended: false,
    variables: { ...state.variables },
  };
  run(body, round);
  return { repeating: { from, every: Math.max(round.now, BUSY), lines: round.output } };
}

function run(script: string, state: State): void {
  let skip = false;
  for (const { text, before } of statements(script)) {
    if (before === '&&') skip = state.status !== 0;
    else if (before === '||') skip = state.status === 0;
    else skip = false;
    if (skip || text === '') continue;
    runStatement(text, state);
    if (state.ended || state.endless) return;
  }
}

function runStatement(text: string, state: State): void {
  const loop = /^(while|until|for)\s+([\s\S]*?)\s*[;\n]\s*do\b([\s\S]*)\bdone$/.exec(text);
  if (!loop) return runSimple(text, state);
  const [, kind = '', head = '', body = ''] = loop;
  if (kind === 'for') return runFor(head, body, state);
  const forever = kind === 'while' ? /^(true|:|\[ 1 \])$/ : /^(false)$/;
  // A condition on something that isn't simulated is taken to be met at once: the loop ends.
  if (forever.test(head)) state.endless = { from: state.now, body };
}

function runFor(head: string, body: string, state: State): void {
  const [, name = '_', list = ''] = /^(\w+)\s+in\s+([\s\S]*)$/.exec(head) ?? [];
  const sequence = /\$\(seq\s+(?:(\d+)\s+)?(\d+)\)/.exec(list);
  const range = /^\{(\d+)\.\.(\d+)\}$/.exec(list.trim());
  const [from, to] = sequence ? [sequence[1] ?? '1', sequence[2] ?? '0'] : [range?.[1] ?? '1', range?.[2] ?? '0'];
  const counted =
    sequence || range
      ? Array.from({ length: Math.max(0, Number(to) - Number(from) + 1) }, (_, i) => String(Number(from) + i))
      : words(list, state);
  for (const value of counted.slice(0, LOOPS_AT_MOST)) {
    state.variables[name] = value;
    run(body, state);
    if (state.ended || state.endless) return;
  }
}

function runSimple(text: string, state: State): void {
  const all = words(
    text.replace(/\s*\d?>{1,2}\s*(&\d|\S+)/g, (redirect) =>
      /\/dev\/(stdout|stderr|termination-log)|&/.test(redirect) ? '' : '\u0000',
    ),
    state,
  );
  const silent = all.some((word) => word.includes('\u0000'));
  const [command = '', ...args] = all.map((word) => word.replaceAll('\u0000', '')).filter((word) => word !== '');
  const assigned = /^(\w+)=(.*)$/.exec(command);
  if (assigned) state.variables[assigned[1] ?? ''] = assigned[2] ?? '';
  state.now += INSTANT;
  const known = COMMANDS[command.slice(command.lastIndexOf('/') + 1)];
  const before = state.output.length;
  state.status = known ? known(args, state) : 0;
  if (silent) state.output.length = before;
}

type Command = (args: readonly string[], state: State) => number;

function print(state: State, text: string): number {
  for (const line of text.split('\n')) state.output.push({ at: state.now, text: line });
  return 0;
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86400 };

/** Milliseconds; Infinity for `sleep infinity`. */
function sleepTime(args: readonly string[]): number {
  return args.reduce((sum, arg) => {
    const [, amount = '0', unit = 's'] = /^([\d.]+)([smhd]?)$/.exec(arg) ?? [];
    return sum + (arg === 'infinity' || arg === 'inf' ? Infinity : Number(amount) * (UNITS[unit || 's'] ?? 1) * 1000);
  }, 0);
}

function wait(state: State, ms: number): number {
  if (ms === Infinity) state.endless = { from: state.now, body: 'sleep 86400' };
  else state.now += ms;
  return 0;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  sleep: (args, state) => wait(state, sleepTime(args)),
  pause: (_, state) => wait(state, Infinity),
  tail: (args, state) => (args.some((arg) => /^-\w*[fF]/.test(arg)) ? wait(state, Infinity) : 0),
  echo: (args, state) => print(state, (args[0] === '-n' || args[0] === '-e' ? args.slice(1) : args).join(' ')),
  printf: (args, state) =>
    print(
      state,
      (args[0] ?? '').replace(/\\n$/, '').replace(/%s/g, () => args[1] ?? ''),
    ),
  date: (_, state) => print(state, '(date)'),
  hostname: (_, state) => print(state, state.variables.HOSTNAME ?? 'localhost'),
  false: () => 1,
  exec: (args, state) => {
    run(args.map(quote).join(' '), state);
    state.ended = true;
    return state.status;
  },
  exit: (args, state) => {
    state.ended = true;
    return args[0] === undefined ? state.status : Number(args[0]) & 255;
  },
  cat: (args, state) => (args.length === 1 && !args[0]?.startsWith('/dev') ? missing(args[0] ?? '', state) : 0),
};

/** Files that configuration mounts aren't known here; only those that can't be there are called missing. */
function missing(path: string, state: State): number {
  if (!/nonexistent|missing/.test(path)) return 0;
  print(state, `cat: can't open '${path}': No such file or directory`);
  return 1;
}

interface Statement {
  readonly text: string;
  /** The operator that stands before it. */
  readonly before: string;
}

/** The statements of a script; what stands in quotes or between `do` and `done` stays together. */
function statements(script: string): Statement[] {
  const found: Statement[] = [];
  const token = /'[^']*'|"(?:\\.|[^"\\])*"|\\[\s\S]|\$\([^)]*\)|\b(?:do|done)\b|&&|\|\||[;\n]|[\s\S]/g;
  let text = '';
  let before = '';
  let depth = 0;
  for (const [part] of script.matchAll(token)) {
    if (part === 'do') depth += 1;
    if (part === 'done') depth -= 1;
    const loopHead = depth === 0 && /^(while|until|for)\b/.test(text.trimStart()) && !/\bdone\s*$/.test(text);
    if (depth > 0 || loopHead || !/^(&&|\|\||;|\n)$/.test(part)) {
      text += part;
      continue;
    }
    found.push({ text: text.trim(), before });
    text = '';
    before = part;
  }
  found.push({ text: text.trim(), before });
  return found;
}

/** The words of a command, quotes taken off and variables put in. */
function words(text: string, state: State): string[] {
  const found: string[] = [];
  let current: string | undefined;
  for (const [part] of text.matchAll(/'[^']*'|"(?:\\.|[^"\\])*"|\\[\s\S]|\s+|[^\s'"\\]+/g)) {
    if (/^\s/.test(part)) {
      if (current !== undefined) found.push(current);
      current = undefined;
      continue;
    }
    current = (current ?? '') + unquote(part, state);
  }
  return current === undefined ? found : [...found, current];
}

function unquote(part: string, state: State): string {
  if (part.startsWith("'")) return part.slice(1, -1);
  if (part.startsWith('\\')) return part.slice(1);
  const inner = part.startsWith('"') ? part.slice(1, -1).replace(/\\(["\\$`])/g, '$1') : part;
  return inner
    .replace(/\$\(\s*date[^)]*\)/g, '(date)')
    .replace(/\$\(\s*hostname\s*\)/g, state.variables.HOSTNAME ?? 'localhost')
    .replace(/\$\{?(\w+)\}?/g, (_, name: string) => state.variables[name] ?? '');
}
