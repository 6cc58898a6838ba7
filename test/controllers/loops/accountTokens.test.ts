/** Secrets of accounts where the caches are behind, where others write at the same time, and where the server refuses. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { secrets, serviceAccounts } from '../../../src/client/index.ts';
import { withoutKeys, type Issuance } from '../../../src/controllers/runtime/issuance.ts';
import { encodeText, toBase64 } from '../../../src/std/index.ts';
import { Lab, type Loose } from '../lab.ts';

let lab: Lab;
beforeEach(() => {
  lab = new Lab();
});
afterEach(() => lab.stop());

const base64 = (text: string): string => toBase64(encodeText(text));
const type = 'cluster.io/service-account-token';
const annotations = (name: string, uid = `uid-${name}`): Loose => ({
  'cluster.io/service-account.name': name,
  'cluster.io/service-account.uid': uid,
});
const data = { 'ca.crt': base64('PEM'), namespace: base64('ns'), token: base64('JWT') };
const account = (name: string, listed: string[] = [], metadata: Loose = {}): Loose => ({
  ...{ metadata: { name, namespace: 'ns', ...metadata }, secrets: listed.map((each) => ({ name: each })) },
});
const token = (name: string, of: Loose = annotations('a'), more: Loose = {}): Loose => ({
  ...{ metadata: { name, namespace: 'ns', annotations: of }, type, data },
  ...more,
});
const accountToken: Issuance['accountToken'] = () => Promise.resolve('JWT');
const start = (issuance: Partial<Issuance> = { rootCA: 'PEM' }): Promise<void> =>
  lab.start(['serviceaccount-token'], { issuance: { ...withoutKeys, accountToken, ...issuance } });
/** The requests, with made names in short. */
const requests = async (): Promise<string[]> =>
  (await lab.requests()).map((each) => each.replace('namespaces/ns/', '').replace(/-token-.*/, '-token'));
const listed = (name = 'a'): string[] =>
  lab.server.get(serviceAccounts, `ns/${name}`).secrets.map((each: Loose) => each.name);

describe('an account without a token', () => {
  test('gets none while the server has a newer state of it', async () => {
    lab.server.put(serviceAccounts, account('a'));
    lab.server.show(/serviceaccounts\/a$/, (now) => ({ ...now, metadata: { ...now.metadata, resourceVersion: '99' } }));
    await start();
    expect(await requests()).toEqual([]);
  });

  test('gets none if it is gone', async () => {
    lab.server.put(serviceAccounts, account('a'));
    lab.server.refuse('GET', /serviceaccounts\/a$/, 404, 'NotFound');
    await start();
    await lab.pass(1);
    expect(await requests()).toEqual([]);
  });

  test('gets none if it lists one that the cache has not seen yet', async () => {
    lab.server.put(serviceAccounts, account('a', ['other', 'new']));
    lab.server.show(/secrets\/new$/, () => token('new'));
    await start();
    expect(await requests()).toEqual([]);
  });

  test('gets one if those that it lists are of others, or no tokens', async () => {
    lab.server.put(secrets, token('of-b', annotations('b')));
    lab.server.put(secrets, token('old', annotations('a', 'older')));
    lab.server.put(secrets, { ...token('opaque'), type: 'Opaque' });
    lab.server.put(serviceAccounts, account('b', ['of-b']));
    lab.server.put(serviceAccounts, account('a', ['of-b', 'opaque', 'gone']));
    await start();
    expect((await requests()).sort()).toEqual(['DELETE secrets/old', 'POST secrets', 'PUT serviceaccounts/a']);
    expect(listed().slice(0, 3)).toEqual(['of-b', 'opaque', 'gone']);
    expect(listed()).toHaveLength(4);
  });

  test('of which only another namespace has a secret of that name gets one', async () => {
    lab.server.put(serviceAccounts, account('a', ['t']));
    lab.server.put(serviceAccounts, { metadata: { name: 'a', namespace: 'other' }, secrets: [{ name: 't' }] });
    lab.server.put(secrets, { ...token('t'), metadata: { ...token('t').metadata, namespace: 'other' } });
    await start();
    expect(await requests()).toEqual(['POST secrets', 'PUT serviceaccounts/a']);
  });

  test.each<[code: number, reason: string, requests: string[]]>([
    [404, 'NotFound', ['POST secrets']],
    [403, 'Forbidden', ['POST secrets', 'POST secrets', 'PUT serviceaccounts/a']],
  ])('whose secret is answered with %i %s', async (code, reason, expected) => {
    lab.server.put(serviceAccounts, account('a'));
    lab.server.refuse('POST', /secrets/, code, reason, 1);
    await start();
    await lab.pass(1);
    expect(await requests()).toEqual(expected);
  });

  const secretIsMade = (): Promise<void> => start();
  test.each<[string, between: (now: Loose) => Loose]>([
    ['was replaced', (now) => ({ ...now, metadata: { ...now.metadata, uid: 'new' } })],
    ['has got another', (now) => ({ ...now, secrets: [{ name: 'meanwhile' }] })],
  ])('does not list what was made for it if it %s meanwhile: that is deleted', async (_, between) => {
    lab.server.put(serviceAccounts, account('a'));
    lab.server.show(/secrets\/meanwhile$/, () => token('meanwhile'));
    let reads = 0;
    lab.server.show(/serviceaccounts\/a$/, (now) => (++reads === 2 ? between(now) : now));
    await secretIsMade();
    expect((await requests()).slice(0, 2)).toEqual(['POST secrets', 'DELETE secrets/a-token']);
  });

  test('is asked for again where listing fails', async () => {
    lab.server.put(serviceAccounts, account('a'));
    lab.server.refuse('PUT', /serviceaccounts/, 403, 'Forbidden', 1);
    await start();
    expect((await requests()).slice(0, 2)).toEqual(['POST secrets', 'PUT serviceaccounts/a']);
    await lab.pass(1);
    expect(listed()).toHaveLength(1);
  });
});

