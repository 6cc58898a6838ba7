/** NodeRestriction: a node agent may change only its own node and pods, and nothing that would attract workloads. */
import type { UserInfo } from '../../authn/index.ts';
import { status, type ApiObject, type objects } from '../../schema/index.ts';
import { deepEqual } from '../../std/index.ts';
import type { AdmissionAttributes, PluginDeclaration, PluginDeps } from '../types.ts';
import { forbiddenNodeLabels } from './nodeLabels.ts';
import { podReferences } from './podReferences.ts';
import { isMirrorPod, podOf, type Pod } from './pods.ts';
import { refuse } from './refuse.ts';

export const nodeRestriction: PluginDeclaration = {
  name: 'NodeRestriction',
  on: false,
  create: (deps) => {
    const rules = rulesOf(deps);
    return {
      name: 'NodeRestriction',
      handles: (operation) => operation !== 'CONNECT',
      admit: (attributes) => {
        const node = nodeOf(attributes.user);
        if (node === undefined) return;
        if (node === '')
          throw refuse(attributes, `could not determine node from user ${JSON.stringify(attributes.user.name)}`);
        const { group, resource } = attributes.resource;
        rules.get(`${group}/${resource}`)?.({ attributes, node, deps });
      },
    };
  },
};

const NODE_PREFIX = 'system:node:';

/** The node name of a user; undefined if it is not a node agent. */
const nodeOf = ({ name, groups }: UserInfo): string | undefined =>
  name.startsWith(NODE_PREFIX) && groups.includes('system:nodes') ? name.slice(NODE_PREFIX.length) : undefined;

/** A request of a node agent. */
interface NodeRequest {
  readonly attributes: AdmissionAttributes;
  readonly node: string;
  readonly deps: PluginDeps;
}

type Rule = (request: NodeRequest) => void;

const rulesOf = ({ names }: PluginDeps): ReadonlyMap<string, Rule> =>
  new Map<string, Rule>([
    ['/pods', podRule],
    ['/nodes', nodeRule],
    ['/persistentvolumeclaims', claimRule],
    ['/serviceaccounts', tokenRule],
    [`coordination.${names.domain}/leases`, leaseRule],
    [`storage.${names.domain}/csinodes`, csiNodeRule],
  ]);

const PODS = { group: '', resource: 'pods' } as const;

function podRule(request: NodeRequest): void {
  const { attributes, node } = request;
  const { operation, subresource } = attributes;
  if (subresource === 'status') return podStatusRule(request);
  if (subresource === 'eviction') {
    if (operation !== 'CREATE') throw refuse(attributes, `unexpected operation ${operation}`);
    return requireOwnPod(request, `node ${node} can only evict pods with spec.nodeName set to itself`);
  }
  if (subresource !== '')
    throw refuse(
      attributes,
      `unexpected pod subresource ${JSON.stringify(subresource)}, only 'status' and 'eviction' are allowed`,
    );
  if (operation === 'CREATE') return requireMirrorPod(request);
  const who = `node ${JSON.stringify(node)}`;
  if (operation === 'DELETE')
    return requireOwnPod(request, `${who} can only delete pods with spec.nodeName set to itself`);
  throw refuse(attributes, `unexpected operation "${operation}", ${who} can only create and delete mirror pods`);
}

/** The stored pod has to run on the node. */
function requireOwnPod({ attributes, node, deps }: NodeRequest, why: string): void {
  const { namespace, name, object } = attributes;
  const wanted = name === '' ? (object?.metadata.name ?? '') : name;
  const pod = deps.get(PODS, namespace, wanted) as Pod | undefined;
  if (!pod) throw status.notFound(PODS, wanted);
  if (pod.spec?.nodeName !== node) throw refuse(attributes, why);
}

function podStatusRule({ attributes, node }: NodeRequest): void {
  const { operation, object, oldObject } = attributes;
  if (operation !== 'UPDATE') throw refuse(attributes, `unexpected operation "${operation}"`);
  const who = `node ${JSON.stringify(node)}`;
  if ((oldObject as Pod).spec?.nodeName !== node)
    throw refuse(attributes, `${who} can only update pod status for pods with spec.nodeName set to itself`);
  if (!deepEqual(oldObject?.metadata.labels ?? {}, object?.metadata.labels ?? {}))
    throw refuse(attributes, `${who} cannot update labels through pod status`);
}

/** A mirror pod: owned by the node, and without references to the API server's objects. */
function requireMirrorPod(request: NodeRequest): void {
  const { attributes, node, deps } = request;
  const pod = podOf(attributes);
  const who = `node ${JSON.stringify(node)}`;
  if (!isMirrorPod(pod, deps.names)) {
    const key = JSON.stringify(deps.names.fill('{label}/config.mirror'));
    throw refuse(attributes, `pod does not have ${key} annotation, ${who} can only create mirror pods`);
  }
  if (pod.spec.nodeName !== node)
    throw refuse(attributes, `${who} can only create pods with spec.nodeName set to itself`);
  requireNodeOwner(request, pod);
  if (pod.spec.serviceAccountName)
    throw refuse(attributes, `${who} can not create pods that reference a service account`);
  const { secrets, configMaps, claims } = podReferences(pod.spec);
  for (const [what, found] of Object.entries({ secrets, configmaps: configMaps, persistentvolumeclaims: claims }))
    if (found.size > 0) throw refuse(attributes, `${who} can not create pods that reference ${what}`);
}

