/** Parses a component's arguments like the reference's command line: values, errors, warnings. */
import type { Names } from '../../names/index.ts';
import { namesOf } from '../../names/index.ts';
import type { Flag } from './declare.ts';
import { ValueError, valueTypes } from './values.ts';

/** An error in an argument or flag. */
export interface FlagProblem {
  /** The flag without dashes; missing if an argument is not a flag. */
  readonly flag?: string;
  readonly message: string;
}

/** The parsed arguments of a component. */
export interface Given {
  /** The values of each given flag, by its name in the naming profile. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly problems: readonly FlagProblem[];
  readonly warnings: readonly string[];
}

/** The flags of a component, found by any of their names. */
export class FlagTable {
  readonly flags: readonly Flag[];
  readonly #names: Names;
  readonly #byName = new Map<string, Flag>();
  readonly #byShorthand = new Map<string, Flag>();

  constructor(flags: readonly Flag[], names: Names) {
    this.flags = flags;
    this.#names = names;
    for (const flag of flags) {
      // The reference's own names are accepted in every profile, because they are common.
      this.#byName.set(normalize(namesOf('k8s.io').fill(flag.name)), flag);
      this.#byName.set(normalize(names.fill(flag.name)), flag);
      if (flag.shorthand !== undefined) this.#byShorthand.set(flag.shorthand, flag);
    }
  }

  find(name: string): Flag | undefined {
    return this.#byName.get(normalize(name));
  }

  shorthand(letter: string): Flag | undefined {
    return this.#byShorthand.get(letter);
  }

  nameOf(flag: Flag): string {
    return this.#names.fill(flag.name);
  }

  /** The declared default with replaced placeholders. */
  defaultOf({ default: standard }: Flag): string | undefined {
    return standard === undefined ? undefined : this.#names.fill(standard);
  }

  /** The cluster's default. */
  suppliedOf({ supplied }: Flag): string | undefined {
    return supplied === undefined ? undefined : this.#names.fill(supplied);
  }

  choicesOf({ choices }: Flag): readonly string[] | undefined {
    return choices?.map((choice) => this.#names.fill(choice));
  }
}

/** Names may contain dashes or underscores. */
const normalize = (name: string): string => name.replaceAll('_', '-');

/** Parses all arguments and reports every error. */
export function parseArguments(table: FlagTable, args: readonly string[], command: string): Given {
  const reader = new Reader(table, command);
  reader.read(args);
  return reader;
}

class Reader implements Given {
  readonly values = new Map<string, readonly string[]>();
  readonly problems: FlagProblem[] = [];
  readonly warnings: string[] = [];
  readonly #table: FlagTable;
  readonly #command: string;

  constructor(table: FlagTable, command: string) {
    this.#table = table;
    this.#command = command;
  }

  read(args: readonly string[]): void {
    const rest = [...args];
    const loose: string[] = [];
    for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
      if (arg === '--') loose.push(...rest.splice(0));
      else if (arg.startsWith('--')) this.#long(arg, rest);
      else if (arg.startsWith('-') && arg !== '-') this.#short(arg.slice(1), rest, arg.slice(1));
      else loose.push(arg);
    }
    const words = loose.filter((word) => word !== '');
    if (words.length === 0) return;
    const list = words.map((word) => JSON.stringify(word)).join(' ');
    this.problems.push({ message: `${JSON.stringify(this.#command)} does not take any arguments, got [${list}]` });
  }

  #long(arg: string, rest: string[]): void {
    const at = arg.indexOf('=');
    const name = at < 0 ? arg.slice(2) : arg.slice(2, at);
    if (!/^[^-=]/.test(name)) return void this.problems.push({ message: `bad flag syntax: ${arg}` });
    const flag = this.#table.find(name);
    if (!flag) return void this.problems.push({ flag: name, message: `unknown flag: --${name}` });
    const value = at < 0 ? (valueTypes[flag.type].bare ?? rest.shift()) : arg.slice(at + 1);
    if (value === undefined)
      return void this.problems.push({ flag: this.#table.nameOf(flag), message: `flag needs an argument: --${name}` });
    this.#set(flag, value);
  }

  /** Short flags may be combined, `-v4` too; the rest of a word is the value of a flag that takes one. */
  #short(letters: string, rest: string[], whole: string): void {
    const letter = letters.slice(0, 1);
    const after = letters.slice(1);
    const flag = this.#table.shorthand(letter);
    if (!flag) return void this.problems.push({ message: `unknown shorthand flag: '${letter}' in -${whole}` });
    const { bare } = valueTypes[flag.type];
    if (after.startsWith('=')) return this.#set(flag, after.slice(1));
    if (bare !== undefined) {
      this.#set(flag, bare);
      return after === '' ? undefined : this.#short(after, rest, whole);
    }
    const value = after === '' ? rest.shift() : after;
    if (value === undefined) this.problems.push({ message: `flag needs an argument: '${letter}' in -${whole}` });
    else this.#set(flag, value);
  }

  #set(declared: Flag, text: string): void {
    const flag = (declared.alias !== undefined && this.#table.find(declared.alias)) || declared;
    const name = this.#table.nameOf(flag);
    const shown = this.#table.nameOf(declared);
    if (declared.deprecated !== undefined) this.#warn(`Flag --${shown} has been deprecated, ${declared.deprecated}`);
    try {
      this.values.set(name, valueTypes[flag.type].add(text, this.values.get(name) ?? []));
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      const both = declared.shorthand === undefined ? `--${shown}` : `-${declared.shorthand}, --${shown}`;
      const message = `invalid argument ${JSON.stringify(text)} for ${JSON.stringify(both)} flag: ${error.message}`;
      this.problems.push({ flag: name, message });
    }
  }

  #warn(warning: string): void {
    if (!this.warnings.includes(warning)) this.warnings.push(warning);
  }
}
