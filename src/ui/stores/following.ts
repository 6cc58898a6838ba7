/**
 * What the page's frame follows for as long as a cluster is open: its resource types, namespaces, service accounts and
 * nodes by name, its clock, its revision, its request log. The frame reads with the administrator's eyes.
 */
import { useMemo } from 'preact/compat';
import { create } from '../store.ts';
import { Client, type ResourceRef } from '../../client/index.ts';
import type { ApiObject } from '../../schema/index.ts';
import type { BriefEvent, TraceEvent } from '../../trace/index.ts';
import type { RunningCluster } from '../host.ts';
import { forgetAudit, noteAuditEvents } from './audit.ts';
import { followBreakpoints } from './breakpoints.ts';
import { OBSERVER_AGENT } from './clients.ts';
import { followMoves, readClock } from './clock.ts';
import { dismissFollowers } from './followers.ts';
import { openObjects } from './liveObjects.ts';
import { clearLog, logEvents } from './requests.ts';
import { noteProblems } from './problems.ts';
import { loadResources, useResources } from './resources.ts';
import type { Open } from './session.ts';
import { untilBeat } from './beat.ts';

interface Frame {
  readonly namespaces: readonly ApiObject[];
  readonly accounts: readonly ApiObject[];
  readonly nodes: readonly ApiObject[];
  /** The latest revision that the page has heard of. */
  readonly revision: number;
}

const nothing: Frame = { namespaces: [], accounts: [], nodes: [], revision: 0 };
const useFrame = create<Frame>()(() => nothing);

const core = (resource: string, kind: string, namespaced: boolean): ResourceRef => ({
  group: '',
  version: 'v1',
  resource,
  kind,
  namespaced,
});

const followed = [
  { part: 'namespaces', ref: core('namespaces', 'Namespace', false) },
  { part: 'accounts', ref: core('serviceaccounts', 'ServiceAccount', true) },
  { part: 'nodes', ref: core('nodes', 'Node', false) },
] as const;

/** What adds resource types to the server while it runs. */
const extensions: readonly ResourceRef[] = [
  {
    group: 'apiextensions.{domain}',
    version: 'v1',
    resource: 'customresourcedefinitions',
    kind: 'CustomResourceDefinition',
    namespaced: false,
  },
  { group: 'apiregistration.{domain}', version: 'v1', resource: 'apiservices', kind: 'APIService', namespaced: false },
];

/** Notes the revision that writes have reached; `end` forgets what is not shown yet. */
function revisionNotes(): { note(events: readonly BriefEvent[]): void; end(): void } {
  let reached = 0;
  let showing: ReturnType<typeof setTimeout> | undefined;
  const show = (): void => {
    showing = undefined;
    if (reached > useFrame.getState().revision) useFrame.setState({ revision: reached });
  };
  return {
    note: (events) => {
      for (const event of events) {
        if (event.topic !== 'together' && (event.topic !== 'request' || event.stage !== 'stored')) continue;
        reached = Math.max(reached, event.revision);
        showing ??= setTimeout(show, untilBeat());
      }
    },
    end: () => clearTimeout(showing),
  };
}

const DISCOVERY_PAUSE = 300;

/** Asks for the resource types now, and again whenever something has extended the server. */
function followResources(client: Client): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void loadResources(client), DISCOVERY_PAUSE);
  };
  const feeds = extensions.map((resource) => openObjects(client, { resource, metadataOnly: true }));
  for (const feed of feeds) feed.store.subscribe(soon);
  void loadResources(client);
  return () => {
    clearTimeout(timer);
    for (const feed of feeds) feed.stop();
  };
}

function followParts(client: Client): () => void {
  const feeds = followed.map(({ part, ref }) => {
    const feed = openObjects(client, { resource: ref, metadataOnly: true });
    feed.store.subscribe(({ objects }) => useFrame.setState({ [part]: objects }));
    return feed;
  });
  return () => {
    for (const feed of feeds) feed.stop();
  };
}

/** The revision that the cluster has reached when it opens. */
async function readRevision(client: Client): Promise<void> {
  const list = await client.of(followed[0].ref).list({ limit: 1 });
  const revision = Number(list.metadata.resourceVersion ?? 0);
  useFrame.setState((frame) => ({ revision: Math.max(frame.revision, revision) }));
}

function followClock(): () => void {
  const read = (): void => {
    if (document.visibilityState === 'visible') readClock().catch(() => undefined);
  };
  document.addEventListener('visibilitychange', read);
  const end = followMoves();
  read();
  return () => {
    document.removeEventListener('visibilitychange', read);
    end();
  };
}

type Tap = (events: readonly BriefEvent[]) => void;
const taps = new WeakMap<RunningCluster, Set<Tap>>();

/** Hears of requests what the frame hears anyway; returns what ends it. */
export function tapRequests(cluster: RunningCluster, tap: Tap): () => void {
  const all = taps.get(cluster) ?? new Set();
  taps.set(cluster, all.add(tap));
  return () => all.delete(tap);
}

function noteOthers(events: readonly TraceEvent[]): void {
  noteAuditEvents(events);
  noteProblems(events);
}

/** Follows an open cluster; returns what ends it and forgets everything. */
export function follow({ cluster, names }: Open): () => void {
  const client = new Client({ transport: cluster.transport, names, userAgent: OBSERVER_AGENT });
  const revisions = revisionNotes();
  const take = (events: readonly BriefEvent[]): void => {
    logEvents(events);
    revisions.note(events);
    for (const tap of taps.get(cluster) ?? []) tap(events);
  };
  readRevision(client).catch(() => undefined);
  const ends = [
    cluster.requests?.follow(take),
    cluster.trace(noteOthers, ['audit', 'problem']),
    followBreakpoints(cluster),
    followResources(client),
    followParts(client),
    followClock(),
    revisions.end,
  ];
  return () => {
    for (const end of ends) end?.();
    useFrame.setState(nothing, true);
    useResources.setState({ resources: [], versions: [], loaded: false, problem: undefined });
    clearLog();
    forgetAudit();
    dismissFollowers();
  };
}

const namesOfObjects = (objects: readonly ApiObject[]): readonly string[] =>
  objects.map((object) => object.metadata.name ?? '').sort();

/** The namespaces' names, in order. */
export function useNamespaces(): readonly string[] {
  const namespaces = useFrame((frame) => frame.namespaces);
  return useMemo(() => namesOfObjects(namespaces), [namespaces]);
}

/** As `useNamespaces`, outside of components. */
export const namespaceNames = (): readonly string[] => namesOfObjects(useFrame.getState().namespaces);

/** The nodes' names, in order. Empty unless `wanted`, so that a closed menu does not follow thousands of nodes. */
export function useNodeNames(wanted = true): readonly string[] {
  const nodes = useFrame((frame) => (wanted ? frame : nothing).nodes);
  return useMemo(() => namesOfObjects(nodes), [nodes]);
}

/** The service accounts, in order of namespace and name. Empty unless `wanted`. */
export function useAccounts(wanted = true): readonly { readonly namespace: string; readonly name: string }[] {
  const accounts = useFrame((frame) => (wanted ? frame : nothing).accounts);
  return useMemo(
    () =>
      accounts
        .map(({ metadata }) => ({ namespace: metadata.namespace ?? '', name: metadata.name ?? '' }))
        .sort((a, b) => (`${a.namespace}/${a.name}` < `${b.namespace}/${b.name}` ? -1 : 1)),
    [accounts],
  );
}

/** The latest revision that the page has heard of; 0 before it has heard of any. */
export function useRevision(): number {
  return useFrame((frame) => frame.revision);
}
