/** Bytes of the first block and of the largest. Each is twice as large as the one before: where few texts are kept, little room is wasted. */
const SMALLEST = 512;
const LARGEST = 8 * 1024;
/** The last character that a text in a block can have: the last one that takes one byte in UTF-8. */
export const LAST = 0x7f;

/** Where a text stands in a block of bytes. */
export interface TextInBlock {
  readonly block: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/**
 * Keeps many short texts outside of the heap that the garbage collector goes through: in blocks of bytes, as they are on disk. A
 * block goes with the last of its texts, so these should be texts that live about as long.
 */
export class Blocks {
  #block = new Uint8Array(0);
  #used = 0;

  /** Takes a text, or its bytes. Undefined for one with a character outside of ASCII, and for one that is longer than a block. */
  keep(text: string | Uint8Array): TextInBlock | undefined {
    const { length } = text;
    if (length > LARGEST) return undefined;
    const enough = length <= this.#block.length - this.#used;
    const block = enough ? this.#block : new Uint8Array(this.#nextSize(length));
    const start = enough ? this.#used : 0;
    for (let i = 0; i < length; i++) {
      const character = typeof text === 'string' ? text.charCodeAt(i) : (text[i] as number);
      if (character > LAST) return undefined;
      block[start + i] = character;
    }
    this.#block = block;
    this.#used = start + length;
    return { block, start, end: this.#used };
  }

  #nextSize(length: number): number {
    return Math.min(LARGEST, Math.max(SMALLEST, 2 * this.#block.length, length));
  }
}
