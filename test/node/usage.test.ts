import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningNodes } from '../../src/node/index.ts';
import { startOneNode } from './oneNode.ts';
import { Bench, type Loose } from '../controllers/bench.ts';

const PODS = '/api/v1/namespaces/default/pods';
let bench: Bench;
let nodes: RunningNodes;

beforeAll(async () => {
  bench = await Bench.start();
  nodes = await startOneNode(bench);
});
afterAll(async () => {
  await nodes.stop();
  await bench.stop();
});

test('an idle container uses nothing but memory, a busy one a core, one with a limit no more than that', async () => {
  const busy = { name: 'c', image: 'busybox', command: ['sh', '-c', 'while true; do :; done'] };
  const containers: Loose = {
    idle: { name: 'c', image: 'nginx' },
    busy,
    limited: { ...busy, resources: { limits: { cpu: '200m' } } },
  };
  for (const [name, container] of Object.entries(containers))
    await bench.create(PODS, { metadata: { name }, spec: { containers: [container] } });
  for (const name of Object.keys(containers)) await bench.until(`${PODS}/${name}`, (p) => p.status.phase === 'Running');
  await bench.advance(35_000, 10);
  const [node] = nodes.usage();
  const of = (name: string): Loose => node?.pods.find((each) => each.name === name)?.containers[0];
  expect(of('idle').millicores).toBe(0);
  expect(of('idle').memory).toBeGreaterThan(2 ** 21);
  expect(of('busy').millicores).toBeGreaterThan(800);
  expect(of('busy').millicores).toBeLessThan(1100);
  expect(of('limited').millicores).toBeGreaterThan(150);
  expect(of('limited').millicores).toBeLessThan(220);
  expect(node?.millicores).toBeGreaterThan(of('busy').millicores + of('limited').millicores);
});

test('a pod that has ended is not listed', async () => {
  await bench.create(PODS, {
    metadata: { name: 'done' },
    spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['true'] }] },
  });
  await bench.until(`${PODS}/done`, (p) => p.status.phase === 'Succeeded');
  expect(nodes.usage()[0]?.pods.map(({ name }) => name)).not.toContain('done');
});
