/** Options of another form than they should have: each is named, with what was wanted. */
import { expect, it } from 'vitest';
import { createCluster, FlagError, type ClusterOptions } from '../../src/cluster/index.ts';

it.each<[string, unknown, RegExp]>([
  ['no name', { name: undefined }, /^name: want a text/],
  ['an empty name', { name: '' }, /^name/],
  ['an unknown profile', { naming: 'k9s.io' }, /^naming: want cluster\.io or k8s\.io, got "k9s\.io"/],
  ['one text for the flags', { apiserver: '--v=1' }, /^apiserver: want a list of texts, got "--v=1"/],
  ['a flag that is no text', { scheduler: [1] }, /^scheduler/],
  ['files in a list', { files: ['a'] }, /^files: want texts by name/],
  ['a file that is an object', { files: { a: {} } }, /^files/],
  ['less than no nodes', { nodes: -1 }, /^nodes: want a whole number from 0, got -1/],
  ['an addon that there is not', { addons: ['ingress'] }, /^addons: want a list of dns/],
  ['a clock that stands', { clock: 0 }, /^clock/],
  ['another storage', { storage: 'disk' }, /^storage: want memory or indexeddb/],
])('%s', async (_what, options, message) => {
  const start = createCluster({ name: 'odd', ...(options as Partial<ClusterOptions>) });
  await expect(start).rejects.toThrow(FlagError);
  await expect(start).rejects.toThrow(message);
});
