import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Cluster } from '../../src/cluster/index.ts';
import { must } from '../../src/std/index.ts';
import type { TraceEvent } from '../../src/trace/index.ts';
import {
  asRoot,
  Call,
  calls,
  GROUP,
  holdAll,
  level,
  metric,
  schema,
  smallCluster,
  until,
  USERS,
} from './flowCluster.ts';

const levelPath = `${GROUP}/prioritylevelconfigurations`;
const schemaPath = `${GROUP}/flowschemas`;
const SEATS = 20;
const QUEUING = { queues: 16, handSize: 2, queueLengthLimit: 20 };

interface FlowObject {
  readonly metadata: { readonly name: string; readonly uid: string };
  readonly spec: { readonly limited?: { readonly assuredConcurrencyShares: number } };
  readonly status: { readonly conditions?: readonly Record<string, string>[] };
}

const list = async (cluster: Cluster, path: string): Promise<readonly FlowObject[]> =>
  ((await asRoot(cluster, 'GET', path)) as { items: readonly FlowObject[] }).items;

/** How many seats each level has, worked out from the objects. */
async function seatsByObjects(cluster: Cluster): Promise<Map<string, number>> {
  const levels = await list(cluster, levelPath);
  const sharesOf = ({ spec }: FlowObject): number => spec.limited?.assuredConcurrencyShares ?? 0;
  const sum = levels.reduce((total, one) => total + sharesOf(one), 0);
  return new Map(levels.map((one) => [one.metadata.name, Math.ceil((SEATS * sharesOf(one)) / sum)]));
}

const countBy = (all: readonly Call[], status: number | undefined): number =>
  all.filter((call) => call.status === status).length;

