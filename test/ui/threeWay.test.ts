import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { patchFields, type MergeForm } from '../../src/ui/editor/threeWay.ts';

const fields = (text: string): Record<string, unknown> => parse(text) as Record<string, unknown>;
const patch = (before: string, now: string, form: MergeForm = 'strategic'): unknown =>
  patchFields(fields(before), fields(now), form);

describe('the patch of an apply', () => {
  it.each([
    ['says all of the text, where nothing was applied before', '{}', '{a: 1, b: {c: [2]}}', '{a: 1, b: {c: [2]}}'],
    ['removes a field that is gone', '{a: 1, b: 2}', '{a: 1}', '{a: 1, b: null}'],
    [
      'removes a field within another',
      '{m: {labels: {a: x, b: y}}}',
      '{m: {labels: {a: x}}}',
      '{m: {labels: {a: x, b: null}}}',
    ],
    ['replaces a value by an object', '{a: 1}', '{a: {b: 2}}', '{a: {b: 2}}'],
    [
      'deletes a container that is gone',
      '{containers: [{name: a}, {name: b}]}',
      '{containers: [{name: a}]}',
      '{containers: [{name: a}, {name: b, $patch: delete}]}',
    ],
    [
      'removes a field of a container that stays',
      '{containers: [{name: a, tty: true}]}',
      '{containers: [{name: a}]}',
      '{containers: [{name: a, tty: null}]}',
    ],
    [
      'tells ports of a service apart',
      '{ports: [{port: 1}, {port: 2}]}',
      '{ports: [{port: 2}]}',
      '{ports: [{port: 2}, {port: 1, $patch: delete}]}',
    ],
    [
      'tells ports of a container apart',
      '{ports: [{containerPort: 1}]}',
      '{ports: []}',
      '{ports: [{containerPort: 1, $patch: delete}]}',
    ],
    ['replaces a list without a key', '{args: [a, b]}', '{args: [b]}', '{args: [b]}'],
    ['replaces a list of objects without a key', '{rules: [{host: a}]}', '{rules: []}', '{rules: []}'],
    ['knows no field that every object inherits', '{}', '{toString: 1}', '{toString: 1}'],
  ])('%s', (_what, before, now, expected) => {
    expect(patch(before, now)).toEqual(fields(expected));
  });

  it('replaces every list of a kind without a strategic merge', () => {
    const before = '{containers: [{name: a}, {name: b}], x: 1}';
    expect(patch(before, '{containers: [{name: a}]}', 'merge')).toEqual({ containers: [{ name: 'a' }], x: null });
  });
});
