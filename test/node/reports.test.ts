import { afterAll, beforeAll, expect, test } from 'vitest';
import { Bench, type Loose } from '../controllers/bench.ts';

const NODE = '/api/v1/nodes/node-1';
let bench: Bench;
beforeAll(async () => {
  bench = await Bench.start({ nodes: 2 });
  await bench.until(NODE, (node) => conditionOf(node, 'Ready')?.status === 'True');
  await bench.advance(1000);
});
afterAll(() => bench.stop());

const conditionOf = (node: Loose, type: string): Loose =>
  node.status.conditions?.find((condition: Loose) => condition.type === type);
const heardAt = async (): Promise<string> => conditionOf(await bench.get(NODE), 'Ready').lastHeartbeatTime;

test('annotations that concern others do not make a node report its status again', async () => {
  const before = await heardAt();
  await bench.patch(NODE, { metadata: { annotations: { 'test.io/note': 'read' } } });
  await bench.advance(3000);
  expect(await heardAt()).toBe(before);
});

test('what changes the status is reported at once', async () => {
  const annotation = 'simulation.vitrine.dev/pressure';
  for (const [value, status] of [
    ['disk', 'True'],
    [null, 'False'],
  ]) {
    await bench.patch(NODE, { metadata: { annotations: { [annotation]: value } } });
    await bench.until(NODE, (node) => conditionOf(node, 'DiskPressure').status === status, 2000);
  }
});

test('all nodes renew their leases at the same moments', async () => {
  const leases = `/apis/${bench.cluster.names.fill('coordination.{domain}')}/v1/namespaces/${bench.cluster.names.nodeLeaseNamespace}/leases`;
  const before = await bench.items(leases);
  await bench.advance(10_000);
  const renewed = (await bench.items(leases)).map((lease) => lease.spec.renewTime);
  expect(renewed).toHaveLength(2);
  expect(new Set(renewed).size).toBe(1);
  expect(renewed).not.toEqual(before.map((lease) => lease.spec.renewTime));
});