describe('a thousand requests of three users against small limits', () => {
  let cluster: Cluster;
  let seats: Map<string, number>;
  const made: Record<string, Call[]> = {};
  const flows: Extract<TraceEvent, { stage: 'flow' }>[] = [];

  beforeAll(async () => {
    cluster = await smallCluster();
    await asRoot(cluster, 'POST', levelPath, level('gold', 200, QUEUING));
    await asRoot(cluster, 'POST', levelPath, level('iron', 100));
    await asRoot(cluster, 'POST', schemaPath, schema('gold', 'gold', 50, 'alice', 'bob'));
    await asRoot(cluster, 'POST', schemaPath, schema('iron', 'iron', 50, 'carol'));
    seats = await seatsByObjects(cluster);
    cluster.trace.listen(
      (event) => void (event.topic === 'request' && event.stage === 'flow' && flows.push(event)),
      ['request'],
    );
    holdAll(cluster);
    for (const [user, count] of [
      ['alice', 600],
      ['bob', 200],
      ['carol', 200],
    ] as const)
      made[user] = calls(cluster, count, user);
    const all = Object.values(made).flat();
    const [gold, iron] = [seatsOf('gold'), seatsOf('iron')];
    await until(() => countBy(all, 429) === 1000 - gold - iron - 80 && cluster.breakpoints.held.length === gold + iron);
  });

  afterAll(() => cluster.stop());

  const seatsOf = (name: string): number => must(seats.get(name), name);

  test('each level has the seats of its shares', () => {
    expect(seatsOf('gold')).toBeGreaterThan(4);
    expect(seatsOf('iron')).toBeGreaterThan(2);
    const table = cluster.breakpoints.held.reduce<Record<string, number>>(
      (counts, { user }) => ({ ...counts, [user]: (counts[user] ?? 0) + 1 }),
      {},
    );
    expect(table).toEqual({ alice: seatsOf('gold'), carol: seatsOf('iron') });
  });

  test('a level with queues keeps two queues of twenty for each flow, and refuses the rest', () => {
    const waiting = (user: string): number => countBy(must(made[user], user), undefined);
    expect(waiting('alice')).toBe(seatsOf('gold') + 40);
    expect(waiting('bob')).toBe(40);
    expect(countBy(must(made['alice'], 'alice'), 429)).toBe(600 - seatsOf('gold') - 40);
    expect(countBy(must(made['bob'], 'bob'), 429)).toBe(160);
  });

  test('a level without queues refuses requests without a seat', () => {
    expect(countBy(must(made['carol'], 'carol'), 429)).toBe(200 - seatsOf('iron'));
  });

  test('a refusal has the retry time and the reference’s message', async () => {
    const { response } = must(must(made['carol'], 'carol').at(-1), 'refused');
    expect(await response?.clone().text()).toBe('Too many requests, please try again later.\n');
    expect(Object.fromEntries(response?.headers ?? [])).toMatchObject({
      'retry-after': '1',
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-cache, private',
    });
    expect(response?.headers.has('x-kubernetes-pf-flowschema-uid')).toBe(false);
  });

  test('metrics agree', async () => {
    // What the cluster's own parts asked as they began lies more than a second back.
    await cluster.clock.step(1500);
    const gold = 'priority_level="gold",flow_schema="gold"';
    const rejected = 'apiserver_flowcontrol_rejected_requests_total';
    const table = {
      'apiserver_flowcontrol_request_concurrency_limit{priority_level="gold"}': seatsOf('gold'),
      [`apiserver_flowcontrol_current_executing_requests{${gold}}`]: seatsOf('gold'),
      [`apiserver_flowcontrol_current_inqueue_requests{${gold}}`]: 80,
      [`${rejected}{${gold},reason="queue-full"}`]: 800 - seatsOf('gold') - 80,
      [`${rejected}{priority_level="iron",flow_schema="iron",reason="concurrency-limit"}`]: 200 - seatsOf('iron'),
      'apiserver_dropped_requests_total{request_kind="readOnly"}': 1000 - seatsOf('gold') - seatsOf('iron') - 80,
      'apiserver_current_inqueue_requests{request_kind="readOnly"}': 80,
    };
    for (const [series, value] of Object.entries(table))
      expect([series, await metric(cluster, series)]).toEqual([series, value]);
  });

  test('the trace has schema, level and outcome of each request', () => {
    const outcomes: Record<string, number> = {};
    for (const { priorityLevel, outcome } of flows)
      outcomes[`${priorityLevel} ${outcome}`] = (outcomes[`${priorityLevel} ${outcome}`] ?? 0) + 1;
    expect(outcomes).toMatchObject({
      'gold executed': seatsOf('gold'),
      'gold queue-full': 800 - seatsOf('gold') - 80,
      'iron executed': seatsOf('iron'),
      'iron concurrency-limit': 200 - seatsOf('iron'),
    });
    expect(flows.find(({ priorityLevel }) => priorityLevel === 'gold')).toMatchObject({
      flowSchema: 'gold',
      detail: { queue: expect.any(Number) as number, seats: { limit: seatsOf('gold') } },
    });
  });

  test('debug tables list the queues and waiting requests', async () => {
    const path = '/debug/api_priority_and_fairness';
    const levels = (await asRoot(cluster, 'GET', `${path}/dump_priority_levels`)) as string;
    const row = levels.split('\n').find((line) => line.startsWith('gold'));
    expect(row?.split(/,\s*/).slice(0, 6)).toEqual(['gold', '4', 'false', 'false', '80', String(seatsOf('gold'))]);
    const queues = (await asRoot(cluster, 'GET', `${path}/dump_queues`)) as string;
    expect(queues.split('\n').filter((line) => line.startsWith('gold')).length).toBe(16);
    const requests = (await asRoot(cluster, 'GET', `${path}/dump_requests?includeRequestDetails=1`)) as string;
    const waiting = requests.split('\n').filter((line) => line.startsWith('gold'));
    expect(waiting.length).toBe(80);
    expect([queues, levels].some((text) => /, *$/m.test(text))).toBe(false);
    expect(requests).not.toContain('exempt');
    expect(
      waiting.filter((line) => /, +bob, +list, +\/api\/v1\/namespaces\/default\/configmaps,/.test(line)).length,
    ).toBe(40);
  });

  test('a table lists flow schemas in the order in which they are matched', async () => {
    const list = '/apis/flowcontrol.apiserver.k8s.io/v1beta1/flowschemas';
    const headers = { authorization: 'Bearer root', accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
    const answer = await cluster.fetch(new Request(`http://cluster.local${list}`, { headers }));
    const { rows } = (await answer.json()) as { rows: { cells: [string, string, number] }[] };
    const precedences = rows.map(({ cells }) => cells[2]);
    expect(precedences).toEqual([...precedences].sort((a, b) => a - b));
    expect([rows[0]?.cells[0], rows.at(-1)?.cells[0]]).toEqual(['exempt', 'catch-all']);
  });

  test('administrators are served at once, regardless of the queues', async () => {
    const all = await Promise.all(
      calls(cluster, 50, 'root', '/api/v1/namespaces/default').map(({ answered }) => answered),
    );
    expect(all.every(({ status }) => status === 200)).toBe(true);
  });

  test('watches take no seat', async () => {
    const watch = await new Call(cluster, 'carol', '/api/v1/namespaces?watch=1&timeoutSeconds=1').answered;
    expect(watch.status).toBe(200);
    await watch.body?.cancel();
  });

  test('waiting requests are served fairly: more requests of a user get no larger share', async () => {
    const [alice, bob] = [must(made['alice'], 'alice'), must(made['bob'], 'bob')];
    const firstHalf: string[] = [];
    while (firstHalf.length < 40) {
      const held = must(
        cluster.breakpoints.held.find(({ user }) => user !== 'carol'),
        'one runs',
      );
      const before = cluster.breakpoints.held.length;
      await cluster.clock.step(10);
      cluster.breakpoints.release(held.request);
      const known = new Set(cluster.breakpoints.held.map(({ request }) => request));
      await until(() => cluster.breakpoints.held.length === before);
      const next = must(
        cluster.breakpoints.held.find(({ request }) => !known.has(request)),
        'the next one runs',
      );
      firstHalf.push(next.user);
    }
    const bobs = firstHalf.filter((user) => user === 'bob').length;
    expect(bobs).toBeGreaterThanOrEqual(18);
    expect(bobs).toBeLessThanOrEqual(34);
    cluster.breakpoints.set([]);
    await until(() => [...alice, ...bob].every(({ response }) => response));
    expect([countBy(alice, 200), countBy(bob, 200)]).toEqual([seatsOf('gold') + 40, 40]);
  });

  test('responses have the uids of schema and level', async () => {
    const uidOf = async (path: string): Promise<string | undefined> =>
      (await list(cluster, path)).find(({ metadata }) => metadata.name === 'gold')?.metadata.uid;
    const headers = must(
      must(made['bob'], 'bob').find(({ status }) => status === 200),
      'served',
    ).response?.headers;
    expect(headers?.get('X-Kubernetes-PF-FlowSchema-UID')).toBe(await uidOf(schemaPath));
    expect(headers?.get('X-Kubernetes-PF-PriorityLevel-UID')).toBe(await uidOf(levelPath));
  });

  test('at the end nothing runs or waits', async () => {
    await until(() =>
      Object.values(made)
        .flat()
        .every(({ response }) => response),
    );
    const gold = '{priority_level="gold",flow_schema="gold"}';
    expect(await metric(cluster, `apiserver_flowcontrol_current_executing_requests${gold}`)).toBe(0);
    expect(await metric(cluster, `apiserver_flowcontrol_current_inqueue_requests${gold}`)).toBe(0);
    expect(await metric(cluster, `apiserver_flowcontrol_dispatched_requests_total${gold}`)).toBe(seatsOf('gold') + 80);
  });
});

describe('objects of flow control', () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await smallCluster();
  });
  afterAll(() => cluster.stop());

  const dangling = async (name: string): Promise<Record<string, string> | undefined> =>
    (await list(cluster, schemaPath))
      .find(({ metadata }) => metadata.name === name)
      ?.status.conditions?.find(({ type }) => type === 'Dangling');

  const untilDangling = async (name: string, status: string): Promise<void> => {
    for (let turn = 0; turn < 200; turn++) if ((await dangling(name))?.['status'] === status) return;
    throw new Error(`${name} does not come to be dangling=${status}`);
  };

  const schemaOf = async (user: string): Promise<string> => {
    const uid = (await new Call(cluster, user).answered).headers.get('X-Kubernetes-PF-FlowSchema-UID');
    return (await list(cluster, schemaPath)).find(({ metadata }) => metadata.uid === uid)?.metadata.name ?? '';
  };

  test('a new cluster has the mandatory and suggested objects with their conditions', async () => {
    const levels = (await list(cluster, levelPath)).map(({ metadata }) => metadata.name);
    expect(levels.sort()).toEqual([
      'catch-all',
      'exempt',
      'global-default',
      'leader-election',
      'system',
      'workload-high',
      'workload-low',
    ]);
    const schemas = (await list(cluster, schemaPath)).map(({ metadata }) => metadata.name);
    expect(schemas.sort()).toEqual([
      ...['catch-all', 'exempt', 'global-default', 'kube-controller-manager', 'kube-scheduler'],
      ...['kube-system-service-accounts', 'service-accounts', 'system-leader-election', 'system-nodes'],
      'workload-leader-election',
    ]);
    for (const name of schemas) await untilDangling(name, 'False');
    expect(await dangling('system-nodes')).toMatchObject({
      reason: 'Found',
      message: 'This FlowSchema references the PriorityLevelConfiguration object named "system" and it exists',
    });
  });

  test('a request without a matching schema uses the catch-all', async () => {
    expect(await schemaOf('alice')).toBe('global-default');
  });

  test('a schema with a missing level has a condition and matches nothing until the level exists', async () => {
    await asRoot(cluster, 'POST', schemaPath, schema('early', 'late', 50, 'alice'));
    await untilDangling('early', 'True');
    expect(await dangling('early')).toMatchObject({
      reason: 'NotFound',
      message:
        'This FlowSchema references the PriorityLevelConfiguration object named "late" but there is no such object',
    });
    expect(await schemaOf('alice')).toBe('global-default');
    await asRoot(cluster, 'POST', levelPath, level('late', 10));
    expect(await schemaOf('alice')).toBe('early');
    await untilDangling('early', 'False');
  });

  test('the schema with the lowest precedence matches, then by name', async () => {
    await asRoot(cluster, 'POST', schemaPath, schema('b-first', 'late', 40, 'bob'));
    await asRoot(cluster, 'POST', schemaPath, schema('c-second', 'late', 41, 'bob'));
    await asRoot(cluster, 'POST', schemaPath, schema('a-second', 'late', 41, 'bob'));
    expect(await schemaOf('bob')).toBe('b-first');
    await asRoot(cluster, 'DELETE', `${schemaPath}/b-first`);
    expect(await schemaOf('bob')).toBe('a-second');
  });

  test('a deleted level accepts nothing new, serves waiting requests, and is removed', async () => {
    await asRoot(cluster, 'POST', levelPath, level('leaving', 10, { queues: 1, handSize: 1, queueLengthLimit: 50 }));
    await asRoot(cluster, 'POST', schemaPath, schema('leaving', 'leaving', 30, 'carol'));
    const seats = must((await seatsByObjects(cluster)).get('leaving'), 'leaving');
    holdAll(cluster);
    const waiting = calls(cluster, seats + 5, 'carol');
    await until(() => cluster.breakpoints.held.length === seats);
    await asRoot(cluster, 'DELETE', `${levelPath}/leaving`);
    const dump = async (): Promise<string | undefined> =>
      ((await asRoot(cluster, 'GET', '/debug/api_priority_and_fairness/dump_priority_levels')) as string)
        .split('\n')
        .find((line) => line.startsWith('leaving'));
    expect((await dump())?.split(/,\s*/).slice(0, 6)).toEqual(['leaving', '1', 'false', 'true', '5', String(seats)]);
    await untilDangling('leaving', 'True');
    cluster.breakpoints.set([]);
    await until(() => waiting.every(({ status }) => status === 200));
    expect(await dump()).toBeUndefined();
    expect(await schemaOf('carol')).toBe('global-default');
  });

  test('mandatory objects are recreated within a minute; deleted suggested ones are not', async () => {
    for (const path of [`${levelPath}/exempt`, `${schemaPath}/catch-all`, `${schemaPath}/service-accounts`])
      await asRoot(cluster, 'DELETE', path);
    expect((await new Call(cluster, 'root').answered).status).toBe(200);
    await cluster.clock.step(60_000);
    const names = async (path: string): Promise<string[]> =>
      (await list(cluster, path)).map((one) => one.metadata.name);
    for (let turn = 0; turn < 200 && !(await names(levelPath)).includes('exempt'); turn++);
    expect(await names(levelPath)).toContain('exempt');
    expect(await names(schemaPath)).toContain('catch-all');
    expect(await names(schemaPath)).not.toContain('service-accounts');
  });
});

