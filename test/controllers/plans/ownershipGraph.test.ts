/** What the graph of owners and dependents finds out of what the watches report, and what is done with an object. */
import { beforeEach, describe, expect, test } from 'vitest';
import { blocking, Graph, type GraphNode, type Identity } from '../../../src/controllers/garbageCollector/graph.ts';
import { judge, waitsForDependents, type Owners } from '../../../src/controllers/garbageCollector/verdict.ts';
import type { ApiObject, OwnerReference } from '../../../src/schema/index.ts';
import { minute } from './objects.ts';

let graph: Graph;
let found: string[];
beforeEach(() => {
  found = [];
  graph = new Graph({
    examine: (uid) => found.push(`examine ${uid}`),
    examineLater: (uid) => found.push(`later ${uid}`),
    orphan: (uid) => found.push(`orphan ${uid}`),
    invalidOwner: (node, owner) => found.push(`${node.identity.uid} must not refer to ${owner.uid}`),
  });
});
/** What was found since the last call. */
const findings = (): string[] => found.splice(0);

interface Traits {
  readonly namespace?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly owners?: readonly OwnerReference[];
  readonly finalizers?: string[];
  readonly leaving?: boolean;
}

const identity = (name: string, { namespace = 'ns', kind = 'Set', uid = name }: Traits = {}): Identity => ({
  ...{ apiVersion: 'v1', kind, name, namespace, uid },
});
const refTo = (name: string, more: Partial<OwnerReference> = {}): OwnerReference => ({
  ...{ apiVersion: 'v1', kind: 'Set', name, uid: name },
  ...more,
});
const blocks = (name: string): OwnerReference => refTo(name, { blockOwnerDeletion: true });

const object = (name: string, { namespace = 'ns', uid = name, owners, finalizers, leaving }: Traits): ApiObject => ({
  metadata: {
    ...{ name, namespace, uid, creationTimestamp: minute(0) },
    ...(owners && { ownerReferences: [...owners] }),
    ...(finalizers && { finalizers }),
    ...(leaving && { deletionTimestamp: minute(1) }),
  },
});

/** A watch reports an object, with its state before if it was there. */
const observe = (name: string, traits: Traits = {}, before?: Traits): string[] => {
  graph.observe(identity(name, traits), object(name, traits), before && object(name, before));
  return findings();
};
const remove = (name: string, traits: Traits = {}): string[] => {
  graph.remove(identity(name, traits));
  return findings();
};
const unseen = (name: string, traits: Traits = {}): string[] => {
  graph.removeUnseen(identity(name, traits));
  return findings();
};
const dependentsOf = (uid: string): string[] | undefined => {
  const node = graph.get(uid);
  return node && Array.from(node.dependents, (each) => each.identity.uid).sort();
};

