/** Helpers that declare default roles and bindings. Names may contain placeholders of the naming profile. */
import type { Names } from '../../../names/index.ts';
import type { PolicyRule, Subject } from '../types.ts';

/** A rule before its placeholders are replaced. */
export interface DeclaredRule {
  readonly verbs: string;
  readonly groups?: string;
  readonly resources?: string;
  readonly names?: string;
  readonly urls?: string;
  /** The feature gate that the rule depends on. */
  readonly gate?: string;
}

export interface DeclaredRole {
  readonly name: string;
  readonly rules?: readonly DeclaredRule[];
  /** Suffix of the label by which this role is aggregated into another: `admin`, `edit`, `view`. */
  readonly aggregatesTo?: string;
  /** The same, for the aggregating role. */
  readonly gathers?: string;
  readonly gate?: string;
}

/** A service account is written as `namespace/name`. */
export interface DeclaredBinding {
  readonly name: string;
  readonly role: string;
  readonly users?: readonly string[];
  readonly groups?: readonly string[];
  readonly accounts?: readonly string[];
  readonly gate?: string;
}

/** Lists are separated by blanks; `core` means the core group. */
export const on = (
  groups: string,
  resources: string,
  verbs: string,
  more: { readonly names?: string; readonly gate?: string } = {},
): DeclaredRule => ({ verbs, groups, resources, ...more });
export const urls = (paths: string, verbs = 'get'): DeclaredRule => ({ verbs, urls: paths });

export const READ = 'get list watch';
export const WRITE = 'create update patch delete deletecollection';
/** The rule of everyone who records events. */
export const events = on('core events.{domain}', 'events', 'create update patch');

/** A rule as it is stored: with sorted lists, as in the reference's rule builder. */
export function makeRule(rule: DeclaredRule, names: Names): PolicyRule {
  const list = (text: string): string[] =>
    words(text)
      .map((word) => (word === 'core' ? '' : names.fill(word)))
      .sort();
  const verbs = list(rule.verbs);
  if (rule.urls !== undefined) return { verbs, nonResourceURLs: list(rule.urls) };
  return {
    verbs,
    apiGroups: list(rule.groups ?? ''),
    resources: list(rule.resources ?? ''),
    ...(rule.names === undefined ? {} : { resourceNames: list(rule.names) }),
  };
}

/** The subjects of a binding: users, groups, then service accounts. */
export function makeSubjects(binding: DeclaredBinding, names: Names): Subject[] {
  const apiGroup = names.fill('rbac.authorization.{domain}');
  const named = (kind: string, list: readonly string[] = []): Subject[] =>
    list.map((name) => ({ kind, apiGroup, name: names.fill(name) }));
  const accounts = (binding.accounts ?? []).map((account): Subject => {
    const [namespace = '', name = ''] = names.fill(account).split('/');
    return { kind: 'ServiceAccount', name, namespace };
  });
  return [...named('User', binding.users), ...named('Group', binding.groups), ...accounts];
}

const words = (text: string): string[] => text.split(' ').filter((word) => word !== '');
