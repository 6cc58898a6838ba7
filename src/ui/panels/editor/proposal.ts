/** The roles and bindings of manifests, as far as they can be read: while somebody types much is missing. */
import type { Manifest } from '../../editor/documents.ts';
import type { AccessProposal, AccessRule } from '../../host.ts';
import { asList, asText, asTexts, at } from '../../stores/jsonValues.ts';

const lists = ['verbs', 'apiGroups', 'resources', 'resourceNames', 'nonResourceURLs'] as const;

function ruleOf(rule: unknown): AccessRule {
  const named = lists.flatMap((field) => (at(rule, field) === undefined ? [] : [[field, asTexts(at(rule, field))]]));
  return { verbs: [], ...Object.fromEntries(named) };
}

const optional = (namespace: string): { namespace?: string } => (namespace === '' ? {} : { namespace });

/** `namespace` holds what names none; undefined where the manifests hold neither roles nor bindings. */
export function proposalOf(manifests: readonly Manifest[], namespace: string): AccessProposal | undefined {
  const mine = manifests.filter(({ apiVersion }) => apiVersion.startsWith('rbac.authorization.'));
  const metadataOf = (manifest: Manifest): { name: string; namespace?: string } =>
    manifest.kind.startsWith('Cluster')
      ? { name: manifest.name }
      : { name: manifest.name, namespace: manifest.namespace || namespace || 'default' };
  const roles = mine
    .filter(({ kind }) => kind === 'Role' || kind === 'ClusterRole')
    .map((each) => ({ metadata: metadataOf(each), rules: asList(each.value['rules']).map(ruleOf) }));
  const bindings = mine
    .filter(({ kind }) => kind === 'RoleBinding' || kind === 'ClusterRoleBinding')
    .map((each) => {
      const ref = (field: string): string => asText(at(each.value, 'roleRef', field));
      return {
        metadata: metadataOf(each),
        roleRef: { apiGroup: ref('apiGroup'), kind: ref('kind'), name: ref('name') },
        subjects: asList(each.value['subjects']).map((subject) => ({
          kind: asText(at(subject, 'kind')),
          apiGroup: asText(at(subject, 'apiGroup')),
          name: asText(at(subject, 'name')),
          ...optional(asText(at(subject, 'namespace'))),
        })),
      };
    });
  return roles.length + bindings.length > 0 ? { roles, bindings } : undefined;
}
