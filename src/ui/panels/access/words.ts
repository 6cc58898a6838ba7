/** Access in words: subjects, rules, scopes, edits. */
import type { AccessEdit, AccessId, AccessRule, AccessWish } from '../../host.ts';
import { nameOfIdentity, type Identity } from '../../stores/identity.ts';
import type { AccessUser } from '../../host.ts';
import type { Resource } from '../../stores/resources.ts';

export const scopeText = (scope: string): string => (scope === '' ? 'the whole cluster' : scope);

export const subjectText = ({ kind, namespace, name }: AccessId): string =>
  `${kind} ${namespace ? `${namespace}/` : ''}${name}`;

const isAll = (list: readonly string[]): boolean => list.includes('*');

function groupsText(groups: readonly string[]): string {
  if (isAll(groups)) return ' of any group';
  const named = groups.map((group) => group || 'core').join(', ');
  return named === 'core' ? '' : ` of ${named}`;
}

/** A rule in a line: verbs, then what they apply to. A star is said in words. */
export function ruleText({
  verbs,
  apiGroups = [],
  resources = [],
  resourceNames = [],
  nonResourceURLs = [],
}: AccessRule): string {
  const what = isAll(resources) ? 'anything' : resources.join(', ');
  const paths = isAll(nonResourceURLs) ? 'any path' : nonResourceURLs.join(', ');
  const target = resources.length > 0 ? `${what}${groupsText(apiGroups)}` : paths;
  const named = resourceNames.length > 0 ? ` named ${resourceNames.join(', ')}` : '';
  return `${isAll(verbs) ? 'do anything to' : verbs.join(', ')} ${target}${named}`;
}

/** An edit in a sentence. */
export function editText(edit: AccessEdit): string {
  switch (edit.do) {
    case 'add':
      return `Add ${typeof edit.value === 'string' ? `“${edit.value || 'core'}”` : subjectText(edit.value)} to ${edit.field} of ${subjectText(edit.to)}`;
    case 'create-role':
      return `Create ${subjectText(edit.role)}: ${edit.rules.map(ruleText).join('; ')}`;
    case 'create-binding':
      return `Create ${subjectText(edit.binding)}: ${edit.roleRef.kind} ${edit.roleRef.name} to ${edit.subjects.map(subjectText).join(', ')}`;
  }
}

/** The groups that the server gives to an identity besides its own. */
function groupsOf(identity: Identity): readonly string[] {
  switch (identity.kind) {
    case 'administrator':
      return ['system:masters', 'system:authenticated'];
    case 'anonymous':
      return ['system:unauthenticated'];
    case 'account':
      return ['system:serviceaccounts', `system:serviceaccounts:${identity.namespace}`, 'system:authenticated'];
    case 'node':
      return ['system:nodes', 'system:authenticated'];
    case 'user':
    case 'certificate':
      return [...identity.groups, 'system:authenticated'];
    case 'token':
      return ['system:authenticated'];
  }
}

/** An identity as the authorizers see it. What a token stands for only the server knows. */
export function userOf(identity: Identity): AccessUser {
  return { name: nameOfIdentity(identity), groups: groupsOf(identity), extra: {} };
}

interface Asked {
  readonly verb: string;
  readonly resource: Resource;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

/** A question about a resource, as the authorizers see it. */
export function wishFor({ verb, resource, subresource, namespace, name }: Asked): AccessWish {
  const { group, version, resource: plural, namespaced } = resource;
  return {
    verb,
    isResource: true,
    path: '',
    namespace: namespaced ? namespace : '',
    group,
    version,
    resource: plural,
    subresource,
    name,
  };
}
