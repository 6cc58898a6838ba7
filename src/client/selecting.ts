/** Finds the objects whose selectors may match the labels of a pod, without testing every selector. */
import type { ApiObject, Labels } from '../schema/index.ts';
import type { Informer } from './informer.ts';

/** The labels of a pod, and its namespace. */
export interface Labelled {
  readonly namespace?: string;
  readonly labels?: Labels | null | undefined;
}

/** The index of objects by the first label that their selector requires. */
const SELECTING = 'selecting';

/** Index values, one for each label with its value. */
export const labelPairs = ({ namespace = '', labels }: Labelled): string[] =>
  Object.entries(labels ?? {}).map(([key, value]) => `${namespace}/${key}=${value}`);

/** The index value of objects whose selector requires no label. It differs from that of every label. */
const others = ({ namespace = '' }: Labelled): string => `${namespace}/`;

/**
 * Indexes a cache of objects with selectors. `selected` returns the labels that a selector requires. Returns a function that finds all objects that
 * select a pod, and possibly a few that do not.
 */
export function selecting<T extends ApiObject>(
  cache: Pick<Informer<T>, 'addIndex' | 'by'>,
  selected: (object: T) => Labels | null | undefined,
): (pod: Labelled) => T[] {
  cache.addIndex(SELECTING, (object) => {
    const wanted = { namespace: object.metadata.namespace ?? '', labels: selected(object) };
    return [labelPairs(wanted)[0] ?? others(wanted)];
  });
  return (pod) => [...labelPairs(pod), others(pod)].flatMap((value) => cache.by(SELECTING, value));
}
