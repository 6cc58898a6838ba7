/** What people made in a cluster, as manifests. */
import type { Client } from '../../client/index.ts';
import type { Names, Profile } from '../../names/index.ts';
import type { ApiObject } from '../../schema/index.ts';
import { inApplyOrder } from '../editor/applyOrder.ts';
import { convertValue } from '../editor/convertNames.ts';
import { toYaml } from '../panels/object/yaml.ts';
import { versionOf, type Resource } from '../stores/resources.ts';
import { isPeoples, manifestOf } from './manifestOf.ts';

/** Everything that people made, in the order in which to apply it. */
export async function collect(
  client: Client,
  resources: readonly Resource[],
  names: Names,
): Promise<readonly ApiObject[]> {
  const lists = resources
    .filter(({ verbs }) => verbs.includes('list') && verbs.includes('create'))
    .map(async (resource): Promise<readonly ApiObject[]> => {
      const { items } = await client.of(resource).list();
      // Items of a list do not say what they are.
      return items.map((item) => ({ ...item, apiVersion: versionOf(resource), kind: resource.kind }));
    });
  const found = (await Promise.all(lists)).flat();
  return inApplyOrder(
    found.filter((object) => isPeoples(object, names)).map((object) => ({ ...object, kind: object.kind ?? '' })),
  );
}

/** The objects as YAML under the names of `profile`. */
export function printManifests(
  objects: readonly ApiObject[],
  names: Names,
  profile: Profile,
  secrets: boolean,
): string {
  const convert = (value: unknown): unknown => (profile === names.profile ? value : convertValue(value, profile));
  return objects.map((object) => toYaml(convert(manifestOf(object, names, secrets)))).join('---\n');
}

/** How many there are of each kind: `3 Deployments, 1 Service`. */
export function countKinds(kinds: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => `${count} ${count === 1 ? kind : plural(kind)}`).join(', ');
}

const plural = (kind: string): string =>
  kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : kind.endsWith('s') ? `${kind}es` : `${kind}s`;
