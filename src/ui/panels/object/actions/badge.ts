import { faultsSet, wordsOf, type Fault } from '../../../../faults/index.ts';

/** What a badge says: the fault, and its value where that tells more. */
export function badgeOf(fault: Fault, value: string): string {
  const { badge } = wordsOf(fault);
  return fault.value.type === 'switch' || badge.endsWith('fails') ? badge : `${badge}: ${value}`;
}

/** The badges of an object's faults, by its kind and annotations. */
export function badgesOf(kind: string, annotations: Readonly<Record<string, string>> | undefined): readonly string[] {
  if (kind !== 'Node' && kind !== 'Pod') return [];
  return faultsSet(kind, annotations).map(({ fault, value }) => badgeOf(fault, value));
}
