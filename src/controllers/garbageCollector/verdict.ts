import type { ApiObject, OwnerReference } from '../../schema/index.ts';
import { FOREGROUND, hasFinalizer, isBeingDeleted, ORPHAN, type GraphNode } from './graph.ts';

/** An object's owners, by what the server says of each. */
export interface Owners {
  /** There, and staying. */
  readonly solid: readonly OwnerReference[];
  /** Gone. */
  readonly dangling: readonly OwnerReference[];
  /** There, but waiting for their dependents to be deleted. */
  readonly waiting: readonly OwnerReference[];
}

export type Verdict =
  | { readonly do: 'keep' }
  /** It has other owners, so it only loses these. */
  | { readonly do: 'disown'; readonly owners: readonly string[] }
  /** `unblock` first, where its dependents wait for it in a circle. */
  | {
      readonly do: 'delete';
      readonly policy: 'Orphan' | 'Foreground' | 'Background';
      readonly unblock: boolean;
      readonly why: string;
    };

/** What is to be done with an object whose owners have been looked at. */
export function judge(node: GraphNode, latest: ApiObject, { solid, dangling, waiting }: Owners): Verdict {
  if (solid.length > 0) {
    const lost = [...dangling, ...waiting].map((owner) => owner.uid);
    return lost.length === 0 ? { do: 'keep' } : { do: 'disown', owners: lost };
  }
  if (waiting.length > 0 && node.dependents.size > 0) {
    const unblock = [...node.dependents].some((dependent) => dependent.deletingDependents);
    return {
      do: 'delete',
      policy: 'Foreground',
      unblock,
      why: 'its owner waits for it, and it has dependents of its own',
    };
  }
  const why = waiting.length > 0 ? 'its owner waits for it to go' : 'its owners are gone';
  return { do: 'delete', policy: policyOf(latest), unblock: false, why };
}

/** Finalizers that are there already say how the object is to be deleted. */
function policyOf(latest: ApiObject): 'Orphan' | 'Foreground' | 'Background' {
  if (hasFinalizer(latest, ORPHAN)) return 'Orphan';
  return hasFinalizer(latest, FOREGROUND) ? 'Foreground' : 'Background';
}

/** Whether an owner that is there waits for its dependents to be deleted. */
export function waitsForDependents(owner: ApiObject): boolean {
  return isBeingDeleted(owner) && hasFinalizer(owner, FOREGROUND);
}
