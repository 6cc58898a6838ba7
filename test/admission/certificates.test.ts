/** The three plugins of signing requests. */
import { describe, expect, it } from 'vitest';
import { generateKeys } from '../../src/authn/index.ts';
import { x509 } from '../../src/authn/x509/library.ts';
import { pluginIn, request, verdictOf, type Raw } from './helpers.ts';

const CLIENT = 'kubernetes.io/kube-apiserver-client';
const GROUP = 'certificatesigningrequests.certificates.k8s.io';

async function pem(name: string): Promise<string> {
  const keys = await generateKeys('EC');
  const made = await x509.Pkcs10CertificateRequestGenerator.create({
    name,
    keys,
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
  });
  return btoa(made.toString('pem'));
}

const csr = (spec: Raw, status: Raw = {}): Raw => ({
  metadata: { name: 'r' },
  spec: { request: btoa('none'), signerName: 'example.com/mine', usages: ['client auth'], ...spec },
  status,
});
const approved = { conditions: [{ type: 'Approved', status: 'True', reason: 'r', message: 'm' }] };
const refused = (why: string): string => `403 ${GROUP} "r" is forbidden: ${why}`;

describe('CertificateApproval', () => {
  it.each<[string, string, readonly string[], string]>([
    ['the signer', `UPDATE ${GROUP}/approval`, ['approve example.com/mine'], 'allowed'],
    ['all signers of its domain', `UPDATE ${GROUP}/approval`, ['approve example.com/*'], 'allowed'],
    [
      'another signer',
      `UPDATE ${GROUP}/approval`,
      ['approve example.com/other', 'sign example.com/mine'],
      refused('user not permitted to approve requests with signerName "example.com/mine"'),
    ],
    ['no approval', `UPDATE ${GROUP}/status`, [], 'allowed'],
  ])('%s', async (_what, what, allowed, expected) => {
    const plugin = pluginIn('CertificateApproval', {
      allow: ({ verb, name, resource }) => resource === 'signers' && allowed.includes(`${verb} ${name}`),
    });
    expect(await verdictOf(plugin, request(what, { object: csr({}, approved), old: csr({}) }))).toBe(expected);
  });
});

describe('CertificateSigning', () => {
  const no = refused('user not permitted to sign requests with signerName "example.com/mine"');
  it.each<[string, Raw, readonly string[], string]>([
    ['a certificate', { certificate: btoa('c') }, ['sign example.com/mine'], 'allowed'],
    ['a certificate, not allowed', { certificate: btoa('c') }, [], no],
    ['a condition, not allowed', approved, [], no],
    ['neither', {}, [], 'allowed'],
  ])('%s', async (_what, status, allowed, expected) => {
    const plugin = pluginIn('CertificateSigning', { allow: ({ verb, name }) => allowed.includes(`${verb} ${name}`) });
    expect(await verdictOf(plugin, request(`UPDATE ${GROUP}/status`, { object: csr({}, status), old: csr({}) }))).toBe(
      expected,
    );
  });
});

describe('CertificateSubjectRestriction', () => {
  const masters = 'O=system:masters,CN=a';
  it.each<[string, string, string, string]>([
    ['a client', CLIENT, 'O=dev,CN=a', 'allowed'],
    [
      'a client of the masters',
      CLIENT,
      masters,
      refused(`use of ${CLIENT} signer with system:masters group is not allowed`),
    ],
    ['masters by another signer', 'example.com/mine', masters, 'allowed'],
  ])('%s', async (_what, signerName, subject, expected) => {
    const object = csr({ signerName, request: await pem(subject) });
    expect(await verdictOf(pluginIn('CertificateSubjectRestriction'), request(`CREATE ${GROUP}`, { object }))).toBe(
      expected,
    );
  });

  it('refuses invalid requests', async () => {
    const attributes = request(`CREATE ${GROUP}`, { object: csr({ signerName: CLIENT }) });
    expect(await verdictOf(pluginIn('CertificateSubjectRestriction'), attributes)).toBe(refused('failed to parse CSR'));
  });
});
