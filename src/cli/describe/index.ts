/** Describes objects: the list of describers, and what they share. */
import { pathOf, type Client, type DiscoveredResource } from '../../client/index.ts';
import type { ApiObject } from '../../schema/index.ts';
import { accessDescribers } from './access.ts';
import { autoscalerDescriber } from './autoscalers.ts';
import { cronJobDescriber, jobDescriber } from './batch.ts';
import { certificateDescriber } from './certificates.ts';
import { aroundOf, type Describer } from './describer.ts';
import { eventLines, eventsOf } from './events.ts';
import { describeAny } from './generic.ts';
import { ingressClassDescriber, ingressDescriber } from './ingress.ts';
import { lineUp, type Line } from './lines.ts';
import { limitRangeDescriber, namespaceDescriber, quotaDescriber } from './namespaces.ts';
import { networkPolicyDescriber } from './networkPolicies.ts';
import { nodeDescriber } from './nodes.ts';
import { podDescriber } from './pods.ts';
import { policyDescribers } from './policies.ts';
import { configMapDescriber, secretDescriber } from './secrets.ts';
import { endpointsDescriber, endpointSliceDescriber, serviceDescriber } from './services.ts';
import { storageDescribers } from './storage.ts';
import { workloadDescribers } from './workloads.ts';

/** Kinds with a describer of their own; others are described by their fields. */
const describers: readonly Describer[] = [
  ...[podDescriber, ...workloadDescribers, jobDescriber, cronJobDescriber],
  ...[serviceDescriber, endpointsDescriber, endpointSliceDescriber],
  ...[ingressDescriber, ingressClassDescriber, networkPolicyDescriber],
  ...[configMapDescriber, secretDescriber, ...storageDescribers],
  ...[namespaceDescriber, quotaDescriber, limitRangeDescriber, nodeDescriber],
  ...[autoscalerDescriber, ...policyDescribers, ...accessDescribers, certificateDescriber],
];

/** Describes an object; resolves to its lines, lined up. Throws StatusError where the server refuses. */
export async function describeObject(
  client: Client,
  resource: DiscoveredResource,
  found: ApiObject,
  { now, events }: { readonly now: number; readonly events: boolean },
): Promise<string> {
  const own = describers.find(
    ({ ref }) => ref.kind === resource.kind && groupFits(client.names.fill(ref.group), ref.kind, resource.group),
  );
  const object = own ? await atVersion(client, resource, found, own) : found;
  const lines = own ? await own.describe(object, aroundOf(client, now)) : describeAny(object);
  const shows = own?.events === 'always' || ((own?.events ?? true) && events);
  return lineUp([...lines, ...(shows ? await eventsBelow(client, object, now) : [])]);
}

/** Ingresses were served in a group of their own before. */
const groupFits = (group: string, kind: string, given: string): boolean =>
  group === given || (kind === 'Ingress' && given === 'extensions');

/** The object at the version that is described. */
async function atVersion(
  client: Client,
  { group, version }: DiscoveredResource,
  found: ApiObject,
  { ref }: Describer,
): Promise<ApiObject> {
  if (version === ref.version && group === client.names.fill(ref.group)) return found;
  const { namespace, name } = found.metadata;
  return (await client.json(pathOf(ref, client.names, namespace, name))) as ApiObject;
}

async function eventsBelow(client: Client, object: ApiObject, now: number): Promise<readonly Line[]> {
  try {
    return eventLines(await eventsOf(client, object), now);
  } catch {
    // If the user may not read events, the object is shown without them.
    return [];
  }
}
