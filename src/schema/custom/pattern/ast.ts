/**
 * The syntax tree of a regular expression. It has no captures or greediness, because only whether a text matches is
 * needed.
 */
import type { CharSet } from './charSet.ts';

export type Expression =
  | { readonly type: 'empty' }
  | { readonly type: 'char'; readonly set: CharSet }
  | { readonly type: 'assert'; readonly where: Assertion }
  | { readonly type: 'sequence'; readonly parts: readonly Expression[] }
  | { readonly type: 'choice'; readonly options: readonly Expression[] }
  | { readonly type: 'repeat'; readonly of: Expression; readonly min: number; readonly max: number };

/** Places between two characters. */
export type Assertion = 'beginText' | 'endText' | 'beginLine' | 'endLine' | 'wordBoundary' | 'noWordBoundary';

/** The text of a pattern that is none. */
export class PatternError extends Error {
  override name = 'PatternError';
}
