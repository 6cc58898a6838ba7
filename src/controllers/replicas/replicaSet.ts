/**
 * Replica sets: as many pods as are wanted, made from a template, found by a selector.
 *
 * Watches replica sets and pods.
 */
import { pods as podsRef, replicaSets, type Informer, type Pod, type ReplicaSet } from '../../client/index.ts';
import { selectorOfObject } from '../../schema/index.ts';
import type { ControllerContext } from '../runtime/controller.ts';
import { controllerIn, controllerOf } from '../runtime/owners.ts';
import { startReplicas } from './replicas.ts';

/** When a deployment moves pods from one of its replica sets to another, the pods of all of them count as one kind. */
function podsOfSiblings(context: ControllerContext, set: ReplicaSet, pods: Informer<Pod>): readonly Pod[] {
  const deployment = controllerOf(set);
  const inNamespace = pods.by('namespace', set.metadata.namespace ?? '');
  const sets = context.informers.of(replicaSets);
  return inNamespace.filter((pod) => {
    const owner = controllerIn(sets, 'ReplicaSet', pod);
    if (!owner) return false;
    return (
      owner.metadata.uid === set.metadata.uid ||
      (deployment !== undefined && controllerOf(owner)?.uid === deployment.uid)
    );
  });
}

export function startReplicaSets(context: ControllerContext): void {
  context.informers.of(podsRef);
  startReplicas(context, {
    ref: replicaSets,
    selector: (set) => selectorOfObject(set.spec.selector),
    workers: context.flags.number('concurrent-replicaset-syncs'),
    related: (set, pods) => podsOfSiblings(context, set, pods),
  });
}
