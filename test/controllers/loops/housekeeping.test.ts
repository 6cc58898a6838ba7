/** What the controllers of namespaces, accounts, tokens, quotas, roles and nodes write. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  clusterRoles,
  configMaps,
  namespaces,
  nodes,
  pods,
  resourceQuotas,
  secrets,
  serviceAccounts,
  services,
} from '../../../src/client/index.ts';
import { withoutKeys } from '../../../src/controllers/runtime/issuance.ts';
import { encodeText, toBase64 } from '../../../src/std/index.ts';
import { Lab, type Loose } from '../lab.ts';
import { minute } from '../plans/objects.ts';

let lab: Lab;
beforeEach(() => {
  lab = new Lab();
});
afterEach(() => lab.stop());

const base64 = (text: string): string => toBase64(encodeText(text));
const namespace = (name: string, phase = 'Active', metadata: Loose = {}): Loose => ({
  metadata: { name, ...metadata },
  spec: { finalizers: ['cluster'] },
  status: { phase },
});
const named = (name: string, metadata: Loose = {}): Loose => ({ metadata: { name, namespace: 'ns', ...metadata } });

describe('a namespace that is being deleted', () => {
  const leaving = namespace('ns', 'Active', { deletionTimestamp: minute(0), finalizers: ['keeps it'] });
  const start = async (): Promise<void> => {
    await lab.start(['namespace']);
    await lab.pass(5);
  };
  const conditionsOf = (): string[] =>
    lab.server
      .get(namespaces, 'ns')
      .status.conditions?.map(({ type, status, reason, message }: Loose) => `${type} ${status} ${reason}: ${message}`);

  test('is emptied five seconds later, and finalized', async () => {
    lab.server.put(configMaps, named('c'));
    lab.server.put(configMaps, { metadata: { name: 'other', namespace: 'x' } });
    lab.server.put(namespaces, leaving);
    lab.server.put(namespaces, namespace('x'));
    await lab.start(['namespace']);
    await lab.pass(4);
    expect(await lab.requests()).toEqual([]);
    await lab.pass(1);
    const writes = await lab.writes();
    expect(writes.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'PUT namespaces/ns/status',
      'DELETE namespaces/ns/configmaps/c',
      'PUT namespaces/ns/status',
      'PUT namespaces/ns/finalize',
    ]);
    expect(writes[0]?.body.status).toEqual({ phase: 'Terminating' });
    expect(writes[1]?.body).toEqual({ apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background' });
    expect(writes.at(-1)?.body.spec).toEqual({ finalizers: [] });
    expect(conditionsOf()).toEqual([
      'NamespaceDeletionDiscoveryFailure False ResourcesDiscovered: All resources successfully discovered',
      'NamespaceDeletionGroupVersionParsingFailure False ParsedGroupVersions: All legacy kube types successfully parsed',
      'NamespaceDeletionContentFailure False ContentDeleted: All content successfully deleted, may be waiting on finalization',
      'NamespaceContentRemaining False ContentRemoved: All content successfully removed',
      'NamespaceFinalizersRemaining False ContentHasNoFinalizers: All content-preserving finalizers finished',
    ]);
    expect(lab.server.list(configMaps).map(({ metadata }) => metadata.name)).toEqual(['other']);
  });

  test('says what keeps it, and looks again', async () => {
    lab.server.put(configMaps, named('c', { finalizers: ['a', 'b'] }));
    lab.server.put(configMaps, named('d', { finalizers: ['a'] }));
    lab.server.put(namespaces, leaving);
    await start();
    expect(conditionsOf()?.slice(3)).toEqual([
      'NamespaceContentRemaining True SomeResourcesRemain: Some resources are remaining: configmaps. has 2 resource instances',
      'NamespaceFinalizersRemaining True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: a in 2 resource instances, b in 1 resource instances',
    ]);
    for (const name of ['c', 'd']) lab.server.change(configMaps, `ns/${name}`, { metadata: { finalizers: [] } });
    await lab.pass(8);
    expect(lab.server.get(namespaces, 'ns').spec.finalizers).toEqual([]);
  });

  test('waits for the grace period of its pods', async () => {
    lab.server.put(pods, {
      ...named('p', { finalizers: ['f'] }),
      spec: { terminationGracePeriodSeconds: 60 },
      status: { phase: 'Running' },
    });
    lab.server.put(pods, {
      ...named('q', { finalizers: ['f'] }),
      spec: { terminationGracePeriodSeconds: 90 },
      status: { phase: 'Succeeded' },
    });
    lab.server.put(namespaces, leaving);
    await start();
    // Its own write makes it look once more.
    await lab.pass(5);
    await lab.requests();
    await lab.pass(30);
    expect(await lab.requests()).toEqual([]);
    await lab.pass(1);
    expect(await lab.requests()).not.toEqual([]);
  });

  test.each<[string, code: number, reason: string, conditions: string]>([
    [
      'refuses a deletion',
      403,
      'Forbidden',
      'NamespaceDeletionContentFailure True ContentDeletionFailed: Failed to delete all resource types, 1 remaining: Forbidden',
    ],
    [
      'has no such object any more',
      404,
      'NotFound',
      'NamespaceDeletionContentFailure True ContentDeletionFailed: Failed to delete all resource types, 1 remaining: unexpected items still remain in namespace: ns for gvr: /v1, Resource=configmaps',
    ],
  ])('is tried again where the server %s', async (_, code, reason, condition) => {
    lab.server.put(configMaps, named('c'));
    lab.server.put(namespaces, leaving);
    lab.server.refuse('DELETE', /configmaps/, code, reason, 1);
    await start();
    expect(conditionsOf()).toContain(condition);
    await lab.pass(1);
    expect(lab.server.get(namespaces, 'ns').spec.finalizers).toEqual([]);
  });

  test('is written again after a conflict, and left alone once it is gone', async () => {
    lab.server.put(namespaces, { ...leaving, status: { phase: 'Terminating' } });
    lab.server.refuse('PUT', /finalize/, 409, 'Conflict', 2);
    await start();
    expect((await lab.requests()).filter((each) => each.includes('finalize'))).toHaveLength(3);
    lab.server.put(namespaces, { ...leaving, metadata: { ...leaving.metadata, name: 'gone' } });
    lab.server.remove(namespaces, 'gone');
    await lab.pass(5);
    expect(await lab.requests()).toEqual([]);
  });

  test('of another finalizer is left alone', async () => {
    lab.server.put(namespaces, { ...leaving, spec: { finalizers: ['other'] } });
    await start();
    expect(await lab.requests()).toEqual([]);
  });
});

describe('the account default', () => {
  const start = (): Promise<void> => lab.start(['serviceaccount']);
  const created = {
    method: 'POST',
    path: 'namespaces/ns/serviceaccounts',
    body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'ns' } },
  };

  test('is created in each active namespace, and again when it is deleted', async () => {
    lab.server.put(namespaces, namespace('ns'));
    lab.server.put(namespaces, namespace('leaving', 'Terminating'));
    lab.server.put(namespaces, namespace('has'));
    lab.server.put(serviceAccounts, { metadata: { name: 'default', namespace: 'has' } });
    await start();
    expect(await lab.writes()).toEqual([created]);
    lab.server.put(serviceAccounts, named('other'));
    lab.server.remove(serviceAccounts, 'ns/other');
    expect(await lab.writes()).toEqual([]);
    lab.server.remove(serviceAccounts, 'ns/default');
    expect(await lab.writes()).toEqual([created]);
  });

  test.each<[code: number, reason: string, requests: number]>([
    [409, 'AlreadyExists', 1],
    [404, 'NotFound', 1],
    [500, 'InternalError', 2],
  ])('answered with %i %s is created %i times', async (code, reason, requests) => {
    lab.server.put(namespaces, namespace('ns'));
    lab.server.refuse('POST', /accounts/, code, reason, 1);
    await start();
    await lab.pass(1);
    expect(await lab.requests()).toHaveLength(requests);
  });
});

describe('the certificate of the cluster', () => {
  const start = (gate = 'true'): Promise<void> =>
    lab.start(['root-ca-cert-publisher'], {
      flags: [`--feature-gates=RootCAConfigMap=${gate}`],
      issuance: { ...withoutKeys, rootCA: 'PEM' },
    });
  const name = 'cluster-root-ca.crt';

  test('is in each active namespace, and is restored', async () => {
    lab.server.put(namespaces, namespace('ns'));
    lab.server.put(namespaces, namespace('leaving', 'Terminating'));
    await start();
    expect(await lab.writes()).toEqual([
      {
        method: 'POST',
        path: 'namespaces/ns/configmaps',
        body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'ns' }, data: { 'ca.crt': 'PEM' } },
      },
    ]);
    lab.server.change(configMaps, `ns/${name}`, { data: { 'ca.crt': 'other' } });
    expect(await lab.requests()).toEqual([`PUT namespaces/ns/configmaps/${name}`]);
    lab.server.put(configMaps, named('other'));
    lab.server.remove(configMaps, 'ns/other');
    expect(await lab.requests()).toEqual([]);
    lab.server.remove(configMaps, `ns/${name}`);
    expect(await lab.requests()).toEqual(['POST namespaces/ns/configmaps']);
  });

  test('is not published without its gate', async () => {
    lab.server.put(namespaces, namespace('ns'));
    await start('false');
    expect(await lab.requests()).toEqual([]);
  });
});

describe('tokens of accounts', () => {
  const type = 'cluster.io/service-account-token';
  const annotations = { 'cluster.io/service-account.name': 'a', 'cluster.io/service-account.uid': 'uid-a' };
  const full = { 'ca.crt': base64('PEM'), namespace: base64('ns'), token: base64('JWT') };
  const accountToken = ({ namespace: space, name, uid }: Loose, secret: string): Promise<string> =>
    Promise.resolve(`${space}/${name}/${uid}/${secret.replace(/-[^-]*$/, '')}`);
  const start = (): Promise<void> =>
    lab.start(['serviceaccount-token'], { issuance: { ...withoutKeys, rootCA: 'PEM', accountToken } });
  const secret = (name: string, more: Loose = {}): Loose => ({
    ...named(name, { annotations, ...more.metadata }),
    type,
    data: full,
    ...more.of,
  });

  test('an account gets a secret with its token, and lists it', async () => {
    lab.server.put(serviceAccounts, { ...named('a'), secrets: [{ name: 'pull' }] });
    await start();
    const [made, mention, ...others] = await lab.writes();
    const { name } = made?.body.metadata as Loose;
    expect(name).toMatch(/^a-token-[a-z0-9]{5}$/);
    expect(made).toEqual({
      method: 'POST',
      path: 'namespaces/ns/secrets',
      body: {
        ...{ apiVersion: 'v1', kind: 'Secret', type, metadata: { name, namespace: 'ns', annotations } },
        data: { 'ca.crt': base64('PEM'), namespace: base64('ns'), token: base64('ns/a/uid-a/a-token') },
      },
    });
    expect([mention?.path, mention?.body.secrets, others]).toEqual([
      'namespaces/ns/serviceaccounts/a',
      [{ name: 'pull' }, { name }],
      [],
    ]);
    lab.server.remove(secrets, `ns/${name}`);
    const [dropped] = await lab.writes();
    expect([dropped?.path, dropped?.body.secrets]).toEqual(['namespaces/ns/serviceaccounts/a', [{ name: 'pull' }]]);
    expect(lab.server.get(serviceAccounts, 'ns/a').secrets).toHaveLength(2);
  });

  test('an account with a token gets no other', async () => {
    lab.server.put(secrets, secret('t'));
    lab.server.put(serviceAccounts, { ...named('a'), secrets: [{ name: 't' }] });
    await start();
    expect(await lab.requests()).toEqual([]);
  });

  test.each<[string, metadata: Loose, of: Loose, data: Loose]>([
    ['without data', {}, { data: undefined }, { ...full, token: base64('ns/a/uid-a/t') }],
    ['with another authority', {}, { data: { ...full, 'ca.crt': 'x' } }, full],
    ['without its namespace', {}, { data: { ...full, namespace: undefined } }, full],
    [
      'without the uid of its account',
      { annotations: { 'cluster.io/service-account.name': 'a' } },
      { data: {} },
      { ...full, token: base64('ns/a/uid-a/t') },
    ],
  ])('a secret %s is completed', async (_, metadata, of, data) => {
    lab.server.put(secrets, secret('t-1', { metadata, of }));
    lab.server.put(serviceAccounts, { ...named('a'), secrets: [{ name: 't-1' }] });
    await start();
    expect(lab.server.get(secrets, 'ns/t-1').data).toEqual(data);
    expect(lab.server.get(secrets, 'ns/t-1').metadata.annotations).toEqual(annotations);
  });

  test.each<[string, account: Loose]>([
    ['without its account', undefined],
    ['of an account that was replaced', { ...named('a', { uid: 'new' }), secrets: [{ name: 'mine' }] }],
  ])('a secret %s is deleted', async (_, account) => {
    if (account) {
      lab.server.put(serviceAccounts, account);
      lab.server.put(
        secrets,
        secret('mine', { metadata: { annotations: { ...annotations, 'cluster.io/service-account.uid': 'new' } } }),
      );
    }
    lab.server.put(secrets, secret('t'));
    lab.server.put(secrets, { ...named('opaque', { annotations }), type: 'Opaque' });
    await start();
    expect(await lab.writes()).toEqual([
      {
        method: 'DELETE',
        path: 'namespaces/ns/secrets/t',
        body: { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid: 'uid-t' } },
      },
    ]);
  });

  test('the secrets of an account are deleted after it', async () => {
    lab.server.put(secrets, secret('t'));
    lab.server.put(serviceAccounts, { ...named('a'), secrets: [{ name: 't' }] });
    await start();
    lab.server.remove(serviceAccounts, 'ns/a');
    expect(await lab.requests()).toEqual(['DELETE namespaces/ns/secrets/t']);
  });

  test.each<[code: number, reason: string, requests: string[]]>([
    [409, 'Conflict', ['POST namespaces/ns/secrets', ...Array(2).fill('PUT namespaces/ns/serviceaccounts/a')]],
    [
      404,
      'NotFound',
      ['POST namespaces/ns/secrets', 'PUT namespaces/ns/serviceaccounts/a', 'DELETE namespaces/ns/secrets/NAME'],
    ],
  ])('a mention answered with %i %s', async (code, reason, requests) => {
    lab.server.put(serviceAccounts, named('a'));
    lab.server.refuse('PUT', /accounts/, code, reason, 1);
    await start();
    expect((await lab.requests()).map((each) => each.replace(/a-token.*/, 'NAME')).slice(0, 3)).toEqual(requests);
  });

  test('nothing is done without a key', async () => {
    lab.server.put(serviceAccounts, named('a'));
    await lab.start(['serviceaccount-token']);
    expect(await lab.requests()).toEqual([]);
  });
});

