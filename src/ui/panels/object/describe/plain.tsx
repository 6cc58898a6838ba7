import type { ReactNode } from 'preact/compat';
import type { ApiObject } from '../../../../schema/index.ts';
import { Facts, Ident } from '../../../parts/index.ts';
import { asRecord } from '../../../stores/jsonValues.ts';
import type { Description } from './description.ts';

const isPlain = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

/** `minReadySeconds` as `Min ready seconds`. */
export function inWords(field: string): string {
  const words = field.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const factsOf = (part: unknown): [string, ReactNode][] =>
  Object.entries(asRecord(part))
    .filter(([, value]) => isPlain(value))
    .map(([key, value]) => [inWords(key), <Ident key={key}>{String(value)}</Ident>]);

/** The plain values of an object's spec and status. */
export function describePlain(object: ApiObject): readonly Description[] {
  const parts = [
    { title: 'Spec', facts: factsOf(object['spec']) },
    { title: 'Status', facts: factsOf(object['status']) },
  ];
  return parts
    .filter(({ facts }) => facts.length > 0)
    .map(({ title, facts }) => ({ title, content: <Facts facts={facts} /> }));
}
