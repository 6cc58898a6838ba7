/** What a whole cluster writes to its audit log, level by level and stage by stage. */
import { afterEach, describe, expect, it } from 'vitest';
import { createCluster, type Cluster } from '../../src/cluster/index.ts';

const TOKENS = 'root,admin,1,system:masters\nletmein,alice,2,dev';

let cluster: Cluster | undefined;
afterEach(async () => {
  await cluster?.stop();
  cluster = undefined;
});

async function boot(rules: string, flags: readonly string[] = []): Promise<Cluster> {
  cluster = await createCluster({
    name: 'audit',
    naming: 'k8s.io',
    clock: 'manual',
    seed: 'audit',
    storage: 'memory',
    controllerManager: ['--controllers=-*'],
    apiserver: [
      '--authorization-mode=RBAC',
      '--token-auth-file=tokens.csv',
      '--audit-policy-file=policy.yaml',
      '--audit-log-path=/var/log/audit.log',
      ...flags,
    ],
    files: { 'tokens.csv': TOKENS, 'policy.yaml': `apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n${rules}` },
  });
  return cluster;
}

interface Asked {
  readonly method?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly type?: string;
}

async function ask(to: Cluster, path: string, asked: Asked = {}): Promise<Response> {
  const { method = 'GET', token = 'root', headers = {}, body, type = 'application/json' } = asked;
  const request = new Request(`http://cluster.local${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': type, 'user-agent': 'test', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return to.fetch(request);
}

interface Logged {
  readonly stage: string;
  readonly level: string;
  readonly verb: string;
  readonly [field: string]: unknown;
}

/** The events of the log so far, of the requests that this test made. */
async function logged(from: Cluster, path = '/namespaces/default/configmaps'): Promise<Logged[]> {
  const text = await (await ask(from, '/logs/audit.log')).text();
  const all = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Logged);
  return all.filter(({ requestURI }) => String(requestURI).includes(path));
}

const CONFIGMAPS = '/api/v1/namespaces/default/configmaps';
const MAP = { metadata: { name: 'a' }, data: { k: 'v' } };
const ALL = '  - level: RequestResponse';

it('shows no log files if their flag is false', async () => {
  const to = await boot(ALL, ['--enable-logs-handler=false']);
  expect((await ask(to, '/logs/audit.log')).status).toBe(404);
});

describe('a create', () => {
  it('is recorded on arrival and completion, with both objects', async () => {
    const to = await boot(ALL);
    const response = await ask(to, CONFIGMAPS, { method: 'POST', body: MAP });
    expect(response.status).toBe(201);
    const [received, complete, ...more] = await logged(to);
    expect(more).toEqual([]);
    expect(received).toMatchObject({ stage: 'RequestReceived', objectRef: { resource: 'configmaps' } });
    expect(received).not.toHaveProperty('responseStatus');
    expect(complete).toMatchObject({
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: 'RequestResponse',
      auditID: response.headers.get('audit-id'),
      stage: 'ResponseComplete',
      requestURI: CONFIGMAPS,
      verb: 'create',
      user: { username: 'admin', uid: '1', groups: ['system:masters', 'system:authenticated'] },
      sourceIPs: ['127.0.0.1'],
      userAgent: 'test',
      objectRef: { resource: 'configmaps', namespace: 'default', name: 'a', apiVersion: 'v1' },
      responseStatus: { metadata: {}, code: 201 },
      requestObject: { kind: 'ConfigMap', data: { k: 'v' } },
      responseObject: { kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' }, data: { k: 'v' } },
      annotations: { 'authorization.k8s.io/decision': 'allow', 'authorization.k8s.io/reason': '' },
    });
  });

  it.each([
    ['Metadata', []],
    ['Request', ['requestObject']],
    ['RequestResponse', ['requestObject', 'responseObject']],
  ])('at level %s has %j', async (level, objects) => {
    const to = await boot(`  - level: ${level}`);
    await ask(to, CONFIGMAPS, { method: 'POST', body: MAP });
    const [, complete] = await logged(to);
    expect(Object.keys(complete ?? {}).filter((field) => field.endsWith('Object'))).toEqual(objects);
  });
});

describe('other requests', () => {
  it('contain a patch as sent, and the impersonated user', async () => {
    const to = await boot(ALL);
    await ask(to, CONFIGMAPS, { method: 'POST', body: MAP });
    const patch = { data: { k: 'w' } };
    const headers = { 'impersonate-user': 'bob', 'impersonate-group': 'system:masters' };
    await ask(to, `${CONFIGMAPS}/a`, { method: 'PATCH', body: patch, type: 'application/merge-patch+json', headers });
    const complete = (await logged(to)).find(({ verb, stage }) => verb === 'patch' && stage === 'ResponseComplete');
    expect(complete).toMatchObject({
      requestObject: patch,
      user: { username: 'admin' },
      impersonatedUser: { username: 'bob', groups: ['system:masters', 'system:authenticated'] },
    });
  });

  it('contain the reason of a refusal', async () => {
    const to = await boot('  - level: Metadata');
    await ask(to, `${CONFIGMAPS}/a`, { token: 'letmein' });
    const complete = (await logged(to)).find(({ stage }) => stage === 'ResponseComplete');
    expect(complete).toMatchObject({
      user: { username: 'alice' },
      responseStatus: { metadata: {}, status: 'Failure', reason: 'Forbidden', code: 403 },
      annotations: { 'authorization.k8s.io/decision': 'forbid' },
    });
  });

  it('contain no message and details of a failure', async () => {
    const to = await boot('  - level: Metadata');
    await ask(to, `${CONFIGMAPS}/none`);
    const complete = (await logged(to)).find(({ stage }) => stage === 'ResponseComplete');
    const responseStatus = { metadata: {}, status: 'Failure', reason: 'NotFound', code: 404 };
    expect(complete?.['responseStatus']).toEqual(responseStatus);
  });

  it('contain delete options in the version of the resource', async () => {
    const to = await boot('  - level: Request');
    const path = '/apis/apps/v1/namespaces/default/deployments/none';
    await ask(to, path, { method: 'DELETE', body: { gracePeriodSeconds: 1 } });
    const complete = (await logged(to, '/deployments/none')).find(({ stage }) => stage === 'ResponseComplete');
    expect(complete?.['requestObject']).toEqual({
      kind: 'DeleteOptions',
      apiVersion: 'apps/v1',
      gracePeriodSeconds: 1,
    });
  });

  it('of a kind of another group than the resource are not contained themselves', async () => {
    const to = await boot('  - level: Request');
    const body = { spec: { audiences: ['a'] } };
    await ask(to, '/api/v1/namespaces/default/serviceaccounts/default/token', { method: 'POST', body });
    const complete = (await logged(to, '/token')).find(({ stage }) => stage === 'ResponseComplete');
    expect(complete).toMatchObject({ verb: 'create', objectRef: { subresource: 'token' } });
    expect(complete).not.toHaveProperty('requestObject');
  });

  it('have one event without a user if authentication failed', async () => {
    const to = await boot('  - level: Metadata');
    const response = await ask(to, CONFIGMAPS, { token: 'wrong', headers: { 'audit-id': 'mine' } });
    expect(response.headers.get('audit-id')).toBe('mine');
    const message = 'Authentication failed, attempted: bearer';
    expect(await logged(to)).toEqual([
      expect.objectContaining({
        ...{ auditID: 'mine', stage: 'ResponseStarted', user: {} },
        responseStatus: { metadata: {}, message, code: 401 },
      }),
    ]);
  });

  it('that stream are recorded at start and end', async () => {
    const to = await boot('  - level: Metadata\n    omitStages: [RequestReceived]');
    const response = await ask(to, `${CONFIGMAPS}?watch=1&resourceVersion=0`);
    const stages = async (): Promise<string[]> => (await logged(to)).map(({ stage }) => stage);
    expect(await stages()).toEqual(['ResponseStarted']);
    await response.body?.cancel();
    expect(await stages()).toEqual(['ResponseStarted', 'ResponseComplete']);
  });

  it('to deprecated versions are marked', async () => {
    const to = await boot('  - level: Metadata');
    await ask(to, '/apis/extensions/v1beta1/namespaces/default/ingresses');
    const text = await (await ask(to, '/logs/audit.log')).text();
    expect(text).toMatch(/extensions\/v1beta1[^\n]*"k8s\.io\/deprecated":"true"/);
  });
});

describe('an invalid configuration stops the start with a message that names it', () => {
  it.each([
    [['--audit-policy-file=none.yaml'], /none\.yaml/],
    [['--audit-policy-file=tokens.csv'], /audit-policy-file.*tokens\.csv/],
    [['--audit-log-format=xml'], /audit-log-format.*xml/],
    [['--audit-log-mode=sometimes'], /audit-log-mode.*sometimes/],
    [['--audit-log-version=audit.k8s.io/v9'], /audit-log-version.*v9/],
    [['--audit-webhook-config-file=tokens.csv'], /audit-webhook-config-file/],
  ])('%j', async (flags, message) => {
    await expect(boot(ALL, flags)).rejects.toThrow(message);
  });
});
