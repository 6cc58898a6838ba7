import { getOwn, decodeText } from '../../../std/index.ts';
import { readLine } from '../../streams/index.ts';
import { evaluate } from '../arithmetic.ts';
import { ShellError, type Options, type ShellState } from '../state.ts';
import type { Builtin } from './builtin.ts';

type Changes = { readonly exported?: boolean; readonly readOnly?: boolean };

/** `NAME` or `NAME=VALUE`. */
function assign(state: ShellState, word: string, changes: Changes): void {
  const [, name = '', value] = /^([A-Za-z_]\w*)(?:=([\s\S]*))?$/.exec(word) ?? [];
  if (name === '') throw new ShellError(`${word}: bad variable name`, 2);
  const before = state.variables.get(name);
  if (value !== undefined || !before) state.set(name, value ?? '', changes);
  else state.variables.set(name, { ...before, ...changes });
}

const declare =
  (changes: Changes, letter: string): Builtin =>
  async (shell, args, streams) => {
    const names = args.filter((arg) => !/^-[a-z]+$/.test(arg));
    for (const word of names) assign(shell.state, word, args.includes('-n') ? { exported: false } : changes);
    if (names.length > 0) return 0;
    for (const [name, variable] of [...shell.state.variables].sort())
      if ((changes.exported && variable.exported) || (changes.readOnly && variable.readOnly))
        await shell.write(1, `${letter} ${name}='${variable.value.replaceAll("'", `'\\''`)}'\n`, streams);
    return 0;
  };

const local: Builtin = async ({ state }, args) => {
  for (const word of args.filter((arg) => !/^-[a-z]+$/.test(arg))) {
    state.makeLocal(word.split('=')[0] ?? '');
    assign(state, word, {});
  }
  return 0;
};

const LETTERS: Readonly<Record<string, keyof Options>> = { e: 'errexit', u: 'nounset', x: 'xtrace', f: 'noglob' };

/** Switches options by their letters: `-eu`, `+x`, `-o pipefail`. Returns the words that are left, undefined where none were given. */
export function setOptions(options: Options, args: readonly string[]): readonly string[] | undefined {
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (word === '--') return args.slice(at + 1);
    if (!/^[-+][a-zA-Z]/.test(word)) return args.slice(at);
    const on = word.startsWith('-');
    for (const letter of word.slice(1)) {
      const name = letter === 'o' ? (args[++at] as keyof Options | undefined) : getOwn(LETTERS, letter);
      if (name !== undefined && Object.hasOwn(options, name)) options[name] = on;
    }
  }
  return undefined;
}

const set: Builtin = async (shell, args, streams) => {
  if (args.length === 0) {
    const lines = [...shell.state.variables].sort().map(([name, { value }]) => `${name}='${value}'\n`);
    await shell.write(1, lines.join(''), streams);
    return 0;
  }
  const rest = setOptions(shell.state.options, args);
  if (rest) shell.state.positional = rest;
  return 0;
};

const unset: Builtin = async ({ state }, args) => {
  const [option] = args;
  for (const name of args.filter((arg) => !arg.startsWith('-'))) {
    if (option === '-f' || (option !== '-v' && !state.variables.has(name))) state.functions.delete(name);
    if (option !== '-f') state.unset(name);
  }
  return 0;
};

const shift: Builtin = async ({ state }, [count = '1']) => {
  if (Number(count) > state.positional.length) return 1;
  state.positional = state.positional.slice(Number(count));
  return 0;
};

const read: Builtin = async (shell, args, streams) => {
  const raw = args.some((arg) => /^-\w*r/.test(arg));
  const prompt = args.includes('-p') ? args[args.indexOf('-p') + 1] : undefined;
  const names = args.filter((arg, i) => !arg.startsWith('-') && !/^-\w*[ptnd]$/.test(args[i - 1] ?? ''));
  if (prompt !== undefined) await shell.write(2, prompt, streams);
  let line = '';
  let ended: boolean;
  do {
    const bytes = await readLine(streams.get(0) ?? shell.process.stdin, shell.process.killed);
    const text = bytes ? decodeText(bytes) : '';
    ended = !text.endsWith('\n');
    line += text.replace(/\n$/, '');
  } while (!ended && !raw && /(^|[^\\])(\\\\)*\\$/.test(line) && ((line = line.slice(0, -1)) || true));
  assignFields(shell.state, names.length > 0 ? names : ['REPLY'], raw ? line : line.replace(/\\([\s\S])/g, '$1'));
  return ended ? 1 : 0;
};

function assignFields(state: ShellState, names: readonly string[], line: string): void {
  const separators = state.get('IFS') ?? ' \t\n';
  let rest = trimBlanks(line, separators);
  names.forEach((name, i) => {
    if (i === names.length - 1) return state.set(name, rest);
    const at = [...rest].findIndex((char) => separators.includes(char));
    state.set(name, at < 0 ? rest : rest.slice(0, at));
    rest = at < 0 ? '' : trimBlanks(rest.slice(at + 1), separators);
  });
}

function trimBlanks(text: string, separators: string): string {
  const blanks = [...separators].filter((char) => /\s/.test(char)).join('');
  let [from, to] = [0, text.length];
  while (from < to && blanks.includes(text.charAt(from))) from += 1;
  while (to > from && blanks.includes(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

const compute: Builtin = async ({ state }, args) => {
  const values = args.map((arg) => evaluate(arg, state));
  return values[values.length - 1] === 0n ? 1 : 0;
};

const getopts: Builtin = async (shell, [spec = '', name = 'opt', ...own], streams) => {
  const { state } = shell;
  const args = own.length > 0 ? own : state.positional;
  const index = Number(state.get('OPTIND') ?? '1');
  const offset = Number(state.get('_OPTOFFSET') ?? '1');
  const word = args[index - 1] ?? '';
  if (!/^-./.test(word) || word === '--') return 1;
  const letter = word.charAt(offset);
  const takesValue = spec.charAt(spec.indexOf(letter) + 1) === ':';
  const isLast = offset + 1 >= word.length;
  const value = !takesValue ? undefined : isLast ? args[index] : word.slice(offset + 1);
  const next = takesValue ? index + (isLast ? 2 : 1) : index + (isLast ? 1 : 0);
  state.set('OPTIND', String(next));
  state.set('_OPTOFFSET', takesValue || isLast ? '1' : String(offset + 1));
  const isKnown = letter !== ':' && spec.includes(letter);
  if (!isKnown && !spec.startsWith(':')) await shell.complain(`Illegal option -${letter}`, streams);
  state.set(name, isKnown ? letter : '?');
  if (value !== undefined) state.set('OPTARG', value);
  return 0;
};

/** Commands that change variables and options. */
export const variables: Readonly<Record<string, Builtin>> = {
  export: declare({ exported: true }, 'export'),
  readonly: declare({ readOnly: true }, 'readonly'),
  declare: declare({}, 'declare'),
  typeset: declare({}, 'typeset'),
  let: compute,
  ...{ local, set, unset, shift, read, getopts },
};