describe('an object that is observed', () => {
  test('with owners that are known is linked to them, and needs nothing', () => {
    expect(observe('a')).toEqual([]);
    expect(observe('b')).toEqual([]);
    expect(observe('p', { owners: [refTo('a'), refTo('b')] })).toEqual([]);
    expect([dependentsOf('a'), dependentsOf('b'), dependentsOf('p')]).toEqual([['p'], ['p'], []]);
    expect(graph.get('p')).toMatchObject({ virtual: false, beingDeleted: false, deletingDependents: false });
  });

  test('before its owner makes that one a virtual one, which is looked at, once', () => {
    expect(observe('p', { owners: [refTo('a')] })).toEqual(['examine a']);
    expect(graph.get('a')).toMatchObject({
      ...{ identity: identity('a'), owners: [], virtual: true, beingDeleted: false, deletingDependents: false },
    });
    expect(observe('q', { owners: [refTo('a')] })).toEqual([]);
    expect(observe('a')).toEqual([]);
    expect(graph.get('a')?.virtual).toBe(false);
    expect(dependentsOf('a')).toEqual(['p', 'q']);
  });

  test.each<[string, owner: Traits, reference: Partial<OwnerReference>, findings: string[]]>([
    ['in another namespace', { namespace: 'other' }, {}, ['p must not refer to a', 'examine p']],
    ['in the cluster', { namespace: '' }, {}, []],
    ['of another kind', { kind: 'Other' }, {}, ['examine p']],
    ['of another name', {}, { name: 'x' }, ['examine p']],
    ['of another version', {}, { apiVersion: 'v2' }, ['examine p']],
  ])('whose owner is one %s', (_, owner, reference, findings) => {
    observe('a', owner);
    expect(observe('p', { owners: [refTo('a', reference)] })).toEqual(findings);
    expect(dependentsOf('a')).toEqual(['p']);
  });

  test('with two doubtful references is looked at once', () => {
    observe('a', { kind: 'Other' });
    observe('b', { kind: 'Other' });
    expect(observe('p', { owners: [refTo('a'), refTo('b')] })).toEqual(['examine p']);
  });

  test('in the cluster must not have an owner in a namespace', () => {
    observe('a');
    expect(observe('p', { namespace: '', owners: [refTo('a')] })).toEqual(['p must not refer to a', 'examine p']);
  });

  test('in another namespace than a virtual owner is only looked at', () => {
    observe('p', { owners: [refTo('a')] });
    expect(observe('q', { namespace: 'other', owners: [refTo('a')] })).toEqual(['examine q']);
  });

  test('elsewhere than its dependents thought makes those be looked at that were mistaken', () => {
    observe('p', { owners: [refTo('a')] });
    observe('q', { namespace: 'other', owners: [refTo('a')] });
    observe('r', { owners: [refTo('a', { name: 'x' })] });
    expect(observe('a', { namespace: 'other' }).sort()).toEqual(['examine p', 'examine r']);
    expect(graph.get('a')).toMatchObject({ identity: identity('a', { namespace: 'other' }), virtual: false });
  });

  test('where it was thought to be makes nobody be looked at', () => {
    observe('p', { owners: [refTo('a')] });
    observe('q', { namespace: 'other', owners: [refTo('a')] });
    expect(observe('a')).toEqual([]);
  });

  test('in the cluster, though a dependent was thought to mean its namespace', () => {
    observe('p', { owners: [refTo('a')] });
    expect(observe('a', { namespace: '' })).toEqual([]);
    expect(graph.get('a')?.identity.namespace).toBe('');
  });
});

describe('owners that change', () => {
  test('link and unlink', () => {
    for (const name of ['a', 'b', 'c']) observe(name);
    observe('p', { owners: [refTo('a'), refTo('b')] });
    expect(observe('p', { owners: [refTo('b'), refTo('c')] })).toEqual([]);
    expect([dependentsOf('a'), dependentsOf('b'), dependentsOf('c')]).toEqual([[], ['p'], ['p']]);
    expect(graph.get('p')?.owners).toEqual([refTo('b'), refTo('c')]);
    expect(observe('p')).toEqual([]);
    expect([dependentsOf('b'), dependentsOf('c')]).toEqual([[], []]);
  });

  test('are judged where they are new, not again', () => {
    observe('a', { kind: 'Other' });
    observe('b');
    observe('p', { owners: [refTo('a')] });
    expect(observe('p', { owners: [refTo('a'), refTo('b')] })).toEqual([]);
  });

  test.each<[string, before: OwnerReference, after: OwnerReference[], findings: string[]]>([
    ['no longer block it', blocks('a'), [refTo('a')], ['examine a']],
    ['are no longer its owner', blocks('a'), [], ['examine a']],
    ['block it still', blocks('a'), [blocks('a')], []],
    ['never did', refTo('a'), [], []],
    ['begin to', refTo('a'), [blocks('a')], []],
  ])('make an owner be looked at where they %s', (_, before, after, findings) => {
    observe('a');
    observe('p', { owners: [before] });
    expect(observe('p', { owners: after })).toEqual(findings);
  });

  test('make no owner be looked at that is gone', () => {
    observe('a');
    observe('p', { owners: [blocks('a')] });
    remove('a');
    expect(observe('p')).toEqual([]);
  });
});