describe('bootstrap tokens', () => {
  const token = (id: string, data: Record<string, string> = {}): Loose => ({
    metadata: { name: `bootstrap-token-${id}`, namespace: 'cluster-system' },
    type: 'bootstrap.cluster.io/token',
    data: Object.fromEntries(
      Object.entries({ 'token-id': id, 'token-secret': 's', 'usage-bootstrap-signing': 'true', ...data }).map(
        ([key, value]) => [key, base64(value)],
      ),
    ),
  });
  const info = {
    metadata: { name: 'cluster-info', namespace: 'cluster-public' },
    data: { kubeconfig: 'k', 'jws-kubeconfig-gone00': 'x' },
  };
  const signatures = (): string[] => Object.keys(lab.server.get(configMaps, 'cluster-public/cluster-info').data).sort();

  test('sign the cluster info while they are valid', async () => {
    lab.server.put(configMaps, info);
    lab.server.put(configMaps, { metadata: { name: 'cluster-info', namespace: 'other' }, data: { kubeconfig: 'k' } });
    lab.server.put(secrets, token('aaaaaa', { expiration: minute(1) }));
    lab.server.put(secrets, token('bbbbbb'));
    lab.server.put(secrets, token('cccccc', { 'usage-bootstrap-signing': 'false' }));
    await lab.start(['bootstrapsigner']);
    expect(signatures()).toEqual(['jws-kubeconfig-aaaaaa', 'jws-kubeconfig-bbbbbb', 'kubeconfig']);
    expect(await lab.requests()).toEqual(['PUT namespaces/cluster-public/configmaps/cluster-info']);
    await lab.pass(59);
    expect(await lab.requests()).toEqual([]);
    await lab.pass(1);
    expect(signatures()).toEqual(['jws-kubeconfig-bbbbbb', 'kubeconfig']);
    lab.server.change(configMaps, 'cluster-public/cluster-info', { data: { kubeconfig: 'other' } });
    expect(await lab.requests()).toHaveLength(2);
    lab.server.put(secrets, { ...token('dddddd'), type: 'Opaque' });
    expect(await lab.requests()).toEqual([]);
  });

  test('are deleted when they have expired', async () => {
    lab.server.put(secrets, token('aaaaaa', { expiration: minute(1) }));
    lab.server.put(secrets, token('bbbbbb'));
    lab.server.put(secrets, token('cccccc', { expiration: 'never' }));
    await lab.start(['tokencleaner']);
    const path = 'namespaces/cluster-system/secrets/bootstrap-token-';
    expect(await lab.writes()).toEqual([
      {
        method: 'DELETE',
        path: `${path}cccccc`,
        body: { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid: 'uid-bootstrap-token-cccccc' } },
      },
    ]);
    await lab.pass(59);
    expect(await lab.requests()).toEqual([]);
    lab.server.refuse('DELETE', /secrets/, 409, 'Conflict', 1);
    await lab.pass(1);
    expect(await lab.requests()).toEqual([`DELETE ${path}aaaaaa`]);
    await lab.pass(10);
    expect(await lab.requests()).toEqual([]);
  });
});

