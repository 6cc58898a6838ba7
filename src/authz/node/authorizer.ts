/**
 * The module Node: a node agent may read what its pods refer to, and has the rules of all node agents (specification,
 * Authorization 3).
 */
import type { UserInfo } from '../../authn/index.ts';
import type { Names } from '../../names/index.ts';
import { ruleAllows } from '../rbac/rules.ts';
import type { PolicyRule } from '../rbac/types.ts';
import type { Attributes, Authorizer, Verdict } from '../types.ts';
import type { NodeGraph } from './graph.ts';
import type { TargetType } from './references.ts';

const NODE_PREFIX = 'system:node:';
const NODES = 'system:nodes';

export interface NodeAuthorizerOptions {
  readonly names: Names;
  readonly graph: Pick<NodeGraph, 'needs' | 'reasons'>;
  /** The rules of all node agents (see `makeNodeRules`). */
  readonly rules: readonly PolicyRule[];
  readonly gate: (name: string) => boolean;
}

/** The node name of a user; undefined if it is not a node agent. */
export function nodeOf(user: UserInfo): string | undefined {
  return user.name.startsWith(NODE_PREFIX) && user.groups.includes(NODES)
    ? user.name.slice(NODE_PREFIX.length)
    : undefined;
}

export function nodeAuthorizer(options: NodeAuthorizerOptions): Authorizer {
  const special = specialResources(options);
  const authorize = (request: Attributes): Verdict => {
    const node = nodeOf(request.user);
    if (node === undefined) return noOpinion('');
    if (node === '') return noOpinion(`unknown node for user ${JSON.stringify(request.user.name)}`);
    const check = request.isResource ? special.get(`${request.group}/${request.resource}`) : undefined;
    if (check) return check(node, request);
    return options.rules.some((rule) => ruleAllows(rule, request))
      ? { decision: 'allow', reason: '', proof: () => ({ decision: 'allow', by: 'node rules' }) }
      : noOpinion('');
  };
  return {
    name: 'Node',
    authorize,
    rules: (user) => ({
      resourceRules: [],
      nonResourceRules: [],
      incomplete: nodeOf(user) !== undefined,
      ...(nodeOf(user) === undefined ? {} : { error: 'node authorizer does not support user rule resolution' }),
    }),
  };
}

type Check = (node: string, request: Attributes) => Verdict;

/** Resources of which a node may access only some objects. */
function specialResources(options: NodeAuthorizerOptions): ReadonlyMap<string, Check> {
  const { names, graph } = options;
  const related = (type: TargetType) => (node: string, request: Attributes) =>
    checkRelation(graph, node, type, request);
  return new Map<string, Check>([
    ['/secrets', readable(related('secrets'))],
    ['/configmaps', readable(related('configmaps'))],
    ['/persistentvolumeclaims', claims(options, related('persistentvolumeclaims'))],
    ['/persistentvolumes', gettable(related('persistentvolumes'))],
    [`storage.${names.domain}/volumeattachments`, gettable(related('volumeattachments'))],
    ['/serviceaccounts', tokens(related('serviceaccounts'))],
    [`coordination.${names.domain}/leases`, leases(names.nodeLeaseNamespace)],
    [`storage.${names.domain}/csinodes`, csiNodes],
  ]);
}

/** Secrets and config maps can only be read and watched individually. */
const readable =
  (relation: Check): Check =>
  (node, request) => {
    if (!['get', 'list', 'watch'].includes(request.verb)) return noOpinion('can only read resources of this type');
    if (request.subresource !== '') return noOpinion('cannot read subresource');
    if (request.namespace === '') return noOpinion('can only read namespaced object of this type');
    return relation(node, request);
  };

const gettable =
  (relation: Check): Check =>
  (node, request) => {
    if (request.verb !== 'get') return noOpinion('can only get individual resources of this type');
    if (request.subresource !== '') return noOpinion('cannot get subresource');
    return relation(node, request);
  };

/** A node that expanded a claim's file system writes the claim's status. */
const claims = (options: NodeAuthorizerOptions, relation: Check): Check => {
  const get = gettable(relation);
  return (node, request) => {
    if (request.subresource !== 'status' || !options.gate('ExpandPersistentVolumes')) return get(node, request);
    if (request.verb !== 'update' && request.verb !== 'patch') return noOpinion('can only get/update/patch this type');
    return relation(node, request);
  };
};

const tokens =
  (relation: Check): Check =>
  (node, request) => {
    if (request.verb !== 'create' || request.name === '')
      return noOpinion('can only create tokens for individual service accounts');
    if (request.subresource !== 'token') return noOpinion('can only create token subresource of serviceaccount');
    return relation(node, request);
  };

const OWN_VERBS = ['get', 'create', 'update', 'patch', 'delete'];

/** On create the name is unknown; admission checks it. */
const leases =
  (namespace: string): Check =>
  (node, request) => {
    if (!OWN_VERBS.includes(request.verb))
      return noOpinion('can only get, create, update, patch, or delete a node lease');
    if (request.namespace !== namespace)
      return noOpinion(`can only access leases in the ${JSON.stringify(namespace)} system namespace`);
    if (request.verb !== 'create' && request.name !== node)
      return noOpinion('can only access node lease with the same name as the requesting node');
    return { decision: 'allow', reason: '' };
  };

const csiNodes: Check = (node, request) => {
  if (!OWN_VERBS.includes(request.verb)) return noOpinion('can only get, create, update, patch, or delete a CSINode');
  if (request.subresource !== '') return noOpinion('cannot authorize CSINode subresources');
  if (request.verb !== 'create' && request.name !== node)
    return noOpinion('can only access CSINode with the same name as the requesting node');
  return { decision: 'allow', reason: '' };
};

function checkRelation(
  graph: NodeAuthorizerOptions['graph'],
  node: string,
  type: TargetType,
  request: Attributes,
): Verdict {
  if (request.name === '') return noOpinion('No Object name found');
  if (!graph.needs(node, type, request.namespace, request.name))
    return noOpinion(`no relationship found between node '${node}' and this object`);
  return {
    decision: 'allow',
    reason: '',
    proof: () => ({ decision: 'allow', node, through: graph.reasons(node, type, request.namespace, request.name) }),
  };
}

const noOpinion = (reason: string): Verdict => ({ decision: 'no-opinion', reason });
