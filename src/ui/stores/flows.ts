/** Connections that programs made in the simulated network, as long as somebody looks at them. */
import { useEffect } from 'preact/compat';
import { create } from '../store.ts';
import type { FlowEvent, TraceEvent } from '../../trace/index.ts';
import { theCluster } from './session.ts';
import { untilBeat } from './beat.ts';

export interface SeenFlow extends FlowEvent {
  readonly id: number;
}

interface Flows {
  /** The newest first. */
  readonly rows: readonly SeenFlow[];
  /** While paused, rows stay as they are. */
  readonly paused: boolean;
}

const KEPT = 500;

export const useFlows = create<Flows>()(() => ({ rows: [], paused: false }));

let lastId = 0;
let gathering: ReturnType<typeof setTimeout> | undefined;
const gathered: SeenFlow[] = [];

function take(events: readonly TraceEvent[]): void {
  const fresh = events.flatMap((event) => (event.topic === 'flow' ? [{ ...event, id: ++lastId }] : []));
  if (fresh.length === 0 || useFlows.getState().paused) return;
  gathered.push(...fresh);
  gathering ??= setTimeout(show, untilBeat(2));
}

/** What has come together is shown together, so that many connections cost no more pictures than few. */
function show(): void {
  gathering = undefined;
  const fresh = gathered.splice(0).reverse();
  useFlows.setState(({ rows, paused }) => (paused ? {} : { rows: [...fresh, ...rows].slice(0, KEPT) }));
}

export const pauseFlows = (paused: boolean): void => useFlows.setState({ paused });
export function clearFlows(): void {
  gathered.length = 0;
  useFlows.setState({ rows: [] });
}

/** Listens to flows for as long as the component is shown; they belong to one cluster. */
export function useFlowFeed(): void {
  const { cluster } = theCluster();
  useEffect(() => {
    clearFlows();
    return cluster.trace(take, ['flow']);
  }, [cluster]);
}
