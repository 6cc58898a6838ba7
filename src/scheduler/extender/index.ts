/** All extenders of a scheduler, called in order. */
import type { Pod } from '../../client/index.ts';
import type { Rejection } from '../framework/filters.ts';
import type { NodeInfo } from '../framework/nodeInfo.ts';
import { MAX_SCORE, refuse } from '../framework/plugin.ts';
import { totalsOf, type ScoreColumn, type Scored } from '../framework/run.ts';
import type { Snapshot } from '../framework/snapshot.ts';
import type { Candidate } from '../preemption.ts';
import { HIGHEST_SCORE, type Extender } from './extender.ts';

export { extendersFrom, type ExtenderConfig } from './config.ts';
export { Extender, type ExtenderDeps } from './extender.ts';

/** A node that an extender rejected. */
export interface LeftOut {
  readonly node: string;
  readonly extender: string;
  /** The reason; an extender may give none. */
  readonly why?: string;
}

export interface AfterExtenders {
  readonly feasible: readonly NodeInfo[];
  readonly rejections: readonly Rejection[];
  readonly leftOut: readonly LeftOut[];
}

/** Removes the nodes that extenders reject. Throws the failure of an extender that is not ignorable. */
export async function filterByExtenders(
  extenders: readonly Extender[],
  pod: Pod,
  nodes: readonly NodeInfo[],
): Promise<AfterExtenders> {
  const rejections: Rejection[] = [];
  const leftOut: LeftOut[] = [];
  let feasible = nodes;
  for (const extender of interested(extenders, pod)) {
    if (feasible.length === 0) break;
    const answer = await unlessIgnorable(extender, () => extender.filter(pod, feasible));
    if (!answer) continue;
    for (const [node, message] of answer.failed)
      rejections.push({ node, plugin: extender.name, refusal: refuse(message) });
    const left = new Set(answer.feasible);
    for (const { name } of feasible.filter((node) => !left.has(node))) {
      const why = answer.failed.get(name);
      leftOut.push({ node: name, extender: extender.name, ...(why !== undefined && { why }) });
    }
    feasible = answer.feasible;
  }
  return { feasible, rejections, leftOut };
}

/** The scores including those of extenders. A failed extender adds nothing. */
export async function withScoresOfExtenders(
  scored: Scored,
  extenders: readonly Extender[],
  pod: Pod,
  feasible: readonly NodeInfo[],
): Promise<Scored> {
  if (extenders.length === 0) return scored;
  const asked = interested(extenders, pod).filter(({ config }) => config.prioritizeVerb !== '');
  const added = await Promise.all(
    asked.map((extender) =>
      extender.prioritize(pod, feasible).then(
        (scores) => [columnOf(extender, scores, feasible)],
        () => [],
      ),
    ),
  );
  const columns = [...scored.columns, ...added.flat()];
  return { columns, totals: totalsOf(columns, feasible.length) };
}

function columnOf(
  { name, config: { weight } }: Extender,
  scores: ReadonlyMap<string, number>,
  feasible: readonly NodeInfo[],
): ScoreColumn {
  const raw = feasible.map((node) => scores.get(node.name) ?? 0);
  return { plugin: name, weight, raw, normalized: raw.map((score) => score * (MAX_SCORE / HIGHEST_SCORE)) };
}

/** The extenders that filter nodes for this pod, in order. */
export const filteringExtenders = (extenders: readonly Extender[], pod: Pod): readonly Extender[] =>
  interested(extenders, pod).filter(({ config }) => config.filterVerb !== '');

/** The preemption candidates that extenders accept. */
export async function candidatesAfterExtenders(
  extenders: readonly Extender[],
  pod: Pod,
  candidates: readonly Candidate[],
  snapshot: Snapshot,
): Promise<readonly Candidate[]> {
  let left = candidates;
  for (const extender of interested(extenders, pod)) {
    if (left.length === 0) break;
    const before = left;
    left = (await unlessIgnorable(extender, () => extender.preempt(pod, before, snapshot))) ?? left;
  }
  return left;
}

/** The extender that binds this pod, if any. */
export const binderOf = (extenders: readonly Extender[], pod: Pod): Extender | undefined =>
  interested(extenders, pod).find(({ config }) => config.bindVerb !== '');

const interested = (extenders: readonly Extender[], pod: Pod): Extender[] =>
  extenders.filter((extender) => extender.isInterested(pod));

async function unlessIgnorable<T>(extender: Extender, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (problem) {
    if (extender.config.ignorable) return undefined;
    throw problem;
  }
}
