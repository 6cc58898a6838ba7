/** Webhooks of admission: what they are asked, and what their answers mean for a request. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { bench, type Answer, type Bench, type Handler, type Loose } from '../webhooks/support.ts';

let b: Bench;
beforeAll(async () => {
  b = await bench({
    apiserver: [
      '--authorization-mode=RBAC',
      '--audit-policy-file=policy.yaml',
      '--audit-log-path=audit.log',
      '--audit-log-mode=blocking',
    ],
    files: { 'policy.yaml': POLICY },
  });
});
afterAll(() => b.cluster.stop());

const POLICY = 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: RequestResponse}]\n';
const GROUP = '/apis/admissionregistration.k8s.io/v1';
const made: string[] = [];
let count = 0;

beforeEach(async () => {
  for (const path of made.splice(0)) await b.send('DELETE', path);
  b.handlers.asked.length = 0;
});

type Webhook = Record<string, unknown>;
const RULES = [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }];

/** A configuration with one webhook, and the handler that answers it. */
async function add(
  kind: 'Mutating' | 'Validating',
  name: string,
  handler: Handler,
  more: Webhook = {},
  version = 'v1',
): Promise<void> {
  const service = `${name}-${++count}`;
  await b.write(service, handler);
  const webhook = {
    name: `${name}.example.com`,
    clientConfig: { service: { namespace: 'default', name: service }, caBundle: b.caBundle },
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    objectSelector: { matchLabels: { ask: 'yes' } },
    rules: RULES,
    ...more,
  };
  const group = GROUP.replace(/v1$/, version);
  const path = `${group}/${kind.toLowerCase()}webhookconfigurations`;
  const configuration = {
    apiVersion: group.slice('/apis/'.length),
    kind: `${kind}WebhookConfiguration`,
    metadata: { name },
    webhooks: [webhook],
  };
  const answer = await b.send('POST', path, configuration);
  if (answer.status !== 201) throw new Error(String(answer.body.message));
  made.push(`${path}/${name}`);
}

const configMap = (name: string, labels: Record<string, string> = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels: { ask: 'yes', ...labels } },
  data: { a: '1' },
});

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const create = (query = '', labels: Record<string, string> = {}): Promise<Answer> =>
  b.send('POST', `${CONFIG_MAPS}?dryRun=All${query}`, configMap(`subject-${++count}`, labels));

const patch = (...operations: object[]): object => ({ allowed: true, patch: operations });
const data = (key: string, value: string): object => ({ op: 'add', path: `/data/${key}`, value });

