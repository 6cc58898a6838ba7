/** The accepted names of a definition: those that no other definition of its group has. */
import type { Condition, Definition } from './definition.ts';

type Names = Definition['status']['acceptedNames'];

export interface Acceptance {
  readonly acceptedNames: Names;
  readonly condition: Condition;
}

/**
 * Accepted names stay accepted; of several conflicts the last is reported. A definition's own accepted names are taken
 * too: it can't use one of them for another purpose later.
 */
export function acceptNames({ spec: { names: wanted }, status }: Definition, group: readonly Definition[]): Acceptance {
  const old = status.acceptedNames;
  const taken = takenBy(group);
  const accepted: Names = { ...old, ...(wanted.categories ? { categories: wanted.categories } : {}) };
  if (!wanted.categories) delete accepted.categories;
  const conflicts: Condition[] = [];
  for (const { field, used, reason } of SINGLE) {
    const name = wanted[field] ?? '';
    if (name !== (old[field] ?? '') && taken[used].has(name)) conflicts.push(conflict(reason, [name]));
    else if (wanted[field] !== undefined) accepted[field] = name;
    if (field === 'singular') conflicts.push(...acceptShortNames(wanted, accepted, taken.resources));
  }
  return { acceptedNames: accepted, condition: conflicts[conflicts.length - 1] ?? NO_CONFLICTS };
}

const SINGLE = [
  { field: 'plural', used: 'resources', reason: 'PluralConflict' },
  { field: 'singular', used: 'resources', reason: 'SingularConflict' },
  { field: 'kind', used: 'kinds', reason: 'KindConflict' },
  { field: 'listKind', used: 'kinds', reason: 'ListKindConflict' },
] as const;

function takenBy(group: readonly Definition[]): Readonly<Record<'resources' | 'kinds', ReadonlySet<string>>> {
  const names = group.map(({ status }) => status.acceptedNames);
  return {
    resources: new Set(
      names.flatMap(({ plural, singular = '', shortNames = [] }) => [plural, singular, ...shortNames]),
    ),
    kinds: new Set(names.flatMap(({ kind, listKind = '' }) => [kind, listKind])),
  };
}

/** All short names or none. */
function acceptShortNames(wanted: Names, accepted: Names, taken: ReadonlySet<string>): readonly Condition[] {
  const { shortNames = [] } = wanted;
  const used = shortNames.filter((name) => !(accepted.shortNames ?? []).includes(name) && taken.has(name));
  if (used.length > 0) return [conflict('ShortNamesConflict', used)];
  if (wanted.shortNames) accepted.shortNames = wanted.shortNames;
  else delete accepted.shortNames;
  return [];
}

function conflict(reason: string, names: readonly string[]): Condition {
  const message = names.map((name) => `${JSON.stringify(name)} is already in use`).join(', ');
  return { type: 'NamesAccepted', status: 'False', reason, message };
}

const NO_CONFLICTS: Condition = {
  type: 'NamesAccepted',
  status: 'True',
  reason: 'NoConflicts',
  message: 'no conflicts found',
};
