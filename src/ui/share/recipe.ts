/** What a cluster is made of: how it starts, what is applied to it, where the page goes then. Links and files carry it. */
import { isProfile, type Profile } from '../../names/index.ts';
import { isObject } from '../../std/index.ts';
import type { BootOptions } from '../host.ts';

/** The part of a cluster's options that may come from somebody else. Files are none of it: they hold credentials. */
export type RecipeOptions = Pick<
  BootOptions,
  'nodes' | 'addons' | 'apiserver' | 'controllerManager' | 'scheduler' | 'schedulerPaused' | 'clock' | 'seed'
> & {
  readonly naming: Profile;
};

/** How a cluster is made. */
export interface Made {
  /** How the cluster is called; a number is added where the name is taken. */
  readonly name: string;
  readonly options: RecipeOptions;
}

export interface Recipe extends Made {
  /** What is applied, as YAML. */
  readonly manifests: string;
  /** The address within the cluster that is shown first, such as `network/map?ns=shop`. */
  readonly open?: string;
  /** A lesson instead of a cluster of one's own, at one of its tasks: those before it are done by their solutions. */
  readonly lesson?: {
    readonly id: string;
    readonly step: number;
    /** The lesson's file, where the project does not have it. */
    readonly file?: string;
  };
  /** Command lines that wait in the terminal; whoever reads them runs them. */
  readonly commands?: readonly string[];
}

/** Why a text is not a recipe; the message is for people. */
export class RecipeError extends Error {
  override name = 'RecipeError';
}

const FORM = 'vitrine/1';
const NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const MOST_NODES = 100;
const MOST_FLAGS = 100;
const LONGEST_FLAG = 2_000;
const LONGEST_ADDRESS = 2_000;
const MOST_STEPS = 100;
export const MOST_COMMANDS = 20;
const LONGEST_COMMAND = 1_000;
/** What a command may not hold: characters that are not seen, or that change the order in which others are. */
const HIDDEN = /[\p{Cc}\p{Cf}\u2028\u2029\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u;
/** Characters of manifests that a recipe may have. */
export const LONGEST_MANIFESTS = 4_000_000;

/** The recipe as it stands in a file. */
export const printRecipe = (recipe: Recipe): string => JSON.stringify({ vitrine: FORM, ...recipe });

/** Whether a text says that it is a recipe, and not manifests. */
export const looksLikeRecipe = (text: string): boolean => /^\s*\{\s*"vitrine"\s*:/.test(text);

const fail = (message: string): never => {
  throw new RecipeError(message);
};

function flagsOf(options: Record<string, unknown>, key: 'apiserver' | 'controllerManager' | 'scheduler') {
  const flags = options[key];
  if (flags === undefined) return {};
  const fits = (flag: unknown): flag is string => typeof flag === 'string' && flag.length <= LONGEST_FLAG;
  if (!Array.isArray(flags) || flags.length > MOST_FLAGS || !flags.every(fits))
    return fail(`Its flags (options.${key}) are not a list of at most ${MOST_FLAGS} texts.`);
  return { [key]: flags };
}

/** The clock where it is not the real one, and whether the scheduler waits to be let go. */
function beginningOf({
  clock,
  schedulerPaused,
}: Record<string, unknown>): Pick<BootOptions, 'clock' | 'schedulerPaused'> {
  const isClock = clock === 'real' || clock === 'manual' || Number.isFinite(clock);
  if (clock !== undefined && !isClock) return fail('Its clock (options.clock) is neither real, manual nor a speed.');
  return {
    ...(isClock ? { clock: clock as NonNullable<BootOptions['clock']> } : {}),
    ...(schedulerPaused === true ? { schedulerPaused } : {}),
  };
}

function optionsOf(value: unknown, mostNodes: number): RecipeOptions {
  if (!isObject(value)) return fail('It does not say how the cluster is made (options).');
  const { naming, nodes, seed } = value;
  if (!isProfile(naming)) return fail('Its names of API groups (options.naming) are neither k8s.io nor cluster.io.');
  const few = typeof nodes === 'number' && Number.isInteger(nodes) && nodes >= 0 && nodes <= mostNodes;
  if (nodes !== undefined && !few) return fail(`Its number of nodes is not a number from 0 to ${mostNodes}.`);
  if (seed !== undefined && typeof seed !== 'string' && typeof seed !== 'number')
    return fail('Its seed is neither a text nor a number.');
  return {
    naming,
    ...(few ? { nodes } : {}),
    ...(Array.isArray(value['addons']) && value['addons'].includes('dns') ? { addons: ['dns'] as const } : {}),
    ...beginningOf(value),
    ...flagsOf(value, 'apiserver'),
    ...flagsOf(value, 'controllerManager'),
    ...flagsOf(value, 'scheduler'),
    ...(seed === undefined ? {} : { seed }),
  };
}

function addressOf(open: unknown): { open?: string } {
  if (open === undefined || open === '') return {};
  if (typeof open !== 'string' || open.length > LONGEST_ADDRESS) return fail('Where to go (open) is not an address.');
  return { open };
}

function lessonOf(lesson: unknown): Pick<Recipe, 'lesson'> {
  if (lesson === undefined) return {};
  const { id, step, file } = isObject(lesson) ? lesson : {};
  const counts = typeof step === 'number' && Number.isInteger(step) && step >= 0 && step < MOST_STEPS;
  if (typeof id !== 'string' || !NAME.test(id) || !counts) return fail('Its lesson is no lesson and task.');
  if (file === undefined) return { lesson: { id, step } };
  return typeof file === 'string' ? { lesson: { id, step, file } } : fail('The lesson that it carries is no text.');
}

function commandsOf(commands: unknown): Pick<Recipe, 'commands'> {
  if (commands === undefined) return {};
  // Control characters would steer the terminal.
  const fits = (line: unknown): line is string =>
    typeof line === 'string' && line.length <= LONGEST_COMMAND && !HIDDEN.test(line);
  if (!Array.isArray(commands) || commands.length > MOST_COMMANDS || !commands.every(fits))
    return fail(`Its commands are not a list of at most ${MOST_COMMANDS} lines.`);
  return commands.length === 0 ? {} : { commands };
}

/** The name and options of a cluster, checked. Throws a RecipeError. */
export function madeOf({ name, options }: Record<string, unknown>, mostNodes = MOST_NODES): Made {
  if (typeof name !== 'string' || !NAME.test(name)) return fail('The name of its cluster is no name for a cluster.');
  return { name, options: optionsOf(options, mostNodes) };
}

/** Reads a recipe from a link or a file, and drops everything else. Throws a RecipeError. */
export function readRecipe(value: unknown): Recipe {
  if (!isObject(value) || value['vitrine'] === undefined) return fail('It is not a cluster of Vitrine.');
  if (value['vitrine'] !== FORM)
    return fail(
      `It was made by another version (${JSON.stringify(value['vitrine']).slice(0, 40)}); this one reads ${FORM}.`,
    );
  const made = madeOf(value);
  const { manifests = '' } = value;
  if (typeof manifests !== 'string') return fail('Its manifests are not a text.');
  if (manifests.length > LONGEST_MANIFESTS) return fail('Its manifests are longer than 4 MB.');
  return {
    ...made,
    manifests,
    ...addressOf(value['open']),
    ...lessonOf(value['lesson']),
    ...commandsOf(value['commands']),
  };
}

/** Reads a file's text; throws a RecipeError. */
export function parseRecipe(text: string): Recipe {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fail('It is not complete: a part of it is missing or was changed.');
  }
  return readRecipe(value);
}
