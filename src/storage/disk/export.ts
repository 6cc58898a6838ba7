import { assert, encodeText, isObject, toBase64 } from '../../std/index.ts';
import type { Backend } from '../backends/backend.ts';
import type { Change } from '../committer.ts';
import { storedEntry } from '../entry.ts';
import type { KeySpace } from '../keyspace.ts';
import { folding } from '../folding.ts';
import type { Entry, StorageEvent } from '../types.ts';
import type { Revision } from '../revision.ts';
import { Journal } from './journal.ts';
import type { Tuning } from './tuning.ts';
import type { DamagedRow } from './load.ts';
import { loadDatabase } from './load.ts';

const FORMAT = 'vitrine-storage/1';
const LINES_A_CHUNK = 256;
const CHANGES_A_GROUP = 512;

/**
 * A database as JSON lines: the revisions that it covers, the entries where history begins, the commits since, and the
 * damage. The last line has the number of the other lines, so that a truncated file is detected. It shows the state at
 * the first read.
 */
export async function* exportLines(space: KeySpace, damage?: readonly DamagedRow[]): AsyncIterable<Uint8Array> {
  let lines: string[] = [];
  let count = 0;
  for (const line of linesOf(space, damage)) {
    count++;
    if (lines.push(`${JSON.stringify(line)}\n`) < LINES_A_CHUNK) continue;
    yield encodeText(lines.join(''));
    lines = [];
  }
  yield encodeText(`${lines.join('')}${JSON.stringify({ end: count })}\n`);
}

function* linesOf(space: KeySpace, damage: readonly DamagedRow[] = []): Iterable<unknown> {
  const { revision, compacted } = space;
  const entries = space.entriesAt(compacted);
  const events = space.eventsSince(compacted);
  yield { format: FORMAT, revision, compacted };
  for (const entry of entries) yield { entry };
  for (const commit of commitsOf(events)) {
    yield {
      commit: commit[0]?.revision,
      changes: commit.map(({ key, entry }) => (entry ? { entry } : { deleted: key })),
    };
  }
  for (const { bytes, ...what } of damage) yield { damage: bytes ? { ...what, base64: toBase64(bytes) } : what };
}

/** Groups events by commit. */
function* commitsOf(events: readonly StorageEvent[]): Iterable<readonly StorageEvent[]> {
  for (let from = 0; from < events.length;) {
    const revision = events[from]?.revision;
    let to = from;
    while (events[to]?.revision === revision) to++;
    yield events.slice(from, to);
    from = to;
  }
}

/** See `restoreStorage`. */
export async function restoreLines(backend: Backend, lines: AsyncIterable<Uint8Array>, tuning?: Tuning): Promise<void> {
  const { fresh, layout } = await loadDatabase(backend);
  assert(fresh, 'a database can only be restored where there is none');
  const { revision, compacted, entries, commits } = await readLines(lines);
  const journal = new Journal(backend, layout, tuning);
  await journal.create();
  const { foldEach, Folder } = await folding.load();
  await journal.snapshot(foldEach(entries, new Folder()), commits.length > 0 ? compacted : revision);
  for (let i = 0; i < commits.length; i += CHANGES_A_GROUP) await journal.append(commits.slice(i, i + CHANGES_A_GROUP));
}

interface Content {
  revision: Revision;
  compacted: Revision;
  readonly entries: Entry[];
  readonly commits: Change[];
}

async function readLines(chunks: AsyncIterable<Uint8Array>): Promise<Content> {
  const content: Content = { revision: -1, compacted: 0, entries: [], commits: [] };
  let count = 0;
  let complete = false;
  for await (const line of splitLines(chunks)) {
    const value: unknown = parse(line);
    if (!isObject(value) || complete) throw new TypeError(`line ${count + 1} is not part of an export`);
    complete = value['end'] === count;
    readLine(value, content);
    count++;
  }
  if (!complete || content.revision < 0) throw new TypeError('the export is not complete');
  return content;
}

function readLine(line: Record<string, unknown>, content: Content): void {
  if (line['format'] === FORMAT) {
    content.revision = asNumber(line['revision']);
    content.compacted = asNumber(line['compacted']);
  } else if ('entry' in line) {
    content.entries.push(asEntry(line['entry'], content.compacted));
  } else if ('commit' in line) {
    content.commits.push(asCommit(line, content.compacted + content.commits.length + 1));
  } else if (!('end' in line) && !('damage' in line)) {
    throw new TypeError('a line is not part of an export');
  }
}

function asCommit({ commit, changes }: Record<string, unknown>, revision: Revision): Change {
  if (commit !== revision || !Array.isArray(changes)) throw new TypeError(`commit ${revision} is missing`);
  const events = changes.map((change): StorageEvent => {
    if (isObject(change) && typeof change['deleted'] === 'string')
      return { type: 'delete', revision, key: change['deleted'] };
    const entry = asEntry(isObject(change) ? change['entry'] : undefined, revision);
    if (entry.revision !== revision) throw new TypeError(`${entry.key} belongs to another commit than ${revision}`);
    return { type: 'put', revision, key: entry.key, entry };
  });
  return { type: 'commit', revision, events };
}

function asEntry(value: unknown, latest: Revision): Entry {
  if (!isObject(value)) throw new TypeError('an entry is not an object');
  const text = asText(value['value']);
  const entry = {
    key: asText(value['key']),
    created: asNumber(value['created']),
    revision: asNumber(value['revision']),
    version: asNumber(value['version']),
  };
  if (entry.created > entry.revision || entry.revision > latest)
    throw new TypeError(`${entry.key} is newer than its revision`);
  // A line may come from an untrusted file, and the value of an object must be a JSON object.
  if (entry.key.startsWith('/registry/') && !isObject(parse(text))) throw new TypeError(`${entry.key} holds no object`);
  const expires = value['expires'] === undefined ? {} : { expires: asNumber(value['expires']) };
  return storedEntry({ ...entry, ...expires }, text);
}

function asText(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError(`${JSON.stringify(value)} is not a text`);
  return value;
}

function asNumber(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0)
    throw new TypeError(`${JSON.stringify(value)} is not a number`);
  return value as number;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
