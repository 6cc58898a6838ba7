/** The rows of a cluster in a directory: segments that only grow, one record for each batch, the oldest given up first. */
import { mkdir, open, readdir, readFile, unlink, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { WriteError, type Backend, type Batch, type Row, type Table } from '../../../cluster/index.ts';
import { decodeRecord, encodeRecord, nextSound, OPENING, placesOf, type Place } from './record.ts';
import { Reserve } from './reserve.ts';
import { writeAll, type WriteAll } from './writeAll.ts';

export interface SegmentOptions {
  /** A segment that is longer gets no more records. */
  readonly segmentBytes?: number;
  /** The maximum number of bytes of an old segment that are copied after a write. */
  readonly copyBytes?: number;
  /** How bytes get into files; tests have disks of their own. */
  readonly writeAll?: WriteAll;
}

interface Segment {
  readonly number: number;
  readonly path: string;
  readonly file: FileHandle;
  size: number;
}

/** A row, and the segment that it stands in. */
interface Found extends Place {
  readonly segment: Segment;
}

const NAME = /^(\d{12})\.segment$/;
const nameOf = (number: number): string => `${String(number).padStart(12, '0')}.segment`;
const OWNER = 'owner';
const RESERVE = 'reserve';

/** On a full disk, the number of dead bytes that justifies copying a segment's live rows. */
const DEAD_BYTES = 64 << 10;

/**
 * Opens the rows in `directory`, and creates it if it is missing. A record that a crash cut off at the end was never
 * confirmed and is dropped. Earlier users of the directory can no longer write. Throws WriteError.
 */
export async function segmentBackend(directory: string, options: SegmentOptions = {}): Promise<Backend> {
  try {
    await mkdir(directory, { recursive: true });
    const backend = new SegmentBackend(directory, options);
    await backend.open();
    return backend;
  } catch (error) {
    throw asWriteError(error, 'opened');
  }
}

class SegmentBackend implements Backend {
  readonly #directory: string;
  readonly #segmentBytes: number;
  readonly #copyBytes: number;
  readonly #writeAll: WriteAll;
  readonly #reserve: Reserve;
  readonly #segments: Segment[] = [];
  readonly #rows: Readonly<Record<Table, Map<number, Found>>> = { head: new Map(), base: new Map(), log: new Map() };
  #owner = '';
  #live = 0;
  #full = false;
  /** Batches are written sequentially. */
  #last: Promise<unknown> = Promise.resolve();
  /** The failure after which nothing more is written. */
  #ended: WriteError | undefined;

  constructor(directory: string, options: SegmentOptions) {
    const { segmentBytes = 16 << 20, copyBytes = 1 << 20 } = options;
    this.#directory = directory;
    this.#segmentBytes = segmentBytes;
    this.#copyBytes = copyBytes;
    this.#writeAll = options.writeAll ?? writeAll;
    this.#reserve = new Reserve(this.#path(RESERVE), this.#writeAll);
  }

  get full(): boolean {
    return this.#full;
  }

  async open(): Promise<void> {
    const owner = Number(await readFile(this.#path(OWNER), 'utf8').catch(() => '0'));
    this.#owner = String(owner + 1);
    await this.#reserve.look();
    await this.#usingReserve(() => writeFile(this.#path(OWNER), this.#owner, { mode: 0o600, flush: true }));
    const names = (await readdir(this.#directory)).filter((name) => NAME.test(name)).sort();
    for (const name of names) await this.#openSegment(Number(NAME.exec(name)?.[1]), name === names.at(-1));
    if (this.#segments.length === 0) await this.#usingReserve(async () => void (await this.#addSegment()));
  }

  async read(table: Table, from: number, to: number, limit: number): Promise<readonly Row[]> {
    const found = [...this.#rows[table].values()].filter(({ id }) => id >= from && id < to);
    found.sort((a, b) => a.id - b.id);
    return Promise.all(found.slice(0, limit).map(bytesOf));
  }

  write(batch: Batch): Promise<void> {
    const work = this.#last.then(() => this.#write(batch));
    this.#last = work.catch(() => undefined);
    return work;
  }

  async close(): Promise<void> {
    await this.#last;
    this.#ended ??= new WriteError('closed', 'the data directory is closed');
    await Promise.all(this.#segments.map(({ file }) => file.close()));
  }

  async #write(batch: Batch): Promise<void> {
    if (this.#ended) throw this.#ended;
    if ((await readFile(this.#path(OWNER), 'utf8')) !== this.#owner)
      throw new WriteError('fenced', 'the data directory has been opened by somebody else');
    if (batch.frees === true) await this.#usingReserve(() => this.#append(batch));
    else await this.#withRoom(() => this.#append(batch));
    await this.#tidyUp();
  }

  /** Does `work` beside the reserve: what does not fit there is refused. */
  async #withRoom(work: () => Promise<void>): Promise<void> {
    try {
      await this.#reserve.fill();
      await work();
      this.#full = false;
    } catch (error) {
      const problem = asWriteError(error, 'written');
      this.#full ||= problem.reason === 'quota';
      throw problem;
    }
  }

  /** Does `work`, if need be in the room that is kept back. */
  async #usingReserve(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (this.#ended || asWriteError(error, 'written').reason !== 'quota') throw error;
      this.#full = true;
      if (!(await this.#reserve.release())) throw error;
      await work();
    }
  }

  /**
   * Returns the space of dead bytes to the disk. If there is no space for it now it is done later; the batch itself is
   * written.
   */
  async #tidyUp(): Promise<void> {
    try {
      if (!this.#full) return await this.#giveUpOldest();
      await this.#usingReserve(() => this.#giveUpAllDead());
      await this.#reserve.fill();
      this.#full = false;
    } catch (error) {
      if (this.#ended) throw this.#ended;
      if (asWriteError(error, 'written').reason !== 'quota') throw error;
    }
  }

  /** On a full disk, copies and deletes every segment with much dead data, including the newest. */
  async #giveUpAllDead(): Promise<void> {
    const newest = this.#segments.at(-1)?.number ?? 0;
    for (let oldest = this.#segments[0]; oldest && oldest.number <= newest; oldest = this.#segments[0]) {
      if (this.#total - this.#live < this.#live / 2 + DEAD_BYTES) return;
      if (this.#segments.length === 1) await this.#addSegment();
      await this.#copyOn(oldest);
    }
  }

  get #total(): number {
    return this.#segments.reduce((sum, { size }) => sum + size, 0);
  }

  /** Adds a record and waits until the disk has it. What fails halfway leaves nothing behind, or ends all writing. */
  async #append(batch: Batch): Promise<void> {
    const record = encodeRecord(batch);
    const segment = await this.#segmentFor(record.length);
    const start = segment.size;
    try {
      await this.#writeAll(segment.file, record, start);
    } catch (error) {
      await segment.file.truncate(start).catch((why: unknown) => this.#endFor(why));
      throw asWriteError(error, 'written');
    }
    try {
      await segment.file.datasync();
    } catch (error) {
      // The kernel may have dropped unwritten data: the state of the disk is unknown.
      throw this.#endFor(error);
    }
    segment.size += record.length;
    this.#apply(segment, batch.remove ?? [], placesOf(batch.put, start, record.length));
  }

  #endFor(error: unknown): WriteError {
    return (this.#ended = asWriteError(error, 'written'));
  }

  #apply(segment: Segment, remove: NonNullable<Batch['remove']>, put: readonly Place[]): void {
    for (const { table, from, to } of remove)
      for (const id of this.#rows[table].keys()) if (id >= from && id < to) this.#forget(table, id);
    for (const place of put) {
      this.#forget(place.table, place.id);
      this.#rows[place.table].set(place.id, { ...place, segment });
      this.#live += place.length;
    }
  }

  #forget(table: Table, id: number): void {
    this.#live -= this.#rows[table].get(id)?.length ?? 0;
    this.#rows[table].delete(id);
  }

  /**
   * When most data is dead, copies live rows from the oldest segment to the newest, and deletes it once it has none. It
   * is always the oldest, because a segment's removals refer to older segments and must not be lost.
   */
  async #giveUpOldest(): Promise<void> {
    const [oldest] = this.#segments;
    if (!oldest || this.#segments.length === 1 || this.#total < 2 * this.#live + this.#segmentBytes) return;
    await this.#copyOn(oldest);
  }

  /** Copies some of the rows that live in the oldest segment to the newest; once there are none, deletes it. */
  async #copyOn(oldest: Segment): Promise<void> {
    const living: Found[] = [];
    let bytes = 0;
    for (const found of this.#rowsIn(oldest)) {
      if (bytes > 0 && bytes + found.length > this.#copyBytes) break;
      living.push(found);
      bytes += found.length;
    }
    if (living.length > 0) {
      const put = await Promise.all(living.map(async (found) => ({ table: found.table, ...(await bytesOf(found)) })));
      return this.#append({ put });
    }
    this.#segments.shift();
    await oldest.file.close();
    await unlink(oldest.path);
  }

  *#rowsIn(segment: Segment): Generator<Found> {
    for (const rows of Object.values(this.#rows))
      for (const found of rows.values()) if (found.segment === segment) yield found;
  }

  async #segmentFor(bytes: number): Promise<Segment> {
    const newest = this.#segments.at(-1);
    const isFull = newest && newest.size > OPENING.length && newest.size + bytes > this.#segmentBytes;
    return newest && !isFull ? newest : this.#addSegment();
  }

  async #addSegment(): Promise<Segment> {
    const number = (this.#segments.at(-1)?.number ?? 0) + 1;
    const path = this.#path(nameOf(number));
    const file = await open(path, 'w+', 0o600);
    try {
      await this.#writeAll(file, OPENING, 0);
      await file.datasync();
      await syncDirectory(this.#directory);
    } catch (error) {
      // An empty segment would be mended at the next start, for which a full disk has no room.
      await file.close();
      await unlink(path).catch(() => undefined);
      throw asWriteError(error, 'written');
    }
    const segment = { number, path, file, size: OPENING.length };
    this.#segments.push(segment);
    return segment;
  }

  /** Reads the records of a segment in order; the last segment may end in one that a crash cut off. */
  async #openSegment(number: number, isLast: boolean): Promise<void> {
    const path = this.#path(nameOf(number));
    const file = await open(path, 'r+');
    const bytes = await readFile(path);
    const segment: Segment = { number, path, file, size: OPENING.length };
    this.#segments.push(segment);
    while (segment.size < bytes.length) {
      const record = decodeRecord(bytes, segment.size);
      const isSound = record?.sound === true;
      // What follows a damaged record is not lost with it; behind one that was cut off there is nothing.
      const next = isSound ? record.end : nextSound(bytes, segment.size);
      if (isLast && next === undefined) break;
      if (record) this.#apply(segment, record.remove, record.put);
      segment.size = next ?? bytes.length;
    }
    if (isLast && segment.size !== bytes.length) await this.#usingReserve(() => repairEnd(segment, bytes.length));
  }

  #path(name: string): string {
    return join(this.#directory, name);
  }
}

/** Cuts off what follows the last record; makes the opening of a segment that has not even that. */
async function repairEnd(segment: Segment, length: number): Promise<void> {
  if (length < segment.size) await segment.file.write(OPENING, 0, OPENING.length, 0);
  else await segment.file.truncate(segment.size);
  await segment.file.datasync();
}

async function bytesOf({ id, at, length, segment }: Found): Promise<Row> {
  const bytes = new Uint8Array(length);
  const { bytesRead } = await segment.file.read(bytes, 0, length, at);
  return { id, bytes: bytes.subarray(0, bytesRead) };
}

/** A new file survives a power failure only after its directory is synced. Windows does not support this. */
async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function asWriteError(error: unknown, what: string): WriteError {
  if (error instanceof WriteError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const reason = code === 'ENOSPC' || code === 'EDQUOT' ? 'quota' : 'failed';
  return new WriteError(reason, `the data directory could not be ${what}: ${message}`, error);
}
