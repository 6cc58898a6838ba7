import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Bench, deployment, template, type Loose } from './bench.ts';

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const SETS = '/apis/apps/v1/namespaces/default/replicasets';
const PODS = '/api/v1/namespaces/default/pods';

let bench: Bench;

beforeEach(async () => {
  bench = await Bench.start({ nodes: 2 });
});
afterEach(() => bench.stop());

const condition = (object: Loose, type: string): Loose => object.status.conditions?.find((c: Loose) => c.type === type);
const isDone = (d: Loose): boolean =>
  condition(d, 'Progressing')?.reason === 'NewReplicaSetAvailable' &&
  d.status.observedGeneration === d.metadata.generation;

describe('a deployment', () => {
  test('starts its pods, and reports its progress', async () => {
    await bench.create(DEPLOYMENTS, deployment('web', 3));
    const done = await bench.until(`${DEPLOYMENTS}/web`, isDone);
    expect(done.status).toMatchObject({ replicas: 3, updatedReplicas: 3, readyReplicas: 3, availableReplicas: 3 });
    expect(done.status.unavailableReplicas).toBeUndefined();
    expect(done.status.conditions.map((c: Loose) => [c.type, c.status, c.reason])).toEqual([
      ['Available', 'True', 'MinimumReplicasAvailable'],
      ['Progressing', 'True', 'NewReplicaSetAvailable'],
    ]);
    expect(done.metadata.annotations).toEqual({ 'deployment.cluster.io/revision': '1' });
    const [set] = await bench.items(SETS);
    expect(set.metadata.annotations).toEqual({
      'deployment.cluster.io/desired-replicas': '3',
      'deployment.cluster.io/max-replicas': '4',
      'deployment.cluster.io/revision': '1',
    });
    expect(await bench.reasons('default', 'Deployment', 'web')).toEqual(['ScalingReplicaSet']);
  });

  test('stays within the surge and availability limits during a rollout', async () => {
    await bench.create(
      DEPLOYMENTS,
      deployment('web', 4, { strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } } }),
    );
    await bench.until(`${DEPLOYMENTS}/web`, isDone);
    await bench.patch(`${DEPLOYMENTS}/web`, { spec: { template: template({ app: 'web' }, { image: 'httpd' }) } });
    const seen: { total: number; available: number }[] = [];
    await bench.until(`${DEPLOYMENTS}/web`, (d) => {
      seen.push({ total: d.status.replicas ?? 0, available: d.status.availableReplicas ?? 0 });
      return isDone(d);
    });
    expect(Math.max(...seen.map((s) => s.total))).toBeLessThanOrEqual(5);
    expect(Math.min(...seen.map((s) => s.available))).toBeGreaterThanOrEqual(3);
    const sets = await bench.items(SETS);
    expect(sets.map((s) => [s.metadata.annotations['deployment.cluster.io/revision'], s.spec.replicas]).sort()).toEqual(
      [
        ['1', 0],
        ['2', 4],
      ],
    );
  });

  test('reuses the old replica set when its template returns, as the newest revision', async () => {
    await bench.create(DEPLOYMENTS, deployment('web', 1));
    await bench.until(`${DEPLOYMENTS}/web`, isDone);
    await bench.patch(`${DEPLOYMENTS}/web`, { spec: { template: template({ app: 'web' }, { image: 'httpd' }) } });
    await bench.until(`${DEPLOYMENTS}/web`, isDone);
    await bench.patch(`${DEPLOYMENTS}/web`, { spec: { template: template({ app: 'web' }) } });
    const back = await bench.until(`${DEPLOYMENTS}/web`, isDone);
    expect(back.metadata.annotations['deployment.cluster.io/revision']).toBe('3');
    const sets = await bench.items(SETS);
    expect(sets).toHaveLength(2);
    const current = sets.find((s) => s.spec.replicas === 1);
    expect(current.metadata.annotations['deployment.cluster.io/revision-history']).toBe('1');
  });

  test('keeps no more old replica sets than its history limit', async () => {
    await bench.create(DEPLOYMENTS, deployment('web', 1, { revisionHistoryLimit: 1 }));
    for (const image of ['a', 'b', 'c']) {
      await bench.until(`${DEPLOYMENTS}/web`, isDone);
      await bench.patch(`${DEPLOYMENTS}/web`, { spec: { template: template({ app: 'web' }, { image }) } });
    }
    await bench.until(`${DEPLOYMENTS}/web`, isDone);
    await bench.until(SETS, (list) => list.items.length === 2);
    expect((await bench.items(SETS)).map((s) => s.spec.template.spec.containers[0].image).sort()).toEqual(['b', 'c']);
  });

  test('with the strategy Recreate starts no new pod before the last old one is deleted', async () => {
    await bench.create(DEPLOYMENTS, deployment('web', 2, { strategy: { type: 'Recreate' } }));
    await bench.until(`${DEPLOYMENTS}/web`, isDone);
    await bench.patch(`${DEPLOYMENTS}/web`, { spec: { template: template({ app: 'web' }, { image: 'httpd' }) } });
    let mixed = false;
    await bench.until(PODS, (list) => {
      const images = new Set(list.items.map((p: Loose) => p.spec.containers[0].image));
      mixed ||= images.size > 1;
      return list.items.length === 2 && images.has('httpd') && !images.has('nginx');
    });
    expect(mixed).toBe(false);
  });

  test('changes its size but not its pods while it is paused', async () => {
    await bench.create(DEPLOYMENTS, deployment('web', 1));
    await bench.until(`${DEPLOYMENTS}/web`, isDone);
    await bench.patch(`${DEPLOYMENTS}/web`, {
      spec: { paused: true, replicas: 3, template: template({ app: 'web' }, { image: 'httpd' }) },
    });
    const paused = await bench.until(`${DEPLOYMENTS}/web`, (d) => d.status.readyReplicas === 3);
    expect(condition(paused, 'Progressing')).toMatchObject({ status: 'Unknown', reason: 'DeploymentPaused' });
    expect(await bench.items(SETS)).toHaveLength(1);
    await bench.patch(`${DEPLOYMENTS}/web`, { spec: { paused: false } });
    await bench.until(`${DEPLOYMENTS}/web`, isDone);
    expect(await bench.items(SETS)).toHaveLength(2);
  });

  test('whose pods never get ready exceeds its progress deadline', async () => {
    await bench.create(DEPLOYMENTS, {
      ...deployment('web', 1, {
        progressDeadlineSeconds: 30,
        template: template({ app: 'web' }, { image: 'nginx:nope' }),
      }),
    });
    await bench.until(`${DEPLOYMENTS}/web`, (d) => d.status?.replicas === 1);
    await bench.advance(29_000, 500);
    expect(condition(await bench.get(`${DEPLOYMENTS}/web`), 'Progressing').reason).toBe('ReplicaSetUpdated');
    const stuck = await bench.until(
      `${DEPLOYMENTS}/web`,
      (d) => condition(d, 'Progressing').reason === 'ProgressDeadlineExceeded',
    );
    expect(condition(stuck, 'Progressing').status).toBe('False');
  });

  test('deletes its pods when it is deleted', async () => {
    await bench.create(DEPLOYMENTS, deployment('web', 2));
    await bench.until(`${DEPLOYMENTS}/web`, isDone);
    await bench.delete(`${DEPLOYMENTS}/web`);
    await bench.until(SETS, (list) => list.items.length === 0);
    await bench.until(PODS, (list) => list.items.length === 0);
  });
});