describe('a secret of an account', () => {
  test('that nobody is named in is deleted', async () => {
    lab.server.put(serviceAccounts, account('a', ['t']));
    lab.server.put(secrets, token('t'));
    lab.server.put(secrets, token('nobody', {}));
    lab.server.put(secrets, { ...token('none'), metadata: { name: 'none', namespace: 'ns' } });
    await start();
    expect((await requests()).sort()).toEqual(['DELETE secrets/nobody', 'DELETE secrets/none']);
  });

  test('whose account is not in the cache yet is completed', async () => {
    lab.server.put(secrets, token('t', annotations('new'), { data: {} }));
    lab.server.show(/serviceaccounts\/new$/, () => ({
      ...account('new', ['t']),
      metadata: { ...account('new').metadata, uid: 'uid-new' },
    }));
    await start();
    expect(lab.server.get(secrets, 'ns/t').data).toEqual(data);
  });

  test('is left alone while the server has a newer state of it, or none', async () => {
    lab.server.put(serviceAccounts, account('a', ['full', 'newer', 'gone']));
    lab.server.put(secrets, token('full'));
    for (const name of ['newer', 'gone']) lab.server.put(secrets, token(name, annotations('a'), { data: {} }));
    lab.server.show(/secrets\/newer$/, (now) => ({ ...now, metadata: { ...now.metadata, resourceVersion: '99' } }));
    lab.server.refuse('GET', /secrets\/gone$/, 404, 'NotFound');
    await start();
    expect(await requests()).toEqual([]);
  });

  test('that is full is not read again', async () => {
    lab.server.put(serviceAccounts, account('a', ['t']));
    lab.server.put(secrets, token('t'));
    lab.server.refuse('GET', /secrets\/t$/, 500, 'InternalError');
    const told = lab.listen('reconcile');
    await start();
    expect(told.filter(({ what }) => what === 'failed')).toEqual([]);
  });

  test('without an authority has none', async () => {
    lab.server.put(serviceAccounts, account('a', ['t']));
    lab.server.put(secrets, token('t', annotations('a'), { data: { mine: 'x' } }));
    await start({});
    expect(lab.server.get(secrets, 'ns/t').data).toEqual({ mine: 'x', namespace: data.namespace, token: data.token });
  });

  test('keeps what it has', async () => {
    lab.server.put(serviceAccounts, account('a', ['t']));
    const own = { namespace: 'other', token: 'own', 'ca.crt': 'other' };
    lab.server.put(secrets, token('t', { ...annotations('a'), mine: 'x' }, { data: own }));
    await start();
    const now = lab.server.get(secrets, 'ns/t');
    expect([now.data, now.metadata.annotations]).toEqual([
      { ...own, 'ca.crt': data['ca.crt'] },
      { ...annotations('a'), mine: 'x' },
    ]);
  });

  test.each<[code: number, reason: string, times: number]>([
    [404, 'NotFound', 1],
    [409, 'Conflict', 1],
    [403, 'Forbidden', 2],
  ])('whose deletion is answered with %i %s is deleted %i times', async (code, reason, times) => {
    lab.server.put(secrets, token('t', annotations('gone')));
    lab.server.refuse('DELETE', /secrets/, code, reason, 1);
    await start();
    await lab.pass(1);
    expect(await requests()).toEqual(Array(times).fill('DELETE secrets/t'));
  });

  test('is looked at again after its account is gone, those of others and in other namespaces are not', async () => {
    for (const name of ['a', 'b']) {
      lab.server.put(serviceAccounts, account(name, [`of-${name}`]));
      lab.server.put(secrets, token(`of-${name}`, annotations(name)));
    }
    lab.server.put(serviceAccounts, { metadata: { name: 'a', namespace: 'other' }, secrets: [{ name: 't' }] });
    lab.server.put(secrets, { ...token('t'), metadata: { ...token('t').metadata, namespace: 'other' } });
    lab.server.put(secrets, { ...token('opaque'), type: 'Opaque' });
    await start();
    const told = lab.listen('reconcile');
    lab.server.remove(serviceAccounts, 'ns/a');
    expect(await requests()).toEqual(['DELETE secrets/of-a']);
    expect(told.flatMap(({ what, key }) => (what === 'woken' ? [key] : []))).toEqual(['ns/of-a', 'ns/a/uid-a/of-a']);
  });
});

