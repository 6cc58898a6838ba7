import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { conflicts, mergePatch, threeWayPatch, type MergeForm } from '../../src/merge/index.ts';
import { isObject } from '../../src/std/index.ts';

const fields = (text: string): Record<string, unknown> => parse(text) as Record<string, unknown>;
const patch = (before: string, now: string, live = before, form: MergeForm = 'strategic'): unknown =>
  threeWayPatch(fields(before), fields(now), fields(live), form);

describe('the patch of an apply', () => {
  it.each([
    ['says all of the text, where nothing is there', '{}', '{a: 1, b: {c: [2]}}', '{}', '{a: 1, b: {c: [2]}}'],
    ['is empty where everything is there', '{}', '{a: 1, b: {c: [2]}}', '{a: 1, b: {c: [2], d: 3}}', '{}'],
    ['leaves the fields of others', '{a: 1}', '{a: 2}', '{a: 1, status: x}', '{a: 2}'],
    ['takes back what others changed', '{a: 1}', '{a: 1}', '{a: 3}', '{a: 1}'],
    ['removes a field that is gone', '{a: 1, b: 2}', '{a: 1}', '{a: 1, b: 2}', '{b: null}'],
    ['does not remove what is gone already', '{a: 1, b: 2}', '{a: 1}', '{a: 1}', '{}'],
    ['leaves a field that somebody else added', '{}', '{a: 1}', '{a: 1, b: 2}', '{}'],
    [
      'removes a field within another',
      '{m: {labels: {a: x, b: y}}}',
      '{m: {labels: {a: x}}}',
      '{m: {labels: {a: x, b: y, c: z}}}',
      '{m: {labels: {b: null}}}',
    ],
    ['removes a field that is said to be null', '{}', '{a: null, b: null}', '{a: 1}', '{a: null}'],
    ['leaves a field alone that is null on both sides', '{}', '{a: null, b: ~}', '{a: null}', '{}'],
    ['replaces a value by an object', '{a: 1}', '{a: {b: 2}}', '{a: 1}', '{a: {b: 2}}'],
    [
      'deletes a container that is gone',
      '{containers: [{name: a}, {name: b}]}',
      '{containers: [{name: a}]}',
      '{containers: [{name: a}, {name: b}]}',
      '{$setElementOrder/containers: [{name: a}], containers: [{$patch: delete, name: b}]}',
    ],
    [
      'leaves a container that somebody else added',
      '{containers: [{name: a}]}',
      '{containers: [{name: a}]}',
      '{containers: [{name: a}, {name: side}]}',
      '{}',
    ],
    [
      'removes a field of a container that stays',
      '{containers: [{name: a, tty: true}]}',
      '{containers: [{name: a}]}',
      '{containers: [{name: a, tty: true, image: x}]}',
      '{$setElementOrder/containers: [{name: a}], containers: [{name: a, tty: null}]}',
    ],
    [
      'adds a container in its place',
      '{containers: [{name: b}]}',
      '{containers: [{name: a}, {name: b}]}',
      '{containers: [{name: b}]}',
      '{$setElementOrder/containers: [{name: a}, {name: b}], containers: [{name: a}]}',
    ],
    [
      'says another order',
      '{}',
      '{containers: [{name: a}, {name: b}]}',
      '{containers: [{name: b}, {name: a}]}',
      '{$setElementOrder/containers: [{name: a}, {name: b}]}',
    ],
    [
      'tells ports of a service apart',
      '{ports: [{port: 1}, {port: 2}]}',
      '{ports: [{port: 2}]}',
      '{ports: [{port: 1}, {port: 2, nodePort: 3}]}',
      '{$setElementOrder/ports: [{port: 2}], ports: [{$patch: delete, port: 1}]}',
    ],
    [
      'tells ports of a container apart',
      '{ports: [{containerPort: 1}]}',
      '{ports: []}',
      '{ports: [{containerPort: 1}]}',
      '{$setElementOrder/ports: [], ports: [{$patch: delete, containerPort: 1}]}',
    ],
    [
      'takes a finalizer out, and leaves those of others',
      '{finalizers: [a, b]}',
      '{finalizers: [b]}',
      '{finalizers: [a, b, c]}',
      '{$deleteFromPrimitiveList/finalizers: [a], $setElementOrder/finalizers: [b]}',
    ],
    [
      'adds a finalizer to those of others',
      '{finalizers: [a]}',
      '{finalizers: [a, b]}',
      '{finalizers: [a, c]}',
      '{finalizers: [b], $setElementOrder/finalizers: [a, b]}',
    ],
    [
      'says nothing of finalizers that are there',
      '{finalizers: [a]}',
      '{finalizers: [a]}',
      '{finalizers: [a, c]}',
      '{}',
    ],
    [
      'replaces a list of which one item has no key',
      '{ports: [{port: 1}]}',
      '{ports: [{port: 1}, {name: x}]}',
      '{ports: [{port: 1}]}',
      '{ports: [{port: 1}, {name: x}]}',
    ],
    ['replaces a list in which a text stands', '{}', '{env: [{name: a}]}', '{env: [x]}', '{env: [{name: a}]}'],
    ['replaces it by a list in which a text stands', '{}', '{env: [x]}', '{env: [{name: a}]}', '{env: [x]}'],
    [
      'replaces a list of which an earlier text had texts',
      '{env: [x]}',
      '{env: [{name: a}]}',
      '{env: [{name: b}]}',
      '{env: [{name: a}]}',
    ],
    ['replaces a list without a key', '{args: [a, b]}', '{args: [b]}', '{args: [a, b]}', '{args: [b]}'],
    [
      'replaces a list of objects without a key',
      '{rules: [{host: a}]}',
      '{rules: []}',
      '{rules: [{host: a}]}',
      '{rules: []}',
    ],
    ['knows no field that every object inherits', '{}', '{toString: 1}', '{}', '{toString: 1}'],
  ])('%s', (_what, before, now, live, expected) => {
    expect(patch(before, now, live)).toEqual(fields(expected));
  });

  it('names the finalizers that stay, for a kind without a strategic merge', () => {
    expect(patch('{finalizers: [a]}', '{finalizers: [b]}', '{finalizers: [a, c]}', 'merge')).toEqual({
      finalizers: ['b'],
    });
  });

  it('replaces every list of a kind without a strategic merge', () => {
    const before = '{containers: [{name: a}, {name: b}], x: 1}';
    expect(patch(before, '{containers: [{name: a}]}', before, 'merge')).toEqual({
      containers: [{ name: 'a' }],
      x: null,
    });
  });
});

