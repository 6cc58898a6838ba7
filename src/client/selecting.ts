/** Finds what selects a pod by its labels, without a look at all selectors. */
import type { ApiObject, Labels } from '../schema/index.ts';
import type { Informer } from './informer.ts';

/** What has labels in a namespace, as a pod. */
export interface Labelled {
  readonly namespace?: string;
  readonly labels?: Labels | null | undefined;
}

/** Objects by the first pair of labels that they select. */
const SELECTING = 'selecting';

/** Values of an index, one for each pair of labels. */
export const labelPairs = ({ namespace = '', labels }: Labelled): string[] =>
  Object.entries(labels ?? {}).map(([key, value]) => `${namespace}/${key}=${value}`);

/** A value of the index for objects that select no pair, which no pair is equal to. */
const others = ({ namespace = '' }: Labelled): string => `${namespace}/`;

/**
 * Indexes a cache of objects with selectors, of which `selected` returns the labels that a pod must have. The function that it returns finds those
 * that may select a pod: all that do, and a few that do not.
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