describe('a secret that is deleted', () => {
  const prepare = async (of: Loose = annotations('a'), more: Loose = {}): Promise<void> => {
    lab.server.put(secrets, token('keeps'));
    lab.server.put(serviceAccounts, account('a', ['keeps', 't']));
    lab.server.put(secrets, token('t', of, more));
    await start();
    await lab.requests();
  };

  test.each<[string, of: Loose, more: Loose, dropped: boolean]>([
    ['of the account', annotations('a'), {}, true],
    ['of an account by that name', { 'cluster.io/service-account.name': 'a' }, {}, true],
    ['of an account by that name before', annotations('a', 'old'), {}, false],
    ['of nobody', {}, {}, false],
    ['of another', annotations('b'), {}, false],
    ['that is no token', annotations('a'), { type: 'Opaque' }, false],
  ])('%s is no longer listed: %s', async (_, of, more, dropped) => {
    lab.server.refuse('DELETE', /secrets/, 404, 'NotFound');
    lab.server.refuse('PUT', /secrets/, 404, 'NotFound');
    await prepare(of, more);
    lab.server.remove(secrets, 'ns/t');
    expect(await requests()).toEqual(dropped ? ['PUT serviceaccounts/a'] : []);
    expect(listed()).toEqual(dropped ? ['keeps'] : ['keeps', 't']);
  });

  test('stays listed if the server has it still', async () => {
    await prepare();
    lab.server.show(/secrets\/t$/, () => token('t'));
    lab.server.remove(secrets, 'ns/t');
    expect(await requests()).toEqual([]);
  });

  test('that was not listed needs nothing', async () => {
    lab.server.put(secrets, token('keeps'));
    lab.server.put(secrets, token('t'));
    lab.server.put(serviceAccounts, account('a', ['keeps']));
    await start();
    lab.server.remove(secrets, 'ns/t');
    expect(await requests()).toEqual([]);
  });

  test.each<[code: number, reason: string, puts: number, dropped: boolean]>([
    [409, 'Conflict', 2, true],
    [404, 'NotFound', 1, false],
    [403, 'Forbidden', 2, true],
  ])('answered with %i %s is dropped after %i tries', async (code, reason, puts, dropped) => {
    await prepare();
    lab.server.refuse('PUT', /serviceaccounts/, code, reason, 1);
    const told = lab.listen('reconcile');
    lab.server.remove(secrets, 'ns/t');
    await lab.pass(1);
    expect(await requests()).toEqual(Array(puts).fill('PUT serviceaccounts/a'));
    expect(listed()).toEqual(dropped ? ['keeps'] : ['keeps', 't']);
    expect(told.some(({ what }) => what === 'failed')).toBe(reason === 'Forbidden');
  });
});
