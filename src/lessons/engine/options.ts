/** How the cluster of a lesson is made. */
import { namesOf, type Profile } from '../../names/index.ts';
import type { Lesson, PageLink, Start } from './lesson.ts';
import { fillWords } from './words.ts';

export interface LessonClusterOptions {
  readonly name: string;
  readonly naming: Profile;
  readonly nodes: number;
  readonly addons: readonly 'dns'[];
  readonly servers?: 2;
  readonly apiserver: readonly string[];
  readonly controllerManager: readonly string[];
  readonly scheduler: readonly string[];
}

/** The name of a lesson's cluster. */
export const clusterNameOf = (id: string): string => `lesson-${id}`;

/** Where in the page a lesson begins, in the words of its cluster. */
export const firstPlaceOf = ({ tasks: [first] }: Lesson, naming: Profile): PageLink =>
  fillWords(first?.where ?? { panel: 'explore' }, namesOf(naming));

export function clusterOptionsOf(
  { id, start }: { readonly id: string; readonly start: Start },
  naming: Profile,
): LessonClusterOptions {
  return {
    name: clusterNameOf(id),
    naming: start.naming ?? naming,
    nodes: start.nodes ?? 0,
    addons: start.addons ?? [],
    ...(start.twoServers === true && { servers: 2 }),
    apiserver: ['--authorization-mode=Node,RBAC', ...(start.apiserver ?? [])],
    controllerManager: ['--use-service-account-credentials=true', ...(start.controllerManager ?? [])],
    scheduler: start.scheduler ?? [],
  };
}
