/** When the files of a pod's volumes are written again: while they are first written, and where a token is refused. */
import { beforeEach, describe, expect, test } from 'vitest';
import { Client, EventRecorder, type Node, type Pod } from '../../src/client/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { Keeper } from '../../src/node/keeping/keeper.ts';
import type { Whereabouts } from '../../src/node/pod/references.ts';
import { NodeAttachments } from '../../src/node/volumes/attachments.ts';
import { ObjectCache } from '../../src/node/volumes/objectCache.ts';
import { PodVolumes } from '../../src/node/volumes/podVolumes.ts';
import type { DirectoryNode, LinkNode } from '../../src/programs/index.ts';
import { decodeText, manualClock, seededRandom, type ControlledClock } from '../../src/std/index.ts';

const HOUR = 3_600_000;
const names = namesOf('k8s.io');

let clock: ControlledClock;
let pod: Pod;
let volumes: PodVolumes;
/** What was told of as a problem. */
let problems: unknown[];
/** Answers the token that is asked for; undefined refuses it. */
let answerToken: () => Promise<string | undefined>;

const labelled = (labels: Record<string, string>): Pod =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'ns', uid: 'u', labels },
    spec: {
      volumes: [
        {
          name: 'all',
          projected: {
            sources: [
              { downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
              { serviceAccountToken: { path: 'token' } },
            ],
          },
        },
      ],
    },
    status: {},
  }) as unknown as Pod;

async function transport(): Promise<Response> {
  const token = await answerToken();
  const until = new Date(clock.now() + HOUR).toISOString();
  if (token !== undefined) return Response.json({ status: { token, expirationTimestamp: until } }, { status: 201 });
  return Response.json(
    { kind: 'Status', code: 503, reason: 'ServiceUnavailable', message: 'not now' },
    { status: 503 },
  );
}

beforeEach(() => {
  clock = manualClock();
  pod = labelled({ app: 'first' });
  problems = [];
  answerToken = () => Promise.resolve('token-1');
  const client = new Client({ transport, names });
  const onProblem = (problem: unknown): void => void problems.push(problem);
  const environment = {
    ...{ client, clock, now: () => clock.now(), names, node: 'node-1' },
    objects: new ObjectCache({ client, clock, onProblem, random: seededRandom(1) }),
    kept: new Map(),
    keeper: new Keeper({ data: undefined, clock, onProblem }),
    keepVolumes: () => undefined,
    recorder: new EventRecorder({ client, clock, source: { component: 'kubelet' } }),
    attachments: new NodeAttachments(
      () => ({ status: {} }) as Node,
      () => undefined,
    ),
    startDrivers: () => undefined,
  };
  const where = (): Whereabouts => ({ pod, podIP: '10.0.0.1', hostIP: '192.0.2.1', allocatable: {} });
  volumes = new PodVolumes(environment, { where, onProblem });
});

/** The text of a file of the volume; undefined before the volume is there. */
function text(name: string): string | undefined {
  const root = volumes.get('all')?.root as DirectoryNode | undefined;
  const current = root && (root.entries.get('..data') as LinkNode).target;
  const file = current !== undefined && (root?.entries.get(current) as DirectoryNode).entries.get(name);
  return file && file.type === 'file' ? decodeText(file.content) : undefined;
}

/** Lets answers arrive. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('labels that change while a volume is first written are in its files', async () => {
  let answer = (_: string): void => undefined;
  answerToken = () => new Promise((resolve) => (answer = resolve));
  const prepared = volumes.prepare();
  await settle();
  pod = labelled({ app: 'second' });
  volumes.refresh();
  answer('token-1');
  expect(await prepared).toBeUndefined();
  expect([text('labels'), text('token')]).toEqual(['app="second"', 'token-1']);
});

describe('a token', () => {
  test('is replaced after four fifths of its life', async () => {
    await volumes.prepare();
    answerToken = () => Promise.resolve('token-2');
    await clock.step(0.8 * HOUR - 1);
    await settle();
    expect(text('token')).toBe('token-1');
    await clock.step(1);
    await settle();
    expect(text('token')).toBe('token-2');
  });

  test('stays when another is refused, which is asked for every ten seconds', async () => {
    await volumes.prepare();
    answerToken = () => Promise.resolve(undefined);
    await clock.step(0.8 * HOUR);
    await settle();
    expect([text('token'), problems.length]).toEqual(['token-1', 1]);
    await clock.step(10_000);
    await settle();
    expect([text('token'), problems.length]).toEqual(['token-1', 2]);
    answerToken = () => Promise.resolve('token-2');
    await clock.step(10_000);
    await settle();
    expect([text('token'), problems.length]).toEqual(['token-2', 2]);
  });

  test('that is refused at first is why the volume is not there', async () => {
    answerToken = () => Promise.resolve(undefined);
    const problem = 'MountVolume.SetUp failed for volume "all" : failed to fetch token: not now';
    expect(await volumes.prepare()).toEqual({ problems: [problem], volumes: ['all'] });
    answerToken = () => Promise.resolve('token-1');
    expect(await volumes.prepare()).toBeUndefined();
    expect(text('token')).toBe('token-1');
  });

  test('is asked for no more once the volumes are released', async () => {
    await volumes.prepare();
    volumes.stop();
    let asked = 0;
    answerToken = () => Promise.resolve(`token-${++asked}`);
    await clock.step(2 * HOUR);
    await settle();
    expect(asked).toBe(0);
  });
});
