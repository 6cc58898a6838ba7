/** Discovery documents, as pure functions over what is served (specification, Endpoints). */
import type { Resource, Scheme, ServedGroup } from './scheme.ts';
import type { StorageHashes } from './storageVersionHash.ts';

const groupVersion = (group: string, version: string): string => (group === '' ? version : `${group}/${version}`);
const forDiscovery = (group: string, version: string): object => ({
  groupVersion: groupVersion(group, version),
  version,
});

/** The document at a path such as `/apis/apps/v1`; undefined where nothing of that name is served. */
export function discoveryDocument(scheme: Scheme, path: string, hashes: StorageHashes = new Map()): object | undefined {
  const [root, ...rest] = path.split('/').filter((s) => s !== '');
  if (root === 'api')
    return rest.length === 0
      ? apiVersions(scheme)
      : rest.length === 1
        ? resourceList(scheme, '', rest[0] as string, hashes)
        : undefined;
  if (root !== 'apis') return undefined;
  if (rest.length === 0) return groupList(scheme);
  const group = scheme.groups.find((g) => g.name === rest[0] && g.name !== '');
  if (!group || rest.length > 2) return undefined;
  return rest.length === 1
    ? { kind: 'APIGroup', apiVersion: 'v1', ...groupOf(group) }
    : resourceList(scheme, group.name, rest[1] as string, hashes);
}

function apiVersions(scheme: Scheme): object {
  const core = scheme.groups.find((g) => g.name === '');
  return {
    kind: 'APIVersions',
    versions: core?.versions ?? [],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '10.0.0.1:6443' }],
  };
}

function groupList(scheme: Scheme): object {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: scheme.groups.filter((g) => g.name !== '').map(groupOf) };
}

function groupOf({ name, versions }: ServedGroup): object {
  return {
    name,
    versions: versions.map((v) => forDiscovery(name, v)),
    preferredVersion: forDiscovery(name, versions[0] ?? ''),
  };
}

function resourceList(scheme: Scheme, group: string, version: string, hashes: StorageHashes): object | undefined {
  if (!scheme.groups.some((g) => g.name === group && g.versions.includes(version))) return undefined;
  const resources = scheme
    .resources({ group, version })
    .flatMap((resource) => entriesOf(resource, hashes.get(resource)));
  return {
    kind: 'APIResourceList',
    // The two oldest groups have none, for clients that are as old.
    ...(group === '' || group === 'extensions' ? {} : { apiVersion: 'v1' }),
    groupVersion: groupVersion(group, version),
    resources,
  };
}

/** One entry for the resource and one for each of its subresources, in the order of their names. */
function entriesOf(resource: Resource, storageVersionHash: string | undefined): object[] {
  const { gvr, gvk, namespaced, verbs, singular, declaration } = resource;
  const { shortNames, categories } = declaration;
  const base = {
    name: gvr.resource,
    singularName: resource.custom ? singular : '',
    namespaced,
    kind: gvk.kind,
    verbs: resource.custom ? customVerbs(verbs) : verbs,
  };
  const main = {
    ...base,
    ...(shortNames?.length ? { shortNames } : {}),
    ...(categories?.length ? { categories } : {}),
    ...(storageVersionHash === undefined ? {} : { storageVersionHash }),
  };
  const parts = [...resource.subresources.map((s) => subresourceEntry(resource, s)), ...ownParts(resource)];
  return [main, ...(resource.custom ? parts : parts.sort((a, b) => (a.name < b.name ? -1 : 1)))];
}

/** Custom resources list their verbs in an order of their own. */
const CUSTOM_VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'] as const;

/** While creates are refused because the definition is being deleted, discovery lists no write verbs. */
function customVerbs(verbs: readonly string[]): readonly string[] {
  if (verbs.includes('create')) return CUSTOM_VERBS;
  return CUSTOM_VERBS.filter((verb) => !['patch', 'create', 'update'].includes(verb));
}

interface PartEntry {
  readonly name: string;
  readonly [field: string]: unknown;
}

function subresourceEntry({ gvr, namespaced }: Resource, part: Resource['subresources'][number]): PartEntry {
  const foreign = part.group === undefined ? {} : { group: part.group, version: part.version };
  return {
    name: `${gvr.resource}/${part.name}`,
    singularName: '',
    namespaced,
    ...foreign,
    kind: part.kind,
    verbs: part.verbs,
  };
}

const CHANGEABLE = ['get', 'patch', 'update'];

function ownParts({ gvr, gvk, namespaced, status, scale }: Resource): PartEntry[] {
  const parts: PartEntry[] = [];
  const part = (name: string, kind: object): unknown =>
    parts.push({ name: `${gvr.resource}/${name}`, singularName: '', namespaced, ...kind, verbs: CHANGEABLE });
  if (status) part('status', { kind: gvk.kind });
  if (scale) part('scale', { group: 'autoscaling', version: 'v1', kind: 'Scale' });
  return parts;
}

/** Every path that answers a GET without naming an object, in order: the document at `/`. */
export function rootPaths(scheme: Scheme, others: readonly string[]): string[] {
  const paths = new Set<string>(['/api', '/apis', '/apis/', ...others]);
  for (const { name, versions } of scheme.groups) {
    if (name !== '') paths.add(`/apis/${name}`);
    for (const version of versions) paths.add(name === '' ? `/api/${version}` : `/apis/${name}/${version}`);
  }
  return [...paths].sort();
}
