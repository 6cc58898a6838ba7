/** Two writers who keep taking a field back from each other. */
import { deepEqual, getOwn, isObject } from '../../../std/index.ts';

/** One write of an object: who did it, and what it was afterwards. */
export interface Write {
  readonly revision: number;
  readonly by: string;
  readonly value: unknown;
}

export interface Fight {
  /** The field, as `spec.replicas`. */
  readonly field: string;
  readonly between: readonly string[];
  /** What each of them wants, as JSON. */
  readonly values: readonly string[];
  /** How often it went back to a value that it had. */
  readonly returns: number;
}

/** Fields that change with every write, whoever writes. */
const IGNORED = /^metadata\.(resourceVersion|generation|managedFields)|^status\.observedGeneration|[tT]ime$|Timestamp$/;

/** Fewer returns than this happen by chance. */
const LEAST_RETURNS = 2;

interface Change {
  readonly by: string;
  readonly value: string;
}

/** The fields that went back and forth between two writers. `writes` are all of one object, the oldest first. */
export function findFights(writes: readonly Write[]): readonly Fight[] {
  const changes = new Map<string, Change[]>();
  for (const [i, { by, value }] of writes.entries()) {
    const before = writes[i - 1];
    if (!before) continue;
    for (const { field, was, is } of differences(before.value, value)) {
      if (IGNORED.test(field)) continue;
      const known = changes.get(field) ?? [{ by: before.by, value: was }];
      changes.set(field, [...known, { by, value: is }]);
    }
  }
  return [...changes].flatMap(([field, all]) => fightOver(field, all) ?? []);
}

function fightOver(field: string, changes: readonly Change[]): Fight | undefined {
  // A value that was there two changes ago, brought back by somebody else than the last writer.
  const returns = changes.filter(({ by, value }, i) => changes[i - 2]?.value === value && changes[i - 1]?.by !== by);
  if (returns.length < LEAST_RETURNS) return undefined;
  const recent = changes.slice(-2);
  return {
    field,
    between: [...new Set(recent.map(({ by }) => by))],
    values: recent.map(({ value }) => value),
    returns: returns.length,
  };
}

interface Difference {
  readonly field: string;
  readonly was: string;
  readonly is: string;
}

/** The leaves in which two values differ. Lists are compared as a whole. */
function differences(a: unknown, b: unknown, path = ''): readonly Difference[] {
  if (deepEqual(a, b)) return [];
  if (!isObject(a) || !isObject(b)) return [{ field: path, was: textOf(a), is: textOf(b) }];
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].flatMap((key) => differences(getOwn(a, key), getOwn(b, key), path === '' ? key : `${path}.${key}`));
}

const textOf = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));
