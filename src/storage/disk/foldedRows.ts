/**
 * The rows of a snapshot, and how joined rows of the log are read. What is folded in memory is written and read back as it is: a text with
 * which others are compared stands once in each row that needs it, so that a damaged row costs no other.
 */
import { foldedOf, foldEntry, storedEntry, valueLength } from '../entry.ts';
import { FoldedText, Pieces } from '../foldedText.ts';
import { Folder } from '../folder.ts';
import type { Entry } from '../types.ts';
import type { ByteReader, ByteWriter } from './bytes.ts';
import { readFacts, readWhole, writeFacts, type ReadValue } from './codec.ts';
import type { Frame } from './frame.ts';

/** Entries in order, read in steps: other work may go on where there is undefined. */
export type EntriesInSteps = Iterable<Entry | undefined>;

/** Characters that are folded in one step: a millisecond or less. An entry counts as so many at least. */
const FOLDED_AT_ONCE = 1 << 16;
const LEAST = 32;
/** Bytes of an entry's numbers and lengths, about. */
const FACTS = 16;

/** The same entries, folded. */
export function* foldEach(entries: EntriesInSteps, folder: Folder): Generator<Entry | undefined> {
  let characters = 0;
  for (const entry of entries) {
    if (entry) characters += LEAST + foldEntry(entry, folder);
    if (characters >= FOLDED_AT_ONCE) {
      characters = 0;
      yield undefined;
    }
    yield entry;
  }
}

/** The entries of one row, and about how many bytes they take. */
export interface RowOfEntries {
  readonly entries: readonly Entry[];
  readonly size: number;
}

/** Divides entries into rows of about `rowBytes`, in steps. */
export function* inRows(entries: EntriesInSteps, rowBytes: number): Generator<RowOfEntries | undefined> {
  let row: Entry[] = [];
  let size = 0;
  let likes = new Set<Pieces>();
  for (const entry of entries) {
    if (!entry) {
      yield undefined;
      continue;
    }
    row.push(entry);
    size += FACTS + entry.key.length + lengthIn(entry, likes);
    if (size < rowBytes) continue;
    yield { entries: row, size };
    row = [];
    size = 0;
    likes = new Set();
  }
  if (row.length > 0) yield { entries: row, size };
}

/** The characters that a value takes in a row in which the texts `likes` are already; adds to them. */
function lengthIn(entry: Entry, likes: Set<Pieces>): number {
  const folded = foldedOf(entry);
  if (!folded) return valueLength(entry);
  const { like, size } = folded;
  const first = likes.has(like) ? 0 : like.text.length;
  likes.add(like);
  return first + size;
}

/** A whole value has the number 0. Texts with which others are compared count from 1, and each follows its first number. */
export function writeFolded(entries: readonly Entry[], body: ByteWriter): void {
  const numbers = new Map<Pieces, number>();
  for (const entry of entries) {
    body.text(entry.key);
    body.varint(entry.revision);
    writeFacts(entry, body);
    writeValue(entry, body, numbers);
  }
}

/** `numbers` has the texts that precede the value. */
export function writeValue(entry: Entry, body: ByteWriter, numbers: Map<Pieces, number>): void {
  const folded = foldedOf(entry);
  if (!folded) {
    body.varint(0);
    body.text(entry.value);
    return;
  }
  const { like, written, length } = folded;
  const known = numbers.get(like);
  const number = known ?? numbers.size + 1;
  body.varint(number);
  if (known === undefined) {
    numbers.set(like, number);
    body.text(like.text);
  }
  body.varint(length);
  body.text(written);
}

function valueAfter(number: number, body: ByteReader, like: Pieces | undefined): string | FoldedText {
  if (number === 0) return body.text();
  if (!like) throw new RangeError(`there is no text ${number}`);
  const length = body.varint();
  return new FoldedText(like, body.bytes(), length);
}

/** Reads folded rows. Rows share the texts with which others are compared, and so will texts that are folded later. */
export class FoldedReader {
  readonly folder = new Folder();
  readonly #known = new Map<string, Pieces>();

  *entries(body: ByteReader): Iterable<Entry> {
    const likes: Pieces[] = [];
    while (!body.done) {
      const facts = readFacts(body.text(), body.varint(), body);
      const number = body.varint();
      if (number === likes.length + 1) likes.push(this.#like(body.text()));
      yield storedEntry(facts, valueAfter(number, body, likes[number - 1]));
    }
  }

  /** The group commits in the frames of one row of the log, and how their values are read. */
  *commits(frames: Iterable<Frame>): Iterable<Frame & { readonly readValue: ReadValue }> {
    const likes = new Map<number, Pieces>();
    const readFolded = (body: ByteReader): string | FoldedText => {
      const number = body.varint();
      return valueAfter(number, body, likes.get(number));
    };
    for (const frame of frames) {
      if (frame.kind === 'like') likes.set(frame.sequence, this.#like(frame.body.text()));
      else yield { ...frame, readValue: frame.kind === 'log' ? readWhole : readFolded };
    }
  }

  #like(text: string): Pieces {
    let pieces = this.#known.get(text);
    if (!pieces) {
      pieces = new Pieces(text);
      this.#known.set(text, pieces);
      this.folder.learn(pieces);
    }
    return pieces;
  }
}
