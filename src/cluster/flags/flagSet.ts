/** A component's flags, as code reads them. Names are those of the naming profile or the reference's own. */
export interface FlagSet {
  /** The values joined by commas: what was given, or what the cluster supplies, or the default; undefined for a text that nobody gave. */
  get(name: string): string | undefined;
  list(name: string): readonly string[];
  /** Whether the flag was given. */
  has(name: string): boolean;
  number(name: string): number;
  /** A duration in milliseconds. */
  ms(name: string): number;
  on(name: string): boolean;
}
