import {
  nothing,
  selectorOfLabels,
  selectorOfObject,
  type LabelSelector,
  type Labels,
  type Selector,
} from '../../schema/index.ts';

const bySelector = new WeakMap<object, Selector>();

/** The matcher of a selector in an object; made once for each object that a cache holds. An absent one selects nothing. */
export function compiled(selector: LabelSelector | null | undefined): Selector {
  if (!selector) return nothing;
  const known = bySelector.get(selector) ?? selectorOfObject(selector);
  bySelector.set(selector, known);
  return known;
}

/** The same for a plain map of labels; an empty one selects nothing here, since it would take every pod there is. */
export function compiledLabels(labels: Labels | null | undefined): Selector {
  if (!labels || Object.keys(labels).length === 0) return nothing;
  const known = bySelector.get(labels) ?? selectorOfLabels(labels);
  bySelector.set(labels, known);
  return known;
}
