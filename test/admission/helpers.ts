/** A small world for one plugin: objects, answers of the authorizers, configuration; and requests as the API server hands them on. */
import {
  plugins,
  type AdmissionAttributes,
  type AdmissionPlugin,
  type Operation,
  type PluginDeps,
} from '../../src/admission/index.ts';
import type { UserInfo } from '../../src/authn/index.ts';
import type { Attributes } from '../../src/authz/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { createScheme, kinds, StatusError, type ApiObject } from '../../src/schema/index.ts';
import { clone, manualClock, Metrics, must, seededRandom, type ControlledClock } from '../../src/std/index.ts';
import { createTracer } from '../../src/trace/index.ts';

export const names = namesOf('k8s.io');
export const START = Date.UTC(2026, 0, 1);
const schemeFor = (runtimeConfig: string): PluginDeps['scheme'] =>
  createScheme(names, kinds, { runtimeConfig, gate: () => true });
const scheme = schemeFor('api/all=true');

/** Raw objects as a person writes them. */
export type Raw = Readonly<Record<string, unknown>>;

export interface World {
  /** By plural, or `plural.group`. */
  readonly objects?: Readonly<Record<string, readonly Raw[]>>;
  readonly config?: unknown;
  readonly files?: Readonly<Record<string, string>>;
  readonly flags?: Readonly<Record<string, string>>;
  /** Gates that are off; all others are on. */
  readonly off?: readonly string[];
  /** What the authorizers allow; everything where nothing is said. */
  readonly allow?: (question: Attributes) => boolean;
  readonly fetch?: PluginDeps['fetch'];
  readonly transport?: PluginDeps['transport'];
  readonly clock?: ControlledClock;
  /** What `--runtime-config` says, where it is not everything. */
  readonly runtimeConfig?: string;
}

/** An object as it is once it was decoded and defaulted. */
export function made(resource: string, raw: Raw): ApiObject {
  const [plural = '', ...group] = resource.split('.');
  const found = scheme.all().find((r) => r.hub === r && r.gvr.resource === plural && r.gvr.group === group.join('.'));
  if (!found) return clone({ metadata: { creationTimestamp: null }, ...raw }) as unknown as ApiObject;
  const object = scheme.decode(found.node, raw) as ApiObject;
  scheme.applyDefaults(found, object);
  return object;
}

export function depsOf(world: World): PluginDeps {
  const clock = world.clock ?? manualClock(START);
  const list: PluginDeps['list'] = ({ group, resource }, namespace) => {
    const key = group === '' ? resource : `${resource}.${group}`;
    const all = (world.objects?.[key] ?? []).map((raw) => made(key, raw));
    return namespace === '' ? all : all.filter(({ metadata }) => (metadata.namespace ?? 'ns') === namespace);
  };
  return {
    names,
    clock,
    random: seededRandom('admission'),
    tracer: createTracer(clock),
    metrics: new Metrics(),
    scheme: world.runtimeConfig === undefined ? scheme : schemeFor(world.runtimeConfig),
    gate: (name) => !world.off?.includes(name),
    flag: (name) => world.flags?.[name],
    files: world.files ?? {},
    config: world.config,
    list,
    get: (resource, namespace, name) => list(resource, namespace).find(({ metadata }) => metadata.name === name),
    authorize: (question) => ({
      decision: world.allow?.(question) === false ? 'no-opinion' : 'allow',
      reason: 'because',
      verdicts: [],
    }),
    fetch: world.fetch ?? (() => Promise.reject(new Error('nothing is reached'))),
    transport: world.transport ?? (() => Promise.reject(new Error('nothing is written'))),
  };
}

/** A plugin by its name, in a world. */
export function pluginIn(name: string, world: World = {}): AdmissionPlugin {
  const entry = must(
    plugins.find((plugin) => plugin.name === name),
    `there is no plugin ${name}`,
  );
  return ('part' in entry ? entry.part.get() : entry).create(depsOf(world));
}

export const alice: UserInfo = { name: 'alice', groups: ['dev', 'system:authenticated'], extra: {} };
export const node1: UserInfo = { name: 'system:node:node-1', groups: ['system:nodes'], extra: {} };

export interface Asked {
  readonly object?: Raw;
  readonly old?: Raw;
  readonly user?: UserInfo;
  readonly namespace?: string;
  readonly name?: string;
  readonly dryRun?: boolean;
  /** The resource that describes the body of a subresource: `evictions.policy`. */
  readonly body?: string;
}

export interface Request extends AdmissionAttributes {
  readonly audit: Map<string, string>;
}

/** A request: `CREATE pods`, `UPDATE pods/status`, `CREATE leases.coordination.k8s.io`. */
export function request(what: string, asked: Asked = {}): Request {
  const [operation = '', target = ''] = what.split(' ');
  const [resource = '', subresource = ''] = target.split('/');
  const [plural = '', ...group] = resource.split('.');
  const found = scheme.all().find((r) => r.hub === r && r.gvr.resource === plural && r.gvr.group === group.join('.'));
  const { object, old } = asked;
  const metadata = (object?.['metadata'] ?? old?.['metadata'] ?? {}) as { readonly name?: string };
  const audit = new Map<string, string>();
  return {
    operation: operation as Operation,
    kind: found?.gvk ?? { group: group.join('.'), version: 'v1', kind: '' },
    resource: { group: group.join('.'), version: found?.gvr.version ?? 'v1', resource: plural },
    subresource,
    namespace: asked.namespace ?? (found?.namespaced === false ? '' : 'ns'),
    name: asked.name ?? (operation === 'CREATE' && subresource === '' ? '' : (metadata.name ?? '')),
    user: asked.user ?? alice,
    dryRun: asked.dryRun ?? false,
    object: object && made(asked.body ?? resource, object),
    oldObject: old && made(resource, old),
    options: undefined,
    requestId: 'r',
    addWarning: () => undefined,
    addAuditAnnotation: (key, value) => audit.set(key, value),
    audit,
  };
}

/** Runs both passes of a plugin: `allowed`, or the code and message of its refusal. */
export async function verdictOf(plugin: AdmissionPlugin, attributes: AdmissionAttributes): Promise<string> {
  if (!plugin.handles(attributes.operation)) return 'allowed';
  try {
    await plugin.admit?.(attributes, { reinvocation: false, reinvoke: () => undefined });
    await plugin.validate?.(attributes);
    return 'allowed';
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return `${error.status.code} ${error.status.message ?? ''}`;
  }
}

/** The spec of a request's object after a plugin has seen it. */
export async function specAfter(plugin: AdmissionPlugin, attributes: AdmissionAttributes): Promise<Raw> {
  expectAllowed(await verdictOf(plugin, attributes));
  return attributes.object?.['spec'] as Raw;
}

function expectAllowed(verdict: string): void {
  if (verdict !== 'allowed') throw new Error(verdict);
}

/** A pod with one container; `spec` adds to it. */
export const pod = (spec: Raw = {}, metadata: Raw = {}): Raw => ({
  metadata: { name: 'p', ...metadata },
  spec: { containers: [{ name: 'c', image: 'nginx' }], ...spec },
});

/** A pod whose one container says this. */
export const podWith = (container: Raw, spec: Raw = {}): Raw =>
  pod({ containers: [{ name: 'c', image: 'nginx', ...container }], ...spec });