const name = fc.constantFrom('a', 'b', 'c', 'd');
const { tree } = fc.letrec<{ tree: Record<string, unknown> }>((tie) => ({
  tree: fc.dictionary(name, fc.oneof({ maxDepth: 3 }, fc.nat(2), fc.array(fc.nat(2)), tie('tree'))),
}));

/** Whether the object says all that the text says. */
const holds = (object: unknown, text: unknown): boolean =>
  isObject(text) && isObject(object)
    ? Object.entries(text).every(([key, value]) => holds(object[key], value))
    : JSON.stringify(object) === JSON.stringify(text);

describe('an apply', () => {
  const applied = (before: Record<string, unknown>, now: Record<string, unknown>, live: Record<string, unknown>) =>
    mergePatch(live, threeWayPatch(before, now, live, 'merge')) as Record<string, unknown>;

  it('makes the object say what the text says, and a second one changes nothing', () => {
    fc.assert(
      fc.property(tree, tree, tree, (before, now, live) => {
        const after = applied(before, now, live);
        expect(holds(after, now)).toBe(true);
        expect(threeWayPatch(now, now, after, 'merge')).toEqual({});
      }),
      { seed: 16 },
    );
  });

  it('leaves every field at the top that neither text names', () => {
    fc.assert(
      fc.property(tree, tree, tree, (before, now, live) => {
        const after = applied(before, now, live);
        for (const key of Object.keys(live))
          if (!(key in before) && !(key in now)) expect(after[key]).toEqual(live[key]);
      }),
      { seed: 17 },
    );
  });
});

describe('two patches conflict', () => {
  it.each([
    ['{a: 1}', '{a: 2}', true],
    ['{a: 1}', '{a: 1, b: 2}', false],
    ['{containers: [{name: c, image: new}]}', '{containers: [{name: c, imagePullPolicy: Always}]}', false],
    ['{containers: [{name: c, image: new}]}', '{containers: [{name: c, image: old}]}', true],
    ['{containers: [{name: c, image: new}]}', '{containers: [{name: d, image: old}]}', false],
    ['{containers: [{name: c, image: new}]}', '{containers: [{name: c, $patch: delete}]}', true],
    ['{$setElementOrder/containers: [{name: c}]}', '{$setElementOrder/containers: [{name: d}]}', false],
    ['{finalizers: [a/b]}', '{finalizers: [c/d]}', false],
    ['{args: [a, b]}', '{args: [b, a]}', false],
    ['{args: [a, b]}', '{args: [a]}', true],
    ['{rules: [{verbs: [get]}]}', '{rules: [{verbs: [get]}, {}]}', true],
    ['{rules: [{host: a}]}', '{rules: [{host: b}]}', true],
    ['{rules: [{host: a}]}', '{rules: [{path: b}]}', false],
    ['{args: [a]}', '{args: {a: 1}}', true],
    ['{args: {a: 1}}', '{args: [a]}', true],
    ['{args: [{a: 1}]}', '{args: [b]}', true],
    ['{args: [b]}', '{args: [{a: 1}]}', true],
    ['{containers: [{name: c, image: new}, {name: d, image: x}]}', '{containers: [{name: c, image: old}]}', true],
    ['{$patch: delete}', '{$patch: delete}', false],
    ['{a: 1}', '{$patch: delete}', true],
  ])('%s and %s: %s', (a, b, conflict) => {
    expect(conflicts(fields(a), fields(b))).toBe(conflict);
  });
});