describe('pods that nobody else deletes', () => {
  const pod = (
    name: string,
    nodeName: string | undefined,
    status: Loose = { phase: 'Running' },
    metadata: Loose = {},
  ): Loose => ({ ...named(name, metadata), spec: { ...(nodeName && { nodeName }) }, status });
  const deletion = (name: string): Loose => ({
    method: 'DELETE',
    path: `namespaces/ns/pods/${name}`,
    body: { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 },
  });

  test('are those of nodes that are gone for forty seconds', async () => {
    lab.server.put(nodes, { metadata: { name: 'a' } });
    lab.server.put(pods, pod('p', 'a'));
    lab.server.put(pods, pod('lost', 'gone'));
    lab.server.put(pods, pod('waiting', undefined));
    await lab.start(['podgc']);
    await lab.pass(20);
    lab.server.remove(nodes, 'a');
    await lab.pass(19);
    expect(await lab.writes()).toEqual([]);
    await lab.pass(1);
    expect(await lab.writes()).toEqual([deletion('lost')]);
    await lab.pass(20);
    expect(await lab.writes()).toEqual([deletion('p')]);
  });

  test('are not those of a node that has come back', async () => {
    lab.server.put(pods, pod('p', 'a'));
    await lab.start(['podgc']);
    await lab.pass(20);
    lab.server.put(nodes, { metadata: { name: 'a' } });
    await lab.pass(30);
    expect(await lab.writes()).toEqual([]);
  });

  test('are those that were deleted before they had a node, and the oldest ended ones above the threshold', async () => {
    lab.server.put(nodes, { metadata: { name: 'a' } });
    lab.server.put(pods, pod('unplaced', undefined, {}, { deletionTimestamp: minute(0) }));
    lab.server.put(pods, pod('leaving', 'a', { phase: 'Running' }, { deletionTimestamp: minute(0) }));
    for (const [i, name] of ['x', 'y', 'z'].entries())
      lab.server.put(pods, pod(name, 'a', { phase: 'Failed' }, { creationTimestamp: minute(-i) }));
    await lab.start(['podgc'], { flags: ['--terminated-pod-gc-threshold=2'] });
    expect(await lab.writes()).toEqual([deletion('unplaced'), deletion('z')]);
    lab.server.refuse('DELETE', /pods/, 404, 'NotFound');
    lab.server.change(pods, 'ns/leaving', { status: { phase: 'Succeeded' } });
    await lab.pass(1);
    expect(await lab.requests()).toEqual(['DELETE namespaces/ns/pods/y']);
  });
});

