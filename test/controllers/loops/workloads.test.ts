/** What the controllers of deployments, replica sets, jobs and cron jobs write. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  cronJobs,
  deployments,
  jobs,
  pods,
  replicaSets,
  replicationControllers,
  type ResourceRef,
} from '../../../src/client/index.ts';
import { Lab, ownedBy, type Loose } from '../lab.ts';
import { minute } from '../plans/objects.ts';

let lab: Lab;
beforeEach(() => {
  lab = new Lab();
});
afterEach(() => lab.stop());

const labels = { app: 'web' };
const template = (image = 'i:1'): Loose => ({ metadata: { labels }, spec: { containers: [{ name: 'c', image }] } });
const namesOf = (ref: Loose): string[] => lab.server.list(ref).map(({ metadata }) => metadata.name);
const ready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: minute(0) }] };
const short = (texts: readonly string[]): string[] =>
  texts.map((text) => text.replace(/(pods?: |pods\/)[a-z]+-\d+/, '$1NAME'));

describe('a deployment', () => {
  const deployment = (spec: Loose = {}, more: Loose = {}): Loose => ({
    metadata: { name: 'web', namespace: 'ns', generation: 1, ...more.metadata },
    spec: {
      ...{ replicas: 3, selector: { matchLabels: labels }, template: template(), revisionHistoryLimit: 10 },
      ...{
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
        progressDeadlineSeconds: 600,
      },
      ...spec,
    },
    status: { replicas: 0, ...more.status },
  });
  const start = (): Promise<void> => lab.start(['deployment']);
  const live = (): Loose => lab.server.get(deployments, 'ns/web');
  const conditionOf = (type: string): Loose => live().status.conditions?.find((each: Loose) => each.type === type);
  /** Gives a set as many ready pods as it wants. */
  const fill = async (name: string): Promise<void> => {
    const { replicas } = lab.server.get(replicaSets, `ns/${name}`).spec;
    const counts = { replicas, readyReplicas: replicas, availableReplicas: replicas, fullyLabeledReplicas: replicas };
    lab.server.change(replicaSets, `ns/${name}`, { status: counts });
    await lab.settle();
  };
  const sizes = (): Loose =>
    Object.fromEntries(lab.server.list(replicaSets).map(({ metadata, spec }) => [metadata.name, spec.replicas]));
  const setImage = async (image: string): Promise<void> => {
    lab.server.change(deployments, 'ns/web', {
      metadata: { generation: live().metadata.generation + 1 },
      spec: { template: template(image) },
    });
    await lab.settle();
  };

  test('gets a replica set, then its status follows', async () => {
    lab.server.put(deployments, deployment());
    await start();
    const [set, status, ...others] = await lab.writes();
    expect(set).toEqual({
      body: {
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        metadata: {
          annotations: {
            'deployment.cluster.io/desired-replicas': '3',
            'deployment.cluster.io/max-replicas': '4',
            'deployment.cluster.io/revision': '1',
          },
          labels: {
            app: 'web',
            'pod-template-hash': '85f84f56df',
          },
          name: 'web-85f84f56df',
          namespace: 'ns',
          ownerReferences: [
            {
              apiVersion: 'apps/v1',
              blockOwnerDeletion: true,
              controller: true,
              kind: 'Deployment',
              name: 'web',
              uid: 'uid-web',
            },
          ],
        },
        spec: {
          replicas: 3,
          selector: {
            matchLabels: {
              app: 'web',
              'pod-template-hash': '85f84f56df',
            },
          },
          template: {
            metadata: {
              labels: {
                app: 'web',
                'pod-template-hash': '85f84f56df',
              },
            },
            spec: {
              containers: [
                {
                  image: 'i:1',
                  name: 'c',
                },
              ],
            },
          },
        },
      },
      method: 'POST',
      path: 'namespaces/ns/replicasets',
    });
    expect([status?.method, status?.path, others]).toEqual(['PUT', 'namespaces/ns/deployments/web/status', []]);
    expect([status?.body.metadata.annotations, status?.body.status]).toEqual([
      {
        'deployment.cluster.io/revision': '1',
      },
      {
        availableReplicas: 0,
        conditions: [
          {
            lastTransitionTime: '2026-01-01T12:00:00Z',
            lastUpdateTime: '2026-01-01T12:00:00Z',
            message: 'Created new replica set "web-85f84f56df"',
            reason: 'NewReplicaSetCreated',
            status: 'True',
            type: 'Progressing',
          },
          {
            lastTransitionTime: '2026-01-01T12:00:00Z',
            lastUpdateTime: '2026-01-01T12:00:00Z',
            message: 'Deployment does not have minimum availability.',
            reason: 'MinimumReplicasUnavailable',
            status: 'False',
            type: 'Available',
          },
        ],
        observedGeneration: 1,
        readyReplicas: 0,
        replicas: 0,
        unavailableReplicas: 3,
        updatedReplicas: 0,
      },
    ]);
    expect(await lab.events()).toEqual([
      'Deployment ns/web: Normal ScalingReplicaSet Scaled up replica set web-85f84f56df to 3',
    ]);
    await fill(namesOf(replicaSets)[0] ?? '');
    expect(live().status).toEqual({
      availableReplicas: 3,
      conditions: [
        {
          lastTransitionTime: '2026-01-01T12:00:00Z',
          lastUpdateTime: '2026-01-01T12:00:00Z',
          message: 'Deployment has minimum availability.',
          reason: 'MinimumReplicasAvailable',
          status: 'True',
          type: 'Available',
        },
        {
          lastTransitionTime: '2026-01-01T12:00:00Z',
          lastUpdateTime: '2026-01-01T12:00:00Z',
          message: 'ReplicaSet "web-85f84f56df" has successfully progressed.',
          reason: 'NewReplicaSetAvailable',
          status: 'True',
          type: 'Progressing',
        },
      ],
      observedGeneration: 1,
      readyReplicas: 3,
      replicas: 3,
      unavailableReplicas: 0,
      updatedReplicas: 3,
    });
  });

  test('rolls its template out within its bounds', async () => {
    lab.server.put(deployments, deployment());
    await start();
    const [old = ''] = namesOf(replicaSets);
    await fill(old);
    await lab.events();
    await setImage('i:2');
    const [, fresh = ''] = namesOf(replicaSets);
    const seen = [sizes()];
    for (let i = 0; i < 6; i++) {
      await fill(fresh);
      await fill(old);
      seen.push(sizes());
    }
    expect(seen.map((each) => [each[old], each[fresh]])).toEqual([
      [3, 1],
      [2, 2],
      [1, 3],
      [0, 3],
      [0, 3],
      [0, 3],
      [0, 3],
    ]);
    expect((await lab.events()).map((text) => text.replaceAll(old, 'OLD').replaceAll(fresh, 'NEW'))).toEqual([
      'Deployment ns/web: Normal ScalingReplicaSet Scaled up replica set NEW to 1',
      'Deployment ns/web: Normal ScalingReplicaSet Scaled down replica set OLD to 2',
      'Deployment ns/web: Normal ScalingReplicaSet Scaled up replica set NEW to 2',
      'Deployment ns/web: Normal ScalingReplicaSet Scaled down replica set OLD to 1',
      'Deployment ns/web: Normal ScalingReplicaSet Scaled up replica set NEW to 3',
      'Deployment ns/web: Normal ScalingReplicaSet Scaled down replica set OLD to 0',
    ]);
    expect(conditionOf('Progressing')).toMatchObject({ status: 'True', reason: 'NewReplicaSetAvailable' });
    expect(lab.server.get(replicaSets, `ns/${fresh}`).metadata.annotations).toMatchObject({
      'deployment.cluster.io/revision': '2',
    });
  });

  test('with the strategy Recreate waits until the last old pod is gone', async () => {
    lab.server.put(deployments, deployment({ strategy: { type: 'Recreate' } }));
    await start();
    const [old = ''] = namesOf(replicaSets);
    await fill(old);
    const owner = ownedBy('ReplicaSet', lab.server.get(replicaSets, `ns/${old}`));
    lab.server.put(pods, {
      metadata: { name: 'p', namespace: 'ns', labels, ownerReferences: [owner] },
      spec: {},
      status: { phase: 'Running' },
    });
    await setImage('i:2');
    expect(sizes()).toEqual({ [old]: 0 });
    await fill(old);
    expect(sizes()).toEqual({ [old]: 0 });
    lab.server.remove(pods, 'ns/p');
    await lab.settle();
    expect(Object.values(sizes())).toEqual([0, 3]);
  });

  test('that is paused does not roll out, but is scaled', async () => {
    lab.server.put(deployments, deployment());
    await start();
    const [old = ''] = namesOf(replicaSets);
    await fill(old);
    lab.server.change(deployments, 'ns/web', { spec: { paused: true, replicas: 5, template: template('i:2') } });
    await lab.settle();
    expect(sizes()).toEqual({ [old]: 5 });
    expect(conditionOf('Progressing')).toMatchObject({ status: 'Unknown', reason: 'DeploymentPaused' });
    lab.server.change(deployments, 'ns/web', { spec: { paused: false } });
    await lab.settle();
    expect(namesOf(replicaSets)).toHaveLength(2);
  });

  test('that makes no progress is reported after its deadline', async () => {
    lab.server.put(deployments, deployment({ progressDeadlineSeconds: 60 }));
    await start();
    await lab.pass(59);
    expect(conditionOf('Progressing')).toMatchObject({ status: 'True', reason: 'NewReplicaSetCreated' });
    await lab.pass(2);
    expect(conditionOf('Progressing')).toMatchObject({ status: 'False', reason: 'ProgressDeadlineExceeded' });
  });

  test('whose set is refused says so and tries again', async () => {
    lab.server.put(deployments, deployment());
    lab.server.refuse('POST', /replicasets/, 403, 'Forbidden', 1);
    await start();
    const [made, failed] = await lab.writes();
    const { name } = made?.body.metadata as Loose;
    const message = `Failed to create new replica set "${name}": Forbidden`;
    expect(failed?.body.status.conditions).toMatchObject([
      { type: 'Progressing', status: 'False', reason: 'ReplicaSetCreateError', message },
    ]);
    expect((await lab.events())[0]).toBe(`Deployment ns/web: Warning ReplicaSetCreateError ${message}`);
    await lab.pass(1);
    expect(namesOf(replicaSets)).toEqual([name]);
  });

  test('whose set of that name is there already takes its own, and renames over one of another template', async () => {
    lab.server.put(deployments, deployment());
    await start();
    const [made] = lab.server.list(replicaSets);
    await lab.stop();
    for (const foreign of [false, true]) {
      lab = new Lab();
      const owner = lab.server.put(deployments, deployment());
      await lab.settle();
      const ownerReferences = foreign ? [] : [ownedBy('Deployment', owner)];
      lab.server.put(replicaSets, {
        ...made,
        metadata: { ...made.metadata, ownerReferences },
        spec: foreign ? { ...made.spec, selector: {}, template: { metadata: { labels: {} } } } : made.spec,
      });
      await start();
      await lab.pass(1);
      expect([live().status.collisionCount, namesOf(replicaSets).length]).toEqual(foreign ? [1, 2] : [undefined, 1]);
    }
  });

  test('that is being deleted only counts', async () => {
    lab.server.put(deployments, deployment({}, { metadata: { deletionTimestamp: minute(0), finalizers: ['f'] } }));
    await start();
    expect(await lab.requests()).toEqual(['PUT namespaces/ns/deployments/web/status']);
    expect(live().status).toMatchObject({ observedGeneration: 1 });
  });

  test('keeps as many old sets as its limit says', async () => {
    lab.server.put(deployments, deployment({ revisionHistoryLimit: 1, replicas: 1, strategy: { type: 'Recreate' } }));
    await start();
    for (const image of ['i:2', 'i:3', 'i:4']) {
      for (const name of namesOf(replicaSets)) await fill(name);
      await setImage(image);
      for (const name of namesOf(replicaSets)) await fill(name);
      await lab.pass(1);
      for (const name of namesOf(replicaSets)) await fill(name);
    }
    expect(namesOf(replicaSets)).toHaveLength(2);
    expect((await lab.requests()).filter((each) => each.startsWith('DELETE'))).toHaveLength(2);
  });

  test.each<[string, revision: string, event: string, images: string]>([
    ['the last one', '0', 'Normal DeploymentRollback Rolled back deployment "web" to revision 1', 'i:1'],
    ['one by its number', '1', 'Normal DeploymentRollback Rolled back deployment "web" to revision 1', 'i:1'],
    [
      'the present one',
      '2',
      'Warning DeploymentRollbackTemplateUnchanged The rollback revision contains the same template as current deployment "web"',
      'i:2',
    ],
    [
      'one that is not there',
      '7',
      'Warning DeploymentRollbackRevisionNotFound Unable to find the revision to rollback to.',
      'i:2',
    ],
  ])('goes back to %s', async (_, revision, event, image) => {
    lab.server.put(deployments, deployment());
    await start();
    await setImage('i:2');
    await lab.events();
    lab.server.change(deployments, 'ns/web', {
      metadata: { annotations: { 'deprecated.deployment.rollback.to': revision } },
    });
    expect((await lab.events())[0]).toBe(`Deployment ns/web: ${event}`);
    expect(live().spec.template.spec.containers[0].image).toBe(image);
    expect(live().metadata.annotations).not.toHaveProperty('deprecated.deployment.rollback.to');
  });
});

