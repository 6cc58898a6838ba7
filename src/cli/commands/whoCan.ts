/** Who may do something, by roles and bindings: our own command. */
import { clusterRoles, pathOf, type ResourceRef } from '../../client/index.ts';
import type { objects } from '../../schema/index.ts';
import { command, type Call } from '../command/command.ts';
import { complaint } from '../command/errors.ts';
import { text, toggle } from '../command/flags.ts';
import { Columns } from '../output/columns.ts';
import { findResource } from '../server/served.ts';

interface Binding {
  readonly metadata: { readonly name?: string; readonly namespace?: string };
  readonly roleRef: objects.RoleRef;
  readonly subjects?: readonly objects.Subject[] | null;
}

interface RoleObject {
  readonly metadata: { readonly name?: string; readonly namespace?: string };
  readonly rules?: readonly objects.PolicyRule[] | null;
}

const rbac = (resource: string, kind: string, namespaced: boolean): ResourceRef => ({
  ...{ group: clusterRoles.group, version: 'v1', resource, kind, namespaced },
});

async function listAll<T>({ client }: Call<typeof flags>, ref: ResourceRef, namespace = ''): Promise<readonly T[]> {
  const list = (await client.json(pathOf(ref, client.names, namespace))) as { readonly items?: readonly T[] | null };
  return list.items ?? [];
}

const flags = {
  'all-namespaces': toggle({ short: 'A', help: 'If true, list who may do it in every namespace.' }),
  subresource: text({ help: 'SubResource such as pod/log or deployment/scale' }),
};

export const whoCan = command({
  name: 'who-can',
  summary: 'List who may do something, by their roles and bindings (not in the reference)',
  usage: 'VERB [TYPE | TYPE/NAME]',
  flags,
  run: async (call) => {
    const [verb = '', word = '', ...more] = call.args;
    if (verb === '' || word === '' || more.length > 0) throw complaint('you must specify a verb and a resource');
    const [type = '', name = ''] = word.split('/');
    const { group, resource } = await findResource(call.session, call.client, type);
    const action: Action = { verb, group, resource, subresource: call.flags.subresource, name };
    const allows = (rules: readonly objects.PolicyRule[] | null | undefined): boolean =>
      (rules ?? []).some((rule) => allowsTo(rule, action));
    const rows = [...(await grants(call, allows))];
    if (rows.length === 0) return call.session.err('Nobody may do this by roles and bindings.\n');
    call.session.out(new Columns().lines([['KIND', 'NAME', 'NAMESPACE', 'BINDING', 'ROLE'], ...rows]));
  },
});

const has = (list: readonly string[] | null | undefined, value: string): boolean =>
  list?.some((each) => each === '*' || each === value) ?? false;

interface Action {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
}

const allowsTo = (rule: objects.PolicyRule, { verb, group, resource, subresource, name }: Action): boolean =>
  has(rule.verbs, verb) &&
  has(rule.apiGroups, group) &&
  (subresource === ''
    ? has(rule.resources, resource)
    : has(rule.resources, `${resource}/${subresource}`) || has(rule.resources, `*/${subresource}`)) &&
  (!rule.resourceNames?.length || (name !== '' && rule.resourceNames.includes(name)));

/** Every binding of a role that allows it: in the call's namespace and the whole cluster, or the latter alone. */
async function grants(
  call: Call<typeof flags>,
  allows: (rules: readonly objects.PolicyRule[] | null | undefined) => boolean,
): Promise<readonly (readonly string[])[]> {
  const within = async <T>(resource: string, kind: string): Promise<readonly T[]> =>
    call.flags['all-namespaces'] ? [] : listAll<T>(call, rbac(resource, kind, true), call.namespace);
  const wide = await listAll<RoleObject>(call, rbac('clusterroles', 'ClusterRole', false));
  const narrow = await within<RoleObject>('roles', 'Role');
  const bindings = [
    ...(await listAll<Binding>(call, rbac('clusterrolebindings', 'ClusterRoleBinding', false))),
    ...(await within<Binding>('rolebindings', 'RoleBinding')),
  ];
  return bindings.flatMap(({ metadata, roleRef, subjects }) => {
    const role = (roleRef.kind === 'ClusterRole' ? wide : narrow).find((each) => each.metadata.name === roleRef.name);
    if (!allows(role?.rules)) return [];
    const by = `${metadata.namespace ? `${metadata.namespace}/` : ''}${metadata.name ?? ''}`;
    return (subjects ?? []).map(({ kind, name, namespace = '' }) => [
      kind,
      name,
      namespace,
      by,
      `${roleRef.kind}/${roleRef.name}`,
    ]);
  });
}
