/** Whole objects, kept live by an informer for as long as somebody looks at them. */
import { useEffect, useState } from 'preact/compat';
import { createStore, useStore, type StoreApi } from '../store.ts';
import { Informer, type Client, type ResourceRef, type Selection } from '../../client/index.ts';
import { realClock } from '../../std/index.ts';
import { StatusError, type ApiObject, type Status } from '../../schema/index.ts';
import { useObserver } from './clients.ts';
import { untilBeat } from './beat.ts';

export interface LiveObjects {
  readonly phase: 'loading' | 'live' | 'refused';
  readonly objects: readonly ApiObject[];
  readonly problem: Status | undefined;
}

export interface ObjectsSpec extends Selection {
  readonly resource: ResourceRef;
  /** Only their metadata is asked for. */
  readonly metadataOnly?: boolean;
}

/** Pauses between attempts are a matter of the page, not of the cluster: they pass by the browser's clock. */
export const pageClock = realClock();

const loading: LiveObjects = { phase: 'loading', objects: [], problem: undefined };

/** Feeds a new store with what `spec` names; changes that come together are shown together. */
export function openObjects(
  client: Client,
  spec: ObjectsSpec,
): { readonly store: StoreApi<LiveObjects>; stop(): void } {
  const { resource, metadataOnly, ...selection } = spec;
  const store = createStore<LiveObjects>(() => loading);
  let gathering: ReturnType<typeof setTimeout> | undefined;
  const show = (): void => {
    gathering = undefined;
    store.setState({ phase: 'live', objects: informer.list(), problem: undefined });
  };
  const soon = (): void => void (gathering ??= setTimeout(show, untilBeat()));
  const refuse = (problem: unknown): void => {
    const refused = problem instanceof StatusError && problem.status.code !== 410;
    if (refused) store.setState({ phase: 'refused', objects: [], problem: problem.status });
  };
  const source = metadataOnly ? client.metadataOf(resource) : client.of(resource);
  const informer = new Informer({ resource: source, clock: pageClock, selection, onProblem: refuse });
  informer.on({ added: soon, changed: soon, deleted: soon });
  informer.start();
  void informer.synced.then(show);
  return {
    store,
    stop: () => {
      clearTimeout(gathering);
      informer.stop();
    },
  };
}

const emptyStore = createStore<LiveObjects>(() => loading);

function useFeed(client: Client, spec: ObjectsSpec | undefined): LiveObjects {
  const [store, setStore] = useState(emptyStore);
  // The text stands for the spec: one that says the same is the same.
  const text = spec && JSON.stringify(spec);
  useEffect(() => {
    if (text === undefined) return undefined;
    const feed = openObjects(client, JSON.parse(text) as ObjectsSpec);
    setStore(feed.store);
    return () => {
      feed.stop();
      setStore(emptyStore);
    };
  }, [client, text]);
  return useStore(store);
}

/** All objects that `spec` names, as whoever the page acts as sees them. */
export function useLiveObjects(spec: ObjectsSpec | undefined): LiveObjects {
  return useFeed(useObserver(), spec);
}
