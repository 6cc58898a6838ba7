import type { Namespace } from '../../client/index.ts';
import type { DiscoveredResource } from '../../client/index.ts';
import { rfc3339, getOwn, setOwn } from '../../std/index.ts';

/** The progress of deleting a namespace's content. */
export interface Emptying {
  /** Groups and versions for which discovery failed. */
  readonly undiscovered: readonly string[];
  /** Errors while deleting. */
  readonly problems: readonly string[];
  /** Resources with remaining objects. */
  readonly remaining: readonly Remaining[];
  /** Seconds until the remaining objects are expected to be deleted; 0 if there are none. */
  readonly estimate: number;
}

export interface Remaining {
  readonly resource: Pick<DiscoveredResource, 'resource' | 'group'>;
  readonly count: number;
  /** The number of objects for each finalizer. */
  readonly finalizers: Readonly<Record<string, number>>;
}

type NamespaceCondition = NonNullable<Namespace['status']['conditions']>[number];

interface Verdict {
  readonly type: string;
  readonly good: readonly [reason: string, message: string];
  readonly bad: (emptying: Emptying) => readonly [reason: string, message: string] | undefined;
}

/** The five conditions of a terminating namespace, in the order in which they are first written. */
const VERDICTS: readonly Verdict[] = [
  {
    type: 'NamespaceDeletionDiscoveryFailure',
    good: ['ResourcesDiscovered', 'All resources successfully discovered'],
    bad: ({ undiscovered }) =>
      undiscovered.length === 0
        ? undefined
        : [
            'DiscoveryFailed',
            `Discovery failed for some groups, ${undiscovered.length} failing: ${undiscovered.join(', ')}`,
          ],
  },
  {
    type: 'NamespaceDeletionGroupVersionParsingFailure',
    good: ['ParsedGroupVersions', 'All legacy kube types successfully parsed'],
    bad: () => undefined,
  },
  {
    type: 'NamespaceDeletionContentFailure',
    good: ['ContentDeleted', 'All content successfully deleted, may be waiting on finalization'],
    bad: ({ problems }) =>
      problems.length === 0
        ? undefined
        : [
            'ContentDeletionFailed',
            `Failed to delete all resource types, ${problems.length} remaining: ${[...problems].sort().join(', ')}`,
          ],
  },
  {
    type: 'NamespaceContentRemaining',
    good: ['ContentRemoved', 'All content successfully removed'],
    bad: ({ remaining }) => {
      const texts = remaining.map(
        ({ resource: r, count }) => `${r.resource}.${r.group} has ${count} resource instances`,
      );
      return texts.length === 0
        ? undefined
        : ['SomeResourcesRemain', `Some resources are remaining: ${texts.sort().join(', ')}`];
    },
  },
  {
    type: 'NamespaceFinalizersRemaining',
    good: ['ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
    bad: ({ remaining }) => {
      const texts = Object.entries(totals(remaining)).map(
        ([finalizer, count]) => `${finalizer} in ${count} resource instances`,
      );
      if (texts.length === 0) return undefined;
      return [
        'SomeFinalizersRemain',
        `Some content in the namespace has finalizers remaining: ${texts.sort().join(', ')}`,
      ];
    },
  },
];

function totals(remaining: readonly Remaining[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const { finalizers } of remaining) {
    for (const [finalizer, count] of Object.entries(finalizers))
      setOwn(sum, finalizer, (getOwn(sum, finalizer) ?? 0) + count);
  }
  return sum;
}

/** The conditions after a deletion round; undefined if they are unchanged. */
export function planConditions(
  current: readonly NamespaceCondition[] | undefined,
  emptying: Emptying,
  now: number,
): NamespaceCondition[] | undefined {
  const conditions = [...(current ?? [])];
  let changed = false;
  for (const verdict of VERDICTS) {
    const bad = verdict.bad(emptying);
    const [reason, message] = bad ?? verdict.good;
    const wanted = {
      type: verdict.type,
      status: bad ? 'True' : 'False',
      lastTransitionTime: rfc3339(now),
      reason,
      message,
    };
    const index = conditions.findIndex((condition) => condition.type === verdict.type);
    const known = conditions[index];
    if (known && known.status === wanted.status && known.reason === reason && known.message === message) continue;
    changed = true;
    if (known) conditions[index] = wanted;
    else conditions.push(wanted);
  }
  return changed ? conditions : undefined;
}
