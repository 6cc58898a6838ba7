import { LAST } from './blocks.ts';
import { EarlyCollection } from './earlyCollection.ts';
import { valueLength } from './entry.ts';
import { AGAIN, FIRST, MARK, FoldedText, Pieces } from './foldedText.ts';
import type { StorageEvent } from './types.ts';

/** Numbers are characters that a block can have. */
const LAST_NUMBER = LAST - FIRST;
/** Shorter texts gain little, and longer ones would delay others. */
const SHORTEST = 200;
const LONGEST = 16 * 1024;
/** Texts are compared with so many of those that have as many pieces: those that were matched most recently. */
const ALIKE = 4;
/** For so many numbers of pieces there are texts to compare with. */
const FAMILIES = 128;
/** A difference is kept if the text is so many times as long; fewer times are enough where there are texts enough to compare with. */
const GOOD = 8;
const FAIR = 2;

/** Folds texts, each like one of those that came before. */
export class Folder {
  /** By the number of their pieces, the least recently added first; in each family, the least recently matched first. */
  readonly #families = new Map<number, Pieces[]>();
  readonly #early: EarlyCollection;

  /** `early` counts the texts that are folded or deleted. */
  constructor(early = new EarlyCollection()) {
    this.#early = early;
  }

  /** The folded text; undefined if it is like no other. */
  fold(text: string): FoldedText | undefined {
    const { length } = text;
    if (length < SHORTEST || length > LONGEST || text.includes(AGAIN)) return undefined;
    const pieces = new Pieces(text);
    const family = this.#families.get(pieces.all.length) ?? [];
    const like = closest(family, pieces.all);
    const difference = like && differenceOf(like.all, pieces.all);
    const good = family.length < ALIKE ? GOOD : FAIR;
    if (!like || difference === undefined || difference.length * good > length) {
      this.learn(pieces);
      return undefined;
    }
    family.push(...family.splice(family.indexOf(like), 1));
    this.#early.count(length);
    return new FoldedText(like, difference, length);
  }

  /** Counts values that were deleted: history still has them, but what was made of them is garbage. */
  deleted(events: readonly StorageEvent[]): void {
    for (const { type, previous } of events)
      if (type === 'delete' && previous) this.#early.count(valueLength(previous));
  }

  /** Has later texts compared with this one. Where there are enough, it replaces the least recently matched. */
  learn(pieces: Pieces): void {
    const family = this.#families.get(pieces.all.length) ?? [];
    if (family.length >= ALIKE) family.shift()?.forget();
    family.push(pieces);
    this.#families.set(pieces.all.length, family);
    if (this.#families.size <= FAMILIES) return;
    for (const oldest of this.#families.keys()) {
      this.#families.delete(oldest);
      break;
    }
  }
}

/** The one that differs from `pieces` in the fewest characters. */
function closest(family: readonly Pieces[], pieces: readonly string[]): Pieces | undefined {
  let least = Infinity;
  let found: Pieces | undefined;
  for (const one of family) {
    let different = 0;
    for (let i = 0; i < pieces.length && different < least; i++)
      if (pieces[i] !== one.all[i]) different += 1 + (pieces[i] as string).length;
    if (different < least) [least, found] = [different, one];
  }
  return found;
}

/** Undefined for texts that differ in more places than can be numbered. */
function differenceOf(like: readonly string[], pieces: readonly string[]): string | undefined {
  const parts: string[] = [];
  const numbers = new Map<string, number>();
  let equal = 0;
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i] as string;
    if (piece === like[i] && equal < LAST_NUMBER) {
      equal++;
      continue;
    }
    if (parts.length > LAST_NUMBER) return undefined;
    const earlier = piece.length > 2 ? numbers.get(piece) : undefined;
    if (earlier === undefined) numbers.set(piece, parts.length);
    parts.push(character(equal) + (earlier === undefined ? piece : AGAIN + character(earlier)));
    equal = 0;
  }
  return parts.join(MARK);
}

const character = (number: number): string => String.fromCharCode(FIRST + number);
