/** Rows as earlier releases wrote them: with whole values, of a snapshot in format 1 and of the log in format 2, too. */
import { concatenate } from '../../src/std/index.ts';
import type { Entry, MemoryDisk } from '../../src/storage/index.ts';
import type { ByteReader, ByteWriter } from '../../src/storage/disk/bytes.ts';
import type { Change } from '../../src/storage/committer.ts';
import { readChanges, readHead, writeChanges, writeFacts, writeHead, type Head } from '../../src/storage/disk/codec.ts';
import { FoldedReader } from '../../src/storage/disk/foldedRows.ts';
import { decodeFrames, encodeFrame, type Frame } from '../../src/storage/disk/frame.ts';

export function writeEntries(entries: Iterable<Entry>, body: ByteWriter): void {
  for (const entry of entries) {
    body.text(entry.key);
    body.varint(entry.revision);
    writeFacts(entry, body);
    body.text(entry.value);
  }
}

const bodyOf = (row: Uint8Array, kind: 'head' | 'folded'): ByteReader => {
  for (const { body } of decodeFrames(row, kind)) return body;
  throw new Error('there is no frame');
};

/** The head that the database has. */
export function headOf({ tables }: MemoryDisk): Head {
  const head = readHead(bodyOf(tables.head.get(0) ?? new Uint8Array(), 'head'));
  if (typeof head === 'number') throw new Error(`the format is ${head}`);
  return head;
}

/** The group commits in a row of the log. */
export function changesIn(row: Uint8Array): { readonly frame: Frame; readonly changes: readonly Change[] }[] {
  const commits = new FoldedReader().commits(decodeFrames(row, 'log', 'like', 'foldedLog'));
  return [...commits].map((frame) => ({
    frame,
    changes: [...readChanges(frame.body, frame.readValue)],
  }));
}

/** Makes the database one that an earlier release has written. */
export function writtenBefore(disk: MemoryDisk, format = 1): void {
  const head: Head = { ...headOf(disk), format };
  for (const id of disk.tables.head.keys())
    disk.tables.head.set(
      id,
      encodeFrame('head', id, (body) => writeHead(head, body)),
    );
  for (const [id, bytes] of disk.tables.log) {
    const frames = changesIn(bytes).map(({ frame, changes }) =>
      encodeFrame('log', frame.sequence, (body) => writeChanges(changes, body)),
    );
    disk.tables.log.set(id, concatenate(frames));
  }
  if (format > 1) return;
  for (const [id, bytes] of disk.tables.base) {
    const entries = [...new FoldedReader().entries(bodyOf(bytes, 'folded'))];
    disk.tables.base.set(
      id,
      encodeFrame('base', id, (body) => writeEntries(entries, body)),
    );
  }
}
