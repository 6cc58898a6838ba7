import type { Change } from '../committer.ts';
import { storedEntry } from '../entry.ts';
import type { Entry, StorageEvent } from '../types.ts';
import type { Revision } from '../revision.ts';
import type { FoldedText } from '../foldedText.ts';
import type { ByteReader, ByteWriter } from './bytes.ts';

/** The head of a database: which rows are valid, and their totals. */
export interface Head {
  /**
   * 1 if the rows of the snapshot are `base` frames, 2 if they are `folded` ones. From 3 on they may be either, and rows of
   * the log may be folded.
   */
  readonly format: number;
  /** The snapshot: `baseRows` rows from `baseFrom`, the state at `baseRevision`. */
  readonly baseFrom: number;
  readonly baseRows: number;
  readonly baseRevision: Revision;
  /** The sequence number of the first frame of the log. */
  readonly logFrom: number;
}

export const FORMAT = 3;

export const emptyHead: Head = { format: FORMAT, baseFrom: 1, baseRows: 0, baseRevision: 0, logFrom: 1 };

export function writeHead(head: Head, body: ByteWriter): void {
  for (const number of [head.format, head.baseFrom, head.baseRows, head.baseRevision, head.logFrom])
    body.varint(number);
}

/** The head, or the number of an unknown format. */
export function readHead(body: ByteReader): Head | number {
  const format = body.varint();
  if (format < 1 || format > FORMAT) return format;
  return {
    format,
    baseFrom: body.varint(),
    baseRows: body.varint(),
    baseRevision: body.varint(),
    logFrom: body.varint(),
  };
}

/** An entry without its key and revision, which precede it, and without its value. The expiry is stored plus one: 0 means never. */
export function writeFacts({ created, version, expires = -1 }: Entry, body: ByteWriter): void {
  body.varint(created);
  body.varint(version);
  body.varint(expires + 1);
}

export function readFacts(key: string, revision: Revision, body: ByteReader): Omit<Entry, 'value'> {
  const created = body.varint();
  const version = body.varint();
  const expires = body.varint() - 1;
  return { key, created, revision, version, ...(expires < 0 ? {} : { expires }) };
}

/** The entries of a `base` row, which earlier releases wrote. */
export function* readEntries(body: ByteReader): Iterable<Entry> {
  while (!body.done) yield storedEntry(readFacts(body.text(), body.varint(), body), body.text());
}

/** How the value of an entry is written, and read. */
export type WriteValue = (entry: Entry, body: ByteWriter) => void;
export type ReadValue = (body: ByteReader) => string | FoldedText;

const writeWhole: WriteValue = ({ value }, body) => body.text(value);
export const readWhole: ReadValue = (body) => body.text();

const COMPACT = 0;
const COMMIT = 1;
const DELETE = 0;
const PUT = 1;

export function writeChanges(changes: readonly Change[], body: ByteWriter, writeValue = writeWhole): void {
  for (const change of changes) {
    body.u8(change.type === 'commit' ? COMMIT : COMPACT);
    body.varint(change.revision);
    if (change.type === 'compact') continue;
    body.varint(change.events.length);
    for (const { key, entry } of change.events) {
      body.u8(entry ? PUT : DELETE);
      body.text(key);
      if (!entry) continue;
      writeFacts(entry, body);
      writeValue(entry, body);
    }
  }
}

/** Decodes changes. The previous entry of an event is not on disk. */
export function* readChanges(body: ByteReader, readValue = readWhole): Iterable<Change> {
  while (!body.done) {
    const type = body.u8() === COMMIT ? 'commit' : 'compact';
    const revision = body.varint();
    if (type === 'compact') yield { type, revision };
    else
      yield {
        type,
        revision,
        events: Array.from({ length: body.varint() }, () => readEvent(revision, body, readValue)),
      };
  }
}

function readEvent(revision: Revision, body: ByteReader, readValue: ReadValue): StorageEvent {
  const put = body.u8() === PUT;
  const key = body.text();
  if (!put) return { type: 'delete', revision, key };
  return { type: 'put', revision, key, entry: storedEntry(readFacts(key, revision, body), readValue(body)) };
}
