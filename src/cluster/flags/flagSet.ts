/** The flags of a component. Names are those of the naming profile or the reference's own. */
export interface FlagSet {
  /**
   * The values joined by commas: given, or supplied by the cluster, or the default; undefined for a text without a
   * value.
   */
  get(name: string): string | undefined;
  list(name: string): readonly string[];
  /** Whether the flag was given. */
  has(name: string): boolean;
  number(name: string): number;
  /** A duration in milliseconds. */
  ms(name: string): number;
  on(name: string): boolean;
}
