/** What somebody could send to hang or exhaust the server: it is refused, or done in a bounded time. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cluster } from '../../src/cluster/index.ts';
import { createCluster } from '../../src/cluster/index.ts';
import { recordedOptions, tokens } from '../conformance/scenarios.ts';
import { ownTime } from '../fuzz/spent.ts';

const DEFINITIONS = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

const definition = (plural: string, schema: object): object => ({
  apiVersion: 'apiextensions.cluster.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.hostile.example.com` },
  spec: {
    group: 'hostile.example.com',
    scope: 'Cluster',
    names: { plural, kind: plural[0]?.toUpperCase() + plural.slice(1) },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
  },
});

/** `{"a":{"a":…}}`, without building it as an object. */
const deep = (levels: number, open: string, close: string, inside = '1'): string =>
  `${open.repeat(levels)}${inside}${close.repeat(levels)}`;

describe('hostile input', () => {
  let cluster: Cluster;
  beforeAll(async () => (cluster = await createCluster(recordedOptions('cluster.io'))));
  afterAll(() => cluster.stop());

  const send = (method: string, path: string, body: object | string, type = 'application/json') =>
    cluster.fetch(
      new Request(`http://hostile.test${path}`, {
        method,
        headers: { authorization: `Bearer ${tokens.admin}`, 'content-type': type },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    );
  const reason = async (answer: Promise<Response>): Promise<string> => {
    const response = await answer;
    const { reason: why = '' } = (await response.json()) as { reason?: string };
    return `${response.status} ${why}`.trim();
  };
  const established = async (path: string): Promise<void> => {
    const get = () => send('POST', path, '').then(({ status }) => status);
    while ((await get()) === 404) await new Promise((resolve) => setImmediate(resolve));
  };

  it('a pattern with catastrophic backtracking is matched in bounded time', { timeout: 20_000 }, async () => {
    const schema = { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+(a|aa)*$' } } };
    expect(await reason(send('POST', DEFINITIONS, definition('slows', schema)))).toBe('201');
    const path = '/apis/hostile.example.com/v1/slows';
    await established(path);
    const slow = (text: string): object => ({
      apiVersion: 'hostile.example.com/v1',
      kind: 'Slows',
      metadata: { name: 'x' },
      text,
    });
    const started = ownTime();
    expect(await reason(send('POST', path, slow(`${'a'.repeat(50_000)}!`)))).toBe('422 Invalid');
    expect(ownTime() - started).toBeLessThan(5_000);
    expect(await reason(send('POST', path, slow('a'.repeat(50_000))))).toBe('201');
  });

  it('patterns with unbounded size are refused', async () => {
    const pattern = `${'(a|b)*'.repeat(200)}(${'x{1000}'.repeat(400)})`;
    const schema = { type: 'object', properties: { text: { type: 'string', pattern } } };
    const answer = await send('POST', DEFINITIONS, definition('grows', schema));
    expect(answer.status).toBe(422);
  });

  it.each([
    ['properties', '{"type":"object","properties":{"a":', '}}'],
    ['items', '{"type":"array","items":', '}'],
    ['additionalProperties', '{"type":"object","additionalProperties":', '}'],
    ['not', '{"not":', '}'],
  ])('a schema with thousands of levels of %s is answered', { timeout: 30_000 }, async (_what, open, close) => {
    const schema = deep(4_000, open, close, '{"type":"string"}');
    const root = `{"type":"object","properties":{"a":${schema}}}`;
    const body = JSON.stringify(definition('deeps', {})).replace('"openAPIV3Schema":{}', `"openAPIV3Schema":${root}`);
    const answer = await send('POST', `${DEFINITIONS}?dryRun=All`, body);
    expect([201, 400, 413, 422]).toContain(answer.status);
  });

  it.each([
    ['JSON', 'application/json', deep(20_000, '{"a":', '}')],
    ['YAML', 'application/yaml', deep(20_000, '{a: ', '}')],
    ['lists', 'application/json', deep(20_000, '[', ']')],
  ])('a body with thousands of levels of %s is refused', async (_what, type, body) => {
    expect(await reason(send('POST', CONFIG_MAPS, body, type))).toBe('400 BadRequest');
  });

  it('exponential aliases are refused', async () => {
    const rows = Array.from({ length: 12 }, (_, i) => `  k${i}: &a${i} [${i === 0 ? 'x' : `*a${i - 1}, *a${i - 1}`}]`);
    const body = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bomb}\nx:\n${rows.join('\n')}\n`;
    expect((await send('POST', CONFIG_MAPS, body, 'application/yaml')).status).toBe(400);
  });

  it.each([
    ['keys of a flow map', (n: number) => `a: {${Array.from({ length: n }, (_, i) => `k${i}: v`).join(', ')}}`],
    ['keys of a block map', (n: number) => Array.from({ length: n }, (_, i) => `k${i}: v\n`).join('')],
    ['items of a list', (n: number) => '- a\n'.repeat(n)],
    ['empty lists', (n: number) => `{a: [${'[],'.repeat(n)}]}`],
    ['comments', (n: number) => '#\n'.repeat(n)],
  ])('YAML with a hundred thousand %s is refused before it is parsed', async (_what, make) => {
    expect(await reason(send('POST', CONFIG_MAPS, make(100_000), 'application/yaml'))).toBe(
      '413 RequestEntityTooLarge',
    );
  });

  it('parses only the first document of a YAML text', async () => {
    const map = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;
    const rest = `---\n${'---\n'.repeat(20_000)}{{{ not YAML\n`;
    const started = ownTime();
    expect(await reason(send('POST', CONFIG_MAPS, `${map('first')}${rest}`, 'application/yaml'))).toBe('201');
    expect(await reason(send('POST', CONFIG_MAPS, rest, 'application/yaml'))).toMatch(/^422/);
    expect(ownTime() - started).toBeLessThan(1_000);
  });

  it('a long YAML string is not counted as many tokens', async () => {
    const text = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: long}\ndata:\n  a: |\n${'    k: v\n'.repeat(60_000)}`;
    expect(await reason(send('POST', CONFIG_MAPS, text, 'application/yaml'))).toBe('201');
  });

  describe('patches', () => {
    const patch = (body: unknown, form: string) =>
      reason(
        send(
          'PATCH',
          `${CONFIG_MAPS}/p`,
          typeof body === 'string' ? body : JSON.stringify(body),
          `application/${form}`,
        ),
      );
    beforeAll(() => send('POST', CONFIG_MAPS, { metadata: { name: 'p', finalizers: ['a/b'] }, data: { a: 'b' } }));

    it.each([
      ['a huge index', [{ op: 'add', path: '/metadata/finalizers/4294967296', value: 'c/d' }], 422],
      ['a negative index', [{ op: 'add', path: '/metadata/finalizers/-99999999999', value: 'c/d' }], 422],
      ['copies that double', Array.from({ length: 60 }, () => ({ op: 'copy', from: '/data', path: '/data/a' })), 422],
      ['too many operations', Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/kind', value: 'x' })), 413],
    ])('%s', async (_what, body, code) => {
      expect(await patch(body, 'json-patch+json')).toMatch(new RegExp(`^${code}`));
    });

    it.each(['merge-patch+json', 'strategic-merge-patch+json', 'json-patch+json', 'apply-patch+yaml'])(
      'thousands of levels in a body of %s',
      async (form) => {
        const path = form.startsWith('apply') ? `${CONFIG_MAPS}/p?fieldManager=m` : `${CONFIG_MAPS}/p`;
        const answer = await send('PATCH', path, deep(50_000, '{"a":', '}'), `application/${form}`);
        expect(answer.status).toBeGreaterThanOrEqual(400);
        expect(answer.status).toBeLessThan(500);
      },
    );
  });
});
