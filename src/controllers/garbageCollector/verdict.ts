import type { ApiObject, OwnerReference } from '../../schema/index.ts';
import { FOREGROUND, hasFinalizer, isBeingDeleted, ORPHAN, type GraphNode } from './graph.ts';

/** An object's owners, by their state on the server. */
export interface Owners {
  /** Existing, and not being deleted. */
  readonly solid: readonly OwnerReference[];
  /** Deleted. */
  readonly dangling: readonly OwnerReference[];
  /** Existing, but waiting for their dependents to be deleted. */
  readonly waiting: readonly OwnerReference[];
}

export type Verdict =
  | { readonly do: 'keep' }
  /** It has other owners, so only these references are removed. */
  | { readonly do: 'disown'; readonly owners: readonly string[] }
  /** `unblock` first, if it is in a cycle with its dependents. */
  | {
      readonly do: 'delete';
      readonly policy: 'Orphan' | 'Foreground' | 'Background';
      readonly unblock: boolean;
      readonly why: string;
    };

/** What to do with an object, given the state of its owners. */
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

/** Existing finalizers determine the deletion policy. */
function policyOf(latest: ApiObject): 'Orphan' | 'Foreground' | 'Background' {
  if (hasFinalizer(latest, ORPHAN)) return 'Orphan';
  return hasFinalizer(latest, FOREGROUND) ? 'Foreground' : 'Background';
}

/** Whether an existing owner waits for its dependents to be deleted. */
export function waitsForDependents(owner: ApiObject): boolean {
  return isBeingDeleted(owner) && hasFinalizer(owner, FOREGROUND);
}
