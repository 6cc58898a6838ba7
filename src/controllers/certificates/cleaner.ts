/**
 * Deletes signing requests an hour after their last change of state, including pending ones (specification, Signing
 * request).
 *
 * Watches signing requests.
 */
import { certificateSigningRequests } from '../../client/index.ts';
import type { CertificateSigningRequest } from '../../client/index.ts';
import { found } from '../../schema/index.ts';
import { wakeOn } from '../runtime/index.ts';
import type { ControllerContext } from '../runtime/index.ts';

const KEPT_MS = 3600_000;

/** When a request is to be deleted, in milliseconds since the epoch. */
export function deadlineOf(request: CertificateSigningRequest): number {
  const changes = (request.status.conditions ?? []).flatMap(({ lastUpdateTime, lastTransitionTime }) => [
    lastUpdateTime,
    lastTransitionTime,
  ]);
  const times = [request.metadata.creationTimestamp, ...changes].map((time) => (time ? Date.parse(time) : 0));
  return Math.max(...times) + KEPT_MS;
}

async function clean(context: ControllerContext, key: string): Promise<number | void> {
  const request = context.informers.of(certificateSigningRequests).get(key);
  if (!request) return;
  const left = deadlineOf(request) - context.clock.now();
  if (left > 0) return left;
  await found(context.client.of(certificateSigningRequests).delete(request));
}

export function startCleaner(context: ControllerContext): void {
  const loop = context.loop({ reconcile: (key) => clean(context, key) });
  wakeOn(loop, context.informers.of(certificateSigningRequests));
}
