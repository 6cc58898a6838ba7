/** That containers are created is told at once, or, where many requests wait, only if it takes a while (RULES.md, 31). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NodeLab, type Loose } from './lab.ts';

const PODS = '/api/v1/namespaces/default/pods';
let isCrowded = false;
let lab: NodeLab;
beforeAll(async () => {
  lab = await NodeLab.start({ isCrowded: () => isCrowded });
});
afterAll(() => lab.stop());

const create = (name: string, spec: Loose = {}): Promise<Loose> =>
  lab.create(PODS, { metadata: { name }, spec: { containers: [{ name: 'c', image: 'nginx' }], ...spec } });

/** The statuses that the agent has written: the phase, and what the container waits for. */
const written = (name: string): string[] =>
  lab.server.writes
    .filter(({ method, path }) => method === 'PATCH' && path === `namespaces/default/pods/${name}/status`)
    .map(({ body: { status } }) => {
      const { waiting } = status.containerStatuses?.[0]?.state ?? {};
      return [status.phase, ...(status.reason ? [status.reason] : []), ...(waiting ? [waiting.reason] : [])].join(' ');
    });
const isRunning = (pod: Loose): boolean => pod.status?.phase === 'Running';
/** Keeps the pod from starting, because its volume is of a config map that is not there. */
const waitsFor = (name: string): Loose => ({ volumes: [{ name: 'v', configMap: { name } }] });

describe('a pod says that its containers are created', () => {
  test('at once, where few requests wait', async () => {
    isCrowded = false;
    await create('calm');
    await lab.until(`${PODS}/calm`, isRunning);
    expect(written('calm')).toEqual(['Pending ContainerCreating', 'Running']);
  });

  test('not at all in a crowd, if it runs soon', async () => {
    isCrowded = true;
    await create('soon');
    await lab.until(`${PODS}/soon`, isRunning);
    await lab.advance(20_000, 1_000);
    expect(written('soon')).toEqual(['Running']);
  });

  test('after ten seconds in a crowd, if it does not run by then', async () => {
    isCrowded = true;
    await create('late', waitsFor('late'));
    await lab.advance(9_900);
    expect(written('late')).toEqual([]);
    await lab.advance(200);
    expect(written('late')).toEqual(['Pending ContainerCreating']);
    await lab.create('/api/v1/namespaces/default/configmaps', { metadata: { name: 'late' }, data: {} });
    await lab.until(`${PODS}/late`, isRunning, 200_000);
    expect(written('late')).toEqual(['Pending ContainerCreating', 'Running']);
  });

  test('in a crowd as soon as its container has something else to say', async () => {
    isCrowded = true;
    await create('refused', { containers: [{ name: 'c', image: 'nginx:nope' }] });
    await lab.until(`${PODS}/refused`, () => written('refused').length > 0, 5_000);
    expect(written('refused')[0]).toBe('Pending ErrImagePull');
  });

  test('never, if its node rejects it or it is deleted before', async () => {
    isCrowded = true;
    await create('rejected', { nodeSelector: { disk: 'none' } });
    await lab.advance(100);
    expect(written('rejected')).toEqual(['Failed NodeAffinity']);
    await create('brief', waitsFor('brief'));
    await lab.advance(1_000);
    await lab.delete(`${PODS}/brief`, { gracePeriodSeconds: 1 });
    await lab.gone(`${PODS}/brief`);
    const before = written('brief');
    await lab.advance(20_000, 1_000);
    expect(written('brief')).toEqual(before);
  });
});
