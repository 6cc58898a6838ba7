/** Finds the flow schema of a request: rules, subjects, and matching order. */
import type { UserInfo } from '../../authn/index.ts';
import type { objects } from '../../schema/index.ts';
import { trimRight } from '../../std/index.ts';
import type { RequestInfo } from '../stages/requestInfo.ts';

/** What flow control needs of a flow schema, stored or mandatory. */
export interface FlowSchema {
  readonly metadata: { readonly name?: string; readonly uid?: string };
  readonly spec: objects.FlowSchemaSpec;
  readonly status?: objects.FlowSchemaStatus;
}

type Rule = NonNullable<FlowSchema['spec']['rules']>[number];
type ResourceRule = NonNullable<Rule['resourceRules']>[number];
type NonResourceRule = NonNullable<Rule['nonResourceRules']>[number];
type Subject = NonNullable<Rule['subjects']>[number];

/** The properties by which requests are matched. */
export interface Digest {
  readonly user: UserInfo;
  readonly info: RequestInfo;
}

/** Lower matching precedence first, then by name. */
export function inMatchingOrder(schemas: readonly FlowSchema[]): FlowSchema[] {
  const nameOf = ({ metadata }: FlowSchema): string => metadata.name ?? '';
  return [...schemas].sort(
    (a, b) => a.spec.matchingPrecedence - b.spec.matchingPrecedence || (nameOf(a) < nameOf(b) ? -1 : 1),
  );
}

/** A schema with the rules that match a user. */
export interface Candidate {
  readonly schema: FlowSchema;
  readonly rules: readonly Rule[];
}

/** The schemas that match a user, regardless of the request, in the order of `schemas`. */
export function candidatesFor(user: UserInfo, schemas: readonly FlowSchema[]): readonly Candidate[] {
  const naming = ({ subjects }: Rule): boolean => (subjects ?? []).some((subject) => matchesSubject(subject, user));
  return schemas
    .map((schema) => ({ schema, rules: (schema.spec.rules ?? []).filter(naming) }))
    .filter(({ rules }) => rules.length > 0);
}

/** Whether one of a candidate's rules matches the request. */
export function covers({ rules }: Candidate, info: RequestInfo): boolean {
  for (const { resourceRules, nonResourceRules } of rules) {
    const covered = info.isResource
      ? resourceRules?.some((rule) => matchesResource(rule, info))
      : nonResourceRules?.some((rule) => matchesPath(rule, info));
    if (covered === true) return true;
  }
  return false;
}

function matchesSubject(subject: Subject, { name, groups }: UserInfo): boolean {
  switch (subject.kind) {
    case 'User':
      return subject.user?.name === '*' || subject.user?.name === name;
    case 'Group':
      return subject.group?.name === '*' || groups.includes(subject.group?.name ?? '');
    case 'ServiceAccount': {
      const account = subject.serviceAccount;
      const prefix = `system:serviceaccount:${account?.namespace ?? ''}:`;
      return account?.name === '*' ? isAccountOf(prefix, name) : name === `${prefix}${account?.name ?? ''}`;
    }
    default:
      return false;
  }
}

const isAccountOf = (prefix: string, user: string): boolean =>
  user.startsWith(prefix) && user.length > prefix.length && !user.slice(prefix.length).includes(':');

const names = (list: readonly string[] | null | undefined, value: string): boolean =>
  list?.includes('*') === true || list?.includes(value) === true;

function matchesResource(rule: ResourceRule, info: RequestInfo): boolean {
  const resource = info.subresource === '' ? info.resource : `${info.resource}/${info.subresource}`;
  if (!names(rule.verbs, info.verb) || !names(rule.apiGroups, info.group) || !names(rule.resources, resource))
    return false;
  return info.namespace === '' ? rule.clusterScope === true : names(rule.namespaces, info.namespace);
}

/** A path matches itself and everything below it, with or without a trailing star. */
function matchesPath({ verbs, nonResourceURLs }: NonResourceRule, { verb, path }: RequestInfo): boolean {
  if (!names(verbs, verb)) return false;
  if (names(nonResourceURLs, path)) return true;
  return (nonResourceURLs ?? []).some((url) => path.startsWith(`${trimRight(url, '*').replace(/\/$/, '')}/`));
}

/** The flow distinguisher of a schema: the user, the namespace, or nothing. */
export function distinguisherOf({ spec }: FlowSchema, { user, info }: Digest): string {
  if (spec.distinguisherMethod?.type === 'ByUser') return user.name;
  return spec.distinguisherMethod?.type === 'ByNamespace' ? info.namespace : '';
}
