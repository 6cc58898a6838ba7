/** Who may do what: roles, bindings, service accounts. */
import { clusterRoles, secrets, serviceAccounts } from '../../client/index.ts';
import type { ApiObject, objects } from '../../schema/index.ts';
import { getOwn } from '../../std/index.ts';
import { rulesByResource, ruleTarget } from '../output/policyRules.ts';
import { describer, resource, type Describer } from './describer.ts';
import { field, goList, meta, nameAlone, names, NONE, section, table, type Line } from './lines.ts';

const roles = resource<objects.Role>('rbac.authorization.{domain}/v1', 'roles', 'Role');
const roleBindings = resource<objects.RoleBinding>('rbac.authorization.{domain}/v1', 'rolebindings', 'RoleBinding');
const clusterRoleBindings = resource<objects.ClusterRoleBinding>(
  'rbac.authorization.{domain}/v1',
  'clusterrolebindings',
  'ClusterRoleBinding',
  false,
);

interface RoleObject extends ApiObject {
  readonly rules?: readonly objects.PolicyRule[] | null;
}

const RULE_HEADS = ['Resources', 'Non-Resource URLs', 'Resource Names', 'Verbs'];

function roleLines(role: RoleObject): readonly Line[] {
  const rows = rulesByResource(role.rules ?? []).map((rule) => [
    ruleTarget(rule),
    ...[goList(rule.nonResourceURLs), goList(rule.resourceNames), goList(rule.verbs)],
  ]);
  return [nameAlone(role), ...meta(role), ...section('PolicyRule', table(RULE_HEADS, rows))];
}

const roleDescriber = describer(roles, roleLines, false);
const clusterRoleDescriber = describer(clusterRoles, roleLines, false);

interface BindingObject extends ApiObject {
  readonly roleRef: objects.RoleRef;
  readonly subjects?: readonly objects.Subject[] | null;
}

function bindingLines(binding: BindingObject): readonly Line[] {
  const rows = (binding.subjects ?? []).map(({ kind, name, namespace = '' }) => [kind, name, namespace]);
  return [
    nameAlone(binding),
    ...meta(binding),
    ...section('Role', [field('Kind', binding.roleRef.kind), field('Name', binding.roleRef.name)]),
    ...section('Subjects', table(['Kind', 'Name', 'Namespace'], rows)),
  ];
}

const roleBindingDescriber = describer(roleBindings, bindingLines, false);
const clusterRoleBindingDescriber = describer(clusterRoleBindings, bindingLines, false);

const serviceAccountDescriber = describer(serviceAccounts, async (account, { client, list }) => {
  const { metadata } = account;
  const all = await list(secrets, { namespace: metadata.namespace ?? '' }).catch(() => undefined);
  const [nameKey, uidKey] = [
    client.names.fill('{label}/service-account.name'),
    client.names.fill('{label}/service-account.uid'),
  ];
  const isToken = ({ metadata: of, type }: objects.Secret): boolean =>
    type === client.names.fill('{label}/service-account-token') &&
    getOwn(of?.annotations, nameKey) === metadata.name &&
    getOwn(of?.annotations, uidKey) === metadata.uid;
  const tokens = (all ?? []).filter(isToken).map((secret) => secret.metadata.name ?? '');
  const missing = (name: string): boolean => all !== undefined && !all.some((secret) => secret.metadata.name === name);
  const shown = (title: string, list: readonly { readonly name?: string }[]): readonly Line[] =>
    titled(
      title,
      list.map(({ name = '' }) => (missing(name) ? `${name} (not found)` : name)),
    );
  return [
    ...names(account),
    ...meta(account),
    ...shown('Image pull secrets:', account.imagePullSecrets ?? []),
    ...shown('Mountable secrets: ', account.secrets ?? []),
    ...titled('Tokens:            ', tokens),
  ];
});

const titled = (title: string, list: readonly string[]): readonly Line[] =>
  (list.length === 0 ? [NONE] : list).map((name, i) => `${i === 0 ? title : ' '.repeat(title.length)}\t${name}`);

export const accessDescribers: readonly Describer[] = [
  roleDescriber,
  clusterRoleDescriber,
  roleBindingDescriber,
  clusterRoleBindingDescriber,
  serviceAccountDescriber,
];
