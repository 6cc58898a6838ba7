/** Breakpoints as the host has them, those that are switched off, and the requests that wait. */
import { create } from '../store.ts';
import type { Breakpoint, Held } from '../../trace/index.ts';
import type { RunningCluster } from '../host.ts';
import type { BreakpointState } from '../requests.ts';
import { attempt } from './actions.ts';
import { OBSERVER_AGENT } from './clients.ts';
import { theCluster } from './session.ts';

interface Breakpoints extends BreakpointState {
  /** Switched off: this page alone remembers them. */
  readonly off: readonly Breakpoint[];
}

const nothing: Breakpoints = { set: [], steps: [], held: [], off: [] };

export const useBreakpoints = create<Breakpoints>()(() => nothing);

/** Follows what the cluster holds; returns what ends it and forgets everything. */
export function followBreakpoints({ breakpoints }: RunningCluster): () => void {
  const end = breakpoints?.follow(({ set, steps, held }) => useBreakpoints.setState({ set, steps, held }));
  return () => {
    end?.();
    useBreakpoints.setState(nothing, true);
  };
}

/** What a person asks for; an empty text matches everything. */
export interface BreakpointWish {
  readonly before: string;
  readonly verb: string;
  readonly resource: string;
  readonly user: string;
}

/** The breakpoint that a wish describes. The page's own reads are never held: a page that waits could not let go. */
export function breakpointOf({ before, verb, resource, user }: BreakpointWish, id: string): Breakpoint {
  return {
    id,
    before,
    exceptAgent: OBSERVER_AGENT,
    ...(verb !== '' && { verb }),
    ...(resource !== '' && { resource }),
    ...(user !== '' && { user }),
  };
}

const set = (breakpoints: readonly Breakpoint[], off: readonly Breakpoint[]): Promise<boolean> =>
  attempt(undefined, 'The breakpoints were not changed.', async () => {
    await theCluster().cluster.breakpoints?.set(breakpoints);
    useBreakpoints.setState({ off });
  });

/** Ids count up beyond those that are there, whoever set them. */
function nextId(): string {
  const { set: on, off } = useBreakpoints.getState();
  return String(Math.max(0, ...[...on, ...off].map(({ id }) => Number(id) || 0)) + 1);
}

export function addBreakpoint(wish: BreakpointWish): Promise<boolean> {
  const { set: on, off } = useBreakpoints.getState();
  return set([...on, breakpointOf(wish, nextId())], off);
}

/** Whatever waits at it goes on. */
export function removeBreakpoint(id: string): Promise<boolean> {
  const { set: on, off } = useBreakpoints.getState();
  return set(
    on.filter((each) => each.id !== id),
    off.filter((each) => each.id !== id),
  );
}

/** Switches one on or off; whatever waits at one that is switched off goes on. */
export function switchBreakpoint(breakpoint: Breakpoint, on: boolean): Promise<boolean> {
  const { set: now, off } = useBreakpoints.getState();
  const others = (list: readonly Breakpoint[]): readonly Breakpoint[] => list.filter(({ id }) => id !== breakpoint.id);
  return set(on ? [...others(now), breakpoint] : others(now), on ? others(off) : [...others(off), breakpoint]);
}

/** Lets a request go on, with an object in the place of its own where one is given. */
export function letGo({ request }: Held, object?: unknown): Promise<boolean> {
  return attempt(undefined, 'The request was not let go.', async () =>
    theCluster().cluster.breakpoints?.release(request, object),
  );
}

/** The request of this id, while it waits. */
export function useHeld(request: string | undefined): Held | undefined {
  return useBreakpoints(({ held }) => held.find((each) => each.request === request));
}
