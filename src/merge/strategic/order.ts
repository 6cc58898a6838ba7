/** The order of a merged list: the patch's items in its order, interleaved with the others in their order. */
import { isObject, getOwn, goText, goType } from '../../std/index.ts';
import { bareFailure } from '../failures.ts';
import { hasDirective, PATCH } from './directives.ts';

/** The identity of an item: its merge key's value, or the item itself. */
type Identify = (item: unknown) => unknown;
type Ranks = ReadonlyMap<unknown, number>;

/** Reads the merge key of an item; throws if it is missing. */
export function keyOf(item: unknown, mergeKey: string): unknown {
  if (!isObject(item)) throw bareFailure(`expected a map[string]interface {}, but received a ${goType(item)}`);
  if (!Object.hasOwn(item, mergeKey))
    throw bareFailure(`map: ${goText(item)} does not contain declared merge key: ${mergeKey}`);
  return getOwn(item, mergeKey);
}

function identifier(mergeKey: string): Identify {
  return mergeKey === '' ? (item) => item : (item) => keyOf(item, mergeKey);
}

/** Positions by identity; the first of several items with the same identity counts. */
function ranks(items: readonly unknown[], identify: Identify): Ranks {
  const ranked = new Map<unknown, number>();
  items.forEach((item, i) => {
    const id = identify(item);
    if (!ranked.has(id)) ranked.set(id, i);
  });
  return ranked;
}

/**
 * Orders a merged list. Items in `patchOrder` follow its order. All others follow `liveOrder`, each before the first of
 * the former that came after it.
 */
export function orderMerged(
  merged: readonly unknown[],
  patchOrder: readonly unknown[],
  liveOrder: readonly unknown[],
  mergeKey: string,
): unknown[] {
  const identify = identifier(mergeKey);
  const inPatch = ranks(patchOrder, identify);
  const inLive = ranks(liveOrder, identify);
  const named = merged.filter((item) => inPatch.has(identify(item)));
  const others = merged.filter((item) => !inPatch.has(identify(item)));
  return interleave(sortByRank(others, inLive, identify), sortByRank(named, inPatch, identify), inLive, identify);
}

/**
 * Sorts by rank, items to be deleted last. New items, without a rank, come first in reverse order, as in the
 * reference's comparison.
 */
function sortByRank(items: readonly unknown[], rank: Ranks, identify: Identify): unknown[] {
  const rankOf = (item: unknown): number => rank.get(identify(item)) ?? -1;
  const kept = items.filter((item) => !isDeletion(item));
  const fresh = kept.filter((item) => rankOf(item) < 0).reverse();
  const ranked = kept.filter((item) => rankOf(item) >= 0).sort((a, b) => rankOf(a) - rankOf(b));
  return [...fresh, ...ranked, ...items.filter(isDeletion)];
}

function isDeletion(item: unknown): boolean {
  return isObject(item) && item[PATCH] === 'delete';
}

/** Inserts each of `left` into `right`, before the first item that came after it in the live list. */
function interleave(left: readonly unknown[], right: readonly unknown[], live: Ranks, identify: Identify): unknown[] {
  const woven: unknown[] = [];
  let next = 0;
  for (const item of right) {
    while (next < left.length && stoodBefore(left[next], item, live, identify)) {
      woven.push(left[next]);
      next += 1;
    }
    woven.push(item);
  }
  return [...woven, ...left.slice(next)];
}

function stoodBefore(a: unknown, b: unknown, live: Ranks, identify: Identify): boolean {
  const rankA = live.get(identify(a));
  const rankB = live.get(identify(b));
  return rankA !== undefined && rankB !== undefined && rankA < rankB;
}

/**
 * The live order after the merge in the reference, which works in place: deleted items leave slots at the end, and new
 * items fill them. So a new item may come after live ones that `$setElementOrder` does not list.
 */
export function orderLeftBehind(
  live: readonly unknown[],
  patch: readonly unknown[],
  { merges, mergeKey }: { readonly merges: boolean; readonly mergeKey: string },
): readonly unknown[] {
  if (!merges || mergeKey === '') return live;
  const identify = identifier(mergeKey);
  const deleted = new Set(patch.filter(isDeletion).map(identify));
  if (deleted.size === 0) return live;
  const kept = live.filter((item) => !isObject(item) || !deleted.has(getOwn(item, mergeKey)));
  const known = new Set(kept.map(identify));
  const fresh = patch.filter((item) => !hasDirective(item) && !known.has(identify(item)));
  return [...kept, ...fresh].slice(0, live.length);
}

/**
 * Validates `$setElementOrder` against the patch's list: every item that is not deleted must be in it, in the same
 * order.
 */
export function checkElementOrder(patchList: readonly unknown[], order: readonly unknown[], mergeKey: string): void {
  if (order.length === 0 || patchList.length === 0) return;
  const identify = identifier(mergeKey);
  const wanted = patchList.filter((item) => !hasDirective(item)).map(identify);
  let next = 0;
  for (const item of order) if (next < wanted.length && wanted[next] === identify(item)) next += 1;
  if (next < wanted.length)
    throw bareFailure(
      `The order in patch list:\n${goText(patchList)}\n doesn't match $setElementOrder list:\n${goText(order)}\n`,
    );
}
