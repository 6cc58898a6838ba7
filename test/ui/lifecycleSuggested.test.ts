import { describe, expect, test } from 'vitest';
import { World, type KnownObject } from '../../src/explain/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { suggested } from '../../src/ui/panels/lifecycle/suggested.ts';

const groupOf: Readonly<Record<string, string>> = { Deployment: 'apps/v1', DaemonSet: 'apps/v1', Job: 'batch/v1' };

/** From `Kind namespace/name`, or `Kind name`; with `*` for what a controller made. */
function object(text: string): KnownObject {
  const [kind = '', place = ''] = text.replace('*', '').split(' ');
  const [name = '', namespace = ''] = place.split('/').reverse();
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'r', uid: 'r', controller: true };
  return {
    ...{ apiVersion: groupOf[kind] ?? 'v1', kind },
    metadata: {
      name,
      namespace,
      uid: text,
      creationTimestamp: '',
      ...(text.endsWith('*') && { ownerReferences: [owner] }),
    },
  };
}

const namespaces = ['Namespace default', 'Namespace kube-system', 'Namespace shop'];

describe('objects to begin with', () => {
  test.each<[what: string, there: readonly string[], offered: readonly string[]]>([
    ['none in an empty cluster', [], []],
    ['the namespace first', ['Deployment shop/web', 'Deployment shop/db'], ['Namespace shop', 'Deployment shop/web']],
    ['the namespace that cannot be deleted not at all', ['Pod default/p'], ['Pod default/p']],
    ['nothing of the system', ['Deployment kube-system/coredns', 'Pod shop/p'], ['Namespace shop', 'Pod shop/p']],
    ['nothing that a controller made', ['Pod shop/a*', 'Pod shop/b'], ['Namespace shop', 'Pod shop/b']],
    [
      'those of the fullest namespace',
      ['Deployment default/d', 'Pod shop/a', 'Job shop/b'],
      ['Namespace shop', 'Job shop/b', 'Pod shop/a'],
    ],
    [
      'those of another namespace where the fullest has none',
      ['ConfigMap shop/a', 'ConfigMap shop/b', 'Pod default/p'],
      ['Pod default/p'],
    ],
    [
      'the first few kinds only',
      ['Pod shop/p', 'Job shop/j', 'DaemonSet shop/s', 'Deployment shop/d'],
      ['Namespace shop', 'Deployment shop/d', 'DaemonSet shop/s', 'Job shop/j'],
    ],
  ])('%s', (_, there, offered) => {
    const world = new World([...namespaces, ...there].map(object), namesOf('k8s.io'));
    expect(suggested(world).map(({ metadata }) => metadata.uid)).toEqual(offered);
  });
});
