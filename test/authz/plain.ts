/** RBAC as its definition says, with no index: what the real one is held against. */
import type { Attributes, BindingObject, PolicyRule, RoleObject, Subject } from '../../src/authz/index.ts';

export function plainlyAllows(
  roles: readonly RoleObject[],
  bindings: readonly BindingObject[],
  request: Attributes,
): boolean {
  return bindings.some(
    (binding) =>
      counts(binding, request) &&
      (binding.subjects ?? []).some((s) => isMeant(s, binding, request)) &&
      rulesOf(binding, roles).some((r) => allows(r, request)),
  );
}

function counts(binding: BindingObject, request: Attributes): boolean {
  return (
    binding.metadata.namespace === undefined || (request.isResource && binding.metadata.namespace === request.namespace)
  );
}

function isMeant(subject: Subject, binding: BindingObject, { user }: Attributes): boolean {
  const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
  if (subject.kind === 'User') return subject.namespace === undefined && same(subject.name, user.name);
  if (subject.kind === 'Group')
    return subject.namespace === undefined && user.groups.some((group) => same(group, subject.name));
  const namespace = subject.namespace ?? binding.metadata.namespace;
  return namespace !== undefined && same(user.name, `system:serviceaccount:${namespace}:${subject.name}`);
}

function rulesOf(binding: BindingObject, roles: readonly RoleObject[]): readonly PolicyRule[] {
  const namespace = binding.roleRef.kind === 'Role' ? binding.metadata.namespace : undefined;
  if (binding.roleRef.kind === 'Role' && namespace === undefined) return [];
  return (
    roles.find((role) => role.metadata.name === binding.roleRef.name && role.metadata.namespace === namespace)?.rules ??
    []
  );
}

function allows(rule: PolicyRule, request: Attributes): boolean {
  const has = (list: readonly string[] | undefined, value: string): boolean =>
    (list ?? []).includes('*') || (list ?? []).includes(value);
  if (!has(rule.verbs, request.verb)) return false;
  if (!request.isResource)
    return (rule.nonResourceURLs ?? []).some(
      (url) => url === request.path || (url.endsWith('*') && request.path.startsWith(url.slice(0, -1))),
    );
  const whole = request.subresource === '' ? request.resource : `${request.resource}/${request.subresource}`;
  const resource =
    has(rule.resources, whole) ||
    (request.subresource !== '' && (rule.resources ?? []).includes(`*/${request.subresource}`));
  const named = (rule.resourceNames ?? []).length === 0 || (rule.resourceNames ?? []).includes(request.name);
  return has(rule.apiGroups, request.group) && resource && named;
}
