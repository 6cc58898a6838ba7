/** At most ten updaters own fields of an object: the oldest of one version are merged. */
import { expect, test } from 'vitest';
import { capUpdaters } from '../../src/merge/apply/cap.ts';
import { setOf, type FieldSet } from '../../src/merge/apply/fieldSet.ts';
import { identify, type Owner, type Owners } from '../../src/merge/apply/owners.ts';

const at = (second: number): string => `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`;
const owner = (manager: string, second: number, more: Partial<Owner> = {}): Owner => ({
  ...{ manager, operation: 'Update', apiVersion: 'v1', time: at(second), fields: setOf([`f:${manager}`]) },
  ...more,
});
const ownersOf = (...all: readonly Owner[]): Owners => new Map(all.map((each) => [identify(each), each]));
const managers = (owners: Owners): string[] => [...owners.values()].map(({ manager }) => manager).sort();
const fieldsOf = (owners: Owners, manager: string): FieldSet | undefined =>
  [...owners.values()].find((each) => each.manager === manager)?.fields;
const updaters = (count: number, second = (i: number): number => i): Owner[] =>
  Array.from({ length: count }, (_, i) => owner(`m${String(i).padStart(2, '0')}`, second(i)));

test('keeps a list of ten updaters as it is', () => {
  const owners = ownersOf(...updaters(10));
  expect(capUpdaters(owners)).toBe(owners);
});

test('appliers are not counted and never merged', () => {
  const appliers = Array.from({ length: 12 }, (_, i) => owner(`a${i}`, i, { operation: 'Apply' }));
  const owners = ownersOf(...appliers, ...updaters(10));
  expect(capUpdaters(owners)).toBe(owners);
  const capped = capUpdaters(ownersOf(...appliers, ...updaters(11)));
  expect(managers(capped).filter((name) => name.startsWith('a') && name !== 'ancient-changes')).toHaveLength(12);
});

test('of eleven the two oldest are merged, with the fields of both and the time of the second', () => {
  const owners = ownersOf(...updaters(11, (i) => 50 - i));
  const capped = capUpdaters(owners);
  expect(capped.size).toBe(10);
  expect(managers(capped)).toEqual(['ancient-changes', ...managers(owners).slice(0, 9)]);
  expect(fieldsOf(capped, 'ancient-changes')).toEqual(setOf(['f:m10'], ['f:m09']));
  expect([...capped.values()].find(({ manager }) => manager === 'ancient-changes')).toMatchObject({
    ...{ operation: 'Update', apiVersion: 'v1', time: at(41) },
  });
});

test('of thirteen the four oldest are merged into one', () => {
  const capped = capUpdaters(ownersOf(...updaters(13)));
  expect(managers(capped)).toEqual([
    'ancient-changes',
    ...updaters(13)
      .slice(4)
      .map(({ manager }) => manager),
  ]);
  expect(fieldsOf(capped, 'ancient-changes')).toEqual(setOf(['f:m00'], ['f:m01'], ['f:m02'], ['f:m03']));
});

test('of the same age the first by name are merged', () => {
  expect(managers(capUpdaters(ownersOf(...updaters(11, () => 5).reverse())))).toEqual([
    'ancient-changes',
    ...updaters(11)
      .slice(2)
      .map(({ manager }) => manager),
  ]);
});

test('only updaters of one version are merged: of eleven versions all stay', () => {
  const owners = ownersOf(...Array.from({ length: 11 }, (_, i) => owner('m', i, { apiVersion: `v${i}` })));
  expect(capUpdaters(owners).size).toBe(11);
});

test('each version has a bucket of its own, which goes on growing', () => {
  const two = (i: number): Partial<Owner> => ({ apiVersion: i % 2 === 0 ? 'v1' : 'v2' });
  const owners = ownersOf(...Array.from({ length: 13 }, (_, i) => owner(`m${i}`, i, two(i))));
  const capped = capUpdaters(owners);
  expect(capped.size).toBe(10);
  const ancient = [...capped.values()].filter(({ manager }) => manager === 'ancient-changes');
  expect(ancient.map(({ apiVersion }) => apiVersion).sort()).toEqual(['v1', 'v2']);
  const again = capUpdaters(new Map([...capped, ...ownersOf(owner('new', 59))]));
  expect(again.size).toBe(10);
});
