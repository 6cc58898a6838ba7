/** Compares and combines tolerations. */
import type { objects } from '../../schema/index.ts';

export type Toleration = objects.Toleration;

/** All fields of a toleration, with defaults for missing ones. */
function parts(t: Toleration): Required<Omit<Toleration, 'tolerationSeconds'>> & { seconds: number | undefined } {
  const { key = '', operator = '', value = '', effect = '', tolerationSeconds } = t;
  return { key, operator, value, effect, seconds: tolerationSeconds };
}

const equal = (a: Toleration, b: Toleration): boolean => JSON.stringify(parts(a)) === JSON.stringify(parts(b));

/** Whether `wide` tolerates all that `narrow` does. */
export function covers(wide: Toleration, narrow: Toleration): boolean {
  if (equal(wide, narrow)) return true;
  const w = parts(wide);
  const n = parts(narrow);
  if (w.key !== n.key && (w.key !== '' || w.operator !== 'Exists')) return false;
  if (w.effect !== n.effect && w.effect !== '') return false;
  if (w.effect === 'NoExecute' && w.seconds !== undefined && (n.seconds === undefined || n.seconds > w.seconds))
    return false;
  if (w.operator === 'Exists') return true;
  return (w.operator === 'Equal' || w.operator === '') && n.operator === 'Equal' && n.value === w.value;
}

/** The union of both lists, without tolerations that another one covers. */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): Toleration[] {
  const all = [...first, ...second];
  const merged: Toleration[] = [];
  all.forEach((toleration, i) => {
    const later = all.slice(i + 1).some((other) => !equal(toleration, other) && covers(other, toleration));
    if (!later && !merged.some((other) => covers(other, toleration))) merged.push(toleration);
  });
  return merged;
}

/** A list with an added toleration, which replaces one for the same taint and operator. */
export function withToleration(list: readonly Toleration[], added: Toleration): Toleration[] {
  const same = (t: Toleration): boolean => equal({ ...t, tolerationSeconds: 0 }, { ...added, tolerationSeconds: 0 });
  if (!list.some(same)) return [...list, added];
  return list.map((t) => (same(t) ? added : t));
}
