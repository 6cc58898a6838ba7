/**
 * The language in which flags are declared: once each; parsing, checking, defaults and the settings panel follow from it.
 * What a flag does is said in `help/`, which only the settings panel loads.
 */

import type { Reason } from './help/reasons.ts';

export type FlagType =
  | 'bool'
  | 'int'
  | 'int32'
  | 'uint'
  | 'float'
  | 'float32'
  | 'duration'
  | 'string'
  | 'strings'
  | 'stringArray'
  | 'featureGates'
  | 'runtimeConfig'
  | 'pairs'
  | 'ip'
  | 'cidrs'
  | 'portRange'
  | 'namedCertKey'
  | 'level'
  | 'moduleSpec'
  | 'severity'
  | 'traceLocation'
  | 'version';

/** A flag. Words of the naming profile stand in braces in its name and its default. */
export interface Flag {
  readonly name: string;
  readonly type: FlagType;
  readonly section: string;
  /** What the reference assumes where nothing is given; the zero value of the type where this is missing too. */
  readonly default?: string;
  /** What this cluster gives itself where nothing is given, as an installer of the reference would. */
  readonly supplied?: string;
  readonly shorthand?: string;
  /** What to do instead: a deprecated flag still works, and warns. */
  readonly deprecated?: string;
  /** The other name of a flag that was renamed. */
  readonly alias?: string;
  /** Its values are names in the virtual file set, and have to be there. */
  readonly file?: true;
  /** The only values that there are. */
  readonly choices?: readonly string[];
  /** Why it is accepted and does nothing; missing where it works. */
  readonly noEffect?: Reason;
}

type Details = Omit<Partial<Flag>, 'name' | 'type' | 'default' | 'section'>;

/** A flag before its section is known. */
export type Draft = Omit<Flag, 'section'>;

type Declare = (name: string, standard?: string, details?: Details) => Draft;

const of =
  (type: FlagType): Declare =>
  (name, standard = '', details = {}) => ({
    name,
    type,
    ...(standard === '' ? {} : { default: standard }),
    ...details,
  });

/** One function for each type: name, default (empty: the type's zero value), and what else there is to say. */
export const bool = of('bool');
export const int = of('int');
export const int32 = of('int32');
export const uint = of('uint');
export const float = of('float');
export const float32 = of('float32');
export const duration = of('duration');
export const text = of('string');
export const strings = of('strings');
export const ip = of('ip');

/** A flag whose value is the name of a file. */
export const file: Declare = (name, standard, details) => of('string')(name, standard, { file: true, ...details });

/** A flag of one of the rarer types. */
export const special = (type: FlagType, ...rest: Parameters<Declare>): Draft => of(type)(...rest);

/** Flags that are accepted and do nothing, for one reason. Files that they name are not looked for. */
export const without = (noEffect: Reason, ...drafts: readonly Draft[]): Draft[] =>
  drafts.map(({ file: _file, ...draft }) => ({ ...draft, noEffect }));

/** The flags of a section, as the reference groups them. */
export const section = (title: string, ...drafts: readonly (Draft | readonly Draft[])[]): Flag[] =>
  drafts.flat().map((draft) => ({ ...draft, section: title }));
