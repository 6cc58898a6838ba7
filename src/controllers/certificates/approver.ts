/**
 * Approves signing requests of node agents if their sender may have a node's client certificate: its own, or one for a
 * node that is joining. All others wait for a person.
 *
 * Watches signing requests.
 */
import { certificateSigningRequests } from '../../client/index.ts';
import type { CertificateSigningRequest } from '../../client/index.ts';
import { isObject } from '../../std/index.ts';
import { wakeOn } from '../runtime/index.ts';
import type { ControllerContext, RequestedCertificate, Run } from '../runtime/index.ts';
import { condition, hasCondition, isIssued, pemOf, refuseNodeClient, signerNames } from './requests.ts';
import type { SignerNames } from './requests.ts';

/** A kind of request that can be approved, and the subresource on which its sender needs the verb `create`. */
export interface Recognized {
  readonly subresource: 'selfnodeclient' | 'nodeclient';
  readonly message: string;
}

const SELF: Recognized = {
  subresource: 'selfnodeclient',
  message: 'Auto approving self node client certificate after SubjectAccessReview.',
};
const ANY: Recognized = {
  subresource: 'nodeclient',
  message: 'Auto approving node client certificate after SubjectAccessReview.',
};

/** The kinds that a request matches, in the order in which they are tried. */
export function recognize(
  request: CertificateSigningRequest,
  requested: RequestedCertificate,
  signers: SignerNames,
): readonly Recognized[] {
  const { signerName, usages, username } = request.spec;
  if (signerName !== signers.nodeClient || refuseNodeClient(requested, usages ?? []) !== undefined) return [];
  return username === requested.commonName ? [SELF, ANY] : [ANY];
}

async function approve(context: ControllerContext, key: string, run: Run): Promise<void> {
  const request = context.informers.of(certificateSigningRequests).get(key);
  if (!request || isIssued(request) || hasCondition(request, 'Approved') || hasCondition(request, 'Denied')) return;
  const candidates = recognize(request, await context.issuance.readRequest(pemOf(request)), signerNames(context.names));
  for (const recognized of candidates) {
    if (!(await isAllowed(context, request, recognized.subresource))) continue;
    run.plan([{ approve: key, as: recognized.subresource }]);
    return store(context, request, recognized.message);
  }
  // The permission may be granted later, so the request is checked again.
  if (candidates.length > 0)
    throw new Error(
      `recognized csr ${JSON.stringify(key)} as [${candidates.map((one) => one.subresource).join(' ')}] but subject access review was not approved`,
    );
}

/** Checks whether the sender may create the subresource; it does not exist, but the right to it is the permission. */
async function isAllowed(
  context: ControllerContext,
  request: CertificateSigningRequest,
  subresource: string,
): Promise<boolean> {
  const { username, uid, groups, extra } = request.spec;
  const group = context.names.fill('certificates.{domain}');
  const review = await context.client.json(context.names.fill('/apis/authorization.{domain}/v1/subjectaccessreviews'), {
    method: 'POST',
    body: {
      apiVersion: context.names.fill('authorization.{domain}/v1'),
      kind: 'SubjectAccessReview',
      spec: {
        user: username,
        uid,
        groups,
        extra,
        resourceAttributes: { group, resource: 'certificatesigningrequests', verb: 'create', subresource },
      },
    },
  });
  return isObject(review) && isObject(review.status) && review.status.allowed === true;
}

async function store(context: ControllerContext, request: CertificateSigningRequest, message: string): Promise<void> {
  const approved = condition('Approved', 'AutoApproved', message, context.clock.now());
  const status = { ...request.status, conditions: [...(request.status.conditions ?? []), approved] };
  await context.client.of(certificateSigningRequests).update({ ...request, status }, { subresource: 'approval' });
}

export function startApprover(context: ControllerContext): void {
  const loop = context.loop({ reconcile: (key, run) => approve(context, key, run) });
  wakeOn(loop, context.informers.of(certificateSigningRequests));
}
