/** Secrets of service accounts and of bootstrap tokens, as the controllers keep them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { namesOf } from '../../src/names/index.ts';
import { Bench, type Loose } from './bench.ts';

const names = namesOf('cluster.io');
const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';
const SECRETS = '/api/v1/namespaces/default/secrets';
const ACCOUNT = 'cluster.io/service-account.name';
const UID = 'cluster.io/service-account.uid';
const TYPE = 'cluster.io/service-account-token';

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.start({ controllerManager: ['--controllers=*,bootstrapsigner,tokencleaner'] });
});
afterAll(() => bench.stop());

describe('an account', () => {
  let count = 0;
  let name: string;
  let account: Loose;

  beforeEach(async () => {
    name = `robot-${++count}`;
    await bench.create(ACCOUNTS, { metadata: { name } });
    account = await bench.until(`${ACCOUNTS}/${name}`, ({ secrets }) => secrets?.length > 0);
  });

  const own = async (): Promise<Loose[]> =>
    (await bench.items(SECRETS)).filter(({ metadata }) => metadata.annotations?.[ACCOUNT] === name);
  const filled = (secret: string): Promise<Loose> =>
    bench.until(`${SECRETS}/${secret}`, ({ data }) => data?.token !== undefined);

  test('lists one secret with its token', async () => {
    await bench.advance(1000);
    const [secret, ...others] = await own();
    expect(others).toEqual([]);
    expect(account.secrets).toEqual([{ name: secret.metadata.name }]);
    expect(secret.metadata.name).toMatch(new RegExp(`^${name}-token-[a-z0-9]{5}$`));
    expect([secret.type, secret.metadata.annotations]).toEqual([
      TYPE,
      { [ACCOUNT]: name, [UID]: account.metadata.uid },
    ]);
    expect(Object.keys(secret.data).sort()).toEqual(['ca.crt', 'namespace', 'token']);
    expect(atob(secret.data.namespace)).toBe('default');
  });

  test('without a listed secret gets another', async () => {
    const [{ name: first }] = account.secrets;
    await bench.patch(`${ACCOUNTS}/${name}`, { secrets: null });
    const { secrets } = await bench.until(`${ACCOUNTS}/${name}`, (now) => now.secrets?.length > 0);
    expect(secrets).toHaveLength(1);
    expect(secrets[0].name).not.toBe(first);
  });

  test('whose secret is deleted no longer lists it, and gets another', async () => {
    const [{ name: first }] = account.secrets;
    await bench.delete(`${SECRETS}/${first}`);
    const isOther = ({ secrets }: Loose): boolean => secrets?.length === 1 && secrets[0].name !== first;
    await bench.until(`${ACCOUNTS}/${name}`, isOther);
  });

  test('keeps other listed secrets', async () => {
    const [{ name: first }] = account.secrets;
    await bench.patch(`${ACCOUNTS}/${name}`, { secrets: [{ name: 'mine' }, { name: first }] });
    await bench.delete(`${SECRETS}/${first}`);
    const { secrets } = await bench.until(
      `${ACCOUNTS}/${name}`,
      (now) => now.secrets.length === 2 && !now.secrets.some((secret: Loose) => secret.name === first),
    );
    expect(secrets[0]).toEqual({ name: 'mine' });
  });

  test('deletes all its secrets when it is deleted', async () => {
    await bench.create(SECRETS, { metadata: { name: `${name}-more`, annotations: { [ACCOUNT]: name } }, type: TYPE });
    await filled(`${name}-more`);
    await bench.delete(`${ACCOUNTS}/${name}`);
    for (let i = 0; i < 40 && (await own()).length > 0; i++) await bench.advance(50);
    expect(await own()).toEqual([]);
  });

  test('completes a secret that names it, repeatedly', async () => {
    await bench.create(SECRETS, {
      metadata: { name: `by-hand-${count}`, annotations: { [ACCOUNT]: name } },
      type: TYPE,
    });
    const { metadata, data } = await filled(`by-hand-${count}`);
    expect(metadata.annotations[UID]).toBe(account.metadata.uid);
    await bench.patch(`${SECRETS}/by-hand-${count}`, { data: { namespace: null } });
    const again = await bench.until(`${SECRETS}/by-hand-${count}`, (now) => now.data.namespace !== undefined);
    expect(again.data).toEqual(data);
    // Who lists a token of its own gets no other for that.
    expect((await bench.get(`${ACCOUNTS}/${name}`)).secrets).toEqual(account.secrets);
  });
});

test.each([
  ['nobody', 'no-such-account', undefined],
  ['an account that was made anew', 'default', 'another-uid'],
])('a token of %s is deleted', async (_what, account, uid) => {
  const annotations = { [ACCOUNT]: account, ...(uid && { [UID]: uid }) };
  await bench.create(SECRETS, { metadata: { name: 'stray', annotations }, type: TYPE });
  await bench.gone(`${SECRETS}/stray`);
});

test('an opaque secret that names an account is not changed', async () => {
  await bench.create(SECRETS, { metadata: { name: 'opaque', annotations: { [ACCOUNT]: 'nobody' } } });
  await bench.advance(2000);
  expect((await bench.get(`${SECRETS}/opaque`)).data).toBeUndefined();
});

describe('bootstrap tokens', () => {
  const TOKENS = `/api/v1/namespaces/${names.systemNamespace}/secrets`;
  const INFO = `/api/v1/namespaces/${names.publicNamespace}/configmaps`;

  const token = (id: string, more: Record<string, string> = {}, type = 'bootstrap.cluster.io/token'): Loose => ({
    metadata: { name: `bootstrap-token-${id}` },
    type,
    stringData: {
      ...{ 'token-id': id, 'token-secret': `${id}0123456789`, 'usage-bootstrap-signing': 'true' },
      ...more,
    },
  });
  const signatures = (map: Loose): string[] => Object.keys(map.data).filter((key) => key !== 'kubeconfig');
  const at = (ms: number): string => new Date(bench.cluster.clock.now() + ms).toISOString().replace(/\.\d+Z$/, 'Z');

  test('sign the cluster info until they expire', async () => {
    await bench.create(INFO, { metadata: { name: 'other-info' }, data: { kubeconfig: 'text' } });
    await bench.create(INFO, { metadata: { name: 'cluster-info' }, data: { kubeconfig: 'text' } });
    await bench.create(TOKENS, token('aaaaaa'));
    await bench.create(TOKENS, token('bbbbbb', { expiration: at(20_000) }));
    await bench.create(TOKENS, token('cccccc', { 'usage-bootstrap-signing': 'false' }));
    const both = await bench.until(`${INFO}/cluster-info`, (map) => signatures(map).length === 2);
    expect(signatures(both).sort()).toEqual(['jws-kubeconfig-aaaaaa', 'jws-kubeconfig-bbbbbb']);
    await bench.advance(15_000, 500);
    expect(signatures(await bench.get(`${INFO}/cluster-info`))).toHaveLength(2);
    expect((await bench.get(`${TOKENS}/bootstrap-token-bbbbbb`)).kind).toBe('Secret');
    await bench.gone(`${TOKENS}/bootstrap-token-bbbbbb`);
    const one = await bench.until(`${INFO}/cluster-info`, (map) => signatures(map).length === 1);
    expect(signatures(one)).toEqual(['jws-kubeconfig-aaaaaa']);
    // Another text has another signature.
    const before = one.data['jws-kubeconfig-aaaaaa'];
    await bench.patch(`${INFO}/cluster-info`, { data: { kubeconfig: 'new text' } });
    await bench.until(`${INFO}/cluster-info`, (map) => map.data['jws-kubeconfig-aaaaaa'] !== before);
    await bench.delete(`${TOKENS}/bootstrap-token-aaaaaa`);
    await bench.until(`${INFO}/cluster-info`, (map) => signatures(map).length === 0);
    expect((await bench.get(`${INFO}/other-info`)).data).toEqual({ kubeconfig: 'text' });
  });

  test.each([
    ['that has ended', token('dddddd', { expiration: '2001-01-01T00:00:00Z' }), true],
    ['whose end cannot be read', token('eeeeee', { expiration: 'soon' }), true],
    ['that never ends', token('ffffff'), false],
    ['of another type', token('gggggg', { expiration: '2001-01-01T00:00:00Z' }, 'Opaque'), false],
  ])('one %s', async (_what, secret, isDeleted) => {
    await bench.create(TOKENS, secret);
    await bench.advance(1000);
    expect((await bench.get(`${TOKENS}/${secret.metadata.name}`)).code === 404).toBe(isDeleted);
  });
});
