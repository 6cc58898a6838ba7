/**
 * Texts that are much alike, kept as their differences: the objects of one kind differ in names, times and addresses only.
 * Texts are compared piece by piece, where a quotation mark ends a piece.
 */

/** A text as its difference to another one. */
export interface FoldedText {
  readonly like: Pieces;
  readonly difference: string;
  /** The length of the text. */
  readonly length: number;
}

/** A text as pieces, with which others are compared. */
export type Pieces = readonly string[];

export const MARK = '"';
/** Small numbers are kept as characters after the mark: 0 is this one. */
export const FIRST = MARK.charCodeAt(0) + 1;
/**
 * A difference has parts: the number of equal pieces before it, and the piece. Where the piece is that of an earlier part, this
 * character stands for it, and the number of that part.
 */
export const AGAIN = '\u0001';

/** The text that was folded. */
export function unfold({ like, difference }: FoldedText): string {
  const pieces = [...like];
  const parts = difference.split(MARK);
  let at = 0;
  for (const part of difference === '' ? [] : parts) {
    at += part.charCodeAt(0) - FIRST;
    const own = part[1] === AGAIN ? (parts[part.charCodeAt(2) - FIRST] as string) : part;
    pieces[at++] = own.slice(1);
  }
  return pieces.join(MARK);
}
