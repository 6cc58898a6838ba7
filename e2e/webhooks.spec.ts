/** Webhooks that people write, in a browser: what they may do, and what becomes of those that misbehave. */
import { expect, test, type Page } from '@playwright/test';
import { type Answered, ask, boot, cluster, createByForm } from './support.ts';

const PREFIX = 'simulation.vitrine.dev/webhook';
const REGISTRATION = '/apis/admissionregistration.cluster.io/v1';
const NAMESPACE = '/api/v1/namespaces/default';

interface Given {
  readonly knobs?: Readonly<Record<string, string>>;
  readonly webhook?: Readonly<Record<string, unknown>>;
}

/** A page with a cluster, and what a test does there. */
interface Bench {
  readonly page: Page;
  send(method: string, path: string, body?: unknown): Promise<Answered>;
  /** Writes a webhook and a configuration that asks it about pods with the label `ask: NAME`, or any with `ask: all`. */
  write(kind: 'Mutating' | 'Validating', name: string, code: string, given?: Given): Promise<void>;
  /** Creates a pod with the label `ask: NAME`. */
  create(name: string, ask: string): Promise<Answered>;
}

async function open(page: Page, name: string): Promise<Bench> {
  const controllerManager = ['--use-service-account-credentials=true'];
  const base = await boot(page, cluster(name, { storage: 'memory', controllerManager }));
  const send: Bench['send'] = (method, path, body) => ask(page, base, path, method, body);
  let authority = '';
  await expect(async () => {
    const { body } = await send('GET', `${NAMESPACE}/configmaps/cluster-root-ca.crt`);
    authority = (body as { data?: Record<string, string> }).data?.['ca.crt'] ?? '';
    expect(authority).toContain('BEGIN CERTIFICATE');
  }).toPass();

  const write: Bench['write'] = async (kind, name, code, { knobs = {}, webhook = {} } = {}) => {
    const annotations = Object.fromEntries(Object.entries(knobs).map(([key, value]) => [`${PREFIX}-${key}`, value]));
    const labels = { [PREFIX]: 'true' };
    const written = [
      await send('POST', `${NAMESPACE}/services`, {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name },
        spec: { ports: [{ port: 443 }] },
      }),
      await send('POST', `${NAMESPACE}/configmaps`, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name, labels, annotations },
        data: { 'handler.js': code },
      }),
      await send('POST', `${REGISTRATION}/${kind.toLowerCase()}webhookconfigurations`, {
        apiVersion: 'admissionregistration.cluster.io/v1',
        kind: `${kind}WebhookConfiguration`,
        metadata: { name },
        webhooks: [
          {
            name: `${name}.example.com`,
            clientConfig: { service: { namespace: 'default', name }, caBundle: btoa(authority) },
            admissionReviewVersions: ['v1'],
            sideEffects: 'None',
            timeoutSeconds: 10,
            objectSelector: { matchExpressions: [{ key: 'ask', operator: 'In', values: [name, 'all'] }] },
            rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
            ...webhook,
          },
        ],
      }),
    ];
    expect(written.map(({ status }) => status)).toEqual([201, 201, 201]);
  };

  const create: Bench['create'] = (name, label) =>
    send('POST', `${NAMESPACE}/pods`, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, labels: { ask: label } },
      spec: { containers: [{ name: 'app', image: 'nginx' }] },
    });
  return { page, send, write, create };
}

interface Pod {
  readonly spec: { readonly containers: readonly { readonly name: string; readonly image: string }[] };
}

const containers = ({ body }: Answered): string[] =>
  (body as unknown as Pod).spec.containers.map(({ name, image }) => `${name} ${image}`);

const injector = `export default ({ request }) => {
  const { containers } = request.object.spec;
  if (containers.some(({ name }) => name === 'sidecar')) return true;
  return { allowed: true, patch: [{ op: 'add', path: '/spec/containers/-', value: { name: 'sidecar', image: 'envoy' } }] };
};`;

/** Moves every image to a registry: what the first one added later too, if that is asked again. */
const relocator = `export default async ({ request }) => {
  const patch = request.object.spec.containers.flatMap(({ image }, i) =>
    image.includes('/') ? [] : [{ op: 'replace', path: '/spec/containers/' + i + '/image', value: 'registry.example/' + image }]);
  return { allowed: true, patch };
};`;

test('a mutating webhook injects a container, and one before it is asked again', async ({ page }) => {
  const { write, create } = await open(page, 'inject');
  await write('Mutating', 'a-relocator', relocator, { webhook: { reinvocationPolicy: 'IfNeeded' } });
  await write('Mutating', 'b-injector', injector);
  const both = await create('both', 'all');
  expect(both.status).toBe(201);
  expect(containers(both)).toEqual(['app registry.example/nginx', 'sidecar registry.example/envoy']);
  expect(containers(await create('one', 'b-injector'))).toEqual(['app nginx', 'sidecar envoy']);
});

