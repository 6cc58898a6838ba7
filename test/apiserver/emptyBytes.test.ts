/** A byte string that is sent empty is stored as such, where the request may write it at all: a new revision, though nothing shows it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { generateKeys, loadX509 } from '../../src/authn/index.ts';
import { x509 } from '../../src/authn/x509/library.ts';
import { openCluster, PATCHES, type TestClient } from './client.ts';

const REQUESTS = '/apis/certificates.cluster.io/v1/certificatesigningrequests';

let client: TestClient;
beforeAll(async () => {
  await loadX509();
  client = await openCluster();
});
afterAll(() => client.cluster.stop());

it.each([
  ['approval', false],
  ['status', true],
])('an empty certificate in a patch of %s makes a new revision: %s', async (part, isNew) => {
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name: 'CN=x',
    keys: await generateKeys(),
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
  });
  const spec = { request: btoa(request.toString('pem')), signerName: 'example.com/s', usages: ['client auth'] };
  const made = await client.send('POST', REQUESTS, { metadata: { name: part }, spec });
  expect(made.code).toBe(201);
  const type = { 'content-type': PATCHES.merge };
  const patched = await client.send('PATCH', `${REQUESTS}/${part}/${part}`, { status: { certificate: '' } }, type);
  expect(patched.body.metadata?.resourceVersion !== made.body.metadata?.resourceVersion).toBe(isNew);
});
