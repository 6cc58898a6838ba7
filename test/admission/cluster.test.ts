/** Plugins in a whole cluster: flags and files as people write them, requests as they send them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCluster, FlagError, type Cluster } from '../../src/cluster/index.ts';

const ADMISSION = `
apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
plugins:
- name: EventRateLimit
  path: events.yaml
- name: PodNodeSelector
  configuration: {podNodeSelectorPluginConfig: {clusterDefaultNodeSelector: pool=default}}
- name: LimitRanger
  configuration: {of: no use}
`;
const EVENTS = `
apiVersion: eventratelimit.admission.k8s.io/v1alpha1
kind: Configuration
limits: [{type: Namespace, qps: 1, burst: 2}]
`;
const TOKENS = ['admin,admin,1,system:masters', 'alice,alice,2,dev', 'node,system:node:node-1,3,system:nodes'].join(
  '\n',
);

const options = (
  apiserver: readonly string[],
  files: Readonly<Record<string, string>>,
): Parameters<typeof createCluster>[0] => ({
  name: 'admission',
  naming: 'k8s.io',
  clock: 'manual',
  seed: 'admission',
  storage: 'memory',
  controllerManager: ['--use-service-account-credentials=true'],
  apiserver: ['--authorization-mode=Node,RBAC', '--token-auth-file=tokens.csv', ...apiserver],
  files: { 'tokens.csv': TOKENS, ...files },
});

let cluster: Cluster;

beforeAll(async () => {
  const plugins =
    'NodeRestriction,PodSecurityPolicy,NamespaceAutoProvision,EventRateLimit,PodNodeSelector,AlwaysPullImages';
  cluster = await createCluster(
    options(
      [
        `--enable-admission-plugins=${plugins}`,
        '--disable-admission-plugins=ServiceAccount',
        '--admission-control-config-file=etc/admission.yaml',
      ],
      { 'etc/admission.yaml': ADMISSION, 'etc/events.yaml': EVENTS },
    ),
  );
  await allowAliceToCreate();
}, 60_000);

afterAll(() => cluster.stop());

interface Answer {
  readonly code: number;
  readonly body: {
    readonly message?: string;
    readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
    readonly spec?: unknown;
  };
  readonly retryAfter: string | null;
}

async function send(user: string, method: string, path: string, body?: object): Promise<Answer> {
  const response = await cluster.fetch(
    new Request(`http://cluster.test${path}`, {
      method,
      headers: { authorization: `Bearer ${user}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    }),
  );
  return {
    code: response.status,
    body: (await response.json()) as Answer['body'],
    retryAfter: response.headers.get('retry-after'),
  };
}

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const subject = { kind: 'User', name: 'alice', apiGroup: 'rbac.authorization.k8s.io' };

async function grant(name: string, rule: object): Promise<void> {
  await send('admin', 'POST', `${RBAC}/clusterroles`, { metadata: { name }, rules: [rule] });
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
  await send('admin', 'POST', `${RBAC}/clusterrolebindings`, { metadata: { name }, roleRef, subjects: [subject] });
}

const allowAliceToCreate = (): Promise<void> =>
  grant('creators', { apiGroups: [''], resources: ['pods', 'configmaps', 'events'], verbs: ['create'] });

const any = { rule: 'RunAsAny' };
const policy = (name: string, spec: object): Promise<Answer> =>
  send('admin', 'POST', '/apis/policy/v1beta1/podsecuritypolicies', {
    metadata: { name },
    spec: { seLinux: any, runAsUser: any, fsGroup: any, supplementalGroups: any, ...spec },
  });
const pod = (name: string, spec: object = {}): object => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'nginx', imagePullPolicy: 'Never' }], ...spec },
});

describe('a cluster with more plugins', () => {
  it('admits pods by policies that their creators may use', async () => {
    const create = (name: string, spec?: object): Promise<Answer> =>
      send('alice', 'POST', '/api/v1/namespaces/default/pods', pod(name, spec));
    expect((await create('early')).body.message).toBe(
      'pods "early" is forbidden: PodSecurityPolicy: no providers available to validate pod request',
    );
    await policy('a-root', { hostNetwork: true });
    await policy('restricted', { runAsUser: { rule: 'MustRunAs', ranges: [{ min: 7, max: 9 }] } });
    await grant('restricted', {
      apiGroups: ['policy'],
      resources: ['podsecuritypolicies'],
      resourceNames: ['restricted'],
      verbs: ['use'],
    });
    const made = await create('p');
    expect(made.code).toBe(201);
    expect(made.body.metadata?.annotations?.['kubernetes.io/psp']).toBe('restricted');
    expect(made.body.spec).toMatchObject({
      nodeSelector: { pool: 'default' },
      containers: [{ imagePullPolicy: 'Always', securityContext: { runAsUser: 7 } }],
    });
    const refused = await create('q', { hostNetwork: true });
    expect([refused.code, refused.body.message]).toEqual([
      403,
      'pods "q" is forbidden: PodSecurityPolicy: unable to admit pod: [spec.securityContext.hostNetwork: Invalid value: true: Host network is not allowed to be used]',
    ]);
  });

  it('creates namespaces on demand', async () => {
    expect((await send('alice', 'POST', '/api/v1/namespaces/fresh/configmaps', { metadata: { name: 'm' } })).code).toBe(
      201,
    );
    expect((await send('admin', 'GET', '/api/v1/namespaces/fresh')).code).toBe(200);
  });

  it('restricts nodes', async () => {
    const node = (labels: object): object => ({ metadata: { name: 'node-1', labels } });
    const labelled = await send('node', 'POST', '/api/v1/nodes', node({ 'node-restriction.kubernetes.io/team': 'a' }));
    expect([labelled.code, labelled.body.message]).toEqual([
      403,
      'nodes "node-1" is forbidden: node "node-1" is not allowed to set the following labels: node-restriction.kubernetes.io/team',
    ]);
    expect((await send('node', 'POST', '/api/v1/nodes', node({ 'kubernetes.io/hostname': 'node-1' }))).code).toBe(201);
    expect((await send('node', 'POST', '/api/v1/nodes', { metadata: { name: 'node-2' } })).code).toBe(403);
  });

  it('refuses events above the rate limit, with the time to wait', async () => {
    const event = (name: string): Promise<Answer> =>
      send('alice', 'POST', '/api/v1/namespaces/limited/events', {
        metadata: { name },
        involvedObject: { kind: 'Pod', namespace: 'limited', name: 'p' },
      });
    const answers = [await event('a'), await event('b'), await event('c')];
    expect(answers.map(({ code }) => code)).toEqual([201, 201, 429]);
    expect(answers[2]?.retryAfter).toBe('1');
  });
});

describe('quotas under load', () => {
  const counted = 'count/leases.coordination.k8s.io';
  const quotas = '/api/v1/namespaces/loaded/resourcequotas';
  const used = async (): Promise<string | undefined> => {
    const { status } = (await send('admin', 'GET', `${quotas}/q`)).body as {
      status?: { used?: Record<string, string> };
    };
    return status?.used?.[counted];
  };

  it('admit as many concurrent requests as fit', async () => {
    await send('admin', 'POST', '/api/v1/namespaces', { metadata: { name: 'loaded' } });
    await send('admin', 'POST', quotas, { metadata: { name: 'q' }, spec: { hard: { [counted]: '25' } } });
    await expect.poll(used).toBe('0');
    const leases = '/apis/coordination.k8s.io/v1/namespaces/loaded/leases';
    const create = (i: number): Promise<Answer> =>
      send('admin', 'POST', leases, { metadata: { name: `l${i}` }, spec: {} });
    const answers = await Promise.all(Array.from({ length: 60 }, (_, i) => create(i)));
    expect(answers.filter(({ code }) => code === 201)).toHaveLength(25);
    expect(answers.filter(({ code }) => code === 403)).toHaveLength(35);
    expect(await used()).toBe('25');
  });
});

describe('nodes under NodeRestriction', () => {
  it('run pods and delete them', async () => {
    const restricted = await createCluster({
      ...options(['--enable-admission-plugins=NodeRestriction'], {}),
      clock: 20,
      nodes: 1,
    });
    const call = async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
      const headers = { authorization: 'Bearer admin', 'content-type': 'application/json' };
      const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
      return (await (await restricted.fetch(new Request(`http://cluster.test${path}`, init))).json()) as Record<
        string,
        unknown
      >;
    };
    const path = '/api/v1/namespaces/default/pods';
    const spec = { containers: [{ name: 'c', image: 'nginx' }] };
    await expect
      .poll(async () => (await call('POST', path, { metadata: { name: 'p' }, spec }))['kind'], { timeout: 10_000 })
      .toBe('Pod');
    const phase = async (): Promise<unknown> =>
      ((await call('GET', `${path}/p`))['status'] as { phase?: string }).phase;
    await expect.poll(phase, { timeout: 10_000 }).toBe('Running');
    await call('DELETE', `${path}/p`);
    await expect.poll(async () => (await call('GET', `${path}/p`))['code'], { timeout: 10_000 }).toBe(404);
    await restricted.stop();
  }, 40_000);
});

describe('an image policy', () => {
  const KUBECONFIG = `
clusters: [{name: c, cluster: {server: "https://images.example/"}}]
contexts: [{name: x, context: {cluster: c}}]
current-context: x`;

  it('refuses denied images, and admits pods when the service does not answer', async () => {
    const config =
      'imagePolicy: {kubeConfigFile: images.yaml, retryBackoff: 1, allowTTL: -1, denyTTL: -1, defaultAllow: true}';
    const flags = [
      '--enable-admission-plugins=ImagePolicyWebhook',
      '--disable-admission-plugins=ServiceAccount',
      '--runtime-config=imagepolicy.k8s.io/v1alpha1=true',
      '--admission-control-config-file=admission.yaml',
    ];
    const files = { 'admission.yaml': config, 'images.yaml': KUBECONFIG };
    let answers = true;
    const guarded = await createCluster(
      { ...options(flags, files), clock: 'real' },
      {
        fetch: async (request) => {
          if (!answers) throw new Error('no route');
          const { spec } = (await request.json()) as { spec: { containers: { image: string }[] } };
          return Response.json({ status: { allowed: !spec.containers.some(({ image }) => image === 'bad') } });
        },
      },
    );
    const create = async (name: string, image: string): Promise<{ code: number; annotations: unknown }> => {
      const body = JSON.stringify({ metadata: { name }, spec: { containers: [{ name: 'c', image }] } });
      const headers = { authorization: 'Bearer admin', 'content-type': 'application/json' };
      // The default namespace has limits, which leave an annotation of their own.
      const url = 'http://cluster.test/api/v1/namespaces/kube-public/pods';
      const response = await guarded.fetch(new Request(url, { method: 'POST', headers, body }));
      const { metadata } = (await response.json()) as { metadata: { annotations?: unknown } };
      return { code: response.status, annotations: metadata.annotations };
    };
    expect(await create('a', 'good')).toEqual({ code: 201, annotations: undefined });
    expect((await create('b', 'bad')).code).toBe(403);
    answers = false;
    expect(await create('c', 'bad')).toEqual({
      code: 201,
      annotations: { 'alpha.image-policy.k8s.io/failed-open': 'true' },
    });
    await guarded.stop();
  }, 40_000);
});

describe('a start that fails', () => {
  it.each<[string, readonly string[], Readonly<Record<string, string>>, string]>([
    ['an unknown plugin', ['--enable-admission-plugins=Foo'], {}, '"Foo" is unknown'],
    [
      'a plugin that is on and off',
      ['--enable-admission-plugins=AlwaysAdmit', '--disable-admission-plugins=AlwaysAdmit'],
      {},
      '[AlwaysAdmit] in enable-admission-plugins and disable-admission-plugins overlapped',
    ],
    ['no such file', ['--admission-control-config-file=a.yaml'], {}, 'a.yaml'],
    ['a file that is none', ['--admission-control-config-file=a.yaml'], { 'a.yaml': 'a: [' }, 'a.yaml: '],
    [
      'a plugin without its configuration',
      ['--enable-admission-plugins=EventRateLimit'],
      {},
      `couldn't init admission plugin "EventRateLimit": limits: must not be empty`,
    ],
  ])('%s', async (_what, flags, files, message) => {
    const start = createCluster(options(flags, files));
    await expect(start).rejects.toThrow(FlagError);
    await expect(start).rejects.toThrow(message);
  });
});
