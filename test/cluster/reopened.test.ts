/** What a cluster writes when it is opened again. */
import { expect, test } from 'vitest';
import { createCluster, type Cluster } from '../../src/cluster/index.ts';
import { memoryBackend, memoryDisk, type MemoryDisk } from '../../src/storage/index.ts';
import { send, withAdministrator } from './together.ts';

const PODS = '/api/v1/namespaces/default/pods';

const open = (disk: MemoryDisk): Promise<Cluster> =>
  createCluster(
    { name: 'kept', ...withAdministrator, ...{ apiserver: NODES_MAY, nodes: 1 } },
    { backend: memoryBackend(disk) },
  );

/** Pods need no service account, which may not be there yet. */
const NODES_MAY = [
  ...['--token-auth-file=tokens.csv', '--authorization-mode=AlwaysAllow'],
  '--disable-admission-plugins=ServiceAccount',
];

const pod = (name: string): object => ({
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name } },
  spec: { containers: [{ name: 'c', image: 'nginx' }], tolerations: [{ operator: 'Exists' }] },
});

const patch = (cluster: Cluster, name: string, status: object): Promise<string> =>
  send(cluster, 'PATCH', `${PODS}/${name}/status`, { status });

/** How many statuses of pods the API server has been sent. */
async function statusesSent(cluster: Cluster): Promise<number> {
  const lines = (await send(cluster, 'GET', '/metrics')).split('\n');
  const counts = lines.filter(
    (line) =>
      line.startsWith('apiserver_request_total{') &&
      ['resource="pods"', 'subresource="status"', 'verb="PATCH"'].every((label) => line.includes(label)),
  );
  return counts.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

test('the status of a pod is written only if the pod says something else', async () => {
  const disk = memoryDisk();
  const names = ['lasts', 'lasts-too', 'changed'];
  const first = await open(disk);
  for (const name of names) await send(first, 'POST', PODS, pod(name));
  await first.clock.step(60_000);
  expect(await statusesSent(first)).toBeGreaterThanOrEqual(names.length);
  await first.stop();

  const second = await open(disk);
  await second.clock.step(60_000);
  expect(await statusesSent(second)).toBe(0);
  await patch(second, 'changed', { hostIP: '192.0.2.77' });
  await second.stop();

  const third = await open(disk);
  await third.clock.step(60_000);
  expect(await statusesSent(third)).toBe(1);
  expect(JSON.parse(await send(third, 'GET', `${PODS}/changed`))).toMatchObject({ status: { phase: 'Running' } });
  expect(await send(third, 'GET', `${PODS}/changed`)).not.toContain('192.0.2.77');
  await third.stop();
});
