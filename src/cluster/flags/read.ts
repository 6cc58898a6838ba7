/** Turns a component's arguments into its flags: parsed, validated, with defaults. */
import type { FlagSet } from './flagSet.ts';
import type { Names } from '../../names/index.ts';
import { parseDuration } from '../../schema/index.ts';
import { PKI, type Files } from '../pki.ts';
import { components, type Component, type ComponentKey } from './declarations/index.ts';
import { readFeatureGates } from './gates.ts';
import { FlagTable, parseArguments, type FlagProblem } from './parse.ts';
import { rules } from './rules/index.ts';
import { valueTypes } from './values.ts';

/** An error in a component's flags. */
export interface ComponentProblem extends FlagProblem {
  readonly component: ComponentKey;
}

/** Thrown for invalid flags; the component does not start. The message names the component and every invalid flag. */
export class FlagError extends Error {
  override name = 'FlagError';
  readonly problems: readonly ComponentProblem[];

  constructor(message: string, problems: readonly ComponentProblem[] = []) {
    super(message);
    this.problems = problems;
  }
}

export interface FlagReading {
  readonly flags: FlagSet;
  /** Whether a feature gate is on. */
  readonly gate: (name: string) => boolean;
  readonly problems: readonly ComponentProblem[];
  readonly warnings: readonly string[];
}

export interface FlagSurroundings {
  readonly names: Names;
  /** The files that flags may refer to. */
  readonly files: Files;
}

/** Reads everything and reports every error without throwing. */
export function examineFlags(
  key: ComponentKey,
  args: readonly string[],
  { names, files }: FlagSurroundings,
): FlagReading {
  const component = componentOf(key);
  const table = new FlagTable(component.flags, names);
  const given = parseArguments(table, args, names.fill(component.command));
  const flags = new GivenFlags(table, given.values);
  const gates = readFeatureGates(flags.list('feature-gates'));
  const checked = [
    ...given.problems,
    ...gates.problems,
    ...choiceProblems(table, flags),
    ...fileProblems(table, flags, files),
    ...rules[key].flatMap((rule) => rule({ flags, names, files, gate: gates.gate })),
  ];
  const title = component.title;
  return {
    flags,
    gate: gates.gate,
    problems: checked.map((problem) => ({ component: key, ...problem })),
    warnings: [...given.warnings, ...gates.warnings].map((warning) => `${title}: ${warning}`),
  };
}

/** The arguments of each component; a missing list is empty. */
export type Arguments = { readonly [Key in ComponentKey]?: readonly string[] };

/** Like `examineFlags`, for a start: reads the flags of every component. Throws FlagError for an error. */
export function readFlags(
  args: Arguments,
  surroundings: FlagSurroundings,
): Readonly<Record<ComponentKey, FlagReading>> {
  const read = (key: ComponentKey): FlagReading => examineFlags(key, args[key] ?? [], surroundings);
  const readings = {
    apiserver: read('apiserver'),
    controllerManager: read('controllerManager'),
    scheduler: read('scheduler'),
  };
  refuseProblems(Object.values(readings).flatMap((reading) => reading.problems));
  return readings;
}

/** Throws FlagError if there are any. */
export function refuseProblems(problems: readonly ComponentProblem[]): void {
  if (problems.length > 0) throw new FlagError(messageOf(problems), problems);
}

/** The errors by component. */
function messageOf(problems: readonly ComponentProblem[]): string {
  return components
    .map(({ key, title }) => ({ title, own: problems.filter(({ component }) => component === key) }))
    .filter(({ own }) => own.length > 0)
    .map(({ title, own }) => `${title}: ${own.map(({ message }) => message).join('; ')}`)
    .join('\n');
}

function componentOf(key: ComponentKey): Component {
  const found = components.find((component) => component.key === key);
  if (!found) throw new Error(`there is no component ${key}`);
  return found;
}

class GivenFlags implements FlagSet {
  readonly #table: FlagTable;
  readonly #given: ReadonlyMap<string, readonly string[]>;
  readonly #known = new Map<string, string | undefined>();

  constructor(table: FlagTable, given: ReadonlyMap<string, readonly string[]>) {
    this.#table = table;
    this.#given = given;
  }

  /** Some flags are read for every request, so values are cached. */
  get(name: string): string | undefined {
    if (!this.#known.has(name)) this.#known.set(name, this.#find(name));
    return this.#known.get(name);
  }

  #find(name: string): string | undefined {
    const flag = this.#table.find(name);
    if (!flag) return undefined;
    const values = this.#given.get(this.#table.nameOf(flag));
    if (values) return values.join(',');
    return this.#table.suppliedOf(flag) ?? this.#table.defaultOf(flag) ?? valueTypes[flag.type].zero;
  }

  list(name: string): readonly string[] {
    const flag = this.#table.find(name);
    const values = flag && this.#given.get(this.#table.nameOf(flag));
    return values ?? this.get(name)?.split(',') ?? [];
  }

  has(name: string): boolean {
    const flag = this.#table.find(name);
    return flag !== undefined && this.#given.has(this.#table.nameOf(flag));
  }

  number(name: string): number {
    return Number(this.get(name));
  }

  ms(name: string): number {
    return parseDuration(this.get(name) ?? '') ?? 0;
  }

  on(name: string): boolean {
    return this.get(name) === 'true';
  }
}

function choiceProblems(table: FlagTable, flags: FlagSet): FlagProblem[] {
  return table.flags.flatMap((declared) => {
    const flag = table.nameOf(declared);
    const choices = table.choicesOf(declared);
    const value = flags.get(flag) ?? '';
    // Empty is allowed only if it is the default.
    const isChosen = choices?.includes(value) === true || value === (table.defaultOf(declared) ?? '');
    if (!choices || !flags.has(flag) || isChosen) return [];
    return [{ flag, message: `--${flag}: ${JSON.stringify(value)} is none of ${choices.join(', ')}` }];
  });
}

/** Files that flags name must exist, even if they are not read soon. */
function fileProblems(table: FlagTable, flags: FlagSet, files: Files): FlagProblem[] {
  return table.flags.flatMap((declared) => {
    const flag = table.nameOf(declared);
    if (declared.file === undefined || !flags.has(flag)) return [];
    const missing = flags.list(flag).filter((path) => path !== '' && !isOwn(path) && !Object.hasOwn(files, path));
    return missing.map((path) => ({ flag, message: `--${flag}: there is no file ${JSON.stringify(path)}` }));
  });
}

/** The cluster's own files, which exist after its creation. */
const isOwn = (path: string): boolean => Object.values<string>(PKI).includes(path);
