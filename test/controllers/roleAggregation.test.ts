import { describe, expect, test } from 'vitest';
import type { ClusterRole } from '../../src/client/index.ts';
import { inOrder } from '../../src/controllers/roleAggregation.ts';
import { createCluster } from '../../src/cluster/index.ts';

/** A role with the label `is`, which aggregates the roles of `selects` if there are any. */
const role = (name: string, ...selects: string[]): ClusterRole => ({
  metadata: { name, labels: { is: name }, creationTimestamp: null },
  rules: [],
  ...(selects.length > 0 && {
    aggregationRule: { clusterRoleSelectors: selects.map((is) => ({ matchLabels: { is } })) },
  }),
});

describe('aggregating roles are written in the order of their dependencies', () => {
  test.each<[string, ClusterRole[], string[]]>([
    ['none aggregates', [role('a'), role('b')], []],
    [
      'they build on each other',
      [role('admin', 'edit', 'x'), role('edit', 'view'), role('view', 'x')],
      ['view', 'edit', 'admin'],
    ],
    ['one selects itself', [role('a', 'a', 'b'), role('b', 'c')], ['b', 'a']],
    ['two select each other', [role('a', 'b'), role('b', 'a')], ['b', 'a']],
    ['one is selected twice', [role('a', 'c'), role('b', 'c'), role('c', 'x')], ['c', 'a', 'b']],
  ])('%s', (_, roles, expected) => {
    expect(inOrder(roles).map(({ metadata }) => metadata.name)).toEqual(expected);
  });
});

test('each default role is written once when a cluster is created', async () => {
  const cluster = await createCluster(
    { name: 'roles', clock: 'manual', seed: 1, storage: 'memory' },
    { keep: Infinity },
  );
  await cluster.clock.step(1000);
  const written = cluster.storage
    .changesSince(0)
    .filter(({ key }) => /\/clusterroles\/(admin|edit|view)$/.test(key))
    .map(({ key }) => key.replace(/.*\//, ''));
  expect(written).toEqual(['admin', 'edit', 'view', 'view', 'edit', 'admin']);
  await cluster.stop();
});
