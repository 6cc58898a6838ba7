import { afterAll, beforeAll, expect, test } from 'vitest';
import { NodeLab, type Loose } from './lab.ts';

const PODS = '/api/v1/namespaces/default/pods';
let lab: NodeLab;

beforeAll(async () => {
  lab = await NodeLab.start();
});
afterAll(() => lab.stop());

test('an idle container uses nothing but memory, a busy one a core, one with a limit no more than that', async () => {
  const busy = { name: 'c', image: 'busybox', command: ['sh', '-c', 'while true; do :; done'] };
  const containers: Loose = {
    idle: { name: 'c', image: 'nginx' },
    busy,
    limited: { ...busy, resources: { limits: { cpu: '200m' } } },
  };
  for (const [name, container] of Object.entries(containers))
    await lab.create(PODS, { metadata: { name }, spec: { containers: [container] } });
  for (const name of Object.keys(containers)) await lab.until(`${PODS}/${name}`, (p) => p.status.phase === 'Running');
  await lab.advance(35_000, 10);
  const [node] = lab.nodes.usage();
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
  await lab.create(PODS, {
    metadata: { name: 'done' },
    spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['true'] }] },
  });
  await lab.until(`${PODS}/done`, (p) => p.status.phase === 'Succeeded');
  expect(lab.nodes.usage()[0]?.pods.map(({ name }) => name)).not.toContain('done');
});
