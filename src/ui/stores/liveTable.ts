/**
 * A table as the server prints it, kept live by a watch. Lists in chunks, then watches from the list's revision; where
 * that revision is gone (410) it lists again. Changes are gathered and shown together, a few times a second.
 */
import { useEffect, useState } from 'preact/compat';
import { createStore, useStore, type StoreApi } from '../store.ts';
import { readWatch, type Client, type Query } from '../../client/index.ts';
import { StatusError, type ApiObject, type ObjectMeta, type Status } from '../../schema/index.ts';
import { firstIndex } from '../../std/index.ts';
import type { State } from '../theme/states.ts';
import { useObserver } from './clients.ts';
import { untilBeat } from './beat.ts';

export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly priority: number;
}

export interface TableRow {
  readonly key: string;
  readonly cells: readonly unknown[];
  readonly metadata: RowMetadata;
}

/** What rows need of their objects: there may be many rows, and the rest of an object's metadata takes ten times as much. */
type RowMetadata = {
  readonly [Field in 'name' | 'namespace' | 'creationTimestamp' | 'annotations']: ObjectMeta[Field] | undefined;
};

export interface RowChange {
  readonly state: State;
  /** Raised with each change, so that two in a row can be told apart. */
  readonly turn: number;
  readonly at: number;
}

/** Whether the server says no to who asks, and not that it can't answer. */
export const isDenied = ({ code }: Status): boolean => code === 401 || code === 403;

const nothing = { rows: [], changes: new Map<string, RowChange>() };

const live = { phase: 'live', problem: undefined, unwatched: false } as const;

export interface LiveTable {
  readonly phase: 'loading' | 'live' | 'refused';
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  readonly changes: ReadonlyMap<string, RowChange>;
  /** The revision up to which the rows are known to be true. */
  readonly revision: string;
  /** How often the list had to be taken anew because its revision was gone. */
  readonly relists: number;
  readonly problem: Status | undefined;
  /** Whether it is the watch alone that is refused: then the rows are listed again every few seconds. */
  readonly unwatched: boolean;
}

export interface TableSpec {
  readonly path: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

interface WireTable {
  readonly columnDefinitions?: readonly TableColumn[] | null;
  readonly rows?:
    readonly { readonly cells: readonly unknown[]; readonly object?: { readonly metadata: ObjectMeta } }[] | null;
  readonly metadata: { readonly resourceVersion?: string; readonly continue?: string };
}

const CHUNK = 500;
const RETRY_MS = 1500;
/** How long a deleted row stays in sight. */
const FAREWELL_MS = 1300;

const emptyTable: LiveTable = {
  phase: 'loading',
  columns: [],
  rows: [],
  changes: new Map(),
  revision: '',
  relists: 0,
  problem: undefined,
  unwatched: false,
};

const keyOf = ({ namespace, name }: RowMetadata): string => `${namespace ?? ''}/${name ?? ''}`;

function rowsOf(table: WireTable): TableRow[] {
  return (table.rows ?? []).map(({ cells, object }) => {
    const { name, namespace, creationTimestamp, annotations } = object?.metadata ?? {};
    const metadata = { name, namespace, creationTimestamp, annotations };
    return { key: keyOf(metadata), cells, metadata };
  });
}

/** Where `key` stands, or would stand, among rows in the server's order. */
const placeOf = (rows: readonly TableRow[], key: string): number =>
  firstIndex(rows.length, (at) => (rows[at] as TableRow).key >= key);

/** Puts a row where it belongs, in the place of one with the same key. */
function put(rows: TableRow[], row: TableRow): void {
  const place = placeOf(rows, row.key);
  rows.splice(place, rows[place]?.key === row.key ? 1 : 0, row);
}

function remove(rows: TableRow[], key: string): void {
  const place = placeOf(rows, key);
  if (rows[place]?.key === key) rows.splice(place, 1);
}

interface Change {
  readonly state: State;
  readonly row: TableRow;
}

/** Feeds one store until it is stopped. */
class TableFeed {
  readonly store: StoreApi<LiveTable>;
  readonly #client: Client;
  readonly #spec: TableSpec;
  readonly #stop = new AbortController();
  #gathered: Change[] = [];
  #revision = '';
  #turn = 0;
  #gathering: ReturnType<typeof setTimeout> | undefined;
  #farewell: ReturnType<typeof setTimeout> | undefined;

  constructor(client: Client, spec: TableSpec) {
    this.#client = client;
    this.#spec = spec;
    this.store = createStore<LiveTable>(() => emptyTable);
  }

  stop(): void {
    this.#stop.abort();
    clearTimeout(this.#gathering);
    clearTimeout(this.#farewell);
  }

  async run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        if (this.#revision === '') await this.#list();
        await this.#watch();
      } catch (error) {
        if (signal.aborted) return;
        await this.#recover(error);
      }
    }
  }

