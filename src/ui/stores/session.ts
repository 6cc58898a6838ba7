/** The cluster that the page is about: closed, opening, failed or open. */
import { create } from '../store.ts';
import { namesOf, type Names } from '../../names/index.ts';
import { readOnlyRefusal } from '../shell/embedding.ts';
import type { BootError, BootOptions, BootStep, Host, KnownCluster, PastMoment, RunningCluster } from '../host.ts';

interface Closed {
  readonly phase: 'closed';
}

interface Opening {
  readonly phase: 'opening';
  readonly options: BootOptions;
  readonly steps: readonly BootStep[];
}

interface Failed {
  readonly phase: 'failed';
  readonly options: BootOptions;
  readonly kind: BootError['kind'];
  readonly message: string;
}

export interface Open {
  readonly phase: 'open';
  readonly cluster: RunningCluster;
  readonly names: Names;
  /** Set while the page shows the cluster as it was. */
  readonly past?: { readonly moment: PastMoment; readonly live: RunningCluster };
}

export type Session = Closed | Opening | Failed | Open;

interface State {
  readonly host: Host | undefined;
  readonly known: readonly KnownCluster[] | undefined;
  readonly session: Session;
}

export const useSession = create<State>()(() => ({ host: undefined, known: undefined, session: { phase: 'closed' } }));

/** The host; it is there from the page's first moment on. */
export function theHost(): Host {
  const { host } = useSession.getState();
  if (!host) throw new Error('The page was mounted without a host.');
  return host;
}

/** The open cluster. Only what is rendered within an open cluster may ask. */
export function theCluster(): Open {
  const { session } = useSession.getState();
  if (session.phase !== 'open') throw new Error('No cluster is open.');
  return session;
}

/** As `theCluster`, for components: the same cluster for as long as they stand. */
export function useCluster(): Open {
  const session = useSession((state) => state.session);
  if (session.phase !== 'open') throw new Error('No cluster is open.');
  return session;
}

/** Why no snapshot or fork of a cluster can be made; undefined where one can. */
export function forkRefusal({ past, served }: RunningCluster): string | undefined {
  if (past?.fork) return undefined;
  return served ? 'This cluster runs in a server.' : 'Go back to now first.';
}

/** Why a cluster can't begin again; undefined where it can. */
export const resetRefusal = (cluster: RunningCluster): string | undefined => readOnlyRefusal ?? forkRefusal(cluster);

const enter = (session: Session): void => useSession.setState({ session });

const isBootError = (error: unknown): error is BootError => error instanceof Error && error.name === 'BootError';

/** Reads which clusters this browser keeps. */
export async function loadKnown(): Promise<void> {
  useSession.setState({ known: await theHost().clusters() });
}

let turn = 0;

/** Starts a cluster, or opens the one of this name. Never rejects: what went wrong is the session's state. */
export async function openCluster(options: BootOptions): Promise<void> {
  const mine = ++turn;
  const steps: BootStep[] = [];
  const progress = (step: BootStep): void => {
    steps.push(step);
    if (mine === turn) enter({ phase: 'opening', options, steps: [...steps] });
  };
  enter({ phase: 'opening', options, steps });
  try {
    const cluster = await theHost().open(options, progress);
    if (mine !== turn) return await cluster.stop();
    enter({ phase: 'open', cluster, names: namesOf(cluster.options.naming ?? 'cluster.io') });
  } catch (error) {
    const kind = isBootError(error) ? error.kind : 'other';
    if (mine === turn)
      enter({ phase: 'failed', options, kind, message: error instanceof Error ? error.message : String(error) });
  }
}

/** Shows the open cluster as it was at a kept revision. Rejects where it is not kept. */
export async function openPast(revision: number): Promise<void> {
  const { past, cluster, names } = theCluster();
  const live = past?.live ?? cluster;
  if (!live.past) throw new Error('This host keeps no past.');
  const mine = ++turn;
  const { moment, ...then } = await live.past.open(revision);
  if (mine === turn) enter({ phase: 'open', cluster: then, names, past: { moment, live } });
}

/** Goes back to the cluster as it is. */
export function leavePast(): void {
  const { past, names } = theCluster();
  turn++;
  if (past) enter({ phase: 'open', cluster: past.live, names });
}

/** Leaves the open cluster for another, or for itself with other options, without coming by the start page. */
export async function switchCluster(options: BootOptions): Promise<void> {
  await leaveFor(options);
  await openCluster(options);
}

/** Stops the cluster that is open, if one is; the page shows that another one comes. */
export async function leaveFor(options: BootOptions): Promise<void> {
  const { session } = useSession.getState();
  turn++;
  enter({ phase: 'opening', options, steps: [] });
  if (session.phase === 'open') await session.cluster.stop();
}

/** Leaves the open cluster; it stays on disk as it is. */
export async function closeCluster(): Promise<void> {
  turn++;
  const { session } = useSession.getState();
  enter({ phase: 'closed' });
  if (session.phase === 'open') await session.cluster.stop();
  await loadKnown();
}

/** Removes a cluster for good. */
export async function removeCluster(name: string): Promise<void> {
  await theHost().remove(name);
  await loadKnown();
}
