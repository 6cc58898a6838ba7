import { describe, expect, test } from 'vitest';
import type { ControllerRevision } from '../../../src/client/index.ts';
import { planRevision, sortRevisions, surplusRevisions } from '../../../src/controllers/daemonSet/history.ts';
import { revisionData } from '../../../src/controllers/history/revisions.ts';

type Given = readonly (readonly [number, string])[];
type Template = Parameters<typeof planRevision>[0];

const template = (image: string): Template => ({ metadata: {}, spec: { containers: [{ name: 'c', image }] } }) as never;
const revision = ([number, image]: Given[number]): ControllerRevision =>
  ({
    metadata: { name: `ds-${number}-${image}` },
    revision: number,
    data: revisionData(template(image)),
  }) as ControllerRevision;
const revisions = (given: Given): ControllerRevision[] => given.map(revision);
const namesOf = (all: readonly ControllerRevision[]): (string | undefined)[] =>
  all.map(({ metadata }) => metadata.name);

describe('which revision comes to hold the template of a daemon set', () => {
  test.each<[string, Given, object]>([
    ['the first is made', [], { do: 'create', number: 1 }],
    ['the next is numbered after all others', [[7, 'b']], { do: 'create', number: 8 }],
    ['one that holds it is kept', [[1, 'a']], { do: 'keep', revision: revision([1, 'a']) }],
    [
      'so is one with a higher number than it needs',
      [
        [9, 'a'],
        [2, 'b'],
      ],
      { do: 'keep', revision: revision([9, 'a']) },
    ],
    [
      'an earlier one is numbered after those that hold others',
      [
        [1, 'a'],
        [4, 'b'],
      ],
      { do: 'renumber', revision: revision([1, 'a']), number: 5 },
    ],
    [
      'one with the number of another is numbered anew',
      [
        [4, 'b'],
        [4, 'a'],
      ],
      { do: 'renumber', revision: revision([4, 'a']), number: 5 },
    ],
  ])('%s', (_, given, step) => {
    expect(planRevision(template('a'), revisions(given))).toEqual(step);
  });

  test('of several the one with the highest number', () => {
    const sorted = sortRevisions(
      template('a'),
      revisions([
        [3, 'a'],
        [1, 'a'],
        [2, 'b'],
      ]),
    );
    expect(sorted.newest?.revision).toBe(3);
    expect(namesOf(sorted.duplicates)).toEqual(['ds-1-a']);
    expect(namesOf(sorted.old)).toEqual(['ds-2-b']);
  });
});

describe('which earlier revisions go', () => {
  const old = revisions([
    [1, 'a'],
    [2, 'b'],
    [3, 'c'],
  ]);
  test.each<[string, used: string[], limit: number, gone: string[]]>([
    ['the oldest beyond the limit', [], 2, ['ds-1-a']],
    ['none within it', [], 3, []],
    ['those in use count towards it, but stay', ['ds-1-a'], 2, ['ds-2-b']],
    ['without a limit all that are not in use', ['ds-3-c'], 0, ['ds-1-a', 'ds-2-b']],
  ])('%s', (_, used, limit, gone) => {
    const isUsed = ({ metadata }: ControllerRevision): boolean => used.includes(metadata.name ?? '');
    expect(namesOf(surplusRevisions(old, isUsed, limit))).toEqual(gone);
  });
});
