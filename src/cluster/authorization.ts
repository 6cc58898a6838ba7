/** Builds the chain of authorization modules from `--authorization-mode` and keeps what they decide by in step with storage. */
import type { Access } from '../apiserver/index.ts';
import {
  abacAuthorizer,
  alwaysAllow,
  alwaysDeny,
  authorizationChain,
  makeNodeRules,
  nodeAuthorizer,
  NodeGraph,
  parseAbacPolicies,
  PolicyIndex,
  rbacAuthorizer,
  superusers,
  webhookAuthorizer,
  type AuthorizationChain,
  type Authorizer,
  type BindingObject,
  type RoleObject,
} from '../authz/index.ts';
import { readEndpoint, type RemoteFetch } from '../authn/index.ts';
import type { Names } from '../names/index.ts';
import { parseDuration, type ApiObject } from '../schema/index.ts';
import type { Clock } from '../std/index.ts';
import { FlagError } from './flags/index.ts';
import { follow, type Follower } from './policy.ts';

export interface AuthorizationSettings {
  readonly names: Names;
  readonly clock: Clock;
  /** How a webhook is reached. */
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

/** Throws FlagError for modes that there are not, and for a policy file that is missing. */
export function startAuthorization(settings: AuthorizationSettings, access: Access): RunningAuthorization {
  const { names } = settings;
  const policy = new PolicyIndex(names.fill('rbac.authorization.{domain}'));
  const graph = new NodeGraph(names);
  const modes = (settings.flag('authorization-mode') ?? '').split(',');
  const modules = modes.map((mode) => moduleOf(mode, settings, policy, graph));
  const stop = follow(access.storage, access.views, followers(access, policy, graph));
  return { chain: authorizationChain([superusers, ...modules]), policy, stop };
}

function moduleOf(mode: string, settings: AuthorizationSettings, policy: PolicyIndex, graph: NodeGraph): Authorizer {
  const { names, gate } = settings;
  switch (mode) {
    case 'AlwaysAllow':
      return alwaysAllow;
    case 'AlwaysDeny':
      return alwaysDeny;
    case 'ABAC':
      return abacAuthorizer(parseAbacPolicies(fileOf(settings, 'authorization-policy-file'), names));
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

function webhook(settings: AuthorizationSettings): Authorizer {
  const { names, flag, clock, fetch } = settings;
  const ttl = (name: string): number => parseDuration(flag(name) ?? '') ?? 0;
  return webhookAuthorizer({
    clock,
    fetch,
    endpoint: readEndpoint(fileOf(settings, 'authorization-webhook-config-file'), settings.files),
    apiVersion: names.fill(`authorization.{domain}/${flag('authorization-webhook-version')}`),
    authorizedTtlMs: ttl('authorization-webhook-cache-authorized-ttl'),
    unauthorizedTtlMs: ttl('authorization-webhook-cache-unauthorized-ttl'),
  });
}

/** The text of a file that a mode can't do without. */
function fileOf({ flag, files }: AuthorizationSettings, name: string): string {
  const path = flag(name) ?? '';
  const text = files[path];
  if (text === undefined) throw new FlagError(`--${name}: there is no file ${JSON.stringify(path)}`);
  return text;
}

function followers({ scheme }: Access, policy: PolicyIndex, graph: NodeGraph): Follower[] {
  const rbac = scheme.names.fill('rbac.authorization.{domain}');
  const at = (
    group: string,
    resource: string,
    upsert: (object: ApiObject) => void,
    remove: (object: ApiObject) => void,
  ): Follower[] => {
    const found = scheme.all().find((r) => r.hub.gvr.group === group && r.gvr.resource === resource && r === r.hub);
    return found ? [{ resource: found, upsert, remove }] : [];
  };
  const role = (resource: string): Follower[] =>
    at(
      rbac,
      resource,
      (o) => policy.upsertRole(o as unknown as RoleObject),
      (o) => policy.removeRole(o as unknown as RoleObject),
    );
  const binding = (resource: string): Follower[] =>
    at(
      rbac,
      resource,
      (o) => policy.upsertBinding(o as unknown as BindingObject),
      (o) => policy.removeBinding(o as unknown as BindingObject),
    );
  return [
    ...role('roles'),
    ...role('clusterroles'),
    ...binding('rolebindings'),
    ...binding('clusterrolebindings'),
    ...at(
      '',
      'pods',
      (o) => graph.upsertPod(o),
      (o) => graph.removePod(o),
    ),
    ...at(
      '',
      'nodes',
      (o) => graph.upsertNode(o),
      (o) => graph.removeNode(o),
    ),
    ...at(
      '',
      'persistentvolumes',
      (o) => graph.upsertVolume(o),
      (o) => graph.removeVolume(o),
    ),
    ...at(
      scheme.names.fill('storage.{domain}'),
      'volumeattachments',
      (o) => graph.upsertAttachment(o),
      (o) => graph.removeAttachment(o),
    ),
  ];
}
