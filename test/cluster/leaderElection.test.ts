import { expect, test } from 'vitest';
import { Client, leases } from '../../src/client/index.ts';
import { createCluster, type Cluster } from '../../src/cluster/index.ts';
import { startElection } from '../../src/cluster/leaderElection.ts';
import { seededRandom, type ControlledClock } from '../../src/std/index.ts';

const SECOND = 1000;

interface Candidate {
  readonly leads: () => boolean;
  /** Lets its requests fail, or hang. */
  cut: 'no' | 'fails' | 'hangs';
  stop(): Promise<void>;
}

function candidate(cluster: Cluster, seed: string): Candidate {
  const { clock, names } = cluster;
  const transport = cluster.transportAs('admin');
  let leads = false;
  const made: Candidate = {
    leads: () => leads,
    cut: 'no',
    stop: () => election.stop(),
  };
  const client = new Client({
    names,
    transport: (path, init) => {
      if (made.cut === 'fails') return Promise.reject(new Error('no way to the server'));
      return made.cut === 'hangs' ? new Promise(() => undefined) : transport(path, init);
    },
  });
  const election = startElection({
    ...{ client, clock, random: seededRandom(seed), lease: { name: 'work', namespace: 'default' } },
    ...{ leaseDuration: 15 * SECOND, renewDeadline: 10 * SECOND, retryPeriod: 2 * SECOND },
    lead: () => void (leads = true),
    follow: async () => void (leads = false),
  });
  return made;
}

async function step(clock: ControlledClock, seconds: number): Promise<void> {
  for (let i = 0; i < seconds; i++) await clock.step(SECOND);
}

async function elected(): Promise<{ cluster: Cluster; first: Candidate; second: Candidate }> {
  const cluster = await createCluster({ name: 'election', clock: 'manual', seed: 'election' });
  const first = candidate(cluster, 'first');
  await step(cluster.clock, 1);
  const second = candidate(cluster, 'second');
  await step(cluster.clock, 10);
  expect([first.leads(), second.leads()]).toEqual([true, false]);
  return { cluster, first, second };
}

test.each(['fails', 'hangs'] as const)('a leader whose connection %s stops before another starts', async (cut) => {
  const { cluster, first, second } = await elected();
  first.cut = cut;
  const order: string[] = [];
  for (let i = 0; i < 30; i++) {
    await step(cluster.clock, 1);
    order.push(`${first.leads() ? 'first' : ''}${second.leads() ? 'second' : ''}`);
  }
  const changes = order.filter((who, i) => who !== order[i - 1]);
  expect(changes).toEqual(['first', '', 'second']);
  expect(order.lastIndexOf('first')).toBeLessThan(12);
  expect(order.indexOf('second')).toBeGreaterThanOrEqual(12);
  await second.stop();
  await cluster.stop();
});

test('a stopping leader releases the lease, and the next one counts the transition', async () => {
  const { cluster, first, second } = await elected();
  const client = new Client({ names: cluster.names, transport: cluster.transportAs('admin') });
  const before = await client.of(leases).get('work', 'default');
  expect(before.spec).toMatchObject({ leaseDurationSeconds: 15, leaseTransitions: 0 });
  await first.stop();
  expect(first.leads()).toBe(false);
  expect((await client.of(leases).get('work', 'default')).spec.holderIdentity).toBeFalsy();
  await step(cluster.clock, 5);
  expect(second.leads()).toBe(true);
  const after = await client.of(leases).get('work', 'default');
  expect(after.spec.leaseTransitions).toBe(1);
  expect(after.spec.holderIdentity).not.toBe(before.spec.holderIdentity);
  await second.stop();
  await cluster.stop();
});
