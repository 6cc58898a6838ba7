/**
 * Helpers that declare flags, once each; parsing, validation, defaults and the settings panel use the declarations.
 * `help/` has the descriptions, which only the settings panel loads.
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

/** A flag. Its name and default may contain placeholders of the naming profile. */
export interface Flag {
  readonly name: string;
  readonly type: FlagType;
  readonly section: string;
  /** The reference's default; without it the zero value of the type. */
  readonly default?: string;
  /** This cluster's default, as an installer of the reference would set it. */
  readonly supplied?: string;
  readonly shorthand?: string;
  /** The replacement: a deprecated flag still works, and warns. */
  readonly deprecated?: string;
  /** The other name of a renamed flag. */
  readonly alias?: string;
  /** Its values refer to files, which must exist. */
  readonly file?: true;
  /** The allowed values. */
  readonly choices?: readonly string[];
  /** Why it is accepted without effect; missing if it works. */
  readonly noEffect?: Reason;
}

type Details = Omit<Partial<Flag>, 'name' | 'type' | 'default' | 'section'>;

/** A flag without its section. */
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

/** One function for each type: name, default (empty: the type's zero value), and further details. */
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

/** A flag whose value is a file name. */
export const file: Declare = (name, standard, details) => of('string')(name, standard, { file: true, ...details });

/** A flag of one of the rarer types. */
export const special = (type: FlagType, ...rest: Parameters<Declare>): Draft => of(type)(...rest);

/** Flags that are accepted without effect, with a common reason. Their files are not checked. */
export const without = (noEffect: Reason, ...drafts: readonly Draft[]): Draft[] =>
  drafts.map(({ file: _file, ...draft }) => ({ ...draft, noEffect }));

/** A section of flags, as in the reference. */
export const section = (title: string, ...drafts: readonly (Draft | readonly Draft[])[]): Flag[] =>
  drafts.flat().map((draft) => ({ ...draft, section: title }));