describe('a deletion', () => {
  const waiting: Traits = { leaving: true, finalizers: ['foregroundDeletion'] };
  const orphaning: Traits = { leaving: true, finalizers: ['orphan'] };

  test.each<[string, before: Traits | undefined, after: Traits, findings: string[]]>([
    ['that begins in the foreground', {}, waiting, ['examine p', 'examine q', 'examine a']],
    ['in the foreground that is seen first', undefined, waiting, ['examine p', 'examine q', 'examine a']],
    ['in the foreground that goes on', waiting, waiting, []],
    ['that becomes one in the foreground', { leaving: true }, waiting, ['examine p', 'examine q', 'examine a']],
    ['with a finalizer that was there', { finalizers: ['orphan'] }, orphaning, ['orphan a']],
    ['that orphans', {}, orphaning, ['orphan a']],
    ['that orphans and goes on', orphaning, orphaning, []],
    ['without finalizers', {}, { leaving: true }, []],
    ['that has not begun', {}, { finalizers: ['orphan', 'foregroundDeletion'] }, []],
    ['of both kinds', {}, { leaving: true, finalizers: ['foregroundDeletion', 'orphan'] }, ['orphan a']],
  ])('%s', (_, before, after, findings) => {
    observe('p', { owners: [refTo('a')] });
    observe('q', { owners: [refTo('a')] });
    if (before) observe('a', before);
    expect(observe('a', after, before)).toEqual(findings);
    const isLeaving = after.leaving === true;
    expect(graph.get('a')?.beingDeleted).toBe(isLeaving);
  });

  test('is known of an object that is seen for the first time', () => {
    observe('a', waiting);
    observe('b', { leaving: true });
    observe('c', { finalizers: ['foregroundDeletion'] });
    const states = ['a', 'b', 'c'].map((uid) => [graph.get(uid)?.beingDeleted, graph.get(uid)?.deletingDependents]);
    expect(states).toEqual([
      [true, true],
      [true, false],
      [false, false],
    ]);
  });

  test('once it has ended makes dependents be looked at, which know that the owner is absent', () => {
    observe('a');
    observe('p', { owners: [refTo('a')] });
    observe('q', { owners: [refTo('a')] });
    expect(graph.isAbsent(identity('a'))).toBe(false);
    expect(remove('a')).toEqual(['examine p', 'examine q']);
    expect([graph.get('a'), graph.isAbsent(identity('a'))]).toEqual([undefined, true]);
    const others = [{ namespace: 'other' }, { kind: 'Other' }, { uid: 'b' }].map((traits) => identity('a', traits));
    expect(others.map((each) => graph.isAbsent(each))).toEqual([false, false, false]);
  });

  test('of an object without dependents is not remembered', () => {
    observe('a');
    expect(remove('a')).toEqual([]);
    expect(graph.isAbsent(identity('a'))).toBe(false);
    expect(remove('never seen')).toEqual([]);
  });

  test('of a dependent makes owners be looked at that wait for it, and unlinks it', () => {
    observe('waits', waiting);
    observe('stays');
    observe('gone');
    observe('p', { owners: [refTo('waits'), refTo('stays'), refTo('gone')] });
    remove('gone');
    expect(remove('p')).toEqual(['examine waits']);
    expect([dependentsOf('waits'), dependentsOf('stays')]).toEqual([[], []]);
  });
});

describe('an object that the server does not have', () => {
  test('is removed where nobody doubts who it is', () => {
    observe('p', { owners: [refTo('a')] });
    expect(unseen('a')).toEqual(['examine p']);
    expect([graph.get('a'), graph.isAbsent(identity('a'))]).toEqual([undefined, true]);
    observe('b');
    expect(unseen('b')).toEqual([]);
    expect(graph.get('b')).toBeUndefined();
    expect(unseen('never seen')).toEqual([]);
  });

  test('is looked for elsewhere where a dependent means another place', () => {
    observe('p', { owners: [refTo('a')] });
    observe('q', { namespace: 'other', owners: [refTo('x'), refTo('a')] });
    expect(unseen('a')).toEqual(['examine p', 'later a']);
    expect(graph.isAbsent(identity('a'))).toBe(true);
    expect(graph.get('a')).toMatchObject({ identity: identity('a', { namespace: 'other' }), virtual: true });
    // Not found there either: the dependent of that place is looked at, and the search goes on.
    expect(unseen('a', { namespace: 'other' })).toEqual(['examine q', 'later a']);
    expect(graph.isAbsent(identity('a', { namespace: 'other' }))).toBe(true);
  });

  test('is not looked for elsewhere twice at a time', () => {
    observe('p', { owners: [refTo('a')] });
    observe('q', { namespace: 'other', owners: [refTo('a')] });
    unseen('a');
    expect(unseen('a')).toEqual(['examine p']);
    expect(graph.get('a')?.identity.namespace).toBe('other');
  });

  test('that nobody means any more is neither absent nor looked at', () => {
    observe('q', { namespace: 'other', owners: [refTo('a', { name: 'x' })] });
    observe('r', { namespace: 'third', owners: [refTo('a')] });
    expect(unseen('a')).toEqual([]);
    expect(graph.isAbsent(identity('a'))).toBe(false);
  });

  test('that was observed elsewhere stays, but those that meant this place are looked at', () => {
    observe('a', { namespace: 'other' });
    observe('p', { owners: [refTo('a')] });
    observe('q', { namespace: 'other', owners: [refTo('a')] });
    expect(unseen('a')).toEqual(['examine p']);
    expect(graph.get('a')).toMatchObject({ identity: identity('a', { namespace: 'other' }), virtual: false });
  });
});