  /** After a failure: a revision that is gone means listing again, a refusal is shown; both are tried again later. */
  async #recover(error: unknown): Promise<void> {
    const status = error instanceof StatusError ? error.status : undefined;
    if (status?.code === 410) {
      this.#revision = '';
      this.store.setState(({ relists }) => ({ relists: relists + 1 }));
      return;
    }
    if (status) {
      const unwatched = isDenied(status) && this.#revision !== '';
      this.#revision = '';
      // Who may not see the rows any more sees none; where the server is only away they stay as they were.
      const gone = isDenied(status) && !unwatched && nothing;
      this.store.setState({ phase: 'refused', problem: status, unwatched, ...gone });
    }
    await new Promise((resolve) => setTimeout(resolve, status ? RETRY_MS * 2 : RETRY_MS));
  }

  async #list(): Promise<void> {
    const rows: TableRow[] = [];
    let token: string | undefined;
    let table: WireTable;
    do {
      table = await this.#fetch({ limit: CHUNK, continue: token });
      rows.push(...rowsOf(table));
      token = table.metadata.continue || undefined;
    } while (token && !this.#stop.signal.aborted);
    rows.sort((a, b) => (a.key < b.key ? -1 : 1));
    this.#revision = table.metadata.resourceVersion ?? '';
    this.#gathered = [];
    const columns = table.columnDefinitions ?? [];
    const listed = { columns, rows, changes: new Map<string, RowChange>(), revision: this.#revision };
    // A watch that was refused may be refused again: until it is open, the page goes on saying so.
    this.store.setState(({ unwatched }) => (unwatched ? listed : { ...listed, ...live }));
  }

  async #fetch(query: Query): Promise<WireTable> {
    const response = await this.#ask(query);
    return (await response.json()) as WireTable;
  }

  #ask(query: Query): Promise<Response> {
    const { path, labelSelector, fieldSelector } = this.#spec;
    const { domain } = this.#client.names;
    const accept = `application/json;as=Table;g=meta.${domain};v=v1`;
    return this.#client.raw(path, {
      query: { ...query, labelSelector, fieldSelector },
      accept,
      signal: this.#stop.signal,
    });
  }

  async #watch(): Promise<void> {
    const response = await this.#ask({ watch: true, allowWatchBookmarks: true, resourceVersion: this.#revision });
    if (this.store.getState().unwatched) this.store.setState(live);
    for await (const events of readWatch<ApiObject & WireTable>(response)) {
      for (const { type, object } of events) this.#take(type, object);
    }
  }

  #take(type: string, table: WireTable): void {
    const rows = rowsOf(table);
    const revision = table.metadata.resourceVersion || table.rows?.[0]?.object?.metadata.resourceVersion;
    if (revision) this.#revision = revision;
    const state: State = type === 'DELETED' ? 'deleted' : type === 'ADDED' ? 'added' : 'changed';
    if (type !== 'BOOKMARK') for (const row of rows) this.#gathered.push({ state, row });
    this.#gathering ??= setTimeout(() => this.#show(), untilBeat());
  }

  /** Applies what was gathered to the rows in sight. */
  #show(): void {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    const before = this.store.getState();
    const rows = [...before.rows];
    const changes = new Map<string, RowChange>();
    const now = performance.now();
    for (const [key, change] of before.changes) {
      if (now - change.at < FAREWELL_MS) changes.set(key, change);
      else if (change.state === 'deleted') remove(rows, key);
    }
    for (const { state, row } of this.#gathered) {
      changes.set(row.key, { state, turn: ++this.#turn, at: now });
      put(rows, row);
    }
    this.#gathered = [];
    this.store.setState({ rows, changes, revision: this.#revision });
    this.#seeOff(changes);
  }

  /** Deleted rows are taken out once they have been seen to go. */
  #seeOff(changes: ReadonlyMap<string, RowChange>): void {
    clearTimeout(this.#farewell);
    const leaving = [...changes.values()].some((change) => change.state === 'deleted');
    if (leaving) this.#farewell = setTimeout(() => this.#show(), FAREWELL_MS + 1);
  }
}

/** Starts to feed a table; the store is there at once. */
export function openTable(client: Client, spec: TableSpec): { readonly store: StoreApi<LiveTable>; stop(): void } {
  const feed = new TableFeed(client, spec);
  void feed.run();
  return { store: feed.store, stop: () => feed.stop() };
}

const emptyStore = createStore<LiveTable>(() => emptyTable);

/** The table of `spec`, for as long as the component stands; an empty one where there is no spec. */
export function useLiveTable(spec: TableSpec | undefined): LiveTable {
  const client = useObserver();
  const { path, labelSelector = '', fieldSelector = '' } = spec ?? {};
  const [store, setStore] = useState(emptyStore);
  useEffect(() => {
    if (path === undefined) return undefined;
    const feed = openTable(client, { path, labelSelector, fieldSelector });
    setStore(feed.store);
    return () => {
      feed.stop();
      setStore(emptyStore);
    };
  }, [client, path, labelSelector, fieldSelector]);
  return useStore(store);
}
