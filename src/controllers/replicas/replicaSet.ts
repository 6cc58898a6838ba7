/**
 * Replica sets: keeps the desired number of pods from a template, found by a selector.
 *
 * Watches replica sets and pods.
 */
import { replicaSets } from '../../client/index.ts';
import { selectorOfObject } from '../../schema/index.ts';
import type { ControllerContext } from '../runtime/controller.ts';
import { startReplicas } from './replicas.ts';

export function startReplicaSets(context: ControllerContext): void {
  startReplicas(context, {
    ref: replicaSets,
    selector: (set) => selectorOfObject(set.spec.selector),
    workers: context.flags.number('concurrent-replicaset-syncs'),
  });
}
