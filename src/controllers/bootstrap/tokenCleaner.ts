/**
 * Deletes expired bootstrap tokens.
 *
 * Watches secrets.
 */
import { keyOf, secrets } from '../../client/index.ts';
import { isReason } from '../../schema/index.ts';
import { isConflict, wakeOn } from '../runtime/index.ts';
import type { ControllerContext, Run } from '../runtime/index.ts';
import { expiryOf, isBootstrapToken } from './tokens.ts';

async function clean(context: ControllerContext, key: string, run: Run): Promise<number | void> {
  const secret = context.informers.of(secrets).get(key);
  if (!secret) return;
  const left = expiryOf(secret) - context.clock.now();
  if (left === Infinity) return;
  if (left > 0) return left;
  run.plan([{ delete: key }]);
  const { uid } = secret.metadata;
  try {
    await context.client.of(secrets).delete(secret, uid === undefined ? {} : { preconditions: { uid } });
  } catch (problem) {
    if (!isReason(problem, 'NotFound') && !isConflict(problem)) throw problem;
  }
}

export function startTokenCleaner(context: ControllerContext): void {
  const loop = context.loop({ reconcile: (key, run) => clean(context, key, run) });
  wakeOn(loop, context.informers.of(secrets), (secret) =>
    isBootstrapToken(secret, context.names) ? [keyOf(secret)] : [],
  );
}
