/** The signer that a request of v1beta1 means when it names none: the one for node agents if it looks like theirs. */
import { parseSigningRequest, type RequestedSubject } from './pkcs10.ts';

const CLIENT_USAGES = ['client auth', 'digital signature', 'key encipherment'];
const SERVING_USAGES = ['digital signature', 'key encipherment', 'server auth'];

/** A template for the signer's name. `request` is base64 of PEM. */
export function defaultSignerName(request: string, usages: readonly string[]): string {
  const subject = parseSigningRequest(request);
  if (subject && isAgent(subject)) {
    if (isClientRequest(subject) && sameSet(usages, CLIENT_USAGES)) return '{label}/{prefix}-apiserver-client-{agent}';
    if (isServingRequest(subject) && sameSet(usages, SERVING_USAGES)) return '{label}/{agent}-serving';
  }
  return '{label}/legacy-unknown';
}

const isAgent = ({ organizations, commonName }: RequestedSubject): boolean =>
  organizations.length === 1 && organizations[0] === 'system:nodes' && commonName.startsWith('system:node:');

const isClientRequest = (subject: RequestedSubject): boolean =>
  subject.dnsNames.length + subject.ipAddresses.length + subject.emailAddresses.length + subject.uris.length === 0;

const isServingRequest = (subject: RequestedSubject): boolean =>
  subject.dnsNames.length + subject.ipAddresses.length > 0 && subject.emailAddresses.length + subject.uris.length === 0;

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  const set = new Set(a);
  return set.size === b.length && b.every((item) => set.has(item));
}
