/** All extenders of a scheduler, asked in their order. */
import type { Pod } from '../../client/index.ts';
import type { Rejection } from '../framework/filters.ts';
import type { NodeInfo } from '../framework/nodeInfo.ts';
import { MAX_SCORE, refuse } from '../framework/plugin.ts';
import type { Snapshot } from '../framework/snapshot.ts';
import type { Candidate } from '../preemption.ts';
import type { Extender } from './extender.ts';

export { extendersFrom, type ExtenderConfig } from './config.ts';
export { Extender, type ExtenderDeps } from './extender.ts';

export interface AfterExtenders {
  readonly feasible: readonly NodeInfo[];
  readonly rejections: readonly Rejection[];
}

/** Leaves out what extenders refuse. The failure of one that can't be ignored is thrown. */
export async function filterByExtenders(
  extenders: readonly Extender[],
  pod: Pod,
  nodes: readonly NodeInfo[],
): Promise<AfterExtenders> {
  const rejections: Rejection[] = [];
  let feasible = nodes;
  for (const extender of interested(extenders, pod)) {
    if (feasible.length === 0) break;
    const answer = await unlessIgnorable(extender, () => extender.filter(pod, feasible));
    if (!answer) continue;
    for (const [node, message] of answer.failed)
      rejections.push({ node, plugin: extender.name, refusal: refuse(message) });
    feasible = answer.feasible;
  }
  return { feasible, rejections };
}

/** What all extenders together add to the totals, in the order of the nodes. Failures add nothing. */
export async function scoresOfExtenders(
  extenders: readonly Extender[],
  pod: Pod,
  feasible: readonly NodeInfo[],
): Promise<readonly number[]> {
  const answers = await Promise.all(
    interested(extenders, pod).map((extender) =>
      extender.prioritize(pod, feasible, MAX_SCORE).catch(() => new Map<string, number>()),
    ),
  );
  return feasible.map(({ name }) => answers.reduce((sum, scores) => sum + (scores.get(name) ?? 0), 0));
}

/** The candidates for preemption that extenders agree with. */
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

/** The extender that binds this pod, where one does. */
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