test('a validating webhook refuses with its own code', async ({ page }) => {
  const { write, create } = await open(page, 'refuse');
  const code = `export default ({ request }) => request.name === 'good'
    || { allowed: false, status: { code: 418, reason: 'Teapot', message: request.name + ' is no good name' } };`;
  await write('Validating', 'names', code);
  expect((await create('good', 'names')).status).toBe(201);
  const { status, body } = await create('bad', 'names');
  expect([status, body.reason, body.message]).toEqual([
    418,
    'Teapot',
    'admission webhook "names.example.com" denied the request: bad is no good name',
  ]);
});

test('time runs out under both failure policies', async ({ page }) => {
  const { write, create } = await open(page, 'late');
  const slow = 'export default () => new Promise((go) => setTimeout(() => go(true), 20000));';
  await write('Validating', 'closed', slow, { webhook: { timeoutSeconds: 1, failurePolicy: 'Fail' } });
  await write('Validating', 'open', slow, { webhook: { timeoutSeconds: 1, failurePolicy: 'Ignore' } });
  const { status, body } = await create('p', 'closed');
  expect([status, body.message]).toEqual([
    500,
    'Internal error occurred: failed calling webhook "closed.example.com": Post "https://closed.default.svc:443/?timeout=1s": context deadline exceeded',
  ]);
  expect((await create('q', 'open')).status).toBe(201);
});

test('a certificate has to be for the name, from the authority of the bundle, and a knob may break the answer', async ({
  page,
}) => {
  const { send, write, create } = await open(page, 'trust');
  const yes = 'export default () => true;';
  await write('Validating', 'right', yes);
  expect((await create('fine', 'right')).status).toBe(201);

  // Another service before the same webhook: its certificate is for the name of its own service.
  await send('POST', `${NAMESPACE}/services`, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'other' },
    spec: { ports: [{ port: 443 }] },
  });
  await write('Validating', 'wrong', yes, { knobs: { hosts: 'hooks.example.com' } });
  const path = `${REGISTRATION}/validatingwebhookconfigurations/wrong`;
  const { body: configuration } = await send('GET', path);
  const [webhook] = configuration.webhooks as [Record<string, unknown> & { clientConfig: Record<string, unknown> }];
  const reconfigure = async (clientConfig: object): Promise<string> => {
    const { body } = await send('GET', path);
    const webhooks = [{ ...webhook, clientConfig: { caBundle: webhook.clientConfig['caBundle'], ...clientConfig } }];
    expect((await send('PUT', path, { ...body, webhooks })).status).toBe(200);
    const answer = await create('never', 'wrong');
    expect(answer.status).toBe(500);
    return String(answer.body.message).replace(/^.*?"wrong.example.com": /, '');
  };
  const named = { service: { namespace: 'default', name: 'wrong' } };
  expect(await reconfigure({ url: 'https://wrong.default.svc.elsewhere/' })).toBe(
    'Post "https://wrong.default.svc.elsewhere/?timeout=10s": x509: certificate is valid for wrong.default.svc, wrong.default, wrong.default.svc.cluster.local, hooks.example.com, not wrong.default.svc.elsewhere',
  );
  expect(await reconfigure({ ...named, caBundle: undefined })).toBe(
    'Post "https://wrong.default.svc:443/?timeout=10s": x509: certificate signed by unknown authority',
  );
  expect(await reconfigure({ service: { namespace: 'default', name: 'other' } })).toMatch(/connection refused$/);
  expect(await reconfigure({ service: { namespace: 'default', name: 'none' } })).toMatch(/service "none" not found$/);

  await write('Validating', 'broken', yes, { knobs: { fail: 'garbage' } });
  expect((await create('never', 'broken')).body.message).toMatch(/json parse error/);
});

