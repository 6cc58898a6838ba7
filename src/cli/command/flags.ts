/** Flags of a command line, read as the reference's client reads them (POSIX style: `--name=value`, `-n value`, `-it`). */
import { getOwn, setOwn, trimRight } from '../../std/index.ts';
import { UsageError } from './errors.ts';

/** A flag of some type; its name is its key in the table of flags. */
export interface Flag<T = unknown> {
  /** One letter, for `-n`. */
  readonly short?: string;
  /** What `--help` says of it; where the reference's client has the command, its own words stand. */
  readonly help?: string;
  readonly initial: T;
  /** What the flag means when it is given without a value; without this it needs one. */
  readonly alone?: string;
  /** Adds what was typed to what the flag has so far; throws what is wrong with the text. */
  take(typed: string, before: T, given: boolean): T;
}

export type Flags = Readonly<Record<string, Flag>>;

/** The values of a table of flags. */
export type Values<F> = { readonly [K in keyof F]: F[K] extends Flag<infer T> ? T : never };

type Options<T> = Partial<Pick<Flag<T>, 'short' | 'help' | 'initial' | 'alone'>>;

export const text = (options: Options<string> = {}): Flag<string> => ({
  ...options,
  initial: options.initial ?? '',
  take: (typed) => typed,
});

export const toggle = (options: Options<boolean> = {}): Flag<boolean> => ({
  ...options,
  initial: options.initial ?? false,
  alone: 'true',
  take: (typed) => {
    const value = getOwn(BOOLEANS, typed);
    if (value === undefined) throw new Error(`strconv.ParseBool: parsing ${JSON.stringify(typed)}: invalid syntax`);
    return value;
  },
});

const BOOLEANS: Readonly<Record<string, boolean>> = {
  ...{ '1': true, t: true, T: true, true: true, TRUE: true, True: true },
  ...{ '0': false, f: false, F: false, false: false, FALSE: false, False: false },
};

export const integer = (options: Options<number> = {}): Flag<number> => ({
  ...options,
  initial: options.initial ?? 0,
  take: (typed) => {
    if (/^[+-]?\d+$/.test(typed)) return Number(typed);
    throw new Error(`strconv.ParseInt: parsing ${JSON.stringify(typed)}: invalid syntax`);
  },
});

/** May be given several times; `separator` also splits one value. */
export const texts = ({
  separator,
  ...options
}: Options<readonly string[]> & { readonly separator?: string } = {}): Flag<readonly string[]> => ({
  ...options,
  initial: options.initial ?? [],
  take: (typed, before, given) => [...(given ? before : []), ...partsOf(typed, separator)],
});

/** An empty text has no parts. */
function partsOf(typed: string, separator: string | undefined): readonly string[] {
  if (separator === undefined) return [typed];
  return typed === '' ? [] : typed.split(separator);
}

/** A flag of key-value pairs, `a=1,b=2`; it may be given several times. */
export const pairs = (): Flag<ReadonlyMap<string, string>> => ({
  initial: new Map(),
  take: (typed, before) => new Map([...before, ...pairsOf(typed).map(readPair)]),
});

/** A word with one pair may have commas in its value; in others quotes keep them. */
function pairsOf(typed: string): readonly string[] {
  if (typed.split('=').length === 2) return [trimRight(typed.replace(/^"+/, ''), '"')];
  return (typed.match(/(?:"[^"]*"|[^,"])+/g) ?? [typed]).map((each) => each.replaceAll('"', ''));
}

function readPair(typed: string): readonly [key: string, value: string] {
  const equals = typed.indexOf('=');
  if (equals < 0) throw new Error(`${typed} must be formatted as key=value`);
  return [typed.slice(0, equals), typed.slice(equals + 1)];
}

/** Milliseconds, written as the reference writes durations: `1h30m`, `20s`, `500ms`. */
export const duration = (options: Options<number> = {}): Flag<number> => ({
  ...options,
  initial: options.initial ?? 0,
  take: parseDuration,
});

const UNITS: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Milliseconds; throws for a text that is no duration. */
export function parseDuration(typed: string): number {
  const body = typed.replace(/^[+-]/, '');
  if (body === '0') return 0;
  const parts = [...body.matchAll(/(\d+(?:\.\d*)?|\.\d+)(ns|us|ms|s|m|h)/g)];
  if (body === '' || parts.map(([part]) => part).join('') !== body) {
    throw new Error(`time: ${durationProblem(body)} ${JSON.stringify(typed)}`);
  }
  const sum = parts.reduce((total, [, count, unit]) => total + Number(count) * (getOwn(UNITS, unit ?? '') ?? 0), 0);
  return typed.startsWith('-') ? -sum : sum;
}

function durationProblem(body: string): string {
  const [, unit] = /^(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|ms|s|m|h))*(?:\d+(?:\.\d*)?|\.\d+)([^\d.]*)/.exec(body) ?? [];
  if (unit === undefined) return 'invalid duration';
  return unit === '' ? 'missing unit in duration' : `unknown unit ${JSON.stringify(unit)} in duration`;
}

