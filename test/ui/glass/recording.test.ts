/** The Glass reads the trace of a cluster at work: a Deployment from the request to running pods, and refusals. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RequestLog } from '../../../src/hosts/worker/requestLog.ts';
import type { TraceEvent } from '../../../src/trace/index.ts';
import { Engine } from '../../../src/ui/panels/glass/model/engine.ts';
import { linesAt } from '../../../src/ui/panels/glass/model/lines.ts';
import { storyOf } from '../../../src/ui/panels/glass/model/story.ts';
import type { RecordedRequest } from '../../../src/ui/panels/glass/model/recording.ts';
import { because, outcome, sentence } from '../../../src/ui/panels/glass/model/sentences.ts';
import { Bench, deployment, type Loose } from '../../controllers/bench.ts';

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const PODS = '/api/v1/namespaces/default/pods';
const kinds = new Map([
  ['deployments', 'Deployment'],
  ['replicasets', 'ReplicaSet'],
  ['pods', 'Pod'],
  ['configmaps', 'ConfigMap'],
]);
const kindOf = ({ resource }: { readonly resource: string }): string => kinds.get(resource) ?? resource;
/** Names that the server makes up, made the same in each run. */
const plain = (line: string): string => line.replace(/web-[a-z0-9]+(-[a-z0-9]+)?/g, (_, pod) => (pod ? 'POD' : 'SET'));

let bench: Bench;
const engine = new Engine();
const { recording } = engine;

