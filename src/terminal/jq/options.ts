/** The command line of jq. */
import { getOwn } from '../../std/index.ts';

export interface JqOptions {
  filter: string | undefined;
  filterFile: string | undefined;
  readonly files: string[];
  readonly named: [name: string, value: unknown][];
  /** Files whose values, or whose text, variables have. */
  readonly fromFiles: { readonly name: string; readonly path: string; readonly raw: boolean }[];
  readonly positional: unknown[];
  raw: boolean;
  join: boolean;
  nothing: boolean;
  slurp: boolean;
  rawInput: boolean;
  exitStatus: boolean;
  sorted: boolean;
  ascii: boolean;
  help: boolean;
  indent: string | undefined;
}

/** A command line that can't be read. */
export class UsageProblem extends Error {}

const LETTERS: Readonly<Record<string, (options: JqOptions) => void>> = {
  r: (options) => (options.raw = true),
  j: (options) => (options.raw = options.join = true),
  c: (options) => (options.indent = undefined),
  n: (options) => (options.nothing = true),
  s: (options) => (options.slurp = true),
  R: (options) => (options.rawInput = true),
  e: (options) => (options.exitStatus = true),
  S: (options) => (options.sorted = true),
  a: (options) => (options.ascii = true),
  h: (options) => (options.help = true),
  // There are no colours to choose.
  C: () => undefined,
  M: () => undefined,
};

const NAMES: Readonly<Record<string, string>> = {
  ...{ 'raw-output': 'r', 'join-output': 'j', 'compact-output': 'c', 'null-input': 'n', slurp: 's', 'raw-input': 'R' },
  ...{
    'exit-status': 'e',
    'sort-keys': 'S',
    'ascii-output': 'a',
    help: 'h',
    'color-output': 'C',
    'monochrome-output': 'M',
  },
};

/** Throws UsageProblem. */
export function readJqOptions(words: readonly string[]): JqOptions {
  const options: JqOptions = {
    ...{ filter: undefined, filterFile: undefined, files: [], named: [], fromFiles: [], positional: [] },
    ...{ raw: false, join: false, nothing: false, slurp: false, rawInput: false, exitStatus: false },
    ...{ sorted: false, ascii: false, help: false, indent: '  ' },
  };
  const rest = [...words];
  let rule: 'files' | 'texts' | 'values' = 'files';
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--args') rule = 'texts';
    else if (word === '--jsonargs') rule = 'values';
    else if (/^--./.test(word)) takeLong(options, word.slice(2), rest);
    else if (/^-[a-zA-Z]/.test(word)) takeLetters(options, word.slice(1), rest);
    else if (options.filter === undefined && options.filterFile === undefined) options.filter = word;
    else if (rule === 'files') options.files.push(word);
    else options.positional.push(rule === 'texts' ? word : jsonArgument(word, 'positional'));
  }
  return options;
}

function takeLetters(options: JqOptions, letters: string, rest: string[]): void {
  for (const letter of letters) {
    if (letter === 'f') {
      options.filterFile = needed(rest, '-f takes a file');
      // What was taken for the filter is a file.
      if (options.filter !== undefined) options.files.unshift(options.filter);
      options.filter = undefined;
      continue;
    }
    const take = getOwn(LETTERS, letter);
    if (!take) throw new UsageProblem(`Unknown arguments: -${letters}`);
    take(options);
  }
}

function takeLong(options: JqOptions, name: string, rest: string[]): void {
  const letter = getOwn(NAMES, name);
  if (letter !== undefined) return getOwn(LETTERS, letter)?.(options);
  const argument = (): readonly [string, string] => [
    needed(rest, `--${name} takes two parameters`),
    needed(rest, `--${name} takes two parameters`),
  ];
  switch (name) {
    case 'arg':
      return void options.named.push([...argument()]);
    case 'argjson': {
      const [variable, text] = argument();
      return void options.named.push([variable, jsonArgument(text, variable)]);
    }
    case 'slurpfile':
    case 'rawfile': {
      const [variable, path] = argument();
      return void options.fromFiles.push({ name: variable, path, raw: name === 'rawfile' });
    }
    case 'tab':
      return void (options.indent = '\t');
    case 'indent': {
      const width = Number(needed(rest, '--indent takes one parameter'));
      if (!(width >= 0 && width <= 7)) throw new UsageProblem('Cannot indent more than 7 characters');
      return void (options.indent = width === 0 ? undefined : ' '.repeat(width));
    }
    case 'from-file':
      return takeLetters(options, 'f', rest);
    default:
      throw new UsageProblem(`Unknown arguments: --${name}`);
  }
}

function needed(rest: string[], problem: string): string {
  const word = rest.shift();
  if (word === undefined) throw new UsageProblem(problem);
  return word;
}

function jsonArgument(text: string, name: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new UsageProblem(`Invalid JSON text passed to --argjson (${name})`);
  }
}