function requireNodeOwner({ attributes, node, deps }: NodeRequest, pod: Pod): void {
  const who = `node ${JSON.stringify(node)}`;
  const [owner, ...more] = pod.metadata?.ownerReferences ?? [];
  if (more.length > 0)
    throw refuse(attributes, `${who} can only create pods with a single owner reference set to itself`);
  if (owner?.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node)
    throw refuse(attributes, `${who} can only create pods with an owner reference set to itself`);
  if (owner.controller !== true)
    throw refuse(attributes, `${who} can only create pods with a controller owner reference set to itself`);
  if (owner.blockOwnerDeletion === true)
    throw refuse(attributes, `${who} must not set blockOwnerDeletion on an owner reference`);
  const nodes = { group: '', resource: 'nodes' } as const;
  const found = deps.get(nodes, '', node);
  if (!found) throw status.notFound(nodes, node);
  const { uid = '' } = found.metadata;
  if (uid !== owner.uid) throw refuse(attributes, `node ${node} UID mismatch: expected ${owner.uid} got ${uid}`);
}

function nodeRule({ attributes, node, deps }: NodeRequest): void {
  const { operation, name, object, oldObject } = attributes;
  const who = `node ${JSON.stringify(node)}`;
  const asked = name === '' ? (object?.metadata.name ?? '') : name;
  if (asked !== node) throw refuse(attributes, `${who} is not allowed to modify node ${JSON.stringify(asked)}`);
  if (operation === 'DELETE') return;
  const next = object as objects.Node;
  const old = operation === 'UPDATE' ? (oldObject as objects.Node) : undefined;
  requireSameSpec(attributes, who, next, old);
  const labels = forbiddenNodeLabels(next.metadata?.labels ?? {}, old?.metadata?.labels ?? {}, deps.names);
  if (labels.length === 0) return;
  const what = old ? 'modify labels' : 'set the following labels';
  throw refuse(attributes, `${old ? '' : `${who} `}is not allowed to ${what}: ${labels.join(', ')}`);
}

/** The node agent must not change its configuration source or its taints. */
function requireSameSpec(
  attributes: AdmissionAttributes,
  who: string,
  { spec: next }: objects.Node,
  old: objects.Node | undefined,
): void {
  if (next?.configSource && !old)
    throw refuse(attributes, `${who} is not allowed to create pods with a non-nil configSource`);
  if (next?.configSource && !deepEqual(next.configSource, old?.spec?.configSource))
    throw refuse(attributes, `${who} is not allowed to update configSource to a new non-nil configSource`);
  if (old && !deepEqual(next?.taints ?? [], old.spec?.taints ?? []))
    throw refuse(attributes, `${who} is not allowed to modify taints`);
}

function claimRule({ attributes, node, deps }: NodeRequest): void {
  const { operation, subresource, object, oldObject } = attributes;
  if (subresource !== 'status') throw refuse(attributes, 'may only update PVC status');
  if (operation !== 'UPDATE') throw refuse(attributes, `unexpected operation "${operation}"`);
  const who = `node ${JSON.stringify(node)}`;
  if (!deps.gate('ExpandPersistentVolumes'))
    throw refuse(attributes, `${who} is not allowed to update persistentvolumeclaim metadata`);
  if (!deepEqual(withoutSize(object), withoutSize(oldObject)))
    throw refuse(attributes, `${who} is not allowed to update fields other than status.capacity and status.conditions`);
}

/** A claim without the fields that its node may change, and without those that every write changes. */
function withoutSize(claim: ApiObject | undefined): unknown {
  const { metadata, status: said, ...rest } = claim as objects.PersistentVolumeClaim;
  const { resourceVersion: _version, managedFields: _managed, ...kept } = metadata ?? {};
  const { capacity: _capacity, conditions: _conditions, ...other } = said ?? {};
  return { ...rest, metadata: kept, status: other };
}

/** A node gets tokens only for its own pods. */
function tokenRule({ attributes, node, deps }: NodeRequest): void {
  const { operation, subresource, namespace, object } = attributes;
  if (operation !== 'CREATE' || subresource !== 'token') return;
  const ref = (object as objects.TokenRequest).spec.boundObjectRef;
  if (ref?.apiVersion !== 'v1' || ref.kind !== 'Pod' || !ref.name)
    throw refuse(attributes, 'node requested token not bound to a pod');
  if (!ref.uid) throw refuse(attributes, 'node requested token with a pod binding without a uid');
  const pod = deps.get(PODS, namespace, ref.name) as Pod | undefined;
  if (!pod) throw status.notFound(PODS, ref.name);
  const { uid = '' } = pod.metadata ?? {};
  if (uid !== ref.uid)
    throw refuse(
      attributes,
      `the UID in the bound object reference (${ref.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    );
  if (pod.spec?.nodeName !== node)
    throw refuse(attributes, 'node requested token bound to a pod scheduled on a different node');
}

function leaseRule(request: NodeRequest): void {
  const { attributes, deps } = request;
  const { nodeLeaseNamespace } = deps.names;
  if (attributes.namespace !== nodeLeaseNamespace)
    throw refuse(attributes, `can only access leases in the ${JSON.stringify(nodeLeaseNamespace)} system namespace`);
  requireOwnName(request, 'node lease');
}

const csiNodeRule: Rule = (request) => requireOwnName(request, 'CSINode');

/** On create the name is only in the object. */
function requireOwnName({ attributes, node }: NodeRequest, what: string): void {
  const { operation, name, object } = attributes;
  if ((operation === 'CREATE' ? object?.metadata.name : name) !== node)
    throw refuse(attributes, `can only access ${what} with the same name as the requesting node`);
}
