/** Objects to begin with, where nothing is chosen yet. */
import type { KnownObject, World } from '../../../explain/index.ts';
import { controllerOf } from '../../../schema/index.ts';

const KINDS: readonly (readonly [group: string, kind: string])[] = [
  ['apps', 'Deployment'],
  ['apps', 'StatefulSet'],
  ['apps', 'DaemonSet'],
  ['batch', 'CronJob'],
  ['batch', 'Job'],
  ['', 'Pod'],
];

const MOST_KINDS = 3;

/** The fullest namespace that has some, without the system's, and one object of each of its first few kinds that no controller made. */
export function suggested(world: World): readonly KnownObject[] {
  const namespaces = world
    .ofKind('', 'Namespace')
    .filter(({ metadata: { name } }) => name !== world.names.systemNamespace)
    .map((namespace) => ({ namespace, size: world.in(namespace.metadata.name ?? '').length }))
    .sort((a, b) => b.size - a.size);
  for (const { namespace } of namespaces) {
    const content = contentOf(namespace, world);
    if (content.length > 0) return namespace.metadata.name === 'default' ? content : [namespace, ...content];
  }
  return [];
}

const contentOf = ({ metadata: { name } }: KnownObject, world: World): readonly KnownObject[] =>
  KINDS.flatMap(
    ([group, kind]) =>
      world.ofKind(group, kind).find((each) => each.metadata.namespace === name && !controllerOf(each)) ?? [],
  ).slice(0, MOST_KINDS);
