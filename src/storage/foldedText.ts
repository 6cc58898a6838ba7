/**
 * Texts that are much alike, kept as their differences: the objects of one kind differ in names, times and addresses only.
 * Texts are compared piece by piece, where a quotation mark ends a piece.
 */
import { decodeText } from '../std/index.ts';
import { Blocks } from './blocks.ts';

export const MARK = '"';
/** Small numbers are kept as characters after the mark: 0 is this one. */
export const FIRST = MARK.charCodeAt(0) + 1;
/**
 * A difference has parts: the number of equal pieces before it, and the piece. Where the piece is that of an earlier part, this
 * character stands for it, and the number of that part.
 */
export const AGAIN = '\u0001';

/** A text as pieces, with which others are compared. */
export class Pieces {
  readonly text: string;
  #blocks: Blocks | undefined;
  #all: readonly string[] | undefined;
  #starts: readonly number[] | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** Where the differences of others to this text are kept. */
  get blocks(): Blocks {
    return (this.#blocks ??= new Blocks());
  }

  get all(): readonly string[] {
    return (this.#all ??= this.text.split(MARK));
  }

  /** Where each piece begins, and where one after the last would. */
  get starts(): readonly number[] {
    if (this.#starts) return this.#starts;
    let start = 0;
    const pieces = this.#all ?? this.text.split(MARK);
    return (this.#starts = [0, ...pieces.map((piece) => (start += piece.length + MARK.length))]);
  }

  /** Frees the pieces, once no more texts are compared with this one. Those that were folded can still be unfolded. */
  forget(): void {
    this.#all = undefined;
  }
}

/** A text as its difference to another one. */
export class FoldedText {
  readonly like: Pieces;
  /** The length of the text. */
  readonly length: number;
  /** The difference itself, or the block that has it. */
  readonly #kept: string | Uint8Array;
  readonly #start: number;
  readonly #end: number;

  /** Takes the difference as a text, or as its bytes in UTF-8. */
  constructor(like: Pieces, difference: string | Uint8Array, length: number) {
    this.like = like;
    this.length = length;
    const kept = like.blocks.keep(difference);
    this.#kept = kept?.block ?? (typeof difference === 'string' ? difference : decodeText(difference));
    this.#start = kept?.start ?? 0;
    this.#end = kept?.end ?? this.#kept.length;
  }

  get difference(): string {
    const { written } = this;
    return typeof written === 'string' ? written : decodeText(written);
  }

  /** The difference in the form in which it goes to disk: its bytes if a block has them, the text otherwise. */
  get written(): string | Uint8Array {
    const kept = this.#kept;
    return typeof kept === 'string' ? kept : kept.subarray(this.#start, this.#end);
  }

  /** The length of the difference. */
  get size(): number {
    return this.#end - this.#start;
  }

  /** The text that was folded. */
  unfold(): string {
    const { like, difference } = this;
    if (difference === '') return like.text;
    const { starts } = like;
    const parts = difference.split(MARK);
    let text = '';
    let at = 0;
    for (const part of parts) {
      const from = starts[at];
      at += part.charCodeAt(0) - FIRST;
      const own = part[1] === AGAIN ? (parts[part.charCodeAt(2) - FIRST] as string) : part;
      text += like.text.slice(from, starts[at]) + own.slice(1) + MARK;
      at++;
    }
    return at < starts.length - 1 ? text + like.text.slice(starts[at]) : text.slice(0, -MARK.length);
  }
}
