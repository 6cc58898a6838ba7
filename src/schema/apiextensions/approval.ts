/** Groups in the product's own domains need an approval annotation. */
import { getOwn } from '../../std/index.ts';
import type { Names } from '../../names/index.ts';
import { parseUrl } from '../values/url.ts';

export type Approval = 'approved' | 'bypassed' | 'missing' | 'invalid';

export const approvalKey = (names: Names): string => names.fill('api-approved.{label}');

export const isProtected = (group: string, names: Names): boolean =>
  [names.domain, names.label].some((domain) => group === domain || group.endsWith(`.${domain}`));

export function approvalOf(annotations: Readonly<Record<string, string>> | undefined, names: Names): Approval {
  const text = getOwn(annotations, approvalKey(names)) ?? '';
  if (text === '') return 'missing';
  if (text.startsWith('unapproved')) return 'bypassed';
  const url = parseUrl(text);
  return url && url.host !== '' && url.scheme !== '' ? 'approved' : 'invalid';
}
