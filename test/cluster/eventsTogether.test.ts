/**
 * Events of the components that wait are created together. Nobody can tell that from requests: the same work on two
 * clusters with one seed, of which one is traced so that each event is a request, leaves the same events and counts.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Client, EventRecorder, SeriesRecorder } from '../../src/client/index.ts';
import { createCluster, type Cluster } from '../../src/cluster/index.ts';
import {
  allowNodes,
  compareBoth,
  countsOf,
  follow,
  liftQuota,
  list,
  namespaceActions,
  plain,
  quota,
  role,
  send,
  watch,
  webhook,
  withAdministrator,
  type Action,
  type Counts,
} from './together.ts';

/** What happens before more events are recorded. */
const ACTIONS: Readonly<Record<string, Action>> = {
  nothing: () => Promise.resolve(),
  'limit the events': quota({ 'count/events': '30' }),
  'lift the limit': liftQuota,
  ...namespaceActions,
  'take the rights of nodes away': role('system:node', []),
  'take the rights of the scheduler away': role('system:kube-scheduler', []),
  'call a mutating webhook': webhook('mutating', 'events'),
  'call a validating webhook': webhook('validating', 'events'),
};

/** A pod to which something happens. */
interface Subject {
  readonly user: 'system:kube-scheduler' | 'system:node:a' | 'system:nobody';
  readonly namespace: 'work' | 'default' | 'missing';
  readonly name: string;
  /** Whether it is told with the newer API of events. */
  readonly isReport: boolean;
  readonly reason?: string;
}

interface Step {
  readonly action: string;
  readonly subjects: readonly Subject[];
}

interface Left {
  readonly events: readonly string[];
  readonly watch: readonly string[];
  readonly counts: readonly string[];
  readonly together: Counts;
}

/** Records an event about each subject at once. */
function record(cluster: Cluster, round: number, subjects: readonly Subject[]): void {
  const { clock, names } = cluster;
  const recorders = new Map<string, readonly [EventRecorder, SeriesRecorder]>();
  for (const { user, namespace, name, isReport, reason = 'Seen' } of subjects) {
    const client = new Client({ transport: cluster.transportAs(user), names, userAgent: `${user.slice(-5)}/v1` });
    const [recorder, reports] = recorders.get(user) ?? [
      new EventRecorder({ client, clock, source: { component: user, ...(isReport && { host: 'here' }) } }),
      new SeriesRecorder({ client, clock, controller: 'a.b/c', instance: 'd' }),
    ];
    recorders.set(user, [recorder, reports]);
    const about = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace, name } };
    const note = `in round ${round}`;
    if (isReport) reports.record(about, { type: 'Normal', reason, action: 'Binding', note });
    else recorder.record(about, 'Warning', reason, note, name.length % 2 === 0 ? 'spec.containers{a}' : undefined);
  }
}

async function play(steps: readonly Step[], isTraced: boolean): Promise<Left> {
  const cluster = await createCluster({ name: 'events', ...withAdministrator, nodes: 0 });
  try {
    const together = follow(cluster, isTraced);
    await allowNodes(cluster);
    await send(cluster, 'POST', '/api/v1/namespaces', { metadata: { name: 'work' } });
    await cluster.clock.step(5000);
    const watched = await watch(cluster, '/api/v1/events');
    for (const [round, { action, subjects }] of steps.entries()) {
      await ACTIONS[action]?.(cluster);
      record(cluster, round, subjects);
      await cluster.clock.step(5000);
    }
    return {
      watch: (await watched()).map(plain).sort(),
      events: (await list(cluster, '/api/v1/events')).map(plain).sort(),
      counts: await countsOf(cluster, /verb="POST".*resource="events"|type="Event"|admission.*operation="CREATE"/),
      together,
    };
  } finally {
    await cluster.stop();
  }
}

/** Plays the steps both ways and compares what is left; returns how many events were created together. */
async function compare(steps: readonly Step[]): Promise<number> {
  return (await compareBoth((isTraced) => play(steps, isTraced))).together.events ?? 0;
}

const subject = (name: string): Subject => ({
  ...{ user: 'system:kube-scheduler', namespace: 'work', name, isReport: false },
});
const many = (count: number): readonly Subject[] => Array.from({ length: count }, (_, i) => subject(`p-${i}`));
const calm: Step = { action: 'nothing', subjects: many(40) };

test('many events at once', { timeout: 60_000 }, async () => {
  expect(await compare([calm])).toBe(40);
});

test('reports with the newer API, and events of nodes', { timeout: 60_000 }, async () => {
  const subjects = many(40).map((one, i) => ({ ...one, isReport: i % 2 === 0, user: USERS[i % 2] ?? 'system:nobody' }));
  expect(await compare([{ action: 'nothing', subjects }])).toBe(40);
});

test.each([
  ['that is invalid', { ...subject('p'), reason: 'r'.repeat(200) }],
  ['in a namespace that is missing', { ...subject('p'), namespace: 'missing' as const }],
  ['of a user who may not create it', { ...subject('p'), user: 'system:nobody' as const }],
])('an event %s, between others', { timeout: 60_000 }, async (_, odd) => {
  const subjects = many(40)
    .toSpliced(12, 0, odd)
    .map((one) => ({ ...one, isReport: true }));
  expect(await compare([{ action: 'nothing', subjects }])).toBe(12);
});

test.each(Object.keys(ACTIONS))('events after somebody did this: %s', { timeout: 60_000 }, async (action) => {
  const keep = { action: 'keep the namespace from going', subjects: many(3) };
  await compare([calm, keep, { ...calm, action }]);
});

const USERS = ['system:kube-scheduler', 'system:node:a', 'system:nobody'] as const;

test('two events with one name', { timeout: 60_000 }, async () => {
  const twice = USERS.slice(0, 2).map((user) => ({ ...subject('p'), user }));
  expect(await compare([{ action: 'nothing', subjects: [...twice, ...many(10)] }])).toBe(1);
});

test('events between other work', { timeout: 300_000 }, async () => {
  const one = fc.record({
    user: fc.constantFrom(...USERS),
    namespace: fc.constantFrom('work', 'work', 'default', 'missing'),
    name: fc.constantFrom('a', 'b', 'c-1', 'd.e', 'F', 'p'.repeat(235), 'p'.repeat(240)),
    isReport: fc.boolean(),
  });
  const step = fc.record({
    action: fc.constantFrom(...Object.keys(ACTIONS)),
    subjects: fc.array(one as fc.Arbitrary<Subject>, { maxLength: 40 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
      await compare(steps);
    }),
    { numRuns: 8 },
  );
});
