import { afterAll, beforeAll, expect, test } from 'vitest';
import { NodeLab, type Loose } from './lab.ts';

const NODE = '/api/v1/nodes/node-1';
let lab: NodeLab;
beforeAll(async () => {
  lab = await NodeLab.start({ nodes: 2 });
  await lab.until(NODE, (node) => conditionOf(node, 'Ready')?.status === 'True');
  await lab.advance(1000);
});
afterAll(() => lab.stop());

const conditionOf = (node: Loose, type: string): Loose =>
  node.status.conditions?.find((condition: Loose) => condition.type === type);
const heardAt = async (): Promise<string> => conditionOf(await lab.get(NODE), 'Ready').lastHeartbeatTime;

test('annotations that concern others do not make a node report its status again', async () => {
  const before = await heardAt();
  await lab.patch(NODE, { metadata: { annotations: { 'test.io/note': 'read' } } });
  await lab.advance(3000);
  expect(await heardAt()).toBe(before);
});

test('what changes the status is reported at once', async () => {
  const annotation = 'simulation.vitrine.dev/pressure';
  for (const [value, status] of [
    ['disk', 'True'],
    [null, 'False'],
  ]) {
    await lab.patch(NODE, { metadata: { annotations: { [annotation]: value } } });
    await lab.until(NODE, (node) => conditionOf(node, 'DiskPressure').status === status, 2000);
  }
});

test('all nodes renew their leases at the same moments', async () => {
  const leases = `/apis/${lab.names.fill('coordination.{domain}')}/v1/namespaces/${lab.names.nodeLeaseNamespace}/leases`;
  const before = await lab.items(leases);
  await lab.advance(10_000);
  const renewed = (await lab.items(leases)).map((lease) => lease.spec.renewTime);
  expect(renewed).toHaveLength(2);
  expect(new Set(renewed).size).toBe(1);
  expect(renewed).not.toEqual(before.map((lease) => lease.spec.renewTime));
});
