/**
 * Code shared by the controllers of signing requests: names of signers, states, and the requirements of the built-in
 * signers.
 */
import type { CertificateSigningRequest } from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import { decodeText, fromBase64, rfc3339 } from '../../std/index.ts';
import type { RequestedCertificate } from '../runtime/index.ts';

export interface SignerNames {
  readonly client: string;
  readonly nodeClient: string;
  readonly nodeServing: string;
  readonly legacy: string;
}

export function signerNames(names: Names): SignerNames {
  return {
    client: names.fill('{label}/{prefix}-apiserver-client'),
    nodeClient: names.fill('{label}/{prefix}-apiserver-client-{agent}'),
    nodeServing: names.fill('{label}/{agent}-serving'),
    legacy: names.fill('{label}/legacy-unknown'),
  };
}

export function hasCondition(request: CertificateSigningRequest, type: string): boolean {
  return (request.status.conditions ?? []).some((condition) => condition.type === type && condition.status === 'True');
}

export const isApproved = (request: CertificateSigningRequest): boolean =>
  hasCondition(request, 'Approved') && !hasCondition(request, 'Denied');
export const isIssued = (request: CertificateSigningRequest): boolean => Boolean(request.status.certificate);

export type Condition = NonNullable<CertificateSigningRequest['status']['conditions']>[number];

/** A condition with status True; the server sets the transition time. */
export function condition(type: string, reason: string, message: string, now: number): Condition {
  return { type, status: 'True', reason, message, lastUpdateTime: rfc3339(now), lastTransitionTime: null };
}

/** The PEM text in a request's spec. */
export function pemOf(request: CertificateSigningRequest): string {
  const bytes = fromBase64(request.spec.request ?? '');
  if (!bytes) throw new Error('unable to parse csr: the request is not base64');
  return decodeText(bytes);
}

const NODE_CLIENT_USAGES = ['client auth', 'digital signature', 'key encipherment'];
const NODE_SERVING_USAGES = ['digital signature', 'key encipherment', 'server auth'];

/** Why a signer refuses; undefined if it accepts (specification, Built-in signers). */
export function refusalOf(
  signer: string,
  requested: RequestedCertificate,
  usages: readonly string[],
  names: SignerNames,
): string | undefined {
  switch (signer) {
    case names.client:
      return refuseClient(usages);
    case names.nodeClient:
      return refuseNodeClient(requested, usages);
    case names.nodeServing:
      return refuseNodeServing(requested, usages);
    default:
      return undefined;
  }
}

function refuseClient(usages: readonly string[]): string | undefined {
  const unknown = usages.find((usage) => !NODE_CLIENT_USAGES.includes(usage));
  if (unknown !== undefined) return `invalid usage for client certificate: ${unknown}`;
  return usages.includes('client auth') ? undefined : 'missing required usage for client certificate: client auth';
}

export function refuseNodeClient(requested: RequestedCertificate, usages: readonly string[]): string | undefined {
  if (!isNodeOrganization(requested)) return 'subject organization is not system:nodes';
  if (requested.dnsNames.length > 0) return 'DNS subjectAltNames are not allowed';
  if (requested.emailAddresses.length > 0) return 'Email subjectAltNames are not allowed';
  if (requested.ipAddresses.length > 0) return 'IP subjectAltNames are not allowed';
  if (requested.uris.length > 0) return 'URI subjectAltNames are not allowed';
  if (!isNodeName(requested)) return 'subject common name does not begin with system:node:';
  return sameUsages(usages, NODE_CLIENT_USAGES) ? undefined : `usages did not match [${NODE_CLIENT_USAGES.join(' ')}]`;
}

function refuseNodeServing(requested: RequestedCertificate, usages: readonly string[]): string | undefined {
  if (!isNodeOrganization(requested)) return 'subject organization is not system:nodes';
  if (requested.dnsNames.length + requested.ipAddresses.length === 0) return 'DNS or IP subjectAltName is required';
  if (requested.emailAddresses.length > 0) return 'Email subjectAltNames are not allowed';
  if (requested.uris.length > 0) return 'URI subjectAltNames are not allowed';
  if (!sameUsages(usages, NODE_SERVING_USAGES)) return `usages did not match [${NODE_SERVING_USAGES.join(' ')}]`;
  return isNodeName(requested) ? undefined : 'subject common name does not begin with system:node:';
}

const isNodeOrganization = ({ organizations }: RequestedCertificate): boolean =>
  organizations.length === 1 && organizations[0] === 'system:nodes';
const isNodeName = ({ commonName }: RequestedCertificate): boolean => commonName.startsWith('system:node:');
const sameUsages = (usages: readonly string[], wanted: readonly string[]): boolean =>
  new Set(usages).size === wanted.length && wanted.every((usage) => usages.includes(usage));
