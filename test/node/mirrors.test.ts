/** What admission and validation do to the mirrors of static pods, which needs a whole cluster. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Bench, type Loose } from '../controllers/bench.ts';

const PODS = '/api/v1/namespaces/default/pods';
const NODE = '/api/v1/nodes/node-1';

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.start({
    nodes: 1,
    apiserver: ['--authorization-mode=Node,RBAC', '--enable-admission-plugins=NodeRestriction'],
    controllerManager: ['--use-service-account-credentials=true'],
  });
});
afterAll(() => bench.stop());

const manifest = (name: string, spec = '{ containers: [{ name: c, image: nginx }] }'): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name}, labels: { app: ${name} } }\nspec: ${spec}\n`;
const annotate = (text: string | null): Promise<Loose> =>
  bench.patch(NODE, { metadata: { annotations: { 'simulation.vitrine.dev/static-pods': text } } });
const isReady = (pod: Loose): boolean =>
  pod.status?.conditions?.some((c: Loose) => c.type === 'Ready' && c.status === 'True') ?? false;

test('26. a static pod runs as its manifest has it, with defaults, whatever admission adds to its mirror', async () => {
  const RANGE = '/api/v1/namespaces/default/limitranges';
  const limits = [{ type: 'Container', default: { memory: '64Mi' } }];
  await bench.create(RANGE, { metadata: { name: 'small' }, spec: { limits } });
  const env = 'env: [{ name: MOST, valueFrom: { resourceFieldRef: { resource: limits.memory } } }]';
  const command = 'command: [sh, -c, "echo most=$MOST; sleep 1000"]';
  await annotate(manifest('free', `{ containers: [{ name: c, image: busybox, ${env}, ${command} }] }`));
  const { spec, status } = await bench.until(`${PODS}/free-node-1`, isReady);
  expect(spec.serviceAccountName).toBeUndefined();
  expect(spec.containers[0].resources.limits.memory).toBe('64Mi');
  expect(await bench.get(`${PODS}/free-node-1/log`)).toMatch(/^most=\d{10,}\n$/);
  expect(status.qosClass).toBe('BestEffort');
  await bench.delete(`${RANGE}/small`);
  await annotate(null);
  await bench.gone(`${PODS}/free-node-1`);
});

test('26. a static pod whose mirror is invalid is told in an event of its node', async () => {
  await annotate(manifest('Bad_Name'));
  await bench.until('/api/v1/namespaces/default/events', ({ items }) =>
    items.some((e: Loose) => e.reason === 'InvalidStaticPod' && /Bad_Name-node-1.*is invalid/.test(e.message)),
  );
  await annotate(null);
});

test.each([
  [
    'in a namespace that is not there',
    `apiVersion: v1\nkind: Pod\nmetadata: { name: alone, namespace: nowhere }\nspec: { containers: [{ name: c, image: nginx }] }\n`,
    /nowhere\/alone-node-1 runs without a mirror: namespaces "nowhere" not found/,
  ],
  [
    'whose mirror is forbidden',
    manifest(
      'forbidden',
      '{ containers: [{ name: c, image: nginx }], volumes: [{ name: s, configMap: { name: x } }] }',
    ),
    /default\/forbidden-node-1 runs without a mirror: .*forbidden/,
  ],
])(
  '26. a static pod %s runs without, an event says so, and the mirror is tried ever less often',
  async (_, text, message) => {
    const requests = bench.listen('request');
    await annotate(text);
    await bench.advance(180_000, 500);
    const said = (await bench.items('/api/v1/namespaces/default/events')).filter(
      (e) => e.reason === 'FailedMirrorPod' && message.test(e.message),
    );
    expect(said).toHaveLength(1);
    const tries = requests.filter((event) => {
      const { stage, method, url }: Loose = event;
      return stage === 'received' && method === 'POST' && url.endsWith('/pods');
    });
    expect(tries.length).toBeGreaterThan(3);
    expect(tries.length).toBeLessThan(12);
    await annotate(null);
    await bench.advance(2000);
  },
);
