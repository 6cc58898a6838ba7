/** What can be done with certificate signing requests. */
import type { ResourceRef } from '../../../../client/index.ts';
import type { ApiObject } from '../../../../schema/index.ts';
import { asList, asText, at } from '../../../stores/jsonValues.ts';
import type { State } from '../../../theme/states.ts';
import { holdKey, type HeldKey } from '../../../stores/keyring.ts';
import { theCluster } from '../../../stores/session.ts';
import { perform, type Write } from '../../../stores/writes.ts';
import { decodePem, makeRequest, type RequestedSubject } from './pem.ts';

export const requests: ResourceRef = {
  group: 'certificates.{domain}',
  version: 'v1',
  resource: 'certificatesigningrequests',
  kind: 'CertificateSigningRequest',
  namespaced: false,
};

/** A signer that the cluster's own controller plays, and what has to be asked of it. */
export interface Signer {
  /** A template for its name. */
  readonly name: string;
  readonly label: string;
  readonly usages: readonly string[];
}

const CLIENT = ['digital signature', 'key encipherment', 'client auth'];

export const signers: readonly Signer[] = [
  { name: '{label}/{prefix}-apiserver-client', label: 'A client’s certificate', usages: CLIENT },
  { name: '{label}/{prefix}-apiserver-client-{agent}', label: 'A node’s certificate as a client', usages: CLIENT },
  {
    name: '{label}/{agent}-serving',
    label: 'A node’s certificate to serve with',
    usages: ['digital signature', 'key encipherment', 'server auth'],
  },
];

/** A request that was submitted, and the key that it was made with. */
interface Submitted {
  readonly uid: string;
  readonly key: CryptoKey;
}

/** Makes a key and a request in the page, and submits it. */
export const submitting = (name: string, subject: RequestedSubject, signer: Signer): Write<Submitted> => ({
  label: 'Make a key and ask',
  done: `${name} waits for approval.`,
  failed: `${name} was not submitted.`,
  note: 'The key stays in the page: a request of your own needs a key of your own.',
  send: async (client) => {
    const { keys, request } = await makeRequest(subject);
    const spec = { request: btoa(request), signerName: client.names.fill(signer.name), usages: signer.usages };
    const made = await client.of(requests).create({ metadata: { name }, spec });
    return { uid: made.metadata.uid ?? name, key: keys.privateKey };
  },
});

/** Submits a request as whoever the page acts as, and holds its key. */
export async function submitRequest(name: string, subject: RequestedSubject, signer: Signer): Promise<boolean> {
  const got = await perform(submitting(name, subject, signer));
  if (!got) return false;
  const { user, groups } = subject;
  const { uid, key } = got.value;
  await holdKey({ id: uid, cluster: theCluster().cluster.name, user, groups, key }, isLasting());
  return true;
}

const isLasting = (): boolean => theCluster().cluster.options.storage === 'indexeddb';

/** Adds to a held key the certificate that was signed for it. */
export async function keepCertificate(held: HeldKey, base64: string): Promise<void> {
  const decoded = decodePem(base64);
  if (decoded?.what !== 'certificate' || decoded.notAfter === undefined) return;
  await holdKey({ ...held, certificate: atob(base64), notAfter: decoded.notAfter }, isLasting());
}

/** Approves or denies a request. */
export function deciding(request: ApiObject, type: 'Approved' | 'Denied'): Write {
  const name = request.metadata.name ?? '';
  const condition = { type, status: 'True', reason: 'DecidedInPage', message: `${type} by a person in the page.` };
  const status = {
    ...(request['status'] as object | undefined),
    conditions: [...asList(at(request, 'status', 'conditions')), condition],
  };
  return {
    label: type === 'Approved' ? 'Approve' : 'Deny',
    done: `${name} was ${type.toLowerCase()}.`,
    failed: `${name} was not ${type.toLowerCase()}.`,
    send: (client) => client.of(requests).update({ ...request, status }, { subresource: 'approval' }),
  };
}

export interface Standing {
  readonly state: State;
  readonly word: string;
}

/** How a request stands: what was decided, and whether the certificate is there. */
export function standingOf(request: ApiObject): Standing {
  const types = asList(at(request, 'status', 'conditions')).map((condition) => asText(at(condition, 'type')));
  if (types.includes('Denied')) return { state: 'denied', word: 'Denied' };
  if (types.includes('Failed')) return { state: 'failed', word: 'Failed' };
  if (asText(at(request, 'status', 'certificate'))) return { state: 'allowed', word: 'Issued' };
  return types.includes('Approved') ? { state: 'pending', word: 'Approved' } : { state: 'pending', word: 'Pending' };
}