describe('a quota', () => {
  const quota = (hard: Record<string, string>, status: Loose = {}): Loose => ({
    ...named('q'),
    spec: { hard },
    status,
  });
  const used = (): Loose => lab.server.get(resourceQuotas, 'ns/q').status.used;
  const pod = (name: string, cpu: string, phase = 'Running'): Loose => ({
    ...named(name),
    spec: { containers: [{ name: 'c', resources: { requests: { cpu } } }] },
    status: { phase },
  });
  const start = (): Promise<void> => lab.start(['resourcequota']);

  test('counts what there is, and what is freed', async () => {
    lab.server.put(pods, pod('p', '1'));
    lab.server.put(pods, pod('done', '1', 'Succeeded'));
    lab.server.put(pods, { ...pod('elsewhere', '1'), metadata: { name: 'elsewhere', namespace: 'x' } });
    lab.server.put(services, { ...named('s'), spec: { type: 'NodePort', ports: [{ port: 80 }] }, status: {} });
    lab.server.put(configMaps, named('c'));
    lab.server.serve(secrets);
    lab.server.put(
      resourceQuotas,
      quota(
        { pods: '5', 'requests.cpu': '4', services: '2', configmaps: '9', 'count/secrets': '9', 'count/robots.x': '1' },
        { used: { 'count/robots.x': '1', old: '1' } },
      ),
    );
    await start();
    expect(used()).toEqual({
      pods: '1',
      'requests.cpu': '1',
      services: '1',
      configmaps: '1',
      'count/secrets': '0',
      'count/robots.x': '1',
    });
    await lab.writes();
    lab.server.change(pods, 'ns/p', { metadata: { labels: { x: 'y' } } });
    expect(await lab.requests()).toEqual([]);
    lab.server.change(pods, 'ns/p', { status: { phase: 'Failed' } });
    await lab.settle();
    expect([used().pods, used()['requests.cpu']]).toEqual(['0', '0']);
    lab.server.remove(services, 'ns/s');
    lab.server.remove(configMaps, 'ns/c');
    await lab.settle();
    expect([used().services, used().configmaps]).toEqual(['0', '0']);
  });

  test('is counted anew for a new limit, and every five minutes', async () => {
    lab.server.put(resourceQuotas, quota({ pods: '5' }));
    await start();
    await lab.writes();
    lab.server.change(resourceQuotas, 'ns/q', { status: { used: { pods: '3' } } });
    await lab.pass(299);
    expect(used()).toEqual({ pods: '3' });
    await lab.pass(1);
    expect(used()).toEqual({ pods: '0' });
    lab.server.change(resourceQuotas, 'ns/q', { spec: { hard: { services: '1' } } });
    await lab.settle();
    expect(used()).toEqual({ pods: '0', services: '0' });
  });
});