describe.each<[string, ResourceRef, string, string, Loose]>([
  ['replicaset', replicaSets as ResourceRef, 'ReplicaSet', 'apps/v1', { matchLabels: labels }],
  ['replicationcontroller', replicationControllers as ResourceRef, 'ReplicationController', 'v1', labels],
])('a %s', (controller, ref, kind, apiVersion, selector) => {
  const owner = (spec: Loose = {}, more: Loose = {}): Loose => ({
    metadata: { name: 'web', namespace: 'ns', generation: 1, ...more.metadata },
    spec: { replicas: 3, selector, template: template(), ...spec },
    status: { replicas: 0, ...more.status },
  });
  const live = (): Loose => lab.server.get(ref, 'ns/web');
  const start = (): Promise<void> => lab.start([controller]);
  const path = `namespaces/ns/${ref.resource}/web/status`;

  test('gets its pods and counts them', async () => {
    const made = lab.server.put(ref, owner());
    await start();
    const [pod, ...others] = await lab.writes();
    expect(pod).toEqual({
      method: 'POST',
      path: 'namespaces/ns/pods',
      body: {
        ...{ apiVersion: 'v1', kind: 'Pod', spec: template().spec },
        metadata: { generateName: 'web-', namespace: 'ns', labels, ownerReferences: [ownedBy(kind, made, apiVersion)] },
      },
    });
    expect(others.map((each) => each.path)).toEqual(['namespaces/ns/pods', 'namespaces/ns/pods', path, path]);
    expect(short(await lab.events())).toEqual(
      Array(3).fill(`${kind} ns/web: Normal SuccessfulCreate Created pod: NAME`),
    );
    expect(live().status).toMatchObject({ replicas: 3, fullyLabeledReplicas: 3, observedGeneration: 1 });
    for (const name of namesOf(pods)) lab.server.change(pods, `ns/${name}`, { status: ready });
    await lab.settle();
    expect(live().status).toMatchObject({ readyReplicas: 3, availableReplicas: 3 });
  });

  test('loses what is too much, and what has ended is replaced', async () => {
    lab.server.put(ref, owner());
    await start();
    const [first = ''] = namesOf(pods);
    lab.server.change(pods, `ns/${first}`, { status: { phase: 'Failed' } });
    await lab.settle();
    expect(namesOf(pods)).toHaveLength(4);
    await lab.requests();
    lab.server.change(ref, 'ns/web', { spec: { replicas: 1 } });
    expect((await lab.requests()).filter((each) => each.startsWith('DELETE'))).toHaveLength(2);
    expect(short(await lab.events()).slice(-2)).toEqual(
      Array(2).fill(`${kind} ns/web: Normal SuccessfulDelete Deleted pod: NAME`),
    );
  });

  test.each<[string, method: string, spec: Loose, reason: string, event: string]>([
    ['created', 'POST', { replicas: 4 }, 'FailedCreate', 'FailedCreate Error creating: Forbidden'],
    ['deleted', 'DELETE', { replicas: 2 }, 'FailedDelete', 'FailedDelete Error deleting: Forbidden'],
  ])('says that a pod can not be %s, and tries again', async (_, method, spec, reason, event) => {
    lab.server.put(ref, owner());
    await start();
    await lab.events();
    lab.server.refuse(method, /pods/, 403, 'Forbidden', 1);
    lab.server.change(ref, 'ns/web', { spec });
    const writes = await lab.writes();
    expect(writes.find((each) => each.body.status?.conditions)?.body.status.conditions).toEqual([
      { type: 'ReplicaFailure', status: 'True', reason, message: 'Forbidden', lastTransitionTime: minute(0) },
    ]);
    await lab.pass(1);
    expect((await lab.events())[0]).toBe(`${kind} ns/web: Warning ${event}`);
    expect([live().status.conditions, live().status.replicas]).toEqual([undefined, spec.replicas]);
  });

  test('counts a pod as available after its time', async () => {
    lab.server.put(ref, owner({ replicas: 1, minReadySeconds: 20 }));
    await start();
    lab.server.change(pods, `ns/${namesOf(pods)[0]}`, { status: ready });
    await lab.pass(19);
    expect(live().status.availableReplicas).toBe(0);
    await lab.pass(1);
    expect(live().status.availableReplicas).toBe(1);
  });

  test('adopts what it selects and releases what it no longer selects', async () => {
    lab.server.put(pods, { metadata: { name: 'stray', namespace: 'ns', labels }, spec: {}, status: ready });
    lab.server.put(ref, owner({ replicas: 1 }));
    await start();
    expect((await lab.requests())[0]).toBe('PATCH namespaces/ns/pods/stray');
    expect(namesOf(pods)).toEqual(['stray']);
    lab.server.change(pods, 'ns/stray', { metadata: { labels: { app: 'other' } } });
    await lab.settle();
    expect(lab.server.get(pods, 'ns/stray').metadata.ownerReferences).toEqual([]);
    expect(namesOf(pods)).toHaveLength(2);
  });

  test('that is being deleted only counts', async () => {
    lab.server.put(ref, owner({}, { metadata: { deletionTimestamp: minute(0), finalizers: ['f'] } }));
    await start();
    expect(await lab.requests()).toEqual([`PUT ${path}`]);
  });
});