export interface Parsed<F extends Flags> {
  readonly values: Values<F>;
  /** The names of the flags that were typed. */
  readonly given: ReadonlySet<string>;
  /** The flags as they were typed, in their order, with what each was set to. */
  readonly typed: readonly (readonly [name: string, value: string])[];
  /** What is no flag. */
  readonly args: readonly string[];
  /** The number of `args` before `--`; -1 if there is no `--`. */
  readonly argsBeforeDash: number;
}

/** Reads a command's words. Throws UsageError for flags that there aren't and values that they can't have. */
export function parseFlags<F extends Flags>(flags: F, words: readonly string[], command: string): Parsed<F> {
  const reader = new Reader(flags, words, command);
  reader.read();
  return {
    values: reader.values as Values<F>,
    given: reader.given,
    typed: reader.typed,
    args: reader.args,
    argsBeforeDash: reader.argsBeforeDash,
  };
}

/**
 * The flags that stand before the first word that is none, and the words from there on. A flag that there isn't may be one of the command
 * behind it, and then has a value. Throws UsageError for flags that there aren't with nothing behind them.
 */
export function leadingFlags(
  flags: Flags,
  words: readonly string[],
  command: string,
): { readonly leading: readonly string[]; readonly rest: readonly string[] } {
  let at = 0;
  for (let word = words[at]; word?.startsWith('-') && word !== '-' && word !== '--'; word = words[at]) {
    const reader = new Reader(flags, words.slice(at), command);
    const next = at + (word.includes('=') ? 1 : 2);
    try {
      reader.readOne();
      at = words.length - reader.left;
    } catch (error) {
      if (next >= words.length) throw error;
      at = next;
    }
  }
  return { leading: words.slice(0, at), rest: words.slice(at) };
}

class Reader {
  readonly values: Record<string, unknown>;
  readonly given = new Set<string>();
  readonly typed: (readonly [name: string, value: string])[] = [];
  readonly args: string[] = [];
  argsBeforeDash = -1;
  readonly #flags: Flags;
  readonly #words: string[];
  readonly #command: string;

  constructor(flags: Flags, words: readonly string[], command: string) {
    this.#flags = flags;
    this.#words = [...words];
    this.#command = command;
    this.values = Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, flag.initial]));
  }

  read(): void {
    for (let word = this.#words.shift(); word !== undefined; word = this.#words.shift()) {
      if (word === '--') {
        this.argsBeforeDash = this.args.length;
        this.args.push(...this.#words.splice(0));
      } else if (word.startsWith('--')) this.#long(word.slice(2));
      else if (word.startsWith('-') && word !== '-') this.#letters(word.slice(1));
      else this.args.push(word);
    }
  }

  /** Reads one flag, with its value. */
  readOne(): void {
    const word = this.#words.shift() ?? '';
    if (word.startsWith('--')) this.#long(word.slice(2));
    else this.#letters(word.slice(1));
  }

  /** How many words have not been read. */
  get left(): number {
    return this.#words.length;
  }

  #long(word: string): void {
    const equals = word.indexOf('=');
    const name = equals < 0 ? word : word.slice(0, equals);
    const flag = getOwn(this.#flags, name);
    if (name === '' || name.startsWith('-')) throw this.#wrong(`bad flag syntax: --${word}`);
    if (!flag) throw this.#wrong(`unknown flag: --${name}`);
    if (equals >= 0) this.#set(name, word.slice(equals + 1));
    else if (flag.alone !== undefined) this.#set(name, flag.alone);
    else this.#set(name, this.#next(`flag needs an argument: --${name}`));
  }

  /** `-it`, `-n default`, `-ndefault`, `-n=default`. */
  #letters(word: string): void {
    const letter = word.charAt(0);
    const found = Object.entries(this.#flags).find(([, { short }]) => short === letter);
    if (!found) throw this.#wrong(`unknown shorthand flag: '${letter}' in -${word}`);
    const [name, flag] = found;
    const rest = word.slice(1);
    if (rest.startsWith('=')) this.#set(name, rest.slice(1));
    else if (flag.alone !== undefined) {
      this.#set(name, flag.alone);
      if (rest !== '') this.#letters(rest);
    } else if (rest !== '') this.#set(name, rest);
    else this.#set(name, this.#next(`flag needs an argument: '${letter}' in -${word}`));
  }

  #next(problem: string): string {
    const word = this.#words.shift();
    if (word === undefined) throw this.#wrong(problem);
    return word;
  }

  #set(name: string, typed: string): void {
    const flag = getOwn(this.#flags, name);
    if (!flag) return;
    try {
      setOwn(this.values, name, flag.take(typed, getOwn(this.values, name), this.given.has(name)));
      this.given.add(name);
      this.typed.push([name, typed]);
    } catch (error) {
      const shown = flag.short === undefined ? `--${name}` : `-${flag.short}, --${name}`;
      const why = error instanceof Error ? error.message : String(error);
      throw this.#wrong(`invalid argument ${JSON.stringify(typed)} for ${JSON.stringify(shown)} flag: ${why}`);
    }
  }

  #wrong(problem: string): UsageError {
    return new UsageError(`Error: ${problem}\nSee '${this.#command} --help' for usage.`);
  }
}
