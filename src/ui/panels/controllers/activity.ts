/** What controllers did while somebody looked: reconciles from the trace, writes from the request log. */
import { useEffect, useMemo, useState } from 'preact/compat';
import type { ReconcileEvent, TraceEvent } from '../../../trace/index.ts';
import type { ControllersState } from '../../controllers.ts';
import { useRequests, type LoggedRequest } from '../../stores/requests.ts';
import { useCluster } from '../../stores/session.ts';
import { findFights, type Fight } from './fights.ts';

/** How controllers stand, for as long as somebody looks. */
export function useControllers(): ControllersState | undefined {
  const { controllers } = useCluster().cluster;
  const [state, setState] = useState<ControllersState>();
  useEffect(() => {
    setState(undefined);
    return controllers?.follow(setState);
  }, [controllers]);
  return state;
}

/** One run of a loop over one key. */
export interface Reconcile {
  readonly id: number;
  readonly loop: string;
  readonly key: string;
  /** What woke it, as far as that was heard. */
  readonly woken: readonly string[];
  readonly plan: readonly unknown[];
  readonly outcome: 'done' | 'failed' | 'requeued' | 'waiting';
  /** Why it failed, or when it looks again. */
  readonly note: string;
  /** The revisions at which it began to read each cache, by the cache's path. */
  readonly read: Readonly<Record<string, string>>;
  /** When it was first heard of, and when it was heard of last. */
  readonly from: number;
  readonly at: number;
}

const KEPT = 400;
let lastId = 0;

/** The reconciles with more events taken in, the newest first. */
export function withEvents(known: readonly Reconcile[], events: readonly TraceEvent[]): readonly Reconcile[] {
  let all = [...known];
  for (const event of events) {
    if (event.topic !== 'reconcile') continue;
    const i = all.findIndex(
      ({ loop, key, outcome }) => outcome === 'waiting' && loop === event.controller && key === event.key,
    );
    const open = all[i];
    if (open) all[i] = continued(open, event);
    else all = [continued(begun(event), event), ...all].slice(0, KEPT);
  }
  return all;
}

const begun = ({ controller, key, at }: ReconcileEvent): Reconcile => ({
  ...{ id: ++lastId, loop: controller, key, from: at, at, woken: [], plan: [], outcome: 'waiting', note: '', read: {} },
});

function continued(run: Reconcile, { what, why = '', plan = [], read = {}, at }: ReconcileEvent): Reconcile {
  if (what === 'woken') return why === '' || run.woken.includes(why) ? run : { ...run, woken: [...run.woken, why] };
  if (what === 'planned') return { ...run, plan: [...run.plan, ...plan] };
  return { ...run, at, outcome: what, note: why, read };
}

/** Listens to reconciles for as long as the panel is shown. */
export function useReconciles(): readonly Reconcile[] {
  const { cluster } = useCluster();
  const [runs, setRuns] = useState<readonly Reconcile[]>([]);
  useEffect(() => {
    setRuns([]);
    return cluster.trace((events) => setRuns((known) => withEvents(known, events)), ['reconcile']);
  }, [cluster]);
  return runs;
}

/** What a run wrote, as far as the request log tells: a request that was sent while several runs were under way may be another one's. */
export function writesOf(
  { loop, key, from, at }: Reconcile,
  requests: readonly LoggedRequest[],
): readonly LoggedRequest[] {
  return requests.filter((request) => {
    const [received] = request.stages;
    if (request.revision === undefined || received?.stage !== 'received' || request.at < from || request.at > at)
      return false;
    const [cause, ...others] = received.causes ?? [];
    return others.length === 0 && cause?.controller === loop && cause.key === key;
  });
}

/** The writes of a user that the request log still has, the newest first. */
export function useWritesOf(user: string): readonly LoggedRequest[] {
  const requests = useRequests((log) => log.requests);
  return useMemo(
    () => requests.filter((request) => request.revision !== undefined && request.user === user).reverse(),
    [requests, user],
  );
}

export interface NamedFight extends Fight {
  /** The storage key of the object. */
  readonly key: string;
}

/** So many writes of one object by several people make it worth a look at its history. */
const MANY_WRITES = 4;

/** Objects that several users write again and again, with their writers by revision. */
function contested(requests: readonly LoggedRequest[]): ReadonlyMap<string, ReadonlyMap<number, string>> {
  const keys = new Map<string, Map<number, string>>();
  for (const { stages, user } of requests)
    for (const stage of stages) {
      if (stage.stage !== 'stored') continue;
      const writers = keys.get(stage.key) ?? new Map<number, string>();
      keys.set(stage.key, writers.set(stage.revision, user));
    }
  return new Map([...keys].filter(([, by]) => by.size >= MANY_WRITES && new Set(by.values()).size > 1));
}

/** Fields over which two users fight, found in the histories of objects that several of them write. */
export function useFights(): readonly NamedFight[] {
  const { cluster } = useCluster();
  const requests = useRequests((log) => log.requests);
  const hot = useMemo(() => contested(requests), [requests]);
  const text = JSON.stringify(Array.from(hot, ([key, by]) => [key, by.size]));
  const [fights, setFights] = useState<readonly NamedFight[]>([]);
  useEffect(() => {
    let isCurrent = true;
    const look = async (): Promise<readonly NamedFight[]> => {
      const found = Array.from(hot, async ([key, by]) => {
        const kept = (await cluster.storage?.history(key)) ?? [];
        const writes = kept.map(({ revision, value }) => ({ revision, value, by: by.get(revision) ?? 'somebody' }));
        return findFights(writes).map((fight) => ({ ...fight, key }));
      });
      return (await Promise.all(found)).flat();
    };
    look().then(
      (found) => (isCurrent ? setFights(found) : undefined),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
    // The text says which objects are worth a look, and how often they were written.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [cluster, text]);
  return fights;
}
