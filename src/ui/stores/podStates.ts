/** Every kept state of some pods, as any client could read them: a list at the oldest revision that is kept, and a watch from there on. */
import { useEffect, useState } from 'preact/compat';
import { pods, readWatch, type Client, type Selection } from '../../client/index.ts';
import { isReason, type ApiObject } from '../../schema/index.ts';
import { delay } from '../../std/index.ts';
import { useAdministrator } from './clients.ts';
import { pageClock } from './liveObjects.ts';
import { theCluster } from './session.ts';

/** A pod's states, oldest first. */
export interface PodRecord {
  readonly states: readonly ApiObject[];
  /** Whether the last state is that of its deletion. */
  readonly gone: boolean;
}

export interface PodSelection {
  readonly namespace: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

const GATHER_MS = 80;
/** Milliseconds until a watch that ended is taken up again. */
const AGAIN_MS = 1000;
/** States of one pod beyond these are forgotten, the oldest first. */
const MOST_STATES = 500;

interface Recording {
  readonly records: Map<string, PodRecord>;
  note(object: ApiObject, gone: boolean): void;
}

function recordings(changed: () => void): Recording {
  const records = new Map<string, PodRecord>();
  const note = (object: ApiObject, gone: boolean): void => {
    const uid = object.metadata.uid ?? '';
    const states = records.get(uid)?.states ?? [];
    records.set(uid, { states: [...states.slice(-MOST_STATES), object], gone });
    changed();
  };
  return { records, note };
}

/** Lists at the oldest kept revision, or now where the host can't tell; the revision from which a watch goes on. */
async function readFirst(client: Client, selection: PodSelection, { note }: Recording): Promise<string> {
  const oldest = (await theCluster().cluster.storage?.report())?.compacted ?? -1;
  if (oldest === 0) return '1';
  const exact = oldest > 0 ? { resourceVersion: String(oldest), resourceVersionMatch: 'Exact' as const } : {};
  const list = await client.of(pods).list({ ...selection, ...exact });
  for (const pod of list.items) note(pod, false);
  return list.metadata.resourceVersion ?? '';
}

async function followOn(
  client: Client,
  given: PodSelection,
  from: string,
  taken: Recording,
  signal: AbortSignal,
): Promise<string> {
  let last = from;
  const { namespace, ...selection } = given;
  const query = { watch: true, resourceVersion: last, allowWatchBookmarks: true, ...selection };
  const prefix = namespace === '' ? '' : `/namespaces/${namespace}`;
  const response = await client.raw(`/api/v1${prefix}/pods`, { query, signal });
  for await (const events of readWatch(response)) {
    for (const { type, object } of events) {
      last = object.metadata.resourceVersion ?? last;
      if (type !== 'BOOKMARK') taken.note(object, type === 'DELETED');
    }
  }
  return last;
}

async function record(client: Client, selection: PodSelection, taken: Recording, signal: AbortSignal): Promise<void> {
  let from: string | undefined;
  while (!signal.aborted) {
    try {
      from ??= await readFirst(client, selection, taken);
      from = await followOn(client, selection, from, taken, signal);
    } catch (problem) {
      if (isReason(problem, 'Expired')) from = undefined;
    }
    await delay(pageClock, AGAIN_MS, signal);
  }
}

/** The records of the pods that are selected, by uid; undefined until the first have arrived. */
export function usePodRecords(selection: PodSelection | undefined): ReadonlyMap<string, PodRecord> | undefined {
  const client = useAdministrator();
  const [records, setRecords] = useState<ReadonlyMap<string, PodRecord>>();
  const text = selection && JSON.stringify(selection);
  useEffect(() => {
    setRecords(undefined);
    if (text === undefined) return undefined;
    let gathering: ReturnType<typeof setTimeout> | undefined;
    const ending = new AbortController();
    const show = (): void => {
      gathering = undefined;
      setRecords(new Map(taken.records));
    };
    const taken = recordings(() => void (gathering ??= setTimeout(show, GATHER_MS)));
    gathering = setTimeout(show, GATHER_MS);
    void record(client, JSON.parse(text) as PodSelection & Selection, taken, ending.signal);
    return () => {
      clearTimeout(gathering);
      ending.abort();
    };
  }, [client, text]);
  return records;
}
