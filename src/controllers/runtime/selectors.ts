import { nothing, selectorOfLabels, type Labels, type Selector } from '../../schema/index.ts';

const known = new WeakMap<object, Selector>();

/**
 * The matcher of a plain map of labels, made once for each object that a cache holds. An empty map selects nothing:
 * it would take every pod there is.
 */
export function podSelectorOf(labels: Labels | null | undefined): Selector {
  if (!labels || Object.keys(labels).length === 0) return nothing;
  const found = known.get(labels) ?? selectorOfLabels(labels);
  known.set(labels, found);
  return found;
}
