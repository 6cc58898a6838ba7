/** What can be done with certificate signing requests. */
import type { ResourceRef } from '../../../../client/index.ts';
import type { ApiObject } from '../../../../schema/index.ts';
import { attempt } from '../../../stores/actions.ts';
import { theClient } from '../../../stores/clients.ts';
import { asList, asText, at } from '../../../stores/jsonValues.ts';
import type { State } from '../../../theme/states.ts';
import { makeRequest } from './pem.ts';

export const requests: ResourceRef = {
  group: 'certificates.{domain}',
  version: 'v1',
  resource: 'certificatesigningrequests',
  kind: 'CertificateSigningRequest',
  namespaced: false,
};

/** Makes a key and a request in the page and submits it to the signer of client certificates. */
export function submitRequest(name: string, user: string, groups: readonly string[]): Promise<boolean> {
  return attempt(`${name} waits for approval.`, `${name} was not submitted.`, async () => {
    const { request } = await makeRequest(user, groups);
    const client = theClient();
    const signerName = client.names.fill('{label}/{prefix}-apiserver-client');
    await client.of(requests).create({
      metadata: { name },
      spec: { request: btoa(request), signerName, usages: ['digital signature', 'key encipherment', 'client auth'] },
    });
  });
}

/** Approves or denies a request, as whoever the page acts as. */
export function decide(request: ApiObject, type: 'Approved' | 'Denied'): Promise<boolean> {
  const name = request.metadata.name ?? '';
  const condition = { type, status: 'True', reason: 'DecidedInPage', message: `${type} by a person in the page.` };
  const status = {
    ...(request['status'] as object | undefined),
    conditions: [...asList(at(request, 'status', 'conditions')), condition],
  };
  return attempt(`${name} was ${type.toLowerCase()}.`, `${name} was not ${type.toLowerCase()}.`, () =>
    theClient()
      .of(requests)
      .update({ ...request, status }, { subresource: 'approval' }),
  );
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
