/** Role bindings: what is checked before one is stored. */
import * as field from '../define/fieldErrors.ts';
import { Path, type FieldErrors } from '../define/fieldErrors.ts';
import type { RuleContext, Rules } from '../define/kind.ts';
import { complaints, each, oneOf, present, sameValue, type Errors } from '../meta/checks.ts';
import { rbac } from '../groups.ts';
import { checkPathSegment, checkSubdomain } from '../values/names.ts';
import type { ClusterRoleBinding } from './clusterRoleBinding.ts';
import type { RoleBinding } from './roleBinding.ts';
import type { RoleRef, Subject } from './shared.ts';

const REF = Path.of('roleRef');

interface Binding {
  readonly subjects?: readonly Subject[];
  readonly roleRef: RoleRef;
}

function* validate({ roleRef, subjects }: Binding, namespaced: boolean, { names }: RuleContext): Errors {
  const group = names.fill(rbac.name);
  yield* oneOf(roleRef.apiGroup, [group], REF.child('apiGroup'));
  yield* oneOf(roleRef.kind, namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'], REF.child('kind'));
  const name = REF.child('name');
  if (roleRef.name === '') yield field.required(name);
  else yield* complaints(name, roleRef.name, checkPathSegment(roleRef.name));
  yield* each(subjects, Path.of('subjects'), (subject, at) => validateSubject(subject, namespaced, group, at));
}

function* validateSubject(subject: Subject, namespaced: boolean, group: string, path: Path): Errors {
  yield* present(subject.name, path.child('name'));
  if (subject.kind === 'ServiceAccount') return yield* validateAccount(subject, namespaced, path);
  if (subject.kind === 'User' || subject.kind === 'Group')
    return yield* oneOf(subject.apiGroup, [group], path.child('apiGroup'));
  yield field.notSupported(path.child('kind'), subject.kind, ['ServiceAccount', 'User', 'Group']);
}

function* validateAccount({ name, apiGroup = '', namespace = '' }: Subject, namespaced: boolean, path: Path): Errors {
  if (name !== '') yield* complaints(path.child('name'), name, checkSubdomain(name));
  yield* oneOf(apiGroup, [''], path.child('apiGroup'));
  if (!namespaced) yield* present(namespace, path.child('namespace'));
}

function validateUpdate({ roleRef }: Binding, old: Binding): FieldErrors {
  return sameValue(roleRef, old.roleRef) ? [] : [field.invalid(REF, roleRef, 'cannot change roleRef')];
}

export const roleBindingRules: Rules<RoleBinding> = {
  name: 'pathSegment',
  createOnUpdate: true,
  updateChecks: ['alone', 'alone', 'metadata', 'change'],
  validate: (binding, context) => [...validate(binding, true, context)],
  validateUpdate,
};

export const clusterRoleBindingRules: Rules<ClusterRoleBinding> = {
  name: 'pathSegment',
  createOnUpdate: true,
  updateChecks: ['alone', 'alone', 'metadata', 'change'],
  validate: (binding, context) => [...validate(binding, false, context)],
  validateUpdate,
};