describe('the simple limits without priority and fairness', () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await smallCluster(
      '--enable-priority-and-fairness=false',
      '--max-requests-inflight=2',
      '--max-mutating-requests-inflight=1',
    );
    holdAll(cluster);
  });
  afterAll(() => cluster.stop());

  const post = { method: 'POST', body: JSON.stringify({ metadata: { generateName: 'c' } }) };
  const path = '/api/v1/namespaces/default/configmaps';

  test('reads and writes are counted separately; administrators and watches are exempt', async () => {
    // The cluster's own parts are turned away too, when their reads meet these.
    const dropped = (kind: string): Promise<number> =>
      metric(cluster, `apiserver_dropped_requests_total{request_kind="${kind}"}`);
    const before = { readOnly: await dropped('readOnly'), mutating: await dropped('mutating') };
    const reads = USERS.flatMap((user) => calls(cluster, 2, user));
    const writes = USERS.flatMap((user) => calls(cluster, 2, user, path, post));
    await until(() => countBy(reads, 429) === 4 && countBy(writes, 429) === 5);
    const admin = [new Call(cluster, 'root'), new Call(cluster, 'root', path, post)];
    await until(() => cluster.breakpoints.held.length === 5);
    expect((await dropped('mutating')) - before.mutating).toBe(5);
    expect((await dropped('readOnly')) - before.readOnly).toBeGreaterThanOrEqual(4);
    const watch = new Call(cluster, 'alice', `${path}?watch=1`);
    await until(() => cluster.breakpoints.held.length === 6);
    cluster.breakpoints.set([]);
    await until(() => [...reads, ...writes, ...admin, watch].every(({ response }) => response));
    expect([countBy(reads, 200), countBy(writes, 201), watch.status]).toEqual([2, 1, 200]);
    expect(admin.map(({ status }) => status)).toEqual([200, 201]);
    expect(reads.find(({ status }) => status === 200)?.response?.headers.has('x-kubernetes-pf-flowschema-uid')).toBe(
      false,
    );
    await watch.response?.body?.cancel();
  });

  test('there are no queue tables', async () => {
    const dump = await new Call(cluster, 'root', '/debug/api_priority_and_fairness/dump_queues').answered;
    expect(dump.status).toBe(404);
  });
});

test('priority and fairness needs at least one seat', async () => {
  await expect(smallCluster('--max-requests-inflight=0', '--max-mutating-requests-inflight=0')).rejects.toThrow(
    '--max-requests-inflight',
  );
});
