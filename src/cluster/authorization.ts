/**
 * Creates the chain of authorization modules from `--authorization-mode`, and keeps their data in sync with storage.
 */
import type { Access } from '../apiserver/index.ts';
import {
  alwaysAllow,
  alwaysDeny,
  authorizationChain,
  makeNodeRules,
  nodeAuthorizer,
  NodeGraph,
  PolicyIndex,
  rbacAuthorizer,
  superusers,
  optionalModules,
  type AuthorizationChain,
  type Authorizer,
  type BindingObject,
  type RoleObject,
} from '../authz/index.ts';
import { remoteServices, type RemoteFetch } from '../authn/index.ts';
import type { Names } from '../names/index.ts';
import { parseDuration, type ApiObject } from '../schema/index.ts';
import { must, type Clock } from '../std/index.ts';
import { fileOf, FlagError } from './flags/index.ts';
import { follow, type Follower } from './policy.ts';

export interface AuthorizationSettings {
  readonly names: Names;
  readonly clock: Clock;
  /** Reaches the webhook. */
  readonly fetch: RemoteFetch;
  readonly flag: (name: string) => string | undefined;
  readonly gate: (name: string) => boolean;
  readonly files: Readonly<Record<string, string>>;
}

export interface RunningAuthorization {
  readonly chain: AuthorizationChain;
  readonly policy: PolicyIndex;
  stop(): void;
}

/** Throws FlagError for unknown modes, and for a missing policy file. */
export async function startAuthorization(
  settings: AuthorizationSettings,
  access: Access,
): Promise<RunningAuthorization> {
  const { names } = settings;
  const policy = new PolicyIndex(names.fill('rbac.authorization.{domain}'));
  const graph = lazyGraph(names, access);
  const modes = (settings.flag('authorization-mode') ?? '').split(',');
  const modules = await Promise.all(modes.map((mode) => moduleOf(mode, settings, policy, graph.asked)));
  const stopPolicy = follow(access.storage, access.views, policyFollowers(access, policy));
  const stop = (): void => {
    stopPolicy();
    graph.stop();
  };
  return { chain: authorizationChain([superusers, ...modules]), policy, stop };
}

type AskedGraph = Pick<NodeGraph, 'needs' | 'reasons'>;

/** The node graph, followed from the first question on, so that a start need not read every pod. */
function lazyGraph(names: Names, access: Access): { readonly asked: AskedGraph; stop(): void } {
  const graph = new NodeGraph(names);
  let stop: (() => void) | undefined;
  const followed = (): NodeGraph => {
    stop ??= follow(access.storage, access.views, graphFollowers(access, graph));
    return graph;
  };
  return {
    asked: {
      needs: (...question) => followed().needs(...question),
      reasons: (...question) => followed().reasons(...question),
    },
    stop: () => stop?.(),
  };
}

async function moduleOf(
  mode: string,
  settings: AuthorizationSettings,
  policy: PolicyIndex,
  graph: AskedGraph,
): Promise<Authorizer> {
  const { names, gate } = settings;
  switch (mode) {
    case 'AlwaysAllow':
      return alwaysAllow;
    case 'AlwaysDeny':
      return alwaysDeny;
    case 'ABAC':
      return abac(settings);
    case 'Webhook':
      return webhook(settings);
    case 'RBAC':
      return rbacAuthorizer(policy);
    case 'Node':
      return nodeAuthorizer({ names, graph, rules: makeNodeRules(names, gate), gate });
    default:
      throw new FlagError(
        `--authorization-mode: ${JSON.stringify(mode)} is not a mode; there are AlwaysAllow, AlwaysDeny, ABAC, Webhook, RBAC, Node`,
      );
  }
}

async function abac(settings: AuthorizationSettings): Promise<Authorizer> {
  const { abacAuthorizer, parseAbacPolicies } = await optionalModules.load();
  return abacAuthorizer(parseAbacPolicies(requiredFile(settings, 'authorization-policy-file'), settings.names));
}

async function webhook(settings: AuthorizationSettings): Promise<Authorizer> {
  const [{ webhookAuthorizer }, { readEndpoint }] = await Promise.all([optionalModules.load(), remoteServices.load()]);
  const { names, flag, clock, fetch } = settings;
  const ttl = (name: string): number => parseDuration(flag(name) ?? '') ?? 0;
  return webhookAuthorizer({
    clock,
    fetch,
    endpoint: readEndpoint(requiredFile(settings, 'authorization-webhook-config-file'), settings.files),
    apiVersion: names.fill(`authorization.{domain}/${flag('authorization-webhook-version')}`),
    authorizedTtlMs: ttl('authorization-webhook-cache-authorized-ttl'),
    unauthorizedTtlMs: ttl('authorization-webhook-cache-unauthorized-ttl'),
  });
}

/** The file that a mode requires; the flags were validated before. */
function requiredFile(settings: AuthorizationSettings, name: string): string {
  return must(fileOf(settings, name), 'a mode that needs a file has one');
}

/** The follower of a group's resource; none if it is not served. */
function followerOf(
  { scheme }: Access,
  group: string,
  resource: string,
  changes: Pick<Follower, 'upsert' | 'remove'>,
): Follower[] {
  const found = scheme.all().find((r) => r.hub.gvr.group === group && r.gvr.resource === resource && r === r.hub);
  return found ? [{ resource: found, ...changes }] : [];
}

function policyFollowers(access: Access, policy: PolicyIndex): Follower[] {
  const rbac = access.scheme.names.fill('rbac.authorization.{domain}');
  const roles: Pick<Follower, 'upsert' | 'remove'> = {
    upsert: (object) => policy.upsertRole(object as RoleObject),
    remove: (object) => policy.removeRole(object as RoleObject),
  };
  const bindings: Pick<Follower, 'upsert' | 'remove'> = {
    upsert: (object) => policy.upsertBinding(object as ApiObject & BindingObject),
    remove: (object) => policy.removeBinding(object as ApiObject & BindingObject),
  };
  return [
    ...followerOf(access, rbac, 'roles', roles),
    ...followerOf(access, rbac, 'clusterroles', roles),
    ...followerOf(access, rbac, 'rolebindings', bindings),
    ...followerOf(access, rbac, 'clusterrolebindings', bindings),
  ];
}

function graphFollowers(access: Access, graph: NodeGraph): Follower[] {
  const storageGroup = access.scheme.names.fill('storage.{domain}');
  return [
    ...followerOf(access, '', 'pods', {
      upsert: (object) => graph.upsertPod(object),
      remove: (object) => graph.removePod(object),
    }),
    ...followerOf(access, '', 'nodes', {
      upsert: (object) => graph.upsertNode(object),
      remove: (object) => graph.removeNode(object),
    }),
    ...followerOf(access, '', 'persistentvolumes', {
      upsert: (object) => graph.upsertVolume(object),
      remove: (object) => graph.removeVolume(object),
    }),
    ...followerOf(access, storageGroup, 'volumeattachments', {
      upsert: (object) => graph.upsertAttachment(object),
      remove: (object) => graph.removeAttachment(object),
    }),
  ];
}
