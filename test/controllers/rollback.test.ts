/** A deployment that an annotation sends back to an earlier revision, and replica sets whose name is taken. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Bench, deployment, template, type Loose } from './bench.ts';

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const SETS = '/apis/apps/v1/namespaces/default/replicasets';
const ROLLBACK = 'deprecated.deployment.rollback.to';
const REVISION = 'deployment.cluster.io/revision';

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.start();
});
afterAll(() => bench.stop());

const imageOf = (object: Loose): string => object.spec.template.spec.containers[0].image;
const setsOf = async (name: string): Promise<Loose[]> =>
  (await bench.items(SETS)).filter(({ metadata }) => metadata.ownerReferences?.[0]?.name === name);
const isAt = (revision: string) => (object: Loose) =>
  object.metadata.annotations?.[REVISION] === revision &&
  object.status.observedGeneration === object.metadata.generation;

/** A deployment with a revision for each image, the last of which counts. */
async function rolled(name: string, ...images: string[]): Promise<void> {
  for (const [i, image] of images.entries()) {
    const spec = { template: template({ app: name }, { image }) };
    if (i === 0) await bench.create(DEPLOYMENTS, deployment(name, 1, spec));
    else await bench.patch(`${DEPLOYMENTS}/${name}`, { spec });
    await bench.until(`${DEPLOYMENTS}/${name}`, isAt(`${i + 1}`));
  }
}

async function rollBack(name: string, to: string): Promise<Loose> {
  await bench.patch(`${DEPLOYMENTS}/${name}`, { metadata: { annotations: { [ROLLBACK]: to } } });
  return bench.until(`${DEPLOYMENTS}/${name}`, ({ metadata }) => metadata.annotations[ROLLBACK] === undefined);
}

async function told(name: string): Promise<string[][]> {
  const events = await bench.items('/api/v1/namespaces/default/events');
  return events
    .filter((e) => e.involvedObject.name === name && e.reason.startsWith('DeploymentRollback'))
    .map((e) => [e.type, e.reason, e.message]);
}

test.each([
  ['the last revision', '0', 'b', ['Normal', 'DeploymentRollback', 'Rolled back deployment "NAME" to revision 2']],
  ['a revision', '1', 'a', ['Normal', 'DeploymentRollback', 'Rolled back deployment "NAME" to revision 1']],
  [
    'the revision that it has',
    '3',
    'c',
    [
      'Warning',
      'DeploymentRollbackTemplateUnchanged',
      'The rollback revision contains the same template as current deployment "NAME"',
    ],
  ],
  [
    'one that is not there',
    '7',
    'c',
    ['Warning', 'DeploymentRollbackRevisionNotFound', 'Unable to find the revision to rollback to.'],
  ],
])('to %s', async (_what, to, image, event) => {
  const name = `web-${to}`;
  await rolled(name, 'a', 'b', 'c');
  const after = await rollBack(name, to);
  expect(imageOf(after)).toBe(image);
  expect(after.spec.template.metadata.labels).toEqual({ app: name });
  await bench.advance(200);
  expect(await told(name)).toEqual([event.map((text) => text.replace('NAME', name))]);
  // What it goes back to is its newest revision from now on.
  const revision = image === 'c' ? '3' : '4';
  await bench.until(`${DEPLOYMENTS}/${name}`, isAt(revision));
  const newest = (await setsOf(name)).find(({ metadata }) => metadata.annotations[REVISION] === revision);
  expect(imageOf(newest)).toBe(image);
});

test('to the last revision of a deployment with only one', async () => {
  await rolled('young', 'a');
  await rollBack('young', '0');
  await bench.advance(200);
  expect(await told('young')).toEqual([
    ['Warning', 'DeploymentRollbackRevisionNotFound', 'Unable to find last revision.'],
  ]);
});

test('not while it is paused', async () => {
  await rolled('paused', 'a', 'b');
  await bench.patch(`${DEPLOYMENTS}/paused`, {
    spec: { paused: true },
    metadata: { annotations: { [ROLLBACK]: '1' } },
  });
  await bench.advance(1000);
  const waiting = await bench.get(`${DEPLOYMENTS}/paused`);
  expect([imageOf(waiting), waiting.metadata.annotations[ROLLBACK]]).toEqual(['b', '1']);
  await bench.patch(`${DEPLOYMENTS}/paused`, { spec: { paused: false } });
  await bench.until(`${DEPLOYMENTS}/paused`, (object) => imageOf(object) === 'a');
});

test('an existing replica set of the name counts as a collision', async () => {
  await rolled('probe', 'a');
  const [{ metadata, spec }] = (await setsOf('probe')) as [Loose];
  await bench.delete(`${DEPLOYMENTS}/probe`, { propagationPolicy: 'Foreground' });
  await bench.gone(`${DEPLOYMENTS}/probe`);
  // A set with the name that the next one would have, and with other pods.
  const labels = { app: 'somebody' };
  await bench.create(SETS, {
    metadata: { name: metadata.name },
    spec: { replicas: 0, selector: { matchLabels: labels }, template: { ...spec.template, metadata: { labels } } },
  });
  const again = deployment('probe', 1, { template: template({ app: 'probe' }, { image: 'a' }) });
  await bench.create(DEPLOYMENTS, again);
  const done = await bench.until(`${DEPLOYMENTS}/probe`, isAt('1'));
  expect(done.status.collisionCount).toBe(1);
  const [own, ...others] = await setsOf('probe');
  expect(others).toEqual([]);
  expect(own.metadata.name).not.toBe(metadata.name);
});

test('a replica set that can’t be created is a condition of its deployment', async () => {
  const quota = { metadata: { name: 'none' }, spec: { hard: { 'count/replicasets.apps': '0' } } };
  await bench.create('/api/v1/namespaces', { metadata: { name: 'full' } });
  await bench.create('/api/v1/namespaces/full/resourcequotas', quota);
  await bench.until('/api/v1/namespaces/full/resourcequotas/none', ({ status }) => status.hard !== undefined);
  await bench.create('/apis/apps/v1/namespaces/full/deployments', deployment('web', 1));
  const { status } = await bench.until('/apis/apps/v1/namespaces/full/deployments/web', (object) =>
    object.status.conditions?.some(({ reason }: Loose) => reason === 'ReplicaSetCreateError'),
  );
  const [condition] = status.conditions;
  expect([condition.type, condition.status]).toEqual(['Progressing', 'False']);
  expect(condition.message).toMatch(/exceeded quota: none, requested: count\/replicasets\.apps=1/);
  const { items } = await bench.until('/api/v1/namespaces/full/events', (list) => list.items.length > 0);
  expect(items).toMatchObject([{ type: 'Warning', reason: 'ReplicaSetCreateError', message: condition.message }]);
});
