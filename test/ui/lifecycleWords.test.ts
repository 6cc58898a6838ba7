import { describe, expect, test } from 'vitest';
import type { NamespaceHold, Wait } from '../../src/explain/index.ts';
import { heldText, stuckText } from '../../src/ui/panels/lifecycle/heldText.ts';

const wait = (finalizer: string, state: Wait['state']): Wait => ({
  ...{ finalizer, state, party: 'somebody', task: 'cleans up', heldBy: [], byHand: undefined },
});

/** A condition that speaks of objects, by name, each with what it waits for. */
const hold = (condition: string, objects: Readonly<Record<string, readonly Wait[]>>): NamespaceHold => ({
  condition,
  message: '',
  objects: Object.entries(objects).map(([name, waits]) => ({
    ...{ name, waits, object: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'old', name } },
  })),
});

describe('what keeps an object', () => {
  test.each<[waits: readonly Wait[], says: string]>([
    [[], 'Nothing holds it any more.'],
    [[wait('orphan', 'alive')], 'It goes as soon as the work below is done.'],
    [
      [wait('orphan', 'alive'), wait('a/b', 'unknown')],
      'It stays until somebody removes a/b: no controller here does.',
    ],
    [[wait('c', 'off'), wait('a/b', 'unknown')], 'It stays until somebody removes c and a/b: no controller here does.'],
  ])('%#', (waits, says) => {
    expect(heldText(waits)).toBe(says);
  });
});

describe('what keeps a namespace', () => {
  const stuck = wait('a/b', 'unknown');
  test.each<[title: string, holds: readonly NamespaceHold[], says: string]>([
    ['nothing is left', [], 'It goes once everything in it is gone.'],
    [
      'one object of two conditions is counted once',
      [hold('NamespaceContentRemaining', { m: [stuck] }), hold('NamespaceFinalizersRemaining', { m: [stuck] })],
      'It goes once everything in it is gone. 1 object is left. m waits for a finalizer that no controller here removes.',
    ],
    [
      'several wait',
      [hold('NamespaceContentRemaining', { m: [stuck], n: [stuck], p: [] })],
      'It goes once everything in it is gone. 3 objects are left. 2 objects wait for a finalizer that no controller here removes.',
    ],
    [
      'none waits for a person',
      [hold('NamespaceContentRemaining', { p: [wait('', 'alive')] })],
      'It goes once everything in it is gone. 1 object is left. The cluster removes what is left by itself.',
    ],
  ])('%s', (_, holds, says) => {
    expect(stuckText(holds)).toBe(says);
  });

  test('a finalizer of its own that nobody removes', () => {
    expect(stuckText([], [stuck, wait('kubernetes', 'alive')])).toBe(
      'It goes once everything in it is gone. Then it stays until somebody removes a/b: no controller here does.',
    );
    expect(stuckText([], [wait('kubernetes', 'alive')])).toBe('It goes once everything in it is gone.');
  });
});
