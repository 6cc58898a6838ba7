/** What those who look on learn of a webhook's call: what it was asked, what it answered, what came of it; no secrets. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { TraceEvent } from '../../src/cluster/index.ts';
import { bench, type Bench, type Handler } from '../webhooks/support.ts';

const GROUP = '/apis/admissionregistration.k8s.io/v1';

let b: Bench;
let events: TraceEvent[] = [];
let count = 0;
beforeAll(async () => {
  b = await bench({ apiserver: ['--authorization-mode=RBAC'] });
  b.cluster.trace.listen((event) => events.push(event), ['request']);
});
afterAll(() => b.cluster.stop());

let made: string | undefined;
beforeEach(async () => {
  if (made) await b.send('DELETE', made);
  events = [];
});

async function add(kind: 'Mutating' | 'Validating', handler: Handler, more: object = {}): Promise<void> {
  const name = `told-${++count}`;
  await b.write(name, handler);
  const path = `${GROUP}/${kind.toLowerCase()}webhookconfigurations`;
  const webhook = {
    name: 'told.example.com',
    clientConfig: { service: { namespace: 'default', name }, caBundle: b.caBundle },
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    objectSelector: { matchLabels: { ask: 'yes' } },
    rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps', 'secrets'] }],
    ...more,
  };
  const metadata = { name };
  await b.send('POST', path, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${kind}WebhookConfiguration`,
    metadata,
    webhooks: [webhook],
  });
  made = `${path}/${name}`;
  events = [];
}

const create = (kind: 'ConfigMap' | 'Secret', data: Record<string, string>): Promise<unknown> =>
  b.send('POST', `/api/v1/namespaces/default/${kind.toLowerCase()}s?dryRun=All`, {
    apiVersion: 'v1',
    kind,
    metadata: { name: `subject-${++count}`, labels: { ask: 'yes' } },
    data,
  });

/** The stages of the test's own request about webhooks: their calls, and what came of the plugins that asked them. */
function told(): unknown[] {
  const own = events.find(
    (event) => event.topic === 'request' && event.stage === 'received' && event.url.includes('dryRun=All'),
  );
  return events.filter(
    (event) =>
      event.topic === 'request' &&
      own?.topic === 'request' &&
      event.request === own.request &&
      (event.stage === 'webhook' || (event.stage === 'admission' && event.plugin.endsWith('AdmissionWebhook'))),
  );
}

it('traces a change: the review, the answer, then the plugin’s change', async () => {
  await add('Mutating', () => ({ allowed: true, patch: [{ op: 'add', path: '/data/b', value: '2' }] }));
  await create('ConfigMap', { a: '1' });
  expect(told().slice(0, 2)).toMatchObject([
    {
      stage: 'webhook',
      webhook: 'told.example.com',
      outcome: 'changed',
      review: { request: { object: { data: { a: '1' } } } },
      answer: { response: { allowed: true } },
    },
    { stage: 'admission', outcome: 'changed', patch: [{ op: 'add', path: '/data/b', value: '2' }] },
  ]);
});

it('traces a refusal with its reason', async () => {
  await add('Validating', () => ({ allowed: false, status: { message: 'not today' } }));
  await create('ConfigMap', {});
  expect(told()).toMatchObject([
    { stage: 'webhook', outcome: 'refused', why: expect.stringContaining('not today') as string },
    { stage: 'admission', outcome: 'refused' },
  ]);
});

it.each([
  ['Ignore', true],
  ['Fail', false],
])('traces a failure with the policy %s', async (failurePolicy, ignored) => {
  await add('Validating', () => true, { failurePolicy, clientConfig: { url: 'https://nowhere.invalid/' } });
  await create('ConfigMap', {});
  const [call] = told().filter((event) => (event as { stage?: string }).stage === 'webhook');
  expect(call).toMatchObject({ outcome: 'failed', why: expect.stringContaining('nowhere.invalid') as string });
  expect((call as { ignored?: boolean }).ignored ?? false).toBe(ignored);
});

it('traces no data of a secret', async () => {
  const hush = btoa('hush-hush');
  await add('Mutating', () => ({ allowed: true, patch: [{ op: 'add', path: '/data/copy', value: hush }] }));
  await create('Secret', { key: hush });
  expect(told()[0]).toMatchObject({ stage: 'webhook', outcome: 'changed' });
  expect(JSON.stringify(events)).not.toContain(hush);
  expect(JSON.stringify(events)).not.toContain(btoa(`"${hush}"`).slice(2, 10));
});
