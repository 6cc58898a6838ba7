/** What the map and the matrix show: workloads, and the verdict on each pair, now and if the draft were applied. */
import type { PortChoice, Reach, Workload, WorkloadMatrix } from './workloads.ts';

export interface Picture {
  readonly workloads: readonly Workload[];
  /** How many workloads match but are not shown. */
  readonly leftOut: number;
  readonly ports: readonly PortChoice[];
  /** The port that is asked about, as `TCP/80`. */
  readonly port: string;
  readonly now: WorkloadMatrix;
  /** Absent where nothing is being written. */
  readonly next: WorkloadMatrix | undefined;
}

export interface ReachCount {
  readonly allowed: number;
  readonly partly: number;
  readonly denied: number;
}

/** How many pairs of different workloads can connect; those in which one runs no pod are not counted. */
export function countReach({ workloads, now }: Pick<Picture, 'workloads' | 'now'>): ReachCount {
  const counts = [0, 0, 0];
  now.degrees().forEach((degree, at) => {
    // Those in between lead from a workload to itself.
    if (at % (workloads.length + 1) !== 0) counts[degree] = (counts[degree] ?? 0) + 1;
  });
  const [denied = 0, partly = 0, allowed = 0] = counts;
  return { allowed, partly, denied };
}

/** What a draft would do to a pair. */
export type Effect = 'opens' | 'closes' | undefined;

const degree: Readonly<Record<Reach, number>> = { none: 0, some: 1, all: 2, idle: 3 };

/** Whether a draft would open or close connections between two workloads. */
export function effectOf({ now, next }: Picture, from: Workload, to: Workload): Effect {
  if (!next) return undefined;
  const change = degree[next.reach(from, to)] - degree[now.reach(from, to)];
  return change === 0 ? undefined : change > 0 ? 'opens' : 'closes';
}

/** How many pairs a draft would open and close. */
export function countEffects({ now, next }: Picture): { readonly opens: number; readonly closes: number } {
  let [opens, closes] = [0, 0];
  const before = now.degrees();
  next?.degrees().forEach((after, at) => {
    const change = after - (before[at] ?? 0);
    if (change > 0) opens++;
    else if (change < 0) closes++;
  });
  return { opens, closes };
}

/** "closes 12 connections, opens none" */
export function effectText({ opens, closes }: { readonly opens: number; readonly closes: number }): string {
  if (opens === 0 && closes === 0) return 'changes no connection';
  return [closing(closes), opens === 0 ? 'opens none' : `opens ${opens}`].join(', ');
}

const closing = (count: number): string =>
  count === 0 ? 'closes none' : `closes ${count} ${count === 1 ? 'connection' : 'connections'}`;

/** "web reaches db", for those who cannot see the picture. */
export const reachWord: Readonly<Record<Reach, string>> = {
  all: 'reaches',
  some: 'reaches in part',
  none: 'does not reach',
  idle: 'does not yet reach',
};
