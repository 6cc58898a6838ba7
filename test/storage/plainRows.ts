/** The rows of format 1, as earlier releases wrote them: every entry of a snapshot with its whole value. */
import type { Entry, MemoryDisk } from '../../src/storage/index.ts';
import type { ByteReader, ByteWriter } from '../../src/storage/disk/bytes.ts';
import { readHead, writeFacts, writeHead, type Head } from '../../src/storage/disk/codec.ts';
import { FoldedReader } from '../../src/storage/disk/foldedRows.ts';
import { decodeFrames, encodeFrame } from '../../src/storage/disk/frame.ts';

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

/** Makes the database one that an earlier release has written. */
export function writtenBefore(disk: MemoryDisk): void {
  const head: Head = { ...headOf(disk), format: 1 };
  for (const id of disk.tables.head.keys())
    disk.tables.head.set(
      id,
      encodeFrame('head', id, (body) => writeHead(head, body)),
    );
  for (const [id, bytes] of disk.tables.base) {
    const entries = [...new FoldedReader().entries(bodyOf(bytes, 'folded'))];
    disk.tables.base.set(
      id,
      encodeFrame('base', id, (body) => writeEntries(entries, body)),
    );
  }
}
