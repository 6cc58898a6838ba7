import type { Steps } from './tasks.ts';

/** The number of items sorted in one step. */
const RUN = 1000;

/** Sorts items in short steps (stable): it sorts short runs and then merges them. */
export function* sortInSteps<T>(items: readonly T[], compare: (a: T, b: T) => number): Steps<T[]> {
  if (items.length <= RUN) return items.toSorted(compare);
  const middle = items.length >> 1;
  const left = yield* sortInSteps(items.slice(0, middle), compare);
  const right = yield* sortInSteps(items.slice(middle), compare);
  return yield* merge(left, right, compare);
}

function* merge<T>(left: readonly T[], right: readonly T[], compare: (a: T, b: T) => number): Steps<T[]> {
  const merged: T[] = [];
  let [i, j] = [0, 0];
  while (i < left.length && j < right.length) {
    const isLeft = compare(left[i] as T, right[j] as T) <= 0;
    merged.push((isLeft ? left[i++] : right[j++]) as T);
    if (merged.length % RUN === 0) yield;
  }
  return merged.concat(left.slice(i), right.slice(j));
}
