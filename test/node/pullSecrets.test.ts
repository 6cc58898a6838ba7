import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { namesOf } from '../../src/names/index.ts';
import { isFor, loginsFor } from '../../src/node/pod/pullSecrets.ts';
import { NodeLab, type Loose } from './lab.ts';

const names = namesOf('cluster.io');
const PODS = '/api/v1/namespaces/default/pods';
const SECRETS = '/api/v1/namespaces/default/secrets';
const IMAGE = 'private.example.com/team/app:1';

const base64 = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64');
const config = (registry: string, entry: unknown): Loose => ({
  type: 'cluster.io/dockerconfigjson',
  data: { '.dockerconfigjson': base64({ auths: { [registry]: entry } }) },
});
const known = { username: 'u', password: 'p' };

describe('8. a login is for an image', () => {
  test.each([
    ['gcr.io', 'gcr.io/a/b', true],
    ['https://gcr.io', 'gcr.io/a/b', true],
    ['gcr.io', 'eu.gcr.io/a/b', false],
    ['*.gcr.io', 'eu.gcr.io/a/b', true],
    ['*.gcr.io', 'gcr.io/a/b', false],
    ['reg*y.io', 'registry.io/a', true],
    ['gcr.io/a', 'gcr.io/a/b', true],
    ['gcr.io/b', 'gcr.io/a/b', false],
    ['gcr.io/proj', 'gcr.io/project/x', true],
    ['gcr.io/a/b/c', 'gcr.io/a/b', false],
    ['https://index.docker.io/v1/', 'nginx', true],
    ['docker.io', 'me/nginx', true],
    ['example.com:5000', 'example.com:5000/a', true],
    ['example.com', 'example.com:5000/a', false],
    ['example.com:5000', 'example.com/a', false],
    ['example.com:50*', 'example.com:5000/a', true],
    ['*.gcr.io/a', 'eu.gcr.io/a/b', true],
    ['*.gcr.io/b', 'eu.gcr.io/a/b', false],
    ['*.gcr.io/eu', 'eu.gcr.io/a', false],
    ['reg*.io', 'my-registry.io/a', false],
    ['*try.io', 'registry-2.io/a', false],
    ['r*g*s*y.io', 'registry.io/a', true],
    ['r*s*g*y.io', 'registry.io/a', false],
    ['r*try*y.io', 'registry.io/a', false],
    ['regis*stry.io', 'registry.io/a', false],
    ['regi*stry.io', 'registry.io/a', true],
    ['http://gcr.io/v2/', 'gcr.io/a', true],
    ['gcr.io/v1', 'gcr.io/a', true],
    ['gcr.io/v3', 'gcr.io/a', false],
    ['gcr.io/a/', 'gcr.io/a', true],
    ['index.docker.io', 'gcr.io/a', false],
    ['quay.io', 'nginx', false],
  ])('of %s for %s: %s', (registry, image, expected) => {
    expect(isFor(registry, image)).toBe(expected);
  });

  test.each([
    ['user and password', config('private.example.com', known), 1],
    ['both in base64', config('private.example.com', { auth: base64('u:p') }), 1],
    ['another registry', config('gcr.io', known), 0],
    ['no password', config('private.example.com', { username: 'u' }), 0],
    [
      'an older file',
      { type: 'cluster.io/dockercfg', data: { '.dockercfg': base64({ 'private.example.com': known }) } },
      1,
    ],
    ['another type', { ...config('private.example.com', known), type: 'Opaque' }, 0],
    ['no user', config('private.example.com', { password: 'p' }), 0],
    ['only a user in base64', config('private.example.com', { auth: base64('u:') }), 0],
    ['only a password in base64', config('private.example.com', { auth: base64(':p') }), 0],
    ['no colon in base64', config('private.example.com', { auth: base64('up') }), 0],
    ['fields of another type', config('private.example.com', { username: 1, password: 2 }), 0],
    ['no object for the registry', config('private.example.com', 'u:p'), 0],
    ['no data', { type: 'cluster.io/dockerconfigjson' }, 0],
    ['no type', { data: config('private.example.com', known)['data'] }, 0],
    ['the data of an older file', { ...config('private.example.com', known), type: 'cluster.io/dockercfg' }, 0],
    ['a list', { type: 'cluster.io/dockerconfigjson', data: { '.dockerconfigjson': base64([]) } }, 0],
    ['no registries', { type: 'cluster.io/dockerconfigjson', data: { '.dockerconfigjson': base64({}) } }, 0],
    ['no JSON', { type: 'cluster.io/dockerconfigjson', data: { '.dockerconfigjson': base64('{') } }, 0],
  ])('with %s', (_, secret: Loose, count) => {
    expect(loginsFor(IMAGE, secret, names)).toHaveLength(count);
  });
});

test.each<[Loose, Loose]>([
  [{ auth: base64('u:p:q') }, { user: 'u', password: 'p:q' }],
  [{ auth: base64('u:p\0\0') }, { user: 'u', password: 'p' }],
  [
    { username: 'v', auth: base64('u:p') },
    { user: 'v', password: 'p' },
  ],
  [
    { password: 'q', auth: base64('u:p') },
    { user: 'u', password: 'q' },
  ],
])('8. %j is the login %j', (entry, login) => {
  expect(loginsFor(IMAGE, config('private.example.com', entry), names)).toEqual([login]);
});

describe('8. a private image', () => {
  let lab: NodeLab;
  beforeAll(async () => {
    lab = await NodeLab.start({ nodes: 1 });
    await lab.create(SECRETS, { metadata: { name: 'good' }, ...config('private.example.com', known) });
    await lab.create(SECRETS, {
      metadata: { name: 'bad' },
      ...config('private.example.com', { ...known, password: 'wrong' }),
    });
    await lab.create(SECRETS, { metadata: { name: 'other' }, ...config('gcr.io', known) });
  });
  afterAll(() => lab.stop());

  const waiting = (pod: Loose): Loose => pod.status?.containerStatuses?.[0]?.state?.waiting;
  const create = (name: string, imagePullSecrets: readonly string[]): Promise<Loose> =>
    lab.create(PODS, {
      metadata: { name },
      spec: {
        containers: [{ name: 'c', image: IMAGE, imagePullPolicy: 'Always' }],
        imagePullSecrets: imagePullSecrets.map((secret) => ({ name: secret })),
      },
    });

  test.each([
    ['none', [], /pull access denied/],
    ['missing', ['missing'], /pull access denied/],
    ['other', ['other'], /pull access denied/],
    ['bad', ['bad'], /401 Unauthorized/],
  ])('is refused with the secret %s', async (name, secrets, message) => {
    await create(name, secrets);
    await lab.until(`${PODS}/${name}`, (pod) => waiting(pod)?.reason === 'ImagePullBackOff');
    const events = await lab.items('/api/v1/namespaces/default/events');
    const failed = events.find(
      (e) => e.reason === 'Failed' && e.involvedObject.name === name && message.test(e.message),
    );
    expect(failed).toBeDefined();
  });

  test('is pulled with a secret of the type and registry, and soon after it comes', async () => {
    await create('good', ['missing', 'good']);
    await lab.until(`${PODS}/good`, (pod) => pod.status.phase === 'Running');
    await create('late', ['late']);
    await lab.until(`${PODS}/late`, (pod) => waiting(pod)?.reason === 'ImagePullBackOff');
    await lab.create(SECRETS, { metadata: { name: 'late' }, ...config('private.example.com', known) });
    await lab.until(`${PODS}/late`, (pod) => pod.status.phase === 'Running');
  });
});
