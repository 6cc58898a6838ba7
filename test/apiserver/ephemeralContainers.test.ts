import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Bench, type Loose } from '../controllers/bench.ts';

const POD = '/api/v1/namespaces/default/pods/p';
const PATH = `${POD}/ephemeralcontainers`;
const MERGE = 'application/strategic-merge-patch+json';
const debug = { name: 'debug', image: 'busybox', targetContainerName: 'c' };

const faults = ({ details }: Loose): string[] =>
  (details?.causes ?? []).map(({ reason, field }: Loose) => `${reason.replace('FieldValue', '')} ${field}`);

async function startWithPod(apiserver: string[]): Promise<Bench> {
  const bench = await Bench.start({ apiserver });
  const spec = { nodeName: 'nowhere', containers: [{ name: 'c', image: 'nginx' }] };
  await bench.send('POST', '/api/v1/namespaces/default/pods', { metadata: { name: 'p' }, spec });
  return bench;
}

describe('ephemeral containers', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await startWithPod(['--feature-gates=EphemeralContainers=true']);
  });
  afterAll(() => bench.stop());
  const put = (containers: object[], metadata: object = {}): Promise<Loose> =>
    bench.send('PUT', PATH, { metadata: { name: 'p', ...metadata }, ephemeralContainers: containers });

  test('are empty at first', async () => {
    expect(await bench.send('GET', PATH)).toMatchObject({
      kind: 'EphemeralContainers',
      metadata: { name: 'p' },
      ephemeralContainers: [],
    });
  });

  test('are a subresource of pods', async () => {
    const { resources } = await bench.send('GET', '/api/v1');
    expect(resources.find(({ name }: Loose) => name === 'pods/ephemeralcontainers')).toMatchObject({
      kind: 'EphemeralContainers',
      verbs: ['get', 'patch', 'update'],
    });
  });

  const at = 'spec.ephemeralContainers[0]';
  test.each([
    [{ name: '', image: 'i' }, [`Required ${at}`]],
    [{ name: 'c', image: 'i' }, [`Duplicate ${at}.name`]],
    [{ ...debug, targetContainerName: 'other' }, [`NotFound ${at}.targetContainerName`]],
    [{ ...debug, ports: [{ containerPort: 1 }] }, [`Forbidden ${at}.ports`]],
    [{ ...debug, securityContext: {} }, [`Forbidden ${at}.securityContext`]],
  ])('can’t have %j', async (container, wrong) => {
    expect(faults(await put([container]))).toEqual(wrong);
  });

  test('can be added by PUT and PATCH, with defaults', async () => {
    expect(await put([debug], { resourceVersion: '1' })).toMatchObject({ code: 409 });
    const [added] = (await put([debug])).ephemeralContainers;
    expect(added).toMatchObject({ ...debug, imagePullPolicy: 'Always', terminationMessagePolicy: 'File' });
    const second = { ephemeralContainers: [{ name: 'second', image: 'i' }] };
    await bench.send('PATCH', PATH, second, MERGE);
    const { spec } = await bench.send('GET', POD);
    expect(spec.ephemeralContainers.map(({ name }: Loose) => name).sort()).toEqual(['debug', 'second']);
  });

  test('can’t be changed', async () => {
    const { ephemeralContainers: now } = await bench.send('GET', PATH);
    const all = 'spec.ephemeralContainers';
    expect(faults(await put(now.slice(1)))).toEqual([`Forbidden ${all}`]);
    expect(faults(await put(now.map((one: Loose) => ({ ...one, tty: true }))))).toEqual(
      now.map(() => `Forbidden ${all}`),
    );
    expect((await put(now)).ephemeralContainers).toEqual(now);
  });
});

test('without the gate there is no such subresource', async () => {
  const bench = await startWithPod([]);
  try {
    expect(await bench.send('GET', PATH)).toMatchObject({ code: 404, details: {} });
    const { resources } = await bench.send('GET', '/api/v1');
    expect(resources.map(({ name }: Loose) => name)).not.toContain('pods/ephemeralcontainers');
  } finally {
    await bench.stop();
  }
});