describe('reviews', () => {
  test('a review has the user, the operation, the object and the dry run flag', async () => {
    await add('Validating', 'look', () => true);
    const { body } = await create();
    expect(b.handlers.asked).toHaveLength(1);
    const [{ review }] = b.handlers.asked as [(typeof b.handlers.asked)[0]];
    expect(review).toMatchObject({
      kind: 'AdmissionReview',
      apiVersion: 'admission.k8s.io/v1',
      request: {
        kind: { group: '', version: 'v1', kind: 'ConfigMap' },
        resource: { group: '', version: 'v1', resource: 'configmaps' },
        requestKind: { group: '', version: 'v1', kind: 'ConfigMap' },
        requestResource: { group: '', version: 'v1', resource: 'configmaps' },
        name: body.metadata?.name,
        namespace: 'default',
        operation: 'CREATE',
        userInfo: { username: 'system:apiserver', groups: ['system:masters', 'system:authenticated'] },
        object: { apiVersion: 'v1', kind: 'ConfigMap', data: { a: '1' } },
        oldObject: null,
        dryRun: true,
        options: { apiVersion: 'meta.k8s.io/v1', kind: 'CreateOptions', dryRun: ['All'] },
      },
    });
    expect(review.request).not.toHaveProperty('subResource');
  });

  test('a patch is an update, and an apply that creates is a create', async () => {
    await add('Validating', 'patched', () => true);
    const name = `patched-subject-${++count}`;
    const path = `${CONFIG_MAPS}/${name}?fieldManager=me&force=true`;
    await b.send('PATCH', path, configMap(name), 'application/apply-patch+yaml');
    await b.send('PATCH', path, configMap(name, { b: '1' }), 'application/apply-patch+yaml');
    await b.send('DELETE', `${CONFIG_MAPS}/${name}`);
    const options = (kind: string): object => ({ apiVersion: 'meta.k8s.io/v1', kind, fieldManager: 'me' });
    expect(
      b.handlers.asked.slice(0, 2).map(({ review }) => [review.request.operation, review.request.options]),
    ).toEqual([
      ['CREATE', options('CreateOptions')],
      ['UPDATE', options('UpdateOptions')],
    ]);
  });

  test('uses the first version that both support, in either version of configurations', async () => {
    await add('Validating', 'old', () => true, { admissionReviewVersions: ['v2', 'v1beta1', 'v1'] }, 'v1beta1');
    await create();
    expect(b.handlers.asked.map(({ review }) => review.apiVersion)).toEqual(['admission.k8s.io/v1beta1']);
  });

  test.each<[string, Webhook, string[]]>([
    [
      'by the version asked for, where rules name another',
      {
        rules: [
          { operations: ['CREATE'], apiGroups: ['extensions'], apiVersions: ['v1beta1'], resources: ['ingresses'] },
        ],
      },
      ['extensions/v1beta1 Ingress (asked as networking.k8s.io/v1)'],
    ],
    [
      'not at all, where they have to match exactly',
      {
        matchPolicy: 'Exact',
        rules: [
          { operations: ['CREATE'], apiGroups: ['extensions'], apiVersions: ['v1beta1'], resources: ['ingresses'] },
        ],
      },
      [],
    ],
    [
      'as requested, where a rule fits that',
      { rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['ingresses'] }] },
      ['networking.k8s.io/v1 Ingress (asked as networking.k8s.io/v1)'],
    ],
  ])('an object of several versions: %s', async (_what, more, expected) => {
    await add('Validating', 'convert', () => true, more);
    const ingress = {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'i', labels: { ask: 'yes' } },
      spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } },
    };
    const answer = await b.send('POST', '/apis/networking.k8s.io/v1/namespaces/default/ingresses?dryRun=All', ingress);
    expect(answer.status).toBe(201);
    const seen = b.handlers.asked.map(({ review: { request } }) => {
      const { group, version } = request.requestResource as { group: string; version: string };
      return `${String(request.object.apiVersion)} ${String(request.object.kind)} (asked as ${group}/${version})`;
    });
    expect(seen).toEqual(expected);
    if (expected[0]?.startsWith('extensions'))
      expect(b.handlers.asked[0]?.review.request.object.spec).toHaveProperty('backend');
  });

  test.each<[string, Webhook, number]>([
    ['labels of the namespace', { namespaceSelector: { matchLabels: { none: 'x' } } }, 0],
    ['labels of the object', { objectSelector: { matchLabels: { other: 'x' } } }, 0],
    ['another operation', { rules: [{ ...RULES[0], operations: ['DELETE'] }] }, 0],
    ['another scope', { rules: [{ ...RULES[0], scope: 'Cluster' }] }, 0],
    ['the scope of namespaces', { rules: [{ ...RULES[0], scope: 'Namespaced' }] }, 1],
    ['only parts', { rules: [{ ...RULES[0], resources: ['*/status'] }] }, 0],
    ['it and its parts', { rules: [{ ...RULES[0], resources: ['configmaps/*'] }] }, 1],
  ])('selection by %s', async (_what, more, asked) => {
    await add('Validating', 'select', () => true, more);
    await create();
    expect(b.handlers.asked).toHaveLength(asked);
  });

  test('is not called for webhook configurations', async () => {
    await add('Validating', 'own', () => false, {
      objectSelector: {},
      rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] }],
    });
    const paths = made.splice(0);
    expect((await b.send('DELETE', paths[0] as string)).status).toBe(200);
  });
});