describe('an aggregating role', () => {
  const rule = (resource: string): Loose => ({ apiGroups: [''], resources: [resource], verbs: ['get'] });
  const role = (name: string, rules: Loose[], labels: Loose = {}): Loose => ({ metadata: { name, labels }, rules });

  test('has the rules of the roles that it selects, and follows them', async () => {
    lab.server.put(clusterRoles, {
      ...role('all', [rule('x')]),
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
    });
    lab.server.put(clusterRoles, role('z', [rule('pods'), rule('nodes')], { a: 'b' }));
    lab.server.put(clusterRoles, role('y', [rule('nodes')], { a: 'b' }));
    lab.server.put(clusterRoles, role('other', [rule('secrets')]));
    await lab.start(['clusterrole-aggregation']);
    const rules = (): string[] => lab.server.get(clusterRoles, 'all').rules.map(({ resources }: Loose) => resources[0]);
    expect([rules(), await lab.requests()]).toEqual([['nodes', 'pods'], ['PUT clusterroles/all']]);
    lab.server.change(clusterRoles, 'other', { metadata: { labels: { a: 'b' } } });
    lab.server.remove(clusterRoles, 'z');
    await lab.settle();
    expect(rules()).toEqual(['secrets', 'nodes']);
  });
});

describe('nodes', () => {
  test('get an annotation that grows with the cluster', async () => {
    lab.server.put(nodes, { metadata: { name: 'a' } });
    lab.server.put(nodes, { metadata: { name: 'b', annotations: { 'node.alpha.cluster.io/ttl': '0' } } });
    await lab.start(['ttl']);
    expect(await lab.writes()).toEqual([
      { method: 'PATCH', path: 'nodes/a', body: { metadata: { annotations: { 'node.alpha.cluster.io/ttl': '0' } } } },
    ]);
    for (let i = 0; i < 99; i++) lab.server.put(nodes, { metadata: { name: `n${i}` } });
    await lab.settle();
    const ttlOf = (name: string): string =>
      lab.server.get(nodes, name).metadata.annotations['node.alpha.cluster.io/ttl'];
    expect(['a', 'b', 'n0', 'n98'].map(ttlOf)).toEqual(Array(4).fill('15'));
    for (let i = 0; i < 12; i++) lab.server.remove(nodes, `n${i}`);
    await lab.settle();
    expect(ttlOf('a')).toBe('0');
  });

  test('get an address range each, and a range is used again', async () => {
    const flags = ['--allocate-node-cidrs=true', '--cluster-cidr=10.8.0.0/23', '--node-cidr-mask-size=24'];
    lab.server.put(nodes, { metadata: { name: 'a' }, spec: {} });
    lab.server.put(nodes, { metadata: { name: 'b' }, spec: { podCIDR: '10.8.0.0/24', podCIDRs: ['10.8.0.0/24'] } });
    await lab.start(['nodeipam'], { flags });
    expect(lab.server.get(nodes, 'a').spec).toMatchObject({ podCIDR: '10.8.1.0/24', podCIDRs: ['10.8.1.0/24'] });
    lab.server.put(nodes, { metadata: { name: 'c' }, spec: {} });
    await lab.settle();
    expect(lab.server.get(nodes, 'c').spec.podCIDR).toBeUndefined();
    expect((await lab.events())[0]).toMatch(/Node c: Normal CIDRNotAvailable/);
    lab.server.remove(nodes, 'b');
    lab.server.put(nodes, { metadata: { name: 'd' }, spec: {} });
    await lab.pass(60);
    expect([lab.server.get(nodes, 'c').spec.podCIDR, lab.server.get(nodes, 'd').spec.podCIDR]).toContain('10.8.0.0/24');
  });
});
