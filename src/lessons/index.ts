/**
 * The lessons, as a list that costs nothing: each lesson, and the engine that runs one, is fetched when it is first used.
 */
import { Part } from '../std/index.ts';
import { cards } from './cards.ts';
import type { Lesson, LessonCard } from './engine/lesson.ts';

export type { LessonCluster, LessonRun, LessonSummary, RunState, StepSummary } from './engine/index.ts';
export type * from './engine/lesson.ts';

/** A lesson in the list. */
export interface LessonEntry extends LessonCard {
  readonly lesson: Part<Lesson>;
}

const entry = (card: LessonCard, load: () => Promise<{ readonly lesson: Lesson }>): LessonEntry => ({
  ...card,
  lesson: new Part(async () => (await load()).lesson),
});

/** In the order in which to take them: those of a level stand together. */
export const lessons: readonly LessonEntry[] = [
  entry(cards.firstDeployment, () => import('./first-deployment/lesson.ts')),
  entry(cards.pending, () => import('./pending/lesson.ts')),
  entry(cards.roles, () => import('./roles/lesson.ts')),
  entry(cards.leastPrivilege, () => import('./least-privilege/lesson.ts')),
  entry(cards.serviceAccounts, () => import('./service-accounts/lesson.ts')),
  entry(cards.defaultDeny, () => import('./default-deny/lesson.ts')),
  entry(cards.egress, () => import('./egress/lesson.ts')),
  entry(cards.watch, () => import('./watch/lesson.ts')),
  entry(cards.conflicts, () => import('./conflicts/lesson.ts')),
  entry(cards.finalizers, () => import('./finalizers/lesson.ts')),
  entry(cards.rollouts, () => import('./rollouts/lesson.ts')),
  entry(cards.certificates, () => import('./certificates/lesson.ts')),
  entry(cards.paging, () => import('./paging/lesson.ts')),
  entry(cards.preemption, () => import('./preemption/lesson.ts')),
  entry(cards.webhooks, () => import('./webhooks/lesson.ts')),
  entry(cards.races, () => import('./races/lesson.ts')),
  entry(cards.twoServers, () => import('./two-servers/lesson.ts')),
];

/** What runs a lesson. */
export const lessonEngine = new Part(() => import('./engine/index.ts'));