describe('answers', () => {
  test.each<[string, unknown, number, string]>([
    ['yes', true, 201, ''],
    ['no', false, 400, 'admission webhook "a.example.com" denied the request without explanation'],
    [
      'a code and a message',
      { allowed: false, status: { code: 418, message: 'I am a teapot' } },
      418,
      'admission webhook "a.example.com" denied the request: I am a teapot',
    ],
    [
      'a reason',
      { allowed: false, status: { code: 403, reason: 'Forbidden' } },
      403,
      'admission webhook "a.example.com" denied the request: Forbidden',
    ],
    [
      'a code of success',
      { allowed: false, status: { code: 200, message: 'fine' } },
      400,
      'admission webhook "a.example.com" denied the request: fine',
    ],
    [
      'of another request',
      { uid: 'x', allowed: true },
      500,
      /expected response.uid="[0-9a-f-]+", got "x"$/ as unknown as string,
    ],
    [
      'of another version',
      { apiVersion: 'admission.k8s.io/v1beta1', kind: 'AdmissionReview', response: { allowed: true } },
      500,
      'Internal error occurred: failed calling webhook "a.example.com": expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got admission.k8s.io/v1beta1, Kind=AdmissionReview',
    ],
    [
      'without a response',
      { response: null, kind: 'AdmissionReview' },
      500,
      'Internal error occurred: failed calling webhook "a.example.com": webhook response was absent',
    ],
    [
      'with a code that is none',
      { allowed: false, status: { code: 'teapot' } },
      500,
      'Internal error occurred: failed calling webhook "a.example.com": response.status.code has to be a whole number, got "teapot"',
    ],
    [
      'with a message that is none',
      { allowed: false, status: { message: ['no'] } },
      500,
      'Internal error occurred: failed calling webhook "a.example.com": response.status.message has to be a string, got ["no"]',
    ],
    [
      'neither yes nor no',
      { allowed: 'yes' },
      500,
      'Internal error occurred: failed calling webhook "a.example.com": response.allowed has to be true or false, got "yes"',
    ],
    [
      'with a patch',
      patch(data('b', '2')),
      500,
      'Internal error occurred: failed calling webhook "a.example.com": validating webhook may not return response.patch',
    ],
  ])('of a validating webhook: %s', async (_what, given, code, message) => {
    await add('Validating', 'a', () => given);
    const { status, body } = await create();
    expect(status).toBe(code);
    if (typeof message === 'string') expect(body.message ?? '').toBe(message);
    else expect(body.message).toMatch(message);
  });

  test('add warnings', async () => {
    await add('Validating', 'w', () => ({ allowed: true, warnings: ['beware', ''] }));
    expect((await create()).warnings).toBe('299 - "beware"');
  });

  test.each<[string, unknown, number, unknown]>([
    ['a patch', patch(data('b', '2')), 201, { a: '1', b: '2' }],
    ['no operations', patch(), 201, { a: '1' }],
    ['a patch that does not apply', patch({ op: 'remove', path: '/data/none' }), 500, undefined],
    ['a patch that is no list', { allowed: true, patch: btoa('{}'), patchType: 'JSONPatch' }, 500, undefined],
    ['a patch without its type', { allowed: true, patch: btoa('[]') }, 500, undefined],
    ['a type without a patch', { allowed: true, patchType: 'JSONPatch' }, 500, undefined],
    [
      'a patch that makes the object wrong',
      patch({ op: 'replace', path: '/metadata/name', value: 'A_' }),
      422,
      undefined,
    ],
  ])('of a mutating webhook: %s', async (_what, given, code, expected) => {
    await add('Mutating', 'm', () => given);
    const { status, body } = await create();
    expect([status, code === 201 ? body.data : undefined]).toEqual([code, expected]);
  });

  test('of v1beta1 need neither their uid nor the type of their patch', async () => {
    await add(
      'Mutating',
      'loose',
      () => ({ response: { uid: 'x', allowed: true, patch: btoa(JSON.stringify([data('b', '2')])) } }),
      { admissionReviewVersions: ['v1beta1'] },
    );
    expect((await create()).body.data).toEqual({ a: '1', b: '2' });
  });

  test('of several validating webhooks: the first refusal, after all were called', async () => {
    await add('Validating', 'v1', () => true);
    await add('Validating', 'v2', () => ({ allowed: false, status: { code: 409, message: 'second' } }));
    await add('Validating', 'v3', () => true);
    expect((await create()).status).toBe(409);
    expect(b.handlers.asked).toHaveLength(3);
  });
});

