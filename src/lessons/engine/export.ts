/** Writes the objects of namespaces as manifests, as the start of a lesson. */
import { discover, type Client, type DiscoveredResource } from '../../client/index.ts';
import type { ApiObject } from '../../schema/index.ts';
import { getOwn, loadYaml, yaml } from '../../std/index.ts';

/** What controllers make by themselves, or what is gone before anybody reads it. */
const LEFT_OUT = new Set(['events', 'endpoints', 'endpointslices', 'controllerrevisions', 'leases']);

/** The group extensions serves again what other groups serve. */
const isExported = ({ group, resource, namespaced, verbs }: DiscoveredResource): boolean =>
  namespaced && group !== 'extensions' && !LEFT_OUT.has(resource) && verbs.includes('list') && verbs.includes('create');

/** Objects that a fresh cluster makes again by itself. */
function isMadeByControllers({ kind, metadata, ...rest }: ApiObject): boolean {
  if ((metadata.ownerReferences ?? []).length > 0) return true;
  const { name = '' } = metadata;
  if (kind === 'ServiceAccount') return name === 'default';
  if (kind === 'ConfigMap') return name.endsWith('root-ca.crt');
  return kind === 'Secret' && String(rest['type']).endsWith('/service-account-token');
}

/** Fields of a spec that the server or the scheduler filled in. */
const FILLED: Readonly<Record<string, readonly string[]>> = {
  Service: ['clusterIP', 'clusterIPs'],
  Pod: ['nodeName', 'serviceAccount', 'volumes', 'tolerations'],
  PersistentVolumeClaim: ['volumeName'],
};

function without(value: unknown, keys: readonly string[]): unknown {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)))
    : value;
}

/** The object as somebody would have written it. */
function asWritten({ apiVersion, kind = '', metadata, status: _, ...rest }: ApiObject): object {
  const { name, namespace, labels, annotations, finalizers } = metadata;
  const kept = { name, namespace, labels, annotations, finalizers };
  const spec = rest['spec'] === undefined ? {} : { spec: without(rest['spec'], getOwn(FILLED, kind) ?? []) };
  const written = Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
  return { apiVersion, kind, metadata: written, ...rest, ...spec };
}

/** The manifests of all objects of some namespaces that people made, the namespaces first. */
export async function exportManifests(client: Client, namespaces: readonly string[]): Promise<string> {
  await loadYaml();
  const { preferred } = await discover(client);
  const spaces = namespaces
    .filter((name) => name !== 'default')
    .map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
  const lists = await Promise.all(
    preferred
      .filter(isExported)
      .flatMap((resource) =>
        namespaces.map(async (namespace) => (await client.of(resource).list({ namespace })).items),
      ),
  );
  const objects = lists.flat().filter((object) => !isMadeByControllers(object));
  return [...spaces, ...objects.map(asWritten)].map((object) => yaml().stringify(object)).join('---\n');
}
