/**
 * Approved signing requests of the built-in signers get their certificate, or a condition that says why not.
 *
 * Watches signing requests.
 */
import { certificateSigningRequests } from '../../client/index.ts';
import type { CertificateSigningRequest } from '../../client/index.ts';
import { encodeText, toBase64 } from '../../std/index.ts';
import { wakeOn } from '../runtime/index.ts';
import type { ControllerContext, Run } from '../runtime/index.ts';
import { condition, hasCondition, isApproved, isIssued, pemOf, refusalOf, signerNames } from './requests.ts';

async function sign(context: ControllerContext, key: string, run: Run): Promise<void> {
  const request = context.informers.of(certificateSigningRequests).get(key);
  if (!request || isIssued(request) || !isApproved(request) || hasCondition(request, 'Failed')) return;
  const { signerName = '', usages } = request.spec;
  const signer = context.issuance.signerOf(signerName);
  if (!signer) return;
  const pem = pemOf(request);
  const requested = await context.issuance.readRequest(pem);
  const refusal = refusalOf(signerName, requested, usages ?? [], signerNames(context.names));
  if (refusal !== undefined) {
    run.plan([{ refuse: key, why: refusal }]);
    return fail(context, request, refusal);
  }
  run.plan([{ sign: key }]);
  const durationMs = context.flags.duration('cluster-signing-duration');
  const certificate = await signer.sign(pem, { usages: usages ?? [], durationMs });
  const status = { ...request.status, certificate: toBase64(encodeText(certificate)) };
  await context.client.of(certificateSigningRequests).updateStatus({ ...request, status });
}

async function fail(context: ControllerContext, request: CertificateSigningRequest, message: string): Promise<void> {
  const failed = condition('Failed', 'SignerValidationFailure', message, context.clock.now());
  const status = { ...request.status, conditions: [...(request.status.conditions ?? []), failed] };
  await context.client.of(certificateSigningRequests).updateStatus({ ...request, status });
}

export function startSigner(context: ControllerContext): void {
  const loop = context.loop({ workers: 5, reconcile: (key, run) => sign(context, key, run) });
  wakeOn(loop, context.informers.of(certificateSigningRequests));
}