describe('a job', () => {
  const job = (spec: Loose = {}, more: Loose = {}): Loose => ({
    metadata: { name: 'web', namespace: 'ns', ...more.metadata },
    spec: {
      completions: 3,
      parallelism: 2,
      backoffLimit: 6,
      selector: { matchLabels: labels },
      template: template(),
      ...spec,
    },
    status: { ...more.status },
  });
  const start = (): Promise<void> => lab.start(['job']);
  const live = (): Loose => lab.server.get(jobs, 'ns/web').status;
  const end = async (phase: string): Promise<void> => {
    const running = lab.server.list(pods).find(({ status }) => !['Succeeded', 'Failed'].includes(status?.phase));
    lab.server.change(pods, `ns/${running.metadata.name}`, { status: { phase } });
    await lab.settle();
  };

  test('runs its pods until enough have succeeded', async () => {
    lab.server.put(jobs, job());
    await start();
    expect((await lab.requests()).slice(0, 3)).toEqual([
      'POST namespaces/ns/pods',
      'POST namespaces/ns/pods',
      'PUT namespaces/ns/jobs/web/status',
    ]);
    expect(live()).toEqual({ active: 2, succeeded: 0, failed: 0, startTime: minute(0) });
    await end('Succeeded');
    expect([live().active, live().succeeded, namesOf(pods).length]).toEqual([2, 1, 3]);
    await end('Succeeded');
    await end('Succeeded');
    expect(live()).toEqual({
      active: 0,
      completionTime: '2026-01-01T12:00:00Z',
      conditions: [
        {
          lastProbeTime: '2026-01-01T12:00:00Z',
          lastTransitionTime: '2026-01-01T12:00:00Z',
          status: 'True',
          type: 'Complete',
        },
      ],
      failed: 0,
      startTime: '2026-01-01T12:00:00Z',
      succeeded: 3,
    });
    expect(short(await lab.events())).toEqual([
      ...Array(3).fill('Job ns/web: Normal SuccessfulCreate Created pod: NAME'),
      'Job ns/web: Normal Completed Job completed',
    ]);
    await lab.writes();
    lab.server.change(jobs, 'ns/web', { metadata: { labels: { x: 'y' } } });
    expect(await lab.requests()).toEqual([]);
  });

  test('replaces the first failed pod at once, the next after ten and twenty seconds', async () => {
    lab.server.put(jobs, job({ completions: 1, parallelism: 1 }));
    await start();
    await end('Failed');
    expect([namesOf(pods).length, live().failed]).toEqual([2, 1]);
    for (const [i, seconds] of [10, 20].entries()) {
      await end('Failed');
      await lab.pass(seconds - 1);
      const before = namesOf(pods).length;
      await lab.pass(1);
      expect([before, namesOf(pods).length, live().failed]).toEqual([i + 2, i + 3, i + 2]);
    }
  });

  test('fails after its limit', async () => {
    lab.server.put(jobs, job({ completions: 2, parallelism: 2, backoffLimit: 0 }));
    await start();
    await end('Failed');
    await lab.pass(10);
    expect(live()).toEqual({
      active: 0,
      conditions: [
        {
          lastProbeTime: '2026-01-01T12:00:00Z',
          lastTransitionTime: '2026-01-01T12:00:00Z',
          message: 'Job has reached the specified backoff limit',
          reason: 'BackoffLimitExceeded',
          status: 'True',
          type: 'Failed',
        },
      ],
      failed: 2,
      startTime: '2026-01-01T12:00:00Z',
      succeeded: 0,
    });
    expect(short(await lab.events()).slice(-2)).toEqual([
      'Job ns/web: Normal SuccessfulDelete Deleted pod: NAME',
      'Job ns/web: Warning BackoffLimitExceeded Job has reached the specified backoff limit',
    ]);
  });

  test('fails after its deadline, and its pods are deleted', async () => {
    lab.server.put(jobs, job({ activeDeadlineSeconds: 30 }));
    await start();
    await lab.pass(29);
    expect(live().conditions).toBeUndefined();
    await lab.pass(1);
    expect(live().conditions).toMatchObject([{ type: 'Failed', status: 'True', reason: 'DeadlineExceeded' }]);
    expect(namesOf(pods)).toEqual([]);
  });

  test('that gets fewer parallel pods loses some, and warns of those that are too many', async () => {
    lab.server.put(jobs, job({ completions: undefined, parallelism: 3 }));
    await start();
    lab.server.change(jobs, 'ns/web', { spec: { parallelism: 1 } });
    await lab.settle();
    expect([namesOf(pods).length, live().active]).toEqual([1, 1]);
  });

  test('warns of pods beyond its completions', async () => {
    const owner = lab.server.put(jobs, job({ completions: 1, parallelism: 1 }));
    const ownerReferences = [ownedBy('Job', owner, 'batch/v1')];
    for (const [name, phase] of [
      ['a', 'Succeeded'],
      ['b', 'Succeeded'],
      ['c', 'Running'],
    ])
      lab.server.put(pods, {
        metadata: { name, namespace: 'ns', labels, ownerReferences },
        spec: {},
        status: { phase },
      });
    await start();
    expect(await lab.events()).toEqual([
      'Job ns/web: Warning TooManyActivePods Too many active pods running after completion count reached',
      'Job ns/web: Warning TooManySucceededPods Too many succeeded pods running after completion count reached',
      'Job ns/web: Normal Completed Job completed',
    ]);
  });

  test('tries a pod that was refused again', async () => {
    lab.server.put(jobs, job({ parallelism: 1 }));
    lab.server.refuse('POST', /pods/, 403, 'Forbidden', 1);
    await start();
    expect(await lab.events()).toEqual(['Job ns/web: Warning FailedCreate Error creating: Forbidden']);
    await lab.pass(10);
    expect(namesOf(pods)).toHaveLength(1);
  });
});