describe('the order of mutation', () => {
  const keys = (): unknown[] =>
    b.handlers.asked.map(({ code, review }) => [
      code.replace(/-\d+$/, ''),
      Object.keys(review.request.object.data as Loose).join(),
    ]);
  const adds =
    (key: string): Handler =>
    ({ request }) =>
      request.object.data?.[key] ? true : patch(data(key, 'x'));

  test('each sees the changes of earlier ones', async () => {
    await add('Mutating', 'm1', adds('b'));
    await add('Mutating', 'm2', adds('c'));
    expect((await create()).body.data).toEqual({ a: '1', b: 'x', c: 'x' });
    expect(keys()).toEqual([
      ['m1', 'a'],
      ['m2', 'a,b'],
    ]);
  });

  test('a webhook with reinvocation is called again after a later change', async () => {
    await add('Mutating', 'm1', adds('b'), { reinvocationPolicy: 'IfNeeded' });
    await add('Mutating', 'm2', adds('c'));
    await create();
    expect(keys()).toEqual([
      ['m1', 'a'],
      ['m2', 'a,b'],
      ['m1', 'a,b,c'],
    ]);
  });

  test('no webhook is called again because of its own change', async () => {
    await add('Mutating', 'm1', adds('b'), { reinvocationPolicy: 'IfNeeded' });
    await add('Mutating', 'm2', () => true, { reinvocationPolicy: 'IfNeeded' });
    await create();
    expect(keys()).toEqual([
      ['m1', 'a'],
      ['m2', 'a,b'],
    ]);
  });

  test('a change in the second pass reaches later webhooks once', async () => {
    const second: Handler = ({ request }) =>
      request.object.data?.['c'] && !request.object.data['d']
        ? patch(data('d', 'x'))
        : adds('b')({ request } as never, {} as never);
    await add('Mutating', 'm1', second, { reinvocationPolicy: 'IfNeeded' });
    await add('Mutating', 'm2', adds('c'), { reinvocationPolicy: 'IfNeeded' });
    expect((await create()).body.data).toEqual({ a: '1', b: 'x', c: 'x', d: 'x' });
    expect(keys()).toEqual([
      ['m1', 'a'],
      ['m2', 'a,b'],
      ['m1', 'a,b,c'],
      ['m2', 'a,b,c,d'],
    ]);
  });

  test('a webhook that did not match at first is not called in the second pass', async () => {
    await add('Mutating', 'm1', adds('b'), {
      reinvocationPolicy: 'IfNeeded',
      objectSelector: { matchLabels: { later: 'x' } },
    });
    await add('Mutating', 'm2', () => patch({ op: 'add', path: '/metadata/labels/later', value: 'x' }));
    await create();
    expect(keys()).toEqual([['m2', 'a']]);
  });

  test('the audit log has annotations of the calls', async () => {
    await add('Mutating', 'm1', () => ({ ...patch(data('b', '2')), auditAnnotations: { seen: 'yes', 'not ok': 'x' } }));
    await add('Mutating', 'm2', () => true);
    const events: Loose[] = [];
    const stop = b.cluster.trace.listen(
      (event) => event.topic === 'audit' && events.push(event.event as Loose),
      ['audit'],
    );
    await create();
    stop();
    const event = events.find(
      ({ verb, stage, requestURI }) =>
        String(verb) === 'create' && String(stage) === 'ResponseComplete' && String(requestURI).includes('dryRun=All'),
    );
    expect(event?.annotations).toMatchObject({
      'm1.example.com/seen': 'yes',
      'mutation.webhook.admission.k8s.io/round_0_index_0':
        '{"configuration":"m1","webhook":"m1.example.com","mutated":true}',
      'patch.webhook.admission.k8s.io/round_0_index_0':
        '{"configuration":"m1","webhook":"m1.example.com","patch":[{"op":"add","path":"/data/b","value":"2"}],"patchType":"JSONPatch"}',
      'mutation.webhook.admission.k8s.io/round_0_index_1':
        '{"configuration":"m2","webhook":"m2.example.com","mutated":false}',
    });
    expect(Object.keys(event?.annotations ?? {})).not.toContain('m1.example.com/not ok');
  });
});

describe('dry runs', () => {
  test.each([
    ['None', 201],
    ['NoneOnDryRun', 201],
    ['Some', 400],
    ['Unknown', 400],
  ])('with side effects %s are answered %i', async (sideEffects, code) => {
    for (const kind of ['Validating', 'Mutating'] as const) {
      await add(kind, `d-${kind.toLowerCase()}`, () => true, { sideEffects, failurePolicy: 'Ignore' }, 'v1beta1');
      const { status, body } = await create();
      expect(status).toBe(code);
      if (code === 400)
        expect(body.message).toBe(`admission webhook "d-${kind.toLowerCase()}.example.com" does not support dry run`);
    }
  });
});

describe('a webhook that fails', () => {
  const never: Handler = () => new Promise(() => undefined);
  test.each([
    ['Fail', 500],
    ['Ignore', 201],
  ])('on a timeout, with the policy %s: %i', async (failurePolicy, code) => {
    await add('Validating', 'slow', never, { failurePolicy, timeoutSeconds: 7 });
    const answer = create();
    await vi.waitFor(() => expect(b.handlers.asked).toHaveLength(1));
    await b.cluster.clock.step(7000);
    const { status, body } = await answer;
    expect(status).toBe(code);
    if (code === 500)
      expect(body.message).toMatch(
        /^Internal error occurred: failed calling webhook "slow.example.com": Post "https:\/\/slow-\d+\.default\.svc:443\/\?timeout=7s": context deadline exceeded$/,
      );
  });

  test('is counted, as are refusals', async () => {
    await add('Validating', 'counted', () => ({ allowed: false, status: { code: 700, message: 'x' } }));
    await create();
    await add('Mutating', 'broken', () => 'nonsense');
    await create();
    const text = await (await b.as('/metrics')).text();
    const lines = text
      .split('\n')
      .filter((line) => /webhook_rejection_count\{/.test(line) && /counted|broken/.test(line));
    expect(lines.map((line) => line.replace(/^\w+/, ''))).toEqual(
      expect.arrayContaining([
        '{name="broken.example.com",operation="CREATE",type="admit",error_type="calling_webhook_error",rejection_code="0"} 1',
      ]),
    );
    expect(text).toMatch(
      /webhook_admission_duration_seconds_count\{name="broken.example.com",type="admit",operation="CREATE",rejected="true"\} 1/,
    );
  });
});
