/** Worlds that are kept as objects change. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { previewDeletion, previewInSteps, World, type KnownObject } from '../../src/explain/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { atOnce } from '../../src/std/index.ts';

const names = namesOf('k8s.io');
const KINDS = ['ConfigMap', 'Secret'] as const;

/** An object of a few that there can be: what came last under a uid counts. */
const drawn = fc
  .record({
    uid: fc.nat(7),
    kind: fc.constantFrom(...KINDS),
    namespace: fc.constantFrom('', 'a', 'b'),
    owners: fc.uniqueArray(fc.nat(7), { maxLength: 2 }),
    leaving: fc.boolean(),
  })
  .map(({ uid, kind, namespace, owners, leaving }): KnownObject => ({
    ...{ apiVersion: 'v1', kind },
    metadata: {
      ...{ name: `o${uid}`, namespace, uid: `u${uid}`, creationTimestamp: null },
      ...(leaving && { deletionTimestamp: '2021-01-01T00:00:00Z' }),
      ownerReferences: owners.map((owner) => ({ apiVersion: 'v1', kind, name: `o${owner}`, uid: `u${owner}` })),
    },
  }));

/** Either an object that is set, or the uid of one that goes. */
const changes = fc.array(fc.oneof({ weight: 3, arbitrary: drawn }, { weight: 1, arbitrary: fc.nat(7) }), {
  maxLength: 30,
});

const uids = (objects: readonly KnownObject[]): readonly (string | undefined)[] =>
  objects.map(({ metadata }) => metadata.uid).sort();

/** All that a world can be asked. */
function answers(world: World): unknown {
  return {
    objects: uids(world.objects),
    leaving: uids(world.leaving),
    in: ['a', 'b'].map((namespace) => uids(world.in(namespace))),
    kinds: KINDS.map((kind) => uids(world.ofKind('', kind))),
    dependents: world.objects.map((object) => [object.metadata.uid, uids(world.dependentsOf(object))]).sort(),
    found: world.objects.map(
      ({ kind, metadata: { namespace = '', name = '' } }) => world.find('v1', kind, namespace, name)?.metadata.uid,
    ),
  };
}

describe('a world', () => {
  test('that was changed step by step is the one that is made of what there is in the end', () => {
    fc.assert(
      fc.property(changes, (all) => {
        let world = new World([], names);
        const last = new Map<string, KnownObject>();
        for (const change of all) {
          world = world.next();
          const uid = typeof change === 'number' ? `u${change}` : (change.metadata.uid ?? '');
          last.delete(uid);
          if (typeof change === 'number') world.remove(uid);
          else last.set(uid, change);
          if (typeof change !== 'number') world.set(change);
          answers(world);
        }
        const made = new World([...last.values()], names);
        expect(answers(world)).toEqual({
          ...(answers(made) as object),
          found: world.objects.map(({ metadata }) => metadata.uid),
        });
      }),
      { numRuns: 500 },
    );
  });
});

describe('the preview of a deletion that takes thousands of objects along', () => {
  const POD_COUNT = 2_000;
  const object = (apiVersion: string, kind: string, name: string, more: object = {}): KnownObject => {
    const metadata = { name, namespace: 'a', uid: name, creationTimestamp: null, ...more };
    return { apiVersion, kind, metadata };
  };
  const namespace = object('v1', 'Namespace', 'a', { namespace: '' });
  const set = object('apps/v1', 'ReplicaSet', 'set');
  const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'set', uid: 'set' }];
  const pods = Array.from({ length: POD_COUNT }, (_, i) => object('v1', 'Pod', `p${i}`, { ownerReferences }));
  const held = object('v1', 'ConfigMap', 'held', { finalizers: ['example.com/hold'] });
  const world = new World([namespace, held, set, ...pods], names);

  test.each([
    ['a namespace', namespace, POD_COUNT + 1, ['a', 'held']],
    ['an owner', set, POD_COUNT + 1, []],
  ])('of %s is made in steps, and is the same', (_, target, goes, waits) => {
    const steps = previewInSteps([target], 'Background', world);
    let yields = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) yields++;
    expect(yields).toBeGreaterThanOrEqual(POD_COUNT / 100);
    expect(step.value).toEqual(previewDeletion([target], 'Background', world));
    expect(step.value.goes).toHaveLength(goes);
    expect(uids(step.value.waits)).toEqual([...waits].sort());
  });

  test('looks at nothing that the deletion does not touch', () => {
    const looked: string[] = [];
    const watched = new World([set, ...pods], names);
    const get = watched.get.bind(watched);
    watched.get = (uid) => {
      looked.push(uid);
      return get(uid);
    };
    atOnce(previewInSteps([pods[0] as KnownObject], 'Orphan', watched));
    expect(looked.length).toBeLessThan(10);
  });
});