const hostile: readonly (readonly [string, string, RegExp])[] = [
  ['loops forever', 'export default () => { for (;;); }', /context deadline exceeded/],
  [
    'allocates buffers without end',
    'export default () => { for (const all = [];;) all.push(new ArrayBuffer(1e6)); }',
    /EOF \(the webhook \S+ was ended: it used more than 64 MiB of memory\)/,
  ],
  [
    'allocates objects without end',
    'export default () => { let all; for (;;) all = { all }; }',
    /EOF \(the webhook \S+ was ended: it used more than 64 MiB of memory\)/,
  ],
  [
    'fetches',
    'export default () => fetch("https://example.com/");',
    /'fetch' is not defined \(what runs here has no network/,
  ],
  ['opens a database', 'export default () => { indexedDB.open("x"); return true; }', /'indexedDB' is not defined/],
  [
    'imports scripts',
    'export default () => importScripts("https://example.com/x.js");',
    /'importScripts' is not defined/,
  ],
  [
    'looks for the page',
    'export default () => globalThis.constructor.constructor("return self")().location;',
    /'self' is not defined/,
  ],
];

test('webhooks that misbehave are contained and reported, and the control plane answers others meanwhile', async ({
  page,
}) => {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  const { send, write, create } = await open(page, 'hostile');
  const [loop, ...rest] = hostile.map(([, code], i) => ({ name: `h${i}`, code }));
  await write('Validating', loop!.name, loop!.code, { webhook: { timeoutSeconds: 10 } });
  // A slow machine needs a while to fill a webhook's memory.
  for (const { name, code } of rest) await write('Validating', name, code, { webhook: { timeoutSeconds: 30 } });
  await write('Validating', 'good', 'export default () => true;');

  const answers = hostile.map((_, i) => create(`p${i}`, `h${i}`));
  // While the loop goes on, others are answered: reads, writes, and a webhook that behaves.
  expect((await send('GET', '/api/v1/namespaces')).status).toBe(200);
  const first = await Promise.race([create('good', 'good'), answers[0]!]);
  expect(first.status).toBe(201);

  const reported = (await Promise.all(answers)).map(({ status, body }) => `${status} ${String(body.message)}`);
  for (const [i, [, , expected]] of hostile.entries()) expect(reported[i]).toMatch(expected);
  expect(reported.every((answer) => answer.startsWith('500 '))).toBe(true);
  expect(requests.filter((url) => url.includes('example.com'))).toEqual([]);

  // And afterwards everything is as it was.
  expect((await create('again', 'good')).status).toBe(201);
});

test('in the panel one is written, edited, made to fail, and shows what it was asked', async ({ page }) => {
  await createByForm(page, 'panel');
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await page.getByRole('button', { name: 'Write a webhook' }).first().click();
  await page.getByRole('menuitem', { name: /Inject a container/ }).click();
  await expect(page.getByText('https://sidecar-injector.default.svc/')).toBeVisible();
  await expect(page.locator('.monaco-editor .view-line').first()).toContainText('Adds a container', {
    timeout: 30_000,
  });

  const create = (name: string): Promise<string[]> =>
    page.evaluate(async (named) => {
      const pod = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: named, labels: { inject: 'yes' } },
        spec: { containers: [{ name: 'app', image: 'nginx' }] },
      };
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(pod) };
      const answer = (await (await window.vitrine.fetch('/api/v1/namespaces/default/pods', init)).json()) as typeof pod;
      return answer.spec.containers.map((container) => container.name);
    }, name);
  expect(await create('first')).toEqual(['app', 'sidecar']);
  const calls = page.getByRole('list', { name: 'Last calls' });
  await calls.getByRole('button', { name: /patched.*CREATE pods default first/ }).click();
  await expect(page.getByRole('region', { name: 'Console' })).toContainText('a sidecar for default/first');
  await expect(page.getByRole('region', { name: 'Asked' })).toContainText('operation: CREATE');

  await page.getByLabel('How it answers').selectOption('reset');
  const commands = page.getByRole('dialog', { name: 'As a command: Save' });
  await page.getByRole('button', { name: 'As a command' }).click();
  await expect(commands).toContainText('clusterctl replace -n default -f -');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('sidecar-injector answers by its new code.')).toBeVisible();
  expect(await create('second')).toEqual(['app']);
  await calls.getByRole('button', { name: /no answer.*second/ }).click();
  await expect(page.getByText('read: connection reset by peer')).toBeVisible();

  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('No webhooks yet')).toBeVisible();
  expect(await create('third')).toEqual(['app']);
});

test('the panel writes a conversion webhook with its definition, and shows what it converted', async ({ page }) => {
  await createByForm(page, 'beds');
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await page.getByRole('button', { name: 'Write a webhook' }).first().click();
  await page.getByRole('menuitem', { name: /Convert between versions/ }).click();
  await expect(page.getByText('https://bed-converter.default.svc/')).toBeVisible();

  const ask = (method: string, path: string, body?: object): Promise<unknown> =>
    page.evaluate(
      async ([verb, where, sent]) => {
        const init = sent
          ? { method: verb, headers: { 'content-type': 'application/json' }, body: JSON.stringify(sent) }
          : { method: verb };
        const answer = await window.vitrine.fetch(`/apis/garden.example.com/${where}`, init);
        return answer.ok ? ((await answer.json()) as { spec?: unknown }).spec : answer.status;
      },
      [method, path, body] as const,
    );
  const bed = { apiVersion: 'garden.example.com/v1', kind: 'Bed', metadata: { name: 'a' }, spec: { size: '3x4' } };
  await expect(async () =>
    expect(await ask('POST', 'v1/namespaces/default/beds', bed)).toEqual({ size: '3x4' }),
  ).toPass();
  expect(await ask('GET', 'v2/namespaces/default/beds/a')).toEqual({ width: 3, length: 4 });
  const calls = page.getByRole('list', { name: 'Last calls' });
  await expect(calls.getByRole('button', { name: /converted.*Bed a to garden.example.com\/v2/ })).toBeVisible();
});
