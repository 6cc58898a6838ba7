/**
 * Replication controllers: what replica sets are, with a plain map as their selector.
 *
 * Watches replication controllers and pods.
 */
import { replicationControllers } from '../../client/index.ts';
import type { Controller } from '../runtime/controller.ts';
import { podSelectorOf } from '../runtime/selectors.ts';
import { startReplicas } from './replicas.ts';

export const replicationController: Controller = {
  name: 'replicationcontroller',
  account: 'replication-controller',
  start(context) {
    startReplicas(context, {
      ref: replicationControllers,
      selector: (owner) => podSelectorOf(owner.spec?.selector),
      workers: context.flags.number('concurrent_rc_syncs'),
    });
  },
};
