import { nothing, selectorOfLabels, type Labels, type Selector } from '../../schema/index.ts';

const known = new WeakMap<object, Selector>();

/**
 * The matcher of a plain label map, cached for each object. An empty map selects nothing, because it would match every
 * pod.
 */
export function podSelectorOf(labels: Labels | null | undefined): Selector {
  if (!labels || Object.keys(labels).length === 0) return nothing;
  const found = known.get(labels) ?? selectorOfLabels(labels);
  known.set(labels, found);
  return found;
}
