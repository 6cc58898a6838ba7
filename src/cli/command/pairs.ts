/** Words such as `colour=red size-`: what a key is set to, and which keys go. */

export interface Pairs {
  readonly set: ReadonlyMap<string, string>;
  readonly removed: readonly string[];
}

/** Whether a word sets or removes a key. */
export const isPair = (word: string): boolean => word.indexOf('=') > 0 || (word.length > 1 && word.endsWith('-'));

/** The words before the first that sets or removes a key, and what the others do. */
export function splitPairs(words: readonly string[]): { readonly before: readonly string[]; readonly pairs: Pairs } {
  const first = words.findIndex(isPair);
  const rest = first < 0 ? [] : words.slice(first);
  const equals = (word: string): number => word.indexOf('=');
  return {
    before: first < 0 ? words : words.slice(0, first),
    pairs: {
      set: new Map(
        rest
          .filter((word) => equals(word) > 0)
          .map((word) => [word.slice(0, equals(word)), word.slice(equals(word) + 1)]),
      ),
      removed: rest.filter((word) => equals(word) < 0 && word.endsWith('-')).map((word) => word.slice(0, -1)),
    },
  };
}