test('at most five hundred absent owners are remembered, the latest', () => {
  const all = Array.from({ length: 501 }, (_, i) => identity(`a${i}`));
  for (const each of all.slice(0, 500)) graph.markAbsent(each);
  expect(all.map((each) => graph.isAbsent(each)).indexOf(false)).toBe(500);
  graph.markAbsent(identity('a500'));
  expect(all.map((each) => graph.isAbsent(each)).lastIndexOf(false)).toBe(0);
});

test('those block the deletion of an owner that say so of this one', () => {
  for (const name of ['a', 'b']) observe(name);
  observe('p', { owners: [refTo('a'), blocks('b')] });
  observe('q', { owners: [blocks('a'), refTo('b')] });
  observe('r', { owners: [refTo('a')] });
  const names = (uid: string): string[] => blocking(graph.get(uid) as GraphNode).map((node) => node.identity.name);
  expect([names('a'), names('b')]).toEqual([['q'], ['p']]);
});

describe('what is done with an object', () => {
  const owners = (solid: string[], dangling: string[], waiting: string[]): Owners => ({
    solid: solid.map((name) => refTo(name)),
    dangling: dangling.map((name) => refTo(name)),
    waiting: waiting.map((name) => refTo(name)),
  });
  const node = (dependents: ('waits' | 'stays')[]): GraphNode => {
    observe('x');
    for (const [i, state] of dependents.entries())
      observe(`d${i}`, {
        owners: [refTo('x')],
        ...(state === 'waits' && { leaving: true, finalizers: ['foregroundDeletion'] }),
      });
    return graph.get('x') as GraphNode;
  };
  const gone = 'its owners are gone';
  const waits = 'its owner waits for it to go';
  const both = 'its owner waits for it, and it has dependents of its own';

  test.each<[Owners, dependents: ('waits' | 'stays')[], finalizers: string[], verdict: object]>([
    [owners(['a'], [], []), [], [], { do: 'keep' }],
    [owners(['a'], ['b'], ['c']), ['waits'], [], { do: 'disown', owners: ['b', 'c'] }],
    [owners([], ['a'], []), ['stays'], [], { do: 'delete', policy: 'Background', unblock: false, why: gone }],
    [
      owners([], ['a'], []),
      [],
      ['orphan', 'foregroundDeletion'],
      { do: 'delete', policy: 'Orphan', unblock: false, why: gone },
    ],
    [
      owners([], ['a'], []),
      [],
      ['foregroundDeletion'],
      { do: 'delete', policy: 'Foreground', unblock: false, why: gone },
    ],
    [owners([], ['a'], ['b']), [], [], { do: 'delete', policy: 'Background', unblock: false, why: waits }],
    [owners([], [], ['b']), ['stays'], ['orphan'], { do: 'delete', policy: 'Foreground', unblock: false, why: both }],
    [owners([], [], ['b']), ['stays', 'waits'], [], { do: 'delete', policy: 'Foreground', unblock: true, why: both }],
  ])('with %j, dependents %j and finalizers %j: %j', (given, dependents, finalizers, verdict) => {
    expect(judge(node(dependents), object('x', { finalizers }), given)).toEqual(verdict);
  });

  test.each<[leaving: boolean, finalizers: string[], waits: boolean]>([
    [true, ['foregroundDeletion'], true],
    [true, ['orphan'], false],
    [false, ['foregroundDeletion'], false],
  ])('an owner (leaving: %s) with %j waits for its dependents: %s', (leaving, finalizers, expected) => {
    expect(waitsForDependents(object('a', { leaving, finalizers }))).toBe(expected);
  });
});
