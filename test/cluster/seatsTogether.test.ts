/**
 * Pods that would be created together are requests of their own where their priority level has no free seat: each waits for one, or
 * is refused. The same work on two clusters with one seed, of which one is traced so that each pod is a request anyway, has the same
 * answers and counts.
 */
import { expect, test } from 'vitest';
import { createCluster, type Cluster } from '../../src/cluster/index.ts';
import { JsonBody, must, type JsonRequestInit } from '../../src/std/index.ts';
import { GROUP, level, schema } from '../apiserver/flowCluster.ts';
import { compareBoth, countsOf, follow, send, withAdministrator, type Counts } from './together.ts';

const CONTROLLER = 'system:serviceaccount:kube-system:replicaset-controller';
const COUNT = 40;
const HEADERS = { 'content-type': 'application/json' };

const LEVELS = {
  waits: level('few', 1, { queues: 1, handSize: 1, queueLengthLimit: COUNT }),
  refuses: level('few', 1),
} as const;

interface Left {
  readonly codes: readonly number[];
  readonly counts: readonly string[];
  readonly together: Counts;
}

/** Takes a seat as the controller, by a request whose body has not ended. The function that it returns ends it. */
function takeSeat(cluster: Cluster): () => Promise<number> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const answer = cluster.fetch(
    new Request('http://test/api/v1/namespaces/work/pods', {
      method: 'POST',
      headers: { ...HEADERS, authorization: 'Bearer admintoken', 'impersonate-user': CONTROLLER },
      // The type of requests does not know `duplex` yet.
      ...{ body: readable, duplex: 'half' },
    }),
  );
  return async () => {
    await writable.close();
    return (await answer).status;
  };
}

/** What became of pods of one draft that the controller creates at once, on a level that has one seat. */
async function play(onLevel: keyof typeof LEVELS, isTaken: boolean, isTraced: boolean): Promise<Left> {
  const cluster = await createCluster({
    ...{ name: 'seats', ...withAdministrator, nodes: 0 },
    apiserver: [...withAdministrator.apiserver, '--max-requests-inflight=3', '--max-mutating-requests-inflight=3'],
    controllerManager: ['--use-service-account-credentials=true'],
  });
  try {
    const together = follow(cluster, isTraced);
    await send(cluster, 'POST', '/api/v1/namespaces', { metadata: { name: 'work' } });
    await send(cluster, 'POST', `${GROUP}/prioritylevelconfigurations`, LEVELS[onLevel]);
    await send(cluster, 'POST', `${GROUP}/flowschemas`, schema('few', 'few', 100, CONTROLLER));
    await cluster.clock.step(5000);
    const letGo = isTaken ? takeSeat(cluster) : undefined;
    await cluster.clock.step(100);
    const spec = { containers: [{ name: 'c', image: 'nginx:1.19' }] };
    const json = must(JsonBody.of({ metadata: { generateName: 'o0-' }, spec }), 'it can be a value');
    const init: JsonRequestInit = { method: 'POST', headers: HEADERS, json, gathered: 'pods' };
    const transport = cluster.transportAs(CONTROLLER);
    const answers = Array.from({ length: COUNT }, () => transport('/api/v1/namespaces/work/pods', init));
    await cluster.clock.step(1000);
    expect(await letGo?.()).toBe(isTaken ? 400 : undefined);
    await cluster.clock.step(1000);
    const codes = (await Promise.all(answers)).map(({ status }) => status);
    const counts = await countsOf(cluster, /^apiserver_flowcontrol_(dispatched|rejected)_.*"few"/);
    // Nothing holds the seat any more.
    codes.push((await transport('/api/v1/namespaces/work/pods', init)).status);
    return { codes, counts, together };
  } finally {
    await cluster.stop();
  }
}

/** The code of each answer, and of one to a request after all others. */
const codes = (code: number): readonly number[] => [...Array.from({ length: COUNT }, () => code), 201];

const FEW = '{priority_level="few",flow_schema="few"';
/** With the request that takes the seat, where one does. */
const dispatched = (count: number): string => `apiserver_flowcontrol_dispatched_requests_total${FEW}} ${count}`;
const rejected = `apiserver_flowcontrol_rejected_requests_total${FEW},reason="concurrency-limit"} ${COUNT}`;

test.each([
  ['waits', 'free', { together: COUNT, codes: codes(201), counts: [dispatched(COUNT)] }],
  ['waits', 'taken', { together: 0, codes: codes(201), counts: [dispatched(COUNT + 1)] }],
  ['refuses', 'taken', { together: 0, codes: codes(429), counts: [dispatched(1), rejected] }],
] as const)('pods on a level that %s, while its seat is %s', { timeout: 60_000 }, async (onLevel, seat, expected) => {
  const left = await compareBoth((isTraced) => play(onLevel, seat === 'taken', isTraced));
  expect({ ...left, together: left.together.pods ?? 0 }).toEqual(expected);
});
