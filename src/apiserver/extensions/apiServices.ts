/** An APIService object for each group and version that this server serves: built-in ones and those of definitions. */
import { must, rfc3339, getOwn } from '../../std/index.ts';
import { groups, type ApiObject, type Group, type Resource } from '../../schema/index.ts';
import type { Op } from '../../storage/index.ts';
import { storedText } from '../codec/views.ts';
import type { Core } from '../context.ts';
import { objectKey } from '../registry/keys.ts';

/** Versions of definitions follow all others. */
const CUSTOM = { groupPriorityMinimum: 1000, versionPriority: 100 };

/** Creates and deletes API service objects to match the served versions. It leaves alone those that users created. */
export async function keepApiServices(server: Core): Promise<void> {
  const { scheme, storage, names } = server;
  const gvr = { group: names.fill('apiregistration.{domain}'), version: 'v1', resource: 'apiservices' };
  const resource = must(scheme.byResource(gvr), 'API services are served').hub;
  const wanted = new Map(
    servedVersions(server).map((object) => [objectKey(resource, '', object.metadata.name ?? ''), object]),
  );
  const ops: Op[] = [];
  for (const [key, object] of wanted)
    if (!storage.get(key)) ops.push({ type: 'put', key, value: textOf(server, resource, object), expect: 0 });
  for (const entry of storage.range({ start: resource.prefix, end: `${resource.prefix.slice(0, -1)}0` }).entries) {
    const { labels } = server.views.of(entry, resource).object.metadata;
    if (getOwn(labels, labelOf(server)) !== undefined && !wanted.has(entry.key))
      ops.push({ type: 'delete', key: entry.key, expect: entry.revision });
  }
  // One after another, so that each has its own revision.
  for (const op of ops) await storage.commit([op]);
}

const labelOf = ({ names }: Core): string => names.fill('{prefix}-aggregator.{label}/automanaged');

function servedVersions(server: Core): ApiObject[] {
  const { scheme, names } = server;
  const own = names.fill('apiregistration.{domain}');
  const declared = new Map<string, Group>(Object.values(groups).map((group) => [names.fill(group.name), group]));
  return scheme.groups
    .filter(({ name }) => name !== own)
    .flatMap(({ name, versions }) => versions.map((version) => apiService(server, name, version, declared.get(name))));
}

function apiService(server: Core, group: string, version: string, declared: Group | undefined): ApiObject {
  const now = rfc3339(server.clock.now());
  const priority = declared
    ? { groupPriorityMinimum: declared.priority, versionPriority: getOwn(declared.versionPriorities, version) ?? 1 }
    : CUSTOM;
  const available = {
    type: 'Available',
    status: 'True',
    lastTransitionTime: now,
    reason: 'Local',
    message: 'Local APIServices are always available',
  };
  return {
    metadata: {
      name: `${version}.${group}`,
      uid: server.random.uuid(),
      creationTimestamp: now,
      labels: { [labelOf(server)]: declared ? 'onstart' : 'true' },
    },
    spec: { group, version, ...priority },
    status: { conditions: [available] },
  };
}

function textOf(server: Core, resource: Resource, object: ApiObject): string {
  const typed = { kind: resource.gvk.kind, apiVersion: resource.apiVersion, ...object };
  return storedText(server.scheme.decode(resource.node, typed) as ApiObject);
}
