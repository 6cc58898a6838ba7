/** What the controllers of endpoints, endpoint slices and signing requests write. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  certificateSigningRequests as requests,
  endpoints,
  endpointSlices,
  nodes,
  pods,
  services,
} from '../../../src/client/index.ts';
import { withoutKeys, type RequestedCertificate } from '../../../src/controllers/runtime/issuance.ts';
import { encodeText, toBase64 } from '../../../src/std/index.ts';
import { Lab, ownedBy, type Loose } from '../lab.ts';
import { minute } from '../plans/objects.ts';

let lab: Lab;
beforeEach(() => {
  lab = new Lab();
});
afterEach(() => lab.stop());

const labels = { app: 'web' };
const service = (spec: Loose = {}, metadata: Loose = {}): Loose => ({
  metadata: { name: 'web', namespace: 'ns', labels: { own: 'x' }, ...metadata },
  spec: {
    clusterIP: '10.0.0.1',
    selector: labels,
    ports: [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' }],
    ...spec,
  },
  status: {},
});
const pod = (name: string, ip: string, ready = 'True', more: Loose = {}): Loose => ({
  metadata: { name, namespace: 'ns', labels, ...more.metadata },
  spec: { nodeName: 'n', containers: [{ name: 'c', ports: [] }], ...more.spec },
  status: {
    phase: 'Running',
    podIP: ip,
    podIPs: [{ ip }],
    conditions: [{ type: 'Ready', status: ready, lastTransitionTime: more.at ?? minute(0) }],
  },
});
const TIME = 'endpoints.cluster.io/last-change-trigger-time';

describe('endpoints', () => {
  const start = (...flags: string[]): Promise<void> => lab.start(['endpoint'], { flags });
  const live = (): Loose => lab.server.get(endpoints, 'ns/web');

  test('have the pods of a service, ready or not, and follow them', async () => {
    lab.server.put(services, service());
    lab.server.put(services, service({ selector: null }, { name: 'bare' }));
    lab.server.put(pods, pod('p', '1.1.1.1'));
    lab.server.put(pods, pod('q', '1.1.1.2', 'False'));
    lab.server.put(pods, pod('other', '1.1.1.3', 'True', { metadata: { labels: { app: 'other' } } }));
    await start();
    const [made, ...others] = await lab.writes();
    expect([made, others]).toEqual([
      {
        body: {
          apiVersion: 'v1',
          kind: 'Endpoints',
          metadata: {
            annotations: {
              'endpoints.cluster.io/last-change-trigger-time': '2026-01-01T12:00:00Z',
            },
            creationTimestamp: null,
            labels: {
              own: 'x',
            },
            name: 'web',
            namespace: 'ns',
          },
          subsets: [
            {
              addresses: [
                {
                  ip: '1.1.1.1',
                  nodeName: 'n',
                  targetRef: {
                    kind: 'Pod',
                    name: 'p',
                    namespace: 'ns',
                    resourceVersion: '3',
                    uid: 'uid-p',
                  },
                },
              ],
              notReadyAddresses: [
                {
                  ip: '1.1.1.2',
                  nodeName: 'n',
                  targetRef: {
                    kind: 'Pod',
                    name: 'q',
                    namespace: 'ns',
                    resourceVersion: '4',
                    uid: 'uid-q',
                  },
                },
              ],
              ports: [
                {
                  name: 'http',
                  port: 8080,
                  protocol: 'TCP',
                },
              ],
            },
          ],
        },
        method: 'POST',
        path: 'namespaces/ns/endpoints',
      },
      [],
    ]);
    lab.server.change(pods, 'ns/q', { status: pod('q', '1.1.1.2', 'True', { at: minute(1) }).status });
    await lab.settle();
    expect([live().subsets[0].addresses.length, live().metadata.annotations[TIME]]).toEqual([2, minute(1)]);
    await lab.writes();
    lab.server.change(pods, 'ns/q', { metadata: { annotations: { x: 'y' } } });
    expect(await lab.requests()).toEqual([]);
    lab.server.change(pods, 'ns/q', { metadata: { labels: { app: 'other' } } });
    await lab.settle();
    expect(live().subsets[0].addresses.map(({ ip }: Loose) => ip)).toEqual(['1.1.1.1']);
    lab.server.remove(pods, 'ns/p');
    await lab.settle();
    expect(live().subsets).toEqual([]);
    await lab.writes();
    lab.server.remove(services, 'ns/web');
    // Its deletion makes it look once more.
    expect(await lab.requests()).toEqual(Array(2).fill('DELETE namespaces/ns/endpoints/web'));
  });

  test('of a headless service are marked, and labels follow the service', async () => {
    lab.server.put(services, service({ clusterIP: 'None' }));
    await start();
    expect(live().metadata.labels).toEqual({ own: 'x', 'service.cluster.io/headless': '' });
    lab.server.change(services, 'ns/web', { metadata: { labels: { own: 'y' } } });
    await lab.settle();
    expect(live().metadata.labels).toEqual({ own: 'y', 'service.cluster.io/headless': '' });
  });

  test('that are deleted come back, and those without a service stay', async () => {
    lab.server.put(services, service());
    lab.server.put(endpoints, { metadata: { name: 'mine', namespace: 'ns' }, subsets: [] });
    await start();
    expect(await lab.requests()).toEqual(['POST namespaces/ns/endpoints']);
    lab.server.remove(endpoints, 'ns/web');
    expect(await lab.requests()).toEqual(['POST namespaces/ns/endpoints']);
  });

  test.each<[string, existing: boolean, method: string, event: string]>([
    ['created', false, 'POST', 'FailedToCreateEndpoint Failed to create endpoint ns/web: Forbidden'],
    ['updated', true, 'PUT', 'FailedToUpdateEndpoint Failed to update endpoint ns/web: Forbidden'],
  ])('that can not be %s are told of and tried again', async (_, existing, method, event) => {
    lab.server.put(services, service());
    if (existing) lab.server.put(endpoints, { metadata: { name: 'web', namespace: 'ns' }, subsets: [] });
    lab.server.refuse(method, /endpoints/, 403, 'Forbidden', 1);
    await start();
    expect(await lab.events()).toEqual([`Endpoints ns/web: Warning ${event}`]);
    await lab.pass(1);
    expect(live().metadata.labels).toEqual({ own: 'x' });
  });

  test('wait for further changes of pods if that is asked for', async () => {
    lab.server.put(services, service());
    await start('--endpoint-updates-batch-period=10s');
    lab.server.put(pods, pod('p', '1.1.1.1'));
    await lab.pass(9);
    expect(live().subsets).toEqual([]);
    await lab.pass(1);
    expect(live().subsets).toHaveLength(1);
  });
});

describe('endpoint slices', () => {
  beforeEach(() => void lab.server.put(nodes, { metadata: { name: 'n' } }));
  const start = (...flags: string[]): Promise<void> => lab.start(['endpointslice'], { flags });
  const slices = (): Loose[] => lab.server.list(endpointSlices);
  const addresses = (): string[] =>
    slices().map(({ endpoints: all }) => (all ?? []).map((each: Loose) => each.addresses[0]).join());

  test('have the pods of a service with their nodes, and follow them', async () => {
    lab.server.put(nodes, {
      metadata: { name: 'n', labels: { 'topology.cluster.io/zone': 'z', 'topology.cluster.io/region': 'r' } },
    });
    const owner = lab.server.put(services, service());
    lab.server.put(services, service({ selector: {} }, { name: 'bare' }));
    lab.server.put(pods, pod('p', '1.1.1.1', 'True', { spec: { hostname: 'h', subdomain: 'web' } }));
    await start();
    const [made, ...others] = await lab.writes();
    expect([made, others]).toEqual([
      {
        body: {
          addressType: 'IPv4',
          apiVersion: 'discovery.cluster.io/v1beta1',
          endpoints: [
            {
              addresses: ['1.1.1.1'],
              conditions: {
                ready: true,
              },
              hostname: 'h',
              targetRef: {
                kind: 'Pod',
                name: 'p',
                namespace: 'ns',
                resourceVersion: '5',
                uid: 'uid-p',
              },
              topology: {
                'cluster.io/hostname': 'n',
                'topology.cluster.io/region': 'r',
                'topology.cluster.io/zone': 'z',
              },
            },
          ],
          kind: 'EndpointSlice',
          metadata: {
            annotations: {
              'endpoints.cluster.io/last-change-trigger-time': '2026-01-01T12:00:00Z',
            },
            generateName: 'web-',
            labels: {
              'cluster.io/service-name': 'web',
              'endpointslice.cluster.io/managed-by': 'endpointslice-controller.cluster.io',
              own: 'x',
            },
            namespace: 'ns',
            ownerReferences: [
              {
                apiVersion: 'v1',
                blockOwnerDeletion: true,
                controller: true,
                kind: 'Service',
                name: 'web',
                uid: 'uid-web',
              },
            ],
          },
          ports: [
            {
              name: 'http',
              port: 8080,
              protocol: 'TCP',
            },
          ],
        },
        method: 'POST',
        path: 'namespaces/ns/endpointslices',
      },
      [],
    ]);
    expect(made?.body.metadata.ownerReferences).toEqual([ownedBy('Service', owner, 'v1')]);
    lab.server.put(pods, pod('q', '1.1.1.2', 'False', { at: minute(1) }));
    await lab.settle();
    expect(slices()[0].endpoints.map(({ conditions }: Loose) => conditions.ready)).toEqual([true, false]);
    expect(slices()[0].metadata.annotations[TIME]).toBe(minute(1));
    expect(await lab.requests()).toEqual([`PUT namespaces/ns/endpointslices/${slices()[0].metadata.name}`]);
    lab.server.remove(pods, 'ns/p');
    lab.server.remove(pods, 'ns/q');
    await lab.settle();
    expect(slices().map(({ endpoints: all }) => all)).toEqual([null]);
    await lab.writes();
    lab.server.remove(services, 'ns/web');
    expect(await lab.requests()).toEqual([]);
  });

  test('have a limited size', async () => {
    lab.server.put(services, service());
    for (let i = 1; i <= 5; i++) lab.server.put(pods, pod(`p${i}`, `1.1.1.${i}`));
    await start('--max-endpoints-per-slice=2');
    expect(addresses()).toEqual(['1.1.1.1,1.1.1.2', '1.1.1.3,1.1.1.4', '1.1.1.5']);
    for (const name of ['p1', 'p2', 'p3']) lab.server.remove(pods, `ns/${name}`);
    await lab.settle();
    expect(
      addresses()
        .filter((each) => each !== '')
        .join()
        .split(',')
        .sort(),
    ).toEqual(['1.1.1.4', '1.1.1.5']);
  });

  test('that somebody changes or deletes are restored, without a write of its own waking it', async () => {
    lab.server.put(services, service());
    lab.server.put(pods, pod('p', '1.1.1.1'));
    await start();
    const { name } = slices()[0].metadata;
    await lab.writes();
    lab.server.change(endpointSlices, `ns/${name}`, { endpoints: [] });
    expect(await lab.requests()).toEqual([`PUT namespaces/ns/endpointslices/${name}`]);
    expect(addresses()).toEqual(['1.1.1.1']);
    lab.server.remove(endpointSlices, `ns/${name}`);
    expect(await lab.requests()).toEqual(['POST namespaces/ns/endpointslices']);
    lab.server.change(services, 'ns/web', { metadata: { labels: { own: 'y' } } });
    await lab.settle();
    expect(slices()[0].metadata.labels).toEqual({
      own: 'y',
      'cluster.io/service-name': 'web',
      'endpointslice.cluster.io/managed-by': 'endpointslice-controller.cluster.io',
    });
  });

  test('of somebody else are left alone', async () => {
    lab.server.put(services, service());
    const metadata = {
      name: 'theirs',
      namespace: 'ns',
      labels: { 'cluster.io/service-name': 'web', 'endpointslice.cluster.io/managed-by': 'me' },
    };
    lab.server.put(endpointSlices, { metadata, addressType: 'IPv4', endpoints: [] });
    await start();
    expect(await lab.requests()).toEqual(['POST namespaces/ns/endpointslices']);
    lab.server.remove(endpointSlices, 'ns/theirs');
    expect(await lab.requests()).toEqual([]);
  });

  test.each<[code: number, reason: string, events: string[]]>([
    [
      403,
      'Forbidden',
      [
        'Service ns/web: Warning FailedToUpdateEndpointSlices Error updating Endpoint Slices for Service ns/web: failed to create EndpointSlice for Service ns/web: Forbidden',
      ],
    ],
    [409, 'Conflict', []],
  ])('refused with %i %s are tried again after a second', async (code, reason, events) => {
    lab.server.put(services, service());
    lab.server.refuse('POST', /slices/, code, reason, 1);
    await start();
    expect((await lab.events()).length).toBe(events.length);
    await lab.pass(0.9);
    expect(slices()).toEqual([]);
    await lab.pass(0.1);
    expect(slices()).toHaveLength(1);
  });

  test('of a service that is being deleted are not created', async () => {
    lab.server.put(services, service({}, { deletionTimestamp: minute(0), finalizers: ['f'] }));
    await start();
    expect(await lab.requests()).toEqual([]);
  });
});

describe('mirrored endpoints', () => {
  const start = (...flags: string[]): Promise<void> => lab.start(['endpointslicemirroring'], { flags });
  const mine = (metadata: Loose = {}, ips: string[] = ['1.1.1.1']): Loose => ({
    metadata: { name: 'web', namespace: 'ns', labels: { own: 'x' }, annotations: { note: 'y' }, ...metadata },
    subsets: [{ addresses: ips.map((ip) => ({ ip })), ports: [{ name: 'http', port: 80, protocol: 'TCP' }] }],
  });
  const slices = (): Loose[] => lab.server.list(endpointSlices);

  test('become slices of a service without a selector, and go with them', async () => {
    lab.server.put(services, service({ selector: null }));
    lab.server.put(endpoints, mine());
    await start();
    expect(await lab.writes()).toEqual([
      {
        body: {
          addressType: 'IPv4',
          apiVersion: 'discovery.cluster.io/v1beta1',
          endpoints: [
            {
              addresses: ['1.1.1.1'],
              conditions: {
                ready: true,
              },
            },
          ],
          kind: 'EndpointSlice',
          metadata: {
            annotations: {},
            generateName: 'web-',
            labels: {
              'cluster.io/service-name': 'web',
              'endpointslice.cluster.io/managed-by': 'endpointslicemirroring-controller.cluster.io',
              own: 'x',
            },
            namespace: 'ns',
            ownerReferences: [
              {
                apiVersion: 'v1',
                blockOwnerDeletion: true,
                controller: true,
                kind: 'Endpoints',
                name: 'web',
                uid: 'uid-web',
              },
            ],
          },
          ports: [
            {
              name: 'http',
              port: 80,
              protocol: 'TCP',
            },
          ],
        },
        method: 'POST',
        path: 'namespaces/ns/endpointslices',
      },
    ]);
    lab.server.change(endpoints, 'ns/web', { subsets: mine({}, ['1.1.1.2']).subsets });
    await lab.settle();
    expect(slices()[0].endpoints[0].addresses).toEqual(['1.1.1.2']);
    await lab.writes();
    lab.server.remove(endpoints, 'ns/web');
    expect(await lab.requests()).toHaveLength(1);
    expect(slices()).toEqual([]);
  });

  test.each<[string, put: () => void]>([
    [
      'of a service with a selector',
      () => (lab.server.put(services, service()), void lab.server.put(endpoints, mine())),
    ],
    ['without a service', () => void lab.server.put(endpoints, mine())],
    [
      'that say so',
      () => (
        lab.server.put(services, service({ selector: null })),
        void lab.server.put(endpoints, mine({ labels: { 'endpointslice.cluster.io/skip-mirror': 'true' } }))
      ),
    ],
    [
      'that are a lock',
      () => (
        lab.server.put(services, service({ selector: null })),
        void lab.server.put(endpoints, mine({ annotations: { 'control-plane.alpha.cluster.io/leader': '' } }))
      ),
    ],
  ])('%s are not mirrored', async (_, put) => {
    put();
    await start();
    expect(await lab.requests()).toEqual([]);
  });

  test('are mirrored up to a limit, and the rest is reported', async () => {
    lab.server.put(services, service({ selector: null }));
    lab.server.put(endpoints, mine({}, ['1.1.1.1', '1.1.1.2', '1.1.1.3']));
    await start('--mirroring-max-endpoints-per-subset=2');
    expect(slices()[0].endpoints).toHaveLength(2);
    expect(await lab.events()).toEqual([
      'Endpoints ns/web: Warning TooManyAddressesToMirror A max of 2 addresses can be mirrored to EndpointSlices per Endpoints subset. 1 addresses were skipped',
    ]);
  });

  test('are removed with their service, and mirrored when it loses its selector', async () => {
    lab.server.put(services, service());
    lab.server.put(endpoints, mine());
    await start();
    lab.server.change(services, 'ns/web', { spec: { selector: null } });
    await lab.settle();
    expect(slices()).toHaveLength(1);
    lab.server.remove(services, 'ns/web');
    await lab.settle();
    expect(slices()).toEqual([]);
  });
});

describe('a signing request', () => {
  const nodeClient = 'cluster.io/cluster-apiserver-client-clusterlet';
  const requested: RequestedCertificate = {
    commonName: 'system:node:n',
    organizations: ['system:nodes'],
    dnsNames: [],
    ipAddresses: [],
    emailAddresses: [],
    uris: [],
  };
  const request = (name: string, spec: Loose = {}, status: Loose = {}): Loose => ({
    metadata: { name },
    spec: {
      request: toBase64(encodeText('PEM')),
      signerName: nodeClient,
      usages: ['digital signature', 'key encipherment', 'client auth'],
      username: 'system:node:n',
      ...spec,
    },
    status,
  });
  const issuance = {
    ...withoutKeys,
    readRequest: () => Promise.resolve(requested),
    signerOf: (name: string) =>
      name === nodeClient
        ? {
            sign: (pem: string, { usages, durationMs }: Loose) =>
              Promise.resolve(`${pem} ${usages.length} ${durationMs}`),
          }
        : undefined,
  };
  const conditionsOf = (name: string): Loose => lab.server.get(requests, name).status.conditions;
  const approved = { conditions: [{ type: 'Approved', status: 'True' }] };

  test('that is approved is signed, and one that is not fit fails', async () => {
    lab.server.put(requests, request('ok', {}, approved));
    lab.server.put(requests, request('unfit', { usages: ['server auth'] }, approved));
    lab.server.put(requests, request('pending'));
    lab.server.put(requests, request('foreign', { signerName: 'theirs.example/x' }, approved));
    lab.server.put(requests, request('issued', {}, { ...approved, certificate: 'x' }));
    lab.server.put(
      requests,
      request('failed', {}, { conditions: [...approved.conditions, { type: 'Failed', status: 'True' }] }),
    );
    lab.server.put(
      requests,
      request('denied', {}, { conditions: [...approved.conditions, { type: 'Denied', status: 'True' }] }),
    );
    await lab.start(['csrsigning'], { issuance });
    expect((await lab.requests()).sort()).toEqual([
      'PUT certificatesigningrequests/ok/status',
      'PUT certificatesigningrequests/unfit/status',
    ]);
    expect(lab.server.get(requests, 'ok').status.certificate).toBe(
      toBase64(encodeText(`PEM 3 ${365 * 24 * 3600_000}`)),
    );
    expect(conditionsOf('unfit').slice(1)).toEqual([
      {
        lastTransitionTime: null,
        lastUpdateTime: '2026-01-01T12:00:00Z',
        message: 'usages did not match [client auth digital signature key encipherment]',
        reason: 'SignerValidationFailure',
        status: 'True',
        type: 'Failed',
      },
    ]);
  });

  test.each<[string, allowed: string[], message: string | undefined, asked: string[]]>([
    [
      'of the node itself',
      ['selfnodeclient'],
      'Auto approving self node client certificate after SubjectAccessReview.',
      ['selfnodeclient'],
    ],
    [
      'for a node that joins',
      ['nodeclient'],
      'Auto approving node client certificate after SubjectAccessReview.',
      ['selfnodeclient', 'nodeclient'],
    ],
    ['without the right', [], undefined, ['selfnodeclient', 'nodeclient']],
  ])('%s', async (_, allowed, message, asked) => {
    lab.server.put(requests, request('r'));
    lab.server.put(requests, request('other', { signerName: 'theirs.example/x' }));
    lab.server.put(requests, request('done', {}, approved));
    lab.server.put(requests, request('denied', {}, { conditions: [{ type: 'Denied', status: 'True' }] }));
    lab.server.answer(/subjectaccessreviews/, (body: Loose) => ({
      ...body,
      status: { allowed: allowed.includes(body.spec.resourceAttributes.subresource) },
    }));
    await lab.start(['csrapproving'], { issuance });
    const writes = await lab.writes();
    const reviews = writes.filter(({ path }) => path === 'subjectaccessreviews');
    expect(reviews.slice(0, asked.length).map(({ body }) => body.spec.resourceAttributes)).toEqual(
      asked.map((subresource) => ({
        group: 'certificates.cluster.io',
        resource: 'certificatesigningrequests',
        verb: 'create',
        subresource,
      })),
    );
    expect(reviews[0]?.body.spec.user).toBe('system:node:n');
    expect(writes.filter(({ path }) => path.endsWith('approval')).map(({ path }) => path)).toEqual(
      message === undefined ? [] : ['certificatesigningrequests/r/approval'],
    );
    expect(writes.find(({ path }) => path.endsWith('approval'))?.body.status.conditions[0].message).toBe(message);
  });

  test('is deleted an hour after its last change', async () => {
    lab.server.put(requests, request('pending'));
    lab.server.put(
      requests,
      request('later', {}, { conditions: [{ type: 'Approved', status: 'True', lastUpdateTime: minute(30) }] }),
    );
    await lab.start(['csrcleaner'], { issuance });
    await lab.pass(3599);
    expect(await lab.requests()).toEqual([]);
    await lab.pass(1);
    expect(await lab.requests()).toEqual(['DELETE certificatesigningrequests/pending']);
    lab.server.refuse('DELETE', /later/, 404, 'NotFound', 1);
    await lab.pass(1800);
    expect(await lab.requests()).toEqual(['DELETE certificatesigningrequests/later']);
  });
});
