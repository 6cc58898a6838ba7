/** The format of a segment: a header line, then one record for each batch. */
import { checksum, type Batch, type Row, type Table } from '../../../cluster/index.ts';

/** The first bytes of every segment. */
export const OPENING = new TextEncoder().encode('vitrine segment 1\n');

/** Length and checksum of the body. */
const FRAME = 8;
/** Stands before a body's rows: the length of their index. */
const CONTENTS = 4;
/** No record is longer; one whose header says so is damaged. */
const LONGEST = 1 << 30;

/** A row's place in a segment. */
export interface Place {
  readonly table: Table;
  readonly id: number;
  /** Where its bytes begin in the segment, and how many there are. */
  readonly at: number;
  readonly length: number;
}

/** What one batch did. */
export interface BatchRecord {
  readonly remove: readonly { readonly table: Table; readonly from: number; readonly to: number }[];
  readonly put: readonly Place[];
  /** Where the next record begins. */
  readonly end: number;
  /** Whether the bytes are those that were written. */
  readonly sound: boolean;
}

/** The index of a body. A range without an end has none. */
interface Contents {
  readonly remove: readonly (readonly [table: Table, from: number, to: number | null])[];
  readonly put: readonly (readonly [table: Table, id: number, length: number])[];
}

/** A batch as the bytes of a record. */
export function encodeRecord({ remove = [], put }: Batch): Uint8Array<ArrayBuffer> {
  const contents: Contents = {
    remove: remove.map(({ table, from, to }) => [table, from, Number.isFinite(to) ? to : null] as const),
    put: put.map(({ table, id, bytes }) => [table, id, bytes.length] as const),
  };
  const head = new TextEncoder().encode(JSON.stringify(contents));
  const length = CONTENTS + head.length + put.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const record = new Uint8Array(FRAME + length);
  const view = new DataView(record.buffer);
  view.setUint32(0, length);
  view.setUint32(FRAME, head.length);
  record.set(head, FRAME + CONTENTS);
  let at = FRAME + CONTENTS + head.length;
  for (const { bytes } of put) {
    record.set(bytes, at);
    at += bytes.length;
  }
  view.setUint32(4, checksum(record, FRAME));
  return record;
}

/** The positions of a batch's rows in the record from `encodeRecord` that begins at `start`. */
export function placesOf(put: readonly (Row & { readonly table: Table })[], start: number, size: number): Place[] {
  let at = start + size - put.reduce((sum, { bytes }) => sum + bytes.length, 0);
  return put.map(({ table, id, bytes }) => {
    const place = { table, id, at, length: bytes.length };
    at += bytes.length;
    return place;
  });
}

/**
 * The record at `start`; undefined if it is unreadable. A damaged one may still have row positions; the rows' own
 * checksums show whether they are intact.
 */
export function decodeRecord(segment: Uint8Array, start: number): BatchRecord | undefined {
  if (start + FRAME + CONTENTS > segment.length) return undefined;
  const view = new DataView(segment.buffer, segment.byteOffset, segment.byteLength);
  const length = view.getUint32(start);
  const end = start + FRAME + length;
  if (length < CONTENTS || length > LONGEST || end > segment.length) return undefined;
  const body = start + FRAME;
  const sound = view.getUint32(start + 4) === checksum(segment, body, end);
  const rows = body + CONTENTS + view.getUint32(body);
  const contents = readContents(segment.subarray(body + CONTENTS, Math.min(rows, end)));
  if (!contents) return { remove: [], put: [], end, sound: false };
  const remove = contents.remove.map(([table, from, to]) => ({ table, from, to: to ?? Infinity }));
  let at = rows;
  const put = contents.put.map(([table, id, size]) => {
    const place = { table, id, at, length: size };
    at += size;
    return place;
  });
  return { remove, put: put.filter((place) => place.at + place.length <= end), end, sound };
}

function readContents(bytes: Uint8Array): Contents | undefined {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Contents;
  } catch {
    return undefined;
  }
}

/** Where the next sound record begins after `start`; undefined where none does, as behind a write that a crash cut off. */
export function nextSound(segment: Uint8Array, start: number): number | undefined {
  for (let at = start + 1; at + FRAME + CONTENTS <= segment.length; at++)
    if (decodeRecord(segment, at)?.sound) return at;
  return undefined;
}