describe('a cron job', () => {
  const cronJob = (spec: Loose = {}, more: Loose = {}): Loose => ({
    metadata: { name: 'web', namespace: 'ns', creationTimestamp: minute(-0.5), ...more.metadata },
    spec: {
      schedule: '*/1 * * * *',
      concurrencyPolicy: 'Allow',
      jobTemplate: { metadata: { labels, annotations: { a: 'b' } }, spec: { template: template() } },
      ...spec,
    },
    status: { ...more.status },
  });
  const start = (): Promise<void> => lab.start(['cronjob']);
  const live = (): Loose => lab.server.get(cronJobs, 'ns/web').status;
  const ended = (type: string): Loose => ({ status: { conditions: [{ type, status: 'True' }] } });
  /** Starts at noon, so a run is due at once. */
  const first = `web-${Date.parse(minute(0)) / 1000}`;
  const second = `web-${Date.parse(minute(1)) / 1000}`;

  test('starts a job at each time', async () => {
    const owner = lab.server.put(cronJobs, cronJob());
    await start();
    const [made, status, ...others] = await lab.writes();
    expect(made).toEqual({
      method: 'POST',
      path: 'namespaces/ns/jobs',
      body: {
        ...{ apiVersion: 'batch/v1', kind: 'Job', spec: { template: template() } },
        metadata: {
          name: first,
          namespace: 'ns',
          labels,
          annotations: { a: 'b' },
          ownerReferences: [ownedBy('CronJob', owner, 'batch/v1beta1')],
        },
      },
    });
    expect([status?.path, others]).toEqual(['namespaces/ns/cronjobs/web/status', []]);
    expect(live()).toEqual({
      active: [
        {
          kind: 'Job',
          apiVersion: 'batch/v1',
          namespace: 'ns',
          name: first,
          uid: `uid-${first}`,
          resourceVersion: expect.any(String),
        },
      ],
      lastScheduleTime: minute(0),
    });
    expect(await lab.events()).toEqual([`CronJob ns/web: Normal SuccessfulCreate Created job ${first}`]);
    await lab.pass(59);
    expect(await lab.requests()).toEqual([]);
    await lab.pass(1);
    expect([namesOf(jobs), live().active.length, live().lastScheduleTime]).toEqual([[first, second], 2, minute(1)]);
  });

  test.each<[string, jobs: string[]]>([
    ['Forbid', [first]],
    ['Replace', [second]],
  ])('with the policy %s', async (concurrencyPolicy, expected) => {
    lab.server.put(cronJobs, cronJob({ concurrencyPolicy }));
    await start();
    await lab.pass(60);
    expect(namesOf(jobs)).toEqual(expected);
    expect(live().active.map(({ name }: Loose) => name)).toEqual(expected);
    expect((await lab.events()).slice(1)).toEqual(
      concurrencyPolicy === 'Forbid'
        ? []
        : [
            `CronJob ns/web: Normal SuccessfulDelete Deleted job ${first}`,
            `CronJob ns/web: Normal SuccessfulCreate Created job ${second}`,
          ],
    );
  });

  test('tells how its jobs ended, and keeps one failed and three successful ones', async () => {
    const owner = lab.server.put(
      cronJobs,
      cronJob({ suspend: true, successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 0 }),
    );
    const ownerReferences = [ownedBy('CronJob', owner, 'batch/v1beta1')];
    const put = (name: string, more: Loose): Loose =>
      lab.server.put(jobs, {
        metadata: { name, namespace: 'ns', ownerReferences, creationTimestamp: minute(more.at ?? 0) },
        spec: {},
        status: { startTime: minute(more.at ?? 0), ...more.status },
      });
    const active = ['ok', 'bad', 'running'].map((name) => ({ kind: 'Job', namespace: 'ns', name, uid: `uid-${name}` }));
    put('old', { ...ended('Complete'), at: -5 });
    put('ok', ended('Complete'));
    put('bad', ended('Failed'));
    put('running', {});
    put('unknown', {});
    lab.server.change(cronJobs, 'ns/web', {
      status: { active: [...active, { kind: 'Job', namespace: 'ns', name: 'gone', uid: 'gone' }] },
    });
    await start();
    expect(await lab.events()).toEqual([
      'CronJob ns/web: Normal SawCompletedJob Saw completed job: ok, status: Complete',
      'CronJob ns/web: Normal SawCompletedJob Saw completed job: bad, status: Failed',
      'CronJob ns/web: Warning UnexpectedJob Saw a job that the controller did not create or forgot: unknown',
      'CronJob ns/web: Normal MissingJob Active job went missing: gone',
      'CronJob ns/web: Normal SuccessfulDelete Deleted job old',
      'CronJob ns/web: Normal SuccessfulDelete Deleted job bad',
      'CronJob ns/web: Warning UnexpectedJob Saw a job that the controller did not create or forgot: unknown',
    ]);
    expect(live().active.map(({ name }: Loose) => name)).toEqual(['running']);
    expect(namesOf(jobs)).toEqual(['ok', 'running', 'unknown']);
  });

  test.each<[string, spec: Loose, metadata: Loose, events: string[], made: number]>([
    ['that is suspended starts nothing', { suspend: true }, {}, [], 0],
    ['that is being deleted starts nothing', {}, { deletionTimestamp: minute(0), finalizers: ['f'] }, [], 0],
    [
      'that missed its time by more than its deadline says so',
      { schedule: '58 11 * * *', startingDeadlineSeconds: 60 },
      { creationTimestamp: minute(-10) },
      [],
      0,
    ],
  ])('%s', async (_, spec, metadata, events, made) => {
    lab.server.put(cronJobs, cronJob(spec, { metadata }));
    await start();
    expect([await lab.events(), namesOf(jobs).length]).toEqual([events, made]);
  });

  test('that missed more than a hundred times says so', async () => {
    lab.server.put(cronJobs, cronJob({}, { metadata: { creationTimestamp: minute(-200) } }));
    await start();
    expect(await lab.events()).toEqual([
      'CronJob ns/web: Warning FailedNeedsStart Cannot determine if job needs to be started: too many missed start time (> 100). Set or decrease .spec.startingDeadlineSeconds or check clock skew',
    ]);
  });

  test('is tried again after ten seconds where its job is refused', async () => {
    lab.server.put(cronJobs, cronJob());
    lab.server.refuse('POST', /jobs/, 403, 'Forbidden', 1);
    await start();
    expect(await lab.events()).toEqual(['CronJob ns/web: Warning FailedCreate Error creating job: Forbidden']);
    await lab.pass(9);
    expect(namesOf(jobs)).toEqual([]);
    await lab.pass(1);
    expect(namesOf(jobs)).toEqual([first]);
  });

  test('with the policy Replace waits where the running job can not be read', async () => {
    lab.server.put(cronJobs, cronJob({ concurrencyPolicy: 'Replace' }));
    await start();
    lab.server.remove(jobs, `ns/${first}`);
    lab.server.change(cronJobs, 'ns/web', { status: { active: [{ namespace: 'ns', name: 'x', uid: 'x' }] } });
    lab.server.refuse('PUT', /cronjobs/, 500, 'InternalError', 1);
    await lab.pass(61);
    expect((await lab.events()).map((text) => text.split(' ')[3])).toContain('MissingJob');
  });
});

test('finished jobs are deleted after their time', async () => {
  const over = { conditions: [{ type: 'Complete', status: 'True', lastTransitionTime: minute(0) }] };
  const job = (name: string, ttlSecondsAfterFinished: number | undefined, status: Loose): Loose => ({
    ...{ metadata: { name, namespace: 'ns' }, spec: { ttlSecondsAfterFinished }, status },
  });
  lab.server.put(jobs, job('soon', 20, over));
  lab.server.put(jobs, job('kept', undefined, over));
  lab.server.put(jobs, job('running', 0, {}));
  await lab.start(['ttl-after-finished'], { flags: ['--feature-gates=TTLAfterFinished=true'] });
  await lab.pass(19);
  expect(await lab.writes()).toEqual([]);
  await lab.pass(1);
  expect(await lab.writes()).toEqual([
    {
      ...{ method: 'DELETE', path: 'namespaces/ns/jobs/soon' },
      body: {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        propagationPolicy: 'Foreground',
        preconditions: { uid: 'uid-soon' },
      },
    },
  ]);
});