/** A request as a person sends it. */
async function asPerson(name: string, groups: string[], path: string, body: unknown): Promise<number> {
  const request = new Request(`http://cluster${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const response = await bench.cluster.fetch(request, { as: { name, groups, uid: name, extra: {} }, from: 'page' });
  await response.text();
  return response.status;
}

const asAdmin = (path: string, body: unknown): Promise<number> => asPerson('ada', ['system:masters'], path, body);

beforeAll(async () => {
  bench = await Bench.start({
    nodes: 2,
    apiserver: ['--authorization-mode=Node,RBAC'],
    controllerManager: ['--use-service-account-credentials=true'],
  });
  const log = new RequestLog();
  const take = (event: TraceEvent): void => {
    const told = event.topic === 'watch' ? event : log.take(event);
    if (told) engine.take([told], 0);
  };
  bench.cluster.trace.listen(take, ['request', 'watch', 'body']);
  await asAdmin(DEPLOYMENTS, deployment('web', 2));
  const isRunning = (pod: Loose): boolean => pod.status.phase === 'Running';
  await bench.until(PODS, ({ items }) => items.length === 2 && items.every(isRunning));
  await bench.until(`${DEPLOYMENTS}/web`, ({ status }) => status.readyReplicas === 2);
  await asPerson('jane', ['system:authenticated'], PODS, { metadata: { name: 'secret' } });
  await asAdmin(PODS, { metadata: { name: 'empty' }, spec: { containers: [] } });
  await asAdmin('/api/v1/namespaces/absent/configmaps', { metadata: { name: 'lost' } });
  await asAdmin(DEPLOYMENTS, deployment('web', 2));
}, 60_000);
afterAll(() => bench.stop());

const lines = (): readonly RecordedRequest[] => linesAt(recording, recording.end, undefined, 500);
const find = (text: string): RecordedRequest => {
  const found = lines().find((recorded) => plain(sentence(recorded, kindOf)) === text);
  if (!found)
    throw new Error(
      `no line "${text}" among:\n${lines()
        .map((p) => sentence(p, kindOf))
        .join('\n')}`,
    );
  return found;
};

describe('a Deployment, from the request to running pods', () => {
  test('reads as sentences in order, each with its revision', () => {
    const sentences = lines().map((recorded) => plain(sentence(recorded, kindOf)));
    const order = [
      'ada created Deployment default/web',
      'deployment controller created ReplicaSet default/SET',
      'replicaset controller created Pod default/POD',
      'scheduler bound Pod default/POD',
      'deployment controller updated the status of Deployment default/web',
    ];
    for (const text of order) expect(sentences).toContain(text);
    const places = order.slice(0, 4).map((text) => sentences.indexOf(text));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(outcome(find('ada created Deployment default/web'))).toMatch(/^revision \d+$/);
  });

  test('leaves signs of life, events and the components’ reads to the background', () => {
    const resources = new Set([...recording.requests.values()].map(({ subject }) => subject.resource));
    expect(resources).not.toContain('leases');
    expect(resources).not.toContain('events');
    expect([...recording.requests.values()].filter(({ method }) => method === 'GET')).toEqual([]);
  });

  test('each stage of a write is a beat, in the order of the server, and news of it go out after it is stored', () => {
    const { id, revision } = find('ada created Deployment default/web');
    const own = recording.beats.filter((beat) =>
      'request' in beat ? beat.request === id : beat.revision === revision,
    );
    const words = own.map((beat) => (beat.what === 'passed' ? beat.stage : beat.what));
    expect(words.slice(0, 5)).toEqual(['entered', 'authorization', 'admission', 'validation', 'stored']);
    expect(words).toContain('notified');
    expect(words).toContain('answered');
    expect(words.indexOf('notified')).toBeGreaterThan(words.indexOf('stored'));
    expect(recording.notifiedOf(revision ?? 0)).toContain('controllers');
  });
});

describe('a story', () => {
  test('of the Deployment has everything that followed from it, each with its reason', () => {
    const story = storyOf('apps/deployments/default/web', recording).map(
      ({ recorded, reaction, depth }) =>
        `${depth} ${plain(sentence(recorded, kindOf))}${reaction ? ` ${plain(because(reaction))}` : ''}`,
    );
    expect(story[0]).toBe('0 ada created Deployment default/web');
    expect(story).toContain(
      '1 deployment controller created ReplicaSet default/SET because Deployment default/web was added',
    );
    expect(story).toContain('2 replicaset controller created Pod default/POD because ReplicaSet default/SET was added');
    expect(story.filter((line) => /^3 scheduler bound Pod default\/POD follows revision \d+$/.test(line))).toHaveLength(
      2,
    );
    expect(story.some((line) => /^4 agent of node-\d updated the status of Pod default\/POD follows/.test(line))).toBe(
      true,
    );
    expect(
      story.some((line) => line.includes('Deployment default/web because ReplicaSet default/SET was changed')),
    ).toBe(true);
  });

  test('of a pod goes up to the first request, and has nothing of its sibling', () => {
    const [pod] = lines().filter(({ subject, method }) => subject.resource === 'pods' && method === 'POST');
    const { namespace = '', name = '' } = pod?.subject ?? {};
    const story = storyOf(`core/pods/${namespace}/${name}`, recording);
    expect(story.slice(0, 3).map(({ recorded }) => recorded.subject.resource)).toEqual([
      'deployments',
      'replicasets',
      'pods',
    ]);
    const pods = new Set(
      story.filter(({ recorded }) => recorded.subject.resource === 'pods').map((l) => l.recorded.subject.name),
    );
    expect([...pods]).toEqual([name]);
  });

  test('of something that nobody wrote is empty', () => {
    expect(storyOf('core/configmaps/default/nothing', recording)).toEqual([]);
  });
});

describe('a refused request is stopped where it was refused, with the reason', () => {
  test.each([
    [
      'at authorization',
      'jane wanted to create pods in default',
      'authorization',
      'jane may not create pods in default',
    ],
    ['at validation', 'ada wanted to create Pod default/empty', 'validation', 'spec.containers is not valid'],
    ['at admission', 'ada wanted to create ConfigMap absent/lost', 'admission', 'NamespaceLifecycle'],
    ['at storage', 'ada wanted to create Deployment default/web', 'storage', 'the name is taken'],
  ])('%s', (_, line, stage, reason) => {
    const recorded = find(line);
    expect(recorded.stop?.stage).toBe(stage);
    expect(recorded.stop?.reason).toContain(reason);
    expect(outcome(recorded)).toMatch(/^stopped at \w+ \(4\d\d\): /);
    const last = recording.beats.filter((beat) => 'request' in beat && beat.request === recorded.id).slice(-2);
    expect(last.map(({ what }) => what)).toEqual(['stopped', 'answered']);
  });
});
