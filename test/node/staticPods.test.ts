import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NodeLab, type Loose } from './lab.ts';

const PODS = '/api/v1/namespaces/default/pods';
const NODE = '/api/v1/nodes/node-1';
const WEB = `${PODS}/web-node-1`;

let lab: NodeLab;

beforeAll(async () => {
  lab = await NodeLab.start();
});
afterAll(() => lab.stop());

const manifest = (name: string, spec = '{ containers: [{ name: c, image: nginx }] }'): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name}, labels: { app: ${name} } }\nspec: ${spec}\n`;
const annotate = (text: string | null): Promise<Loose> =>
  lab.patch(NODE, { metadata: { annotations: { 'simulation.vitrine.dev/static-pods': text } } });
const isReady = (pod: Loose): boolean =>
  pod.status?.conditions?.some((c: Loose) => c.type === 'Ready' && c.status === 'True') ?? false;

/** A pod that writes a file of the node. */
const write = (name: string, command: string): Promise<Loose> => onNode(name, command, '/m', '/etc/cluster/manifests');

/** A pod that changes what is above the manifests. */
const writeAbove = (name: string, command: string): Promise<Loose> => onNode(name, command, '/e', '/etc/cluster');

function onNode(name: string, command: string, mountPath: string, path: string): Promise<Loose> {
  const volumeMounts = [{ name: 'm', mountPath }];
  return lab.create(PODS, {
    metadata: { name },
    spec: {
      restartPolicy: 'Never',
      containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', command], volumeMounts }],
      volumes: [{ name: 'm', hostPath: { path } }],
    },
  });
}

describe('26. a static pod', () => {
  test('of an annotation runs, and its mirror belongs to the node', async () => {
    await annotate(manifest('web'));
    const { metadata, spec, status } = await lab.until(WEB, isReady);
    const { uid } = await lab.get(NODE).then((node) => node.metadata);
    expect(metadata.ownerReferences).toEqual([
      { apiVersion: 'v1', kind: 'Node', name: 'node-1', uid, controller: true },
    ]);
    const hash = metadata.annotations['cluster.io/config.hash'];
    expect(hash).toMatch(/^[0-9a-f]{32}$/);
    expect(metadata.annotations).toMatchObject({
      'cluster.io/config.mirror': hash,
      'cluster.io/config.source': 'file',
    });
    expect(metadata.labels).toEqual({ app: 'web' });
    expect(spec.tolerations).toContainEqual({ operator: 'Exists', effect: 'NoExecute' });
    expect(status).toMatchObject({ phase: 'Running', hostIP: '192.168.49.10' });
    const events = await lab.items('/api/v1/namespaces/default/events');
    const started = events.find((e) => e.reason === 'Started' && e.involvedObject.name === 'web-node-1');
    expect(started?.involvedObject.uid).toBe(hash);
  });

  test('goes on when its mirror is deleted, and has a new one', async () => {
    const before = await lab.until(WEB, isReady);
    await lab.delete(WEB);
    const after = await lab.until(WEB, (pod) => pod.metadata?.uid !== before.metadata.uid && isReady(pod));
    expect(after.status.containerStatuses).toEqual(before.status.containerStatuses);
  });

  test('goes on as it was when its node comes back', async () => {
    const before = await lab.until(WEB, isReady);
    const down = (value: string | null): Promise<Loose> =>
      lab.patch(NODE, { metadata: { annotations: { 'simulation.vitrine.dev/down': value } } });
    await down('true');
    await lab.advance(1000);
    await down(null);
    await lab.advance(5000);
    const { metadata, status } = await lab.get(WEB);
    expect(metadata.uid).toBe(before.metadata.uid);
    expect(status.containerStatuses).toEqual(before.status.containerStatuses);
  });

  test('gives its log under the name of its mirror', async () => {
    const { containerID } = (await lab.get(WEB)).status.containerStatuses[0];
    await annotate(
      manifest('web') +
        '---\n' +
        manifest('talks', '{ containers: [{ name: c, image: busybox, command: [sh, -c, "echo hello; sleep 1000"] }] }'),
    );
    await lab.until(`${PODS}/talks-node-1`, isReady);
    expect(await lab.get(`${PODS}/talks-node-1/log`)).toBe('hello\n');
    expect((await lab.get(WEB)).status.containerStatuses[0]).toMatchObject({ containerID, restartCount: 0 });
  });

  test('starts anew when its manifest changes, and goes with it', async () => {
    const before = await lab.get(WEB);
    await annotate(manifest('web', '{ containers: [{ name: c, image: httpd }] }'));
    await lab.gone(`${PODS}/talks-node-1`);
    const after = await lab.until(WEB, (pod) => pod.spec?.containers[0].image === 'httpd' && isReady(pod));
    expect(after.metadata.uid).not.toBe(before.metadata.uid);
    await annotate(null);
    await lab.gone(WEB);
  });

  test('comes from a file that a pod writes into the directory of the node, and goes with the file', async () => {
    await write('writer', `printf '${manifest('filed').replaceAll('\n', '\\n')}' > /m/filed.yaml`);
    await lab.until(`${PODS}/filed-node-1`, isReady);
    await write('changer', 'sed -i "s/nginx/httpd/" /m/filed.yaml; sleep 2; sed -i "s/httpd/redis/" /m/filed.yaml');
    await lab.until(`${PODS}/filed-node-1`, ({ spec }) => spec?.containers[0].image === 'redis');
    await write('remover', 'rm /m/filed.yaml');
    await lab.gone(`${PODS}/filed-node-1`);
  });

  test.each([
    ['is no YAML', '{ a: [', /from-annotation\.yaml: /],
    ['is no pod', 'apiVersion: v1\nkind: Service\nmetadata: { name: a }\n', /it is not a pod/],
    [
      'has no containers',
      'apiVersion: v1\nkind: Pod\nmetadata: { name: a }\nspec: {}\n',
      /spec\.containers is required/,
    ],
    [
      'has tolerations of another type',
      manifest('a', '{ containers: [{ name: c, image: nginx }], tolerations: 5 }'),
      /spec\.tolerations: expected list, found number/,
    ],
    [
      'has annotations of another type',
      'apiVersion: v1\nkind: Pod\nmetadata: { name: a, annotations: [1] }\nspec: { containers: [{ name: c }] }\n',
      /metadata\.annotations: expected/,
    ],
    [
      'has a namespace of another type',
      'apiVersion: v1\nkind: Pod\nmetadata: { name: a, namespace: [x] }\nspec: { containers: [{ name: c }] }\n',
      /metadata\.namespace: expected string/,
    ],
    ['has too many aliases', `a: &a [1]\nb: [${'*a, '.repeat(200)}]\n`, /alias/i],
  ])('that %s is told in an event of its node', async (_, text, message) => {
    await annotate(text);
    await lab.until('/api/v1/namespaces/default/events', ({ items }) =>
      items.some((e: Loose) => e.reason === 'InvalidStaticPod' && e.type === 'Warning' && message.test(e.message)),
    );
    await annotate(null);
  });

  test('comes from a manifest that was mended after it could not be read', async () => {
    await annotate(manifest('mended', '{ containers: [{ name: c, image: nginx }], tolerations: 5 }'));
    await lab.advance(2000);
    await annotate(manifest('mended'));
    await lab.until(`${PODS}/mended-node-1`, isReady);
    await annotate(null);
    await lab.gone(`${PODS}/mended-node-1`);
  });

  test('is there again when its directory was moved away and made again', async () => {
    await annotate(manifest('web'));
    await lab.until(WEB, isReady);
    await writeAbove('mover', 'mv /e/manifests /e/manifests.bak');
    await lab.gone(WEB);
    await writeAbove('maker', 'mkdir /e/manifests; cp /e/manifests.bak/from-annotation.yaml /e/manifests/');
    await lab.until(WEB, isReady);
    await annotate(null);
    await lab.gone(WEB);
  });

  test('is gone where a file has taken the place of its directory, and the node goes on', async () => {
    await writeAbove('breaker', 'rm -rf /e/manifests; echo x > /e/manifests');
    await lab.until(`${PODS}/breaker`, (pod) => pod.status.phase === 'Succeeded');
    const down = (value: string | null): Promise<Loose> =>
      lab.patch(NODE, { metadata: { annotations: { 'simulation.vitrine.dev/down': value } } });
    await down('true');
    await lab.advance(1000);
    await annotate(manifest('web'));
    await down(null);
    await lab.until('/api/v1/namespaces/default/events', ({ items }) =>
      items.some(
        (e: Loose) =>
          e.type === 'Warning' && /from-annotation.yaml: the annotation can't be written there/.test(e.message),
      ),
    );
    await writeAbove('mender', 'rm /e/manifests; mkdir /e/manifests');
    await lab.until(`${PODS}/mender`, (pod) => pod.status.phase === 'Succeeded');
    await annotate(null);
    await annotate(manifest('web'));
    await lab.until(WEB, isReady);
    await annotate(null);
    await lab.gone(WEB);
  });

  test('does not take a place that another pod has', async () => {
    await lab.create(PODS, {
      metadata: { name: 'other-node-1' },
      spec: { containers: [{ name: 'c', image: 'nginx' }] },
    });
    await annotate(manifest('other'));
    const other = await lab.until(`${PODS}/other-node-1`, isReady);
    expect(other.metadata.annotations?.['cluster.io/config.mirror']).toBeUndefined();
    await lab.delete(`${PODS}/other-node-1`);
    await lab.until(
      `${PODS}/other-node-1`,
      (pod) => pod.metadata?.annotations?.['cluster.io/config.mirror'] && isReady(pod),
    );
    await annotate(null);
    await lab.gone(`${PODS}/other-node-1`);
  });
});

describe('a mirror', () => {
  const START = Date.parse('2026-01-01T12:00:00Z');
  const posts = (): number =>
    lab.server.writes.filter(({ method, path }) => method === 'POST' && path === 'namespaces/default/pods').length;
  const said = async (reason: string): Promise<string[]> =>
    (await lab.eventsOf('default', 'Node', 'node-1')).filter((e) => e.reason === reason).map((e) => e.message);
  const usage = (): string[] => lab.nodes.usage()[0]?.pods.map(({ name }) => name) ?? [];
  let own: NodeLab;
  let shared: NodeLab;
  beforeAll(async () => {
    shared = lab;
    own = await NodeLab.start();
    lab = own;
  });
  afterAll(async () => {
    await own.stop();
    lab = shared;
  });

  test('that is refused once is no warning', async () => {
    const allow = lab.server.refuse('POST', /\/pods$/, 403, 'Forbidden');
    lab.server.writes.length = 0;
    await annotate(manifest('web'));
    await lab.advance(1000);
    expect(posts()).toBe(1);
    allow();
    await lab.until(WEB, isReady);
    expect([posts(), await said('FailedMirrorPod')]).toEqual([2, []]);
    await annotate(null);
    await lab.gone(WEB);
  });

  test('that is forbidden is tried after one, two, four and more seconds; its pod runs without it', async () => {
    const allow = lab.server.refuse('POST', /\/pods$/, 403, 'Forbidden');
    lab.server.writes.length = 0;
    const before = lab.clock.now() - START;
    await annotate(manifest('web'));
    const counts: number[] = [];
    for (const seconds of [1, 1, 2, 4, 8, 16]) {
      await lab.advance(seconds * 1000);
      counts.push(posts());
    }
    expect(counts).toEqual([1, 2, 3, 4, 5, 6]);
    expect(usage()).toEqual(['web-node-1']);
    expect(await said('FailedMirrorPod')).toEqual([
      'The static pod default/web-node-1 runs without a mirror: Forbidden',
    ]);
    await lab.advance(200_000, 1000);
    const late = posts();
    await lab.advance(60_000, 1000);
    expect(posts()).toBe(late + 1);
    allow();
    const { status } = await lab.until(WEB, isReady, 61_000);
    expect(Date.parse(status.startTime) - START).toBeLessThan(before + 2000);
    expect(status.containerStatuses[0].restartCount).toBe(0);
    await annotate(null);
    await lab.gone(WEB);
    expect(usage()).toEqual([]);
  });

  test('that is invalid is not tried again, and its pod does not run', async () => {
    const allow = lab.server.refuse('POST', /\/pods$/, 422, 'Invalid');
    lab.server.writes.length = 0;
    await annotate(manifest('web'));
    await lab.advance(30_000, 500);
    expect([posts(), usage(), await said('InvalidStaticPod')]).toEqual([1, [], ['default/web-node-1: Invalid']]);
    allow();
    await annotate(null);
    await lab.advance(1000);
  });

  test('of somebody else, of another manifest or of no manifest is deleted', async () => {
    await annotate(manifest('web'));
    const mirror = await lab.until(WEB, isReady);
    const { name: _name, uid: _uid, ...metadata } = mirror.metadata;
    await lab.create(PODS, { metadata: { ...metadata, name: 'stray-node-1' }, spec: mirror.spec });
    await lab.gone(`${PODS}/stray-node-1`);
    const references: Loose = mirror.metadata.ownerReferences;
    await lab.patch(WEB, { metadata: { ownerReferences: [{ ...references[0], uid: 'another' }] } });
    const next = await lab.until(WEB, (pod) => pod.metadata?.uid !== mirror.metadata.uid && isReady(pod));
    await lab.patch(WEB, { metadata: { annotations: { 'cluster.io/config.mirror': 'old' } } });
    const last = await lab.until(WEB, (pod) => pod.metadata?.uid !== next.metadata.uid && isReady(pod));
    expect(last.status.containerStatuses).toEqual(mirror.status.containerStatuses);
    await annotate(null);
    await lab.gone(WEB);
  });

  test('is deleted with its pod’s grace, which is thirty seconds where none is given', async () => {
    const deaf = 'command: [sh, -c, "trap \'\' TERM; sleep 100000"]';
    for (const [grace, seconds] of [
      ['', 30],
      ['terminationGracePeriodSeconds: 7, ', 7],
    ] as const) {
      await annotate(manifest('web', `{ ${grace}containers: [{ name: c, image: busybox, ${deaf} }] }`));
      await lab.until(WEB, isReady);
      const began = lab.clock.now();
      await annotate(null);
      await lab.gone(WEB);
      // Files are read half a second after their last change.
      expect(Math.round((lab.clock.now() - began - 500) / 1000)).toBe(seconds);
    }
  });

  test('counts as critical, whatever its priority', async () => {
    await annotate(manifest('web'));
    await lab.until(WEB, isReady);
    await lab.patch(NODE, { metadata: { annotations: { 'simulation.vitrine.dev/pressure': 'memory' } } });
    await lab.advance(25_000, 500);
    expect((await lab.get(WEB)).status.phase).toBe('Running');
    await lab.patch(NODE, { metadata: { annotations: { 'simulation.vitrine.dev/pressure': null } } });
    await annotate(null);
    await lab.gone(WEB);
  });

  test('is no longer there and not made again when the node stops', async () => {
    await annotate(manifest('web'));
    await lab.until(WEB, isReady);
    await lab.stop();
    lab.server.writes.length = 0;
    await lab.delete(WEB, { gracePeriodSeconds: 0 });
    await lab.advance(5000);
    expect(posts()).toBe(0);
  });
});
