import { describe, expect, it } from 'vitest';
import { follow, formatAddress, parseAddress, type Address } from '../../src/ui/stores/address.ts';

const at = (hash: string): Address => parseAddress(hash);

describe('an address', () => {
  it.each([
    ['', { cluster: '', panel: '', path: [], query: {} }],
    ['#/demo', { cluster: 'demo', panel: '', path: [], query: {} }],
    [
      '#/demo/explore/apps/deployments?ns=default',
      { cluster: 'demo', panel: 'explore', path: ['apps', 'deployments'], query: { ns: 'default' } },
    ],
    [
      '#/demo/explore?sel=object:core/pods/default/web',
      { cluster: 'demo', panel: 'explore', path: [], query: { sel: 'object:core/pods/default/web' } },
    ],
    ['#/%E0%A4%A/x', { cluster: '%E0%A4%A', panel: 'x', path: [], query: {} }],
  ])('%s is read', (hash, expected) => {
    expect(at(hash)).toEqual(expected);
  });

  it.each([
    '#/demo/explore/apps/deployments?ns=default',
    '#/demo/explore?sel=object:rbac.authorization.cluster.io/clusterroles/-/system:node',
    '#/a%20b/watch',
  ])('%s is written as it was read', (hash) => {
    expect(formatAddress(at(hash))).toBe(hash);
  });

  it.each([
    ['stays where nothing is said', '#/demo/explore/core/pods?ns=a', {}, '#/demo/explore/core/pods?ns=a'],
    [
      'keeps the namespace and the selection in another panel, its path not',
      '#/demo/explore/core/pods?ns=a&sel=object:x&labels=b',
      { panel: 'watch' },
      '#/demo/watch?ns=a&sel=object:x',
    ],
    ['keeps nothing in another cluster', '#/demo/explore/core/pods?ns=a', { cluster: 'other' }, '#/other/explore'],
    [
      'takes out what is undefined',
      '#/demo/explore?ns=a&sel=object:x',
      { query: { sel: undefined } },
      '#/demo/explore?ns=a',
    ],
    ['takes out what is empty', '#/demo/explore?ns=a', { query: { ns: '' } }, '#/demo/explore'],
    [
      'leads to a path',
      '#/demo/explore/core/pods',
      { path: ['apps', 'deployments'] },
      '#/demo/explore/apps/deployments',
    ],
  ])('%s', (_what, from, step, to) => {
    expect(formatAddress(follow(at(from), step))).toBe(to);
  });
});
