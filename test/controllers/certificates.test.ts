import { describe, expect, it } from 'vitest';
import type { CertificateSigningRequest } from '../../src/client/index.ts';
import { recognize } from '../../src/controllers/certificates/approver.ts';
import { deadlineOf } from '../../src/controllers/certificates/cleaner.ts';
import { refusalOf, signerNames } from '../../src/controllers/certificates/requests.ts';
import type { RequestedCertificate } from '../../src/controllers/runtime/index.ts';
import { namesOf } from '../../src/names/index.ts';

const signers = signerNames(namesOf('k8s.io'));
const NODE_USAGES = ['client auth', 'digital signature', 'key encipherment'];
const SERVING_USAGES = ['server auth', 'digital signature', 'key encipherment'];
const plain: RequestedCertificate = {
  commonName: 'system:node:n',
  organizations: ['system:nodes'],
  dnsNames: [],
  ipAddresses: [],
  emailAddresses: [],
  uris: [],
};

function request(spec: object, conditions: object[] = []): CertificateSigningRequest {
  return {
    metadata: { name: 'r', creationTimestamp: '2026-01-01T00:00:00Z' },
    spec,
    status: { conditions },
  } as unknown as CertificateSigningRequest;
}

describe('built-in signers (specification, CertificateSigningRequest)', () => {
  it.each<[string, string, Partial<RequestedCertificate>, string[], boolean]>([
    ['client', signers.client, { commonName: 'jane', organizations: ['dev'], dnsNames: ['x'] }, ['client auth'], true],
    ['client with all it may have', signers.client, {}, NODE_USAGES, true],
    ['client without client auth', signers.client, {}, ['digital signature'], false],
    ['client with server auth', signers.client, {}, ['client auth', 'server auth'], false],
    ['node client', signers.nodeClient, {}, NODE_USAGES, true],
    ['node client in another order', signers.nodeClient, {}, [...NODE_USAGES].reverse(), true],
    ['node client with fewer usages', signers.nodeClient, {}, ['client auth'], false],
    [
      'node client of two organizations',
      signers.nodeClient,
      { organizations: ['system:nodes', 'x'] },
      NODE_USAGES,
      false,
    ],
    ['node client by another name', signers.nodeClient, { commonName: 'jane' }, NODE_USAGES, false],
    ['node client with a DNS name', signers.nodeClient, { dnsNames: ['n'] }, NODE_USAGES, false],
    ['node client with an address', signers.nodeClient, { ipAddresses: ['10.0.0.1'] }, NODE_USAGES, false],
    ['node serving', signers.nodeServing, { dnsNames: ['n'] }, SERVING_USAGES, true],
    ['node serving by address', signers.nodeServing, { ipAddresses: ['10.0.0.1'] }, SERVING_USAGES, true],
    ['node serving without names', signers.nodeServing, {}, SERVING_USAGES, false],
    [
      'node serving with an e-mail address',
      signers.nodeServing,
      { dnsNames: ['n'], emailAddresses: ['a@b'] },
      SERVING_USAGES,
      false,
    ],
    ['node serving with a URI', signers.nodeServing, { dnsNames: ['n'], uris: ['spiffe://x'] }, SERVING_USAGES, false],
    ['node serving for clients', signers.nodeServing, { dnsNames: ['n'] }, NODE_USAGES, false],
    ['legacy takes anything', signers.legacy, { commonName: 'x', organizations: [], uris: ['a:b'] }, ['any'], true],
  ])('%s', (_what, signer, more, usages, signed) => {
    expect(refusalOf(signer, { ...plain, ...more }, usages, signers) === undefined).toBe(signed);
  });
});

describe('automatic approval', () => {
  it.each<[string, object, Partial<RequestedCertificate>, string[]]>([
    ['a node for itself', { username: 'system:node:n' }, {}, ['selfnodeclient', 'nodeclient']],
    ['somebody for a node', { username: 'system:bootstrap:abcdef' }, {}, ['nodeclient']],
    ['another signer', { username: 'system:node:n', signerName: signers.client }, {}, []],
    ['what the signer would refuse', { username: 'system:node:n' }, { dnsNames: ['x'] }, []],
  ])('%s', (_what, spec, more, expected) => {
    const asked = request({ signerName: signers.nodeClient, usages: NODE_USAGES, ...spec });
    expect(recognize(asked, { ...plain, ...more }, signers).map((one) => one.subresource)).toEqual(expected);
  });
});

describe('signing requests are kept', () => {
  const HOUR = 3600_000;
  const at = (text: string): number => Date.parse(text);
  it.each<[string, object[], number]>([
    ['pending: an hour from creation', [], at('2026-01-01T00:00:00Z') + HOUR],
    [
      'decided: an hour from the decision',
      [
        {
          type: 'Approved',
          status: 'True',
          lastUpdateTime: '2026-01-01T00:30:00Z',
          lastTransitionTime: '2026-01-01T00:20:00Z',
        },
      ],
      at('2026-01-01T00:30:00Z') + HOUR,
    ],
    [
      'an old decision does not shorten it',
      [{ type: 'Denied', status: 'True', lastUpdateTime: '2020-01-01T00:00:00Z', lastTransitionTime: null }],
      at('2026-01-01T00:00:00Z') + HOUR,
    ],
  ])('%s', (_what, conditions, expected) => {
    expect(deadlineOf(request({}, conditions))).toBe(expected);
  });
});
