/** Edits of roles and bindings as manifests, for the editor. */
import type { Names } from '../../../names/index.ts';
import type { AccessEdit, AccessId } from '../../host.ts';
import { toYaml } from '../object/yaml.ts';

const metadataOf = ({ namespace, name }: AccessId): Record<string, string> =>
  namespace ? { name, namespace } : { name };

function manifestOf(edit: AccessEdit, apiVersion: string): unknown {
  switch (edit.do) {
    case 'create-role':
      return { apiVersion, kind: edit.role.kind, metadata: metadataOf(edit.role), rules: edit.rules };
    case 'create-binding':
      return {
        apiVersion,
        kind: edit.binding.kind,
        metadata: metadataOf(edit.binding),
        subjects: edit.subjects,
        roleRef: edit.roleRef,
      };
    case 'add':
      return undefined;
  }
}

/** The manifests of edits that create something; additions to what is there are made in its own editor. */
export function manifestsOf(edits: readonly AccessEdit[], names: Names): string {
  const apiVersion = names.fill('rbac.authorization.{domain}/v1');
  return edits
    .map((edit) => manifestOf(edit, apiVersion))
    .filter((manifest) => manifest !== undefined)
    .map(toYaml)
    .join('---\n');
}
