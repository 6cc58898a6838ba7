/** Edits of roles and bindings, small enough for display beside the object's own line. */
import type { Attributes } from '../types.ts';
import type { BindingId, PolicyRule, RoleId, RoleRef, Subject } from './types.ts';

/** `field` is a path in the object, such as `rules[2].verbs`; `value` is appended to that list. */
export type Edit =
  | { readonly do: 'add'; readonly to: RoleId | BindingId; readonly field: string; readonly value: string | Subject }
  | { readonly do: 'create-role'; readonly role: RoleId; readonly rules: readonly PolicyRule[] }
  | {
      readonly do: 'create-binding';
      readonly binding: BindingId;
      readonly roleRef: RoleRef;
      readonly subjects: readonly Subject[];
    };

/** The user of a request as a subject of a binding. */
export function subjectOf(user: { readonly name: string }, rbacGroup: string): Subject {
  const account = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(user.name);
  if (account) return { kind: 'ServiceAccount', namespace: String(account[1]), name: String(account[2]) };
  return { kind: 'User', apiGroup: rbacGroup, name: user.name };
}

/** The narrowest rule that allows a request. */
export function ruleFor(request: Attributes): PolicyRule {
  if (!request.isResource) return { verbs: [request.verb], nonResourceURLs: [request.path] };
  return {
    verbs: [request.verb],
    apiGroups: [request.group],
    resources: [wholeResource(request)],
    ...(request.name === '' ? {} : { resourceNames: [request.name] }),
  };
}

/** `pods`, or `pods/log`. */
export function wholeResource(request: Pick<Attributes, 'resource' | 'subresource'>): string {
  return request.subresource === '' ? request.resource : `${request.resource}/${request.subresource}`;
}
