import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ControllerRevision, Pod } from '../../../src/client/index.ts';
import { Store } from '../../../src/client/store.ts';
import { planRevision, revisionData } from '../../../src/controllers/history/revisions.ts';
import { claimableBy, indexByController, planClaims } from '../../../src/controllers/runtime/owners.ts';
import { planFinalizer } from '../../../src/controllers/volumes/protection.ts';
import { selectorOfObject } from '../../../src/schema/index.ts';
import { minute, namesOf, pod, replicaSet } from './objects.ts';

const leaving = { deletionTimestamp: minute(0) };

describe('which pods a replica set claims', () => {
  type Owner = 'this' | 'another' | 'nobody';
  type Claim = 'held' | 'adopted' | 'released' | 'left alone';

  const ownedBy = (owner: Owner, app: string, isLeaving: boolean): Pod => {
    const uid = owner === 'this' ? 'uid-web' : 'uid-other';
    const reference = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid, controller: true };
    const made = pod('p', { labels: { app }, leaving: isLeaving });
    return { ...made, metadata: { ...made.metadata, ...(owner !== 'nobody' && { ownerReferences: [reference] }) } };
  };

  const claimed = (object: Pod, isOwnerLeaving: boolean): Claim => {
    const set = replicaSet('web', 1);
    const owner = { ...set, metadata: { ...set.metadata, ...(isOwnerLeaving && leaving) } };
    const selector = selectorOfObject({ matchLabels: { app: 'web' } });
    const { held, adopt, release } = planClaims(owner, selector, [object]);
    expect(held.length + adopt.length + release.length).toBeLessThanOrEqual(1);
    return held.length > 0 ? 'held' : adopt.length > 0 ? 'adopted' : release.length > 0 ? 'released' : 'left alone';
  };

  test.each<[owner: Owner, app: string, pod: 'leaves' | 'stays', set: 'leaves' | 'stays', Claim]>([
    ['this', 'web', 'stays', 'stays', 'held'],
    ['this', 'web', 'leaves', 'stays', 'held'],
    ['this', 'web', 'stays', 'leaves', 'held'],
    ['this', 'db', 'stays', 'stays', 'released'],
    ['this', 'db', 'leaves', 'stays', 'released'],
    ['this', 'db', 'stays', 'leaves', 'left alone'],
    ['nobody', 'web', 'stays', 'stays', 'adopted'],
    ['nobody', 'web', 'leaves', 'stays', 'left alone'],
    ['nobody', 'web', 'stays', 'leaves', 'left alone'],
    ['nobody', 'db', 'stays', 'stays', 'left alone'],
    ['another', 'web', 'stays', 'stays', 'left alone'],
    ['another', 'db', 'stays', 'stays', 'left alone'],
  ])('owner: %s, app=%s, the pod %s, the set %s: %s', (owner, app, podIs, setIs, verdict) => {
    expect(claimed(ownedBy(owner, app, podIs === 'leaves'), setIs === 'leaves')).toBe(verdict);
  });

  test('a reference that does not control is no owner', () => {
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'c', uid: 'uid-other' };
    const made = pod('p', { labels: { app: 'web' } });
    const object = { ...made, metadata: { ...made.metadata, ownerReferences: [reference] } };
    expect(claimed(object, false)).toBe('adopted');
  });

  test('what an owner may claim is found by its index as among all objects of its namespace, in the same order', () => {
    const owners = fc.constantFrom<Owner>('this', 'another', 'nobody');
    const written = fc.record({ at: fc.nat(9), namespace: fc.constantFrom('default', 'other'), owner: owners });
    const set = replicaSet('web', 1);
    const selector = selectorOfObject({ matchLabels: { app: 'web' } });
    fc.assert(
      fc.property(
        fc.array(fc.record({ write: written, app: fc.constantFrom('web', 'db') }), { size: '+1' }),
        (writes) => {
          const store = new Store<Pod>();
          indexByController(store);
          store.addIndex('namespace', ({ metadata }) => [metadata.namespace ?? '']);
          for (const { write, app } of writes) {
            const { metadata, ...rest } = ownedBy(write.owner, app, false);
            store.put({ ...rest, metadata: { ...metadata, name: `p${write.at}`, namespace: write.namespace } });
          }
          const plain = planClaims(set, selector, store.by('namespace', set.metadata.namespace ?? ''));
          expect(planClaims(set, selector, claimableBy(store, set))).toEqual(plain);
        },
      ),
      { seed: 17 },
    );
  });

  test('the order of pods is kept', () => {
    const all = ['c', 'a', 'b'].map((name) => pod(name, { labels: { app: 'web' } }));
    const selector = selectorOfObject({ matchLabels: { app: 'web' } });
    expect(namesOf(planClaims(replicaSet('web', 3), selector, all).adopt)).toEqual(['c', 'a', 'b']);
  });
});

describe('which revision comes to hold a template', () => {
  const template = (image: string): Parameters<typeof planRevision>[0] =>
    ({ metadata: {}, spec: { containers: [{ name: 'c', image }] } }) as never;
  const revision = (number: number, image: string): ControllerRevision =>
    ({
      metadata: { name: `db-${number}` },
      revision: number,
      data: revisionData(template(image)),
    }) as ControllerRevision;

  test.each<[string, string, (readonly [number, string])[], object]>([
    ['the first is made', 'a', [], { do: 'create', number: 1 }],
    ['the newest is kept while it holds the template', 'a', [[1, 'a']], { do: 'keep', revision: revision(1, 'a') }],
    ['a new template makes the next', 'b', [[1, 'a']], { do: 'create', number: 2 }],
    [
      'an earlier template becomes the newest',
      'a',
      [
        [1, 'a'],
        [4, 'b'],
      ],
      { do: 'renumber', revision: revision(1, 'a'), number: 5 },
    ],
    [
      'of two that hold the template the later one counts',
      'a',
      [
        [2, 'a'],
        [1, 'a'],
      ],
      { do: 'keep', revision: revision(2, 'a') },
    ],
    [
      'numbers count, not the order of the list',
      'c',
      [
        [7, 'a'],
        [3, 'b'],
      ],
      { do: 'create', number: 8 },
    ],
  ])('%s', (_, wanted, revisions, step) => {
    const given = revisions.map(([number, image]) => revision(number, image));
    const before = JSON.stringify(given);
    expect(planRevision(template(wanted), given)).toEqual(step);
    expect(JSON.stringify(given), 'what was given stays as it was').toBe(before);
  });
});

describe('the finalizer that protects a volume or claim', () => {
  const PROTECTION = 'kubernetes.io/pvc-protection';

  test.each<[finalizers: string[] | undefined, 'leaves' | 'stays', inUse: boolean, 'add' | 'remove' | undefined]>([
    [undefined, 'stays', false, 'add'],
    [[], 'stays', true, 'add'],
    [['other'], 'stays', false, 'add'],
    [[PROTECTION], 'stays', false, undefined],
    [[PROTECTION], 'stays', true, undefined],
    [[PROTECTION], 'leaves', true, undefined],
    [['other', PROTECTION], 'leaves', false, 'remove'],
    [['other'], 'leaves', false, undefined],
    [undefined, 'leaves', true, undefined],
  ])('finalizers %j, the claim %s, in use: %s → %s', (finalizers, claimIs, inUse, step) => {
    const metadata = {
      name: 'c',
      creationTimestamp: minute(0),
      ...(finalizers && { finalizers }),
      ...(claimIs === 'leaves' && leaving),
    };
    expect(planFinalizer({ metadata }, PROTECTION, inUse)).toBe(step);
  });
});
