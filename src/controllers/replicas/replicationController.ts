/**
 * Replication controllers: like replica sets, with a plain map as selector.
 *
 * Watches replication controllers and pods.
 */
import { replicationControllers } from '../../client/index.ts';
import type { ControllerContext } from '../runtime/controller.ts';
import { podSelectorOf } from '../runtime/selectors.ts';
import { startReplicas } from './replicas.ts';

export function startReplicationControllers(context: ControllerContext): void {
  startReplicas(context, {
    ref: replicationControllers,
    selector: (owner) => podSelectorOf(owner.spec?.selector),
    workers: context.flags.number('concurrent_rc_syncs'),
  });
}
