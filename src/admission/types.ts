import type { RemoteFetch, UserInfo } from '../authn/index.ts';
import type { Attributes, Authorization } from '../authz/index.ts';
import type { Transport } from '../client/index.ts';
import type { Names } from '../names/index.ts';
import type { ApiObject, GroupVersionKind, GroupVersionResource, ResourceName, Scheme } from '../schema/index.ts';
import type { Clock, Metrics, Random } from '../std/index.ts';
import type { Tracer } from '../trace/index.ts';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** Plugins run in two phases: to change the object, then to validate it. */
export type Phase = 'mutating' | 'validating';

/**
 * One request in admission. Objects are in the hub version (webhooks get them converted); mutating plugins change
 * `object` in place.
 */
export interface AdmissionAttributes {
  readonly operation: Operation;
  /** Kind and resource as requested. */
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** Missing for DELETE; for CONNECT it is the options object. */
  object: ApiObject | undefined;
  readonly oldObject: ApiObject | undefined;
  /** CreateOptions, UpdateOptions, DeleteOptions (with apiVersion and kind), as webhooks get them. */
  readonly options: ApiObject | undefined;
  readonly requestId: string;
  /** The object as it was traced last, and a copy of it as it was then. */
  traced?: { readonly of: ApiObject | undefined; readonly copy: unknown } | undefined;
  /** Waits before a plugin at a breakpoint. `object` may have been replaced afterwards. */
  hold?(plugin: string, phase: Phase): Promise<void> | undefined;
  addWarning(text: string): void;
  /** Added to the request's audit event, if its level is at least `level` (default Metadata). */
  addAuditAnnotation(key: string, value: string, level?: 'Metadata' | 'Request'): void;
}

/**
 * An admission plugin; one file each. It refuses by throwing a StatusError; mutating plugins change `attributes.object`
 * in place.
 */
export interface AdmissionPlugin {
  readonly name: string;
  handles(operation: Operation): boolean;
  admit?(attributes: AdmissionAttributes, context: AdmissionContext): void | Promise<void>;
  validate?(attributes: AdmissionAttributes): void | Promise<void>;
  /**
   * Whether `admit` may have changed the object when it did not return a promise; by default it may. The trace compares
   * objects only then.
   */
  changesAtOnce?(attributes: AdmissionAttributes): boolean;
}

/** The chain's interface for mutating plugins. */
export interface AdmissionContext {
  /** True in the second pass. */
  readonly reinvocation: boolean;
  /** Requests a second pass of all mutating plugins after this one. */
  reinvoke(): void;
}

/** The cluster's interface for plugins. */
export interface PluginDeps {
  readonly names: Names;
  readonly clock: Clock;
  readonly random: Random;
  readonly tracer: Tracer;
  /** The metrics of the process. Those of admission are declared in `metrics.ts`. */
  readonly metrics: Metrics;
  readonly scheme: Scheme;
  readonly gate: (name: string) => boolean;
  readonly flag: (name: string) => string | undefined;
  /** The files that flags may refer to. */
  readonly files: Readonly<Record<string, string>>;
  /** This plugin's part of `--admission-control-config-file`, if any. */
  readonly config: unknown;
  /** The currently stored object in its hub version. */
  get(resource: ResourceName, namespace: string, name: string): ApiObject | undefined;
  /** The currently stored collection; all namespaces if the namespace is empty. */
  list(resource: ResourceName, namespace: string): readonly ApiObject[];
  authorize(attributes: Attributes): Authorization | Promise<Authorization>;
  /** Reaches webhooks: user-written ones, or external ones through the host. */
  readonly fetch: RemoteFetch;
  /** Writes objects with the API server's identity. */
  readonly transport: Transport;
}

/** An entry of the list of plugins. */
export interface PluginDeclaration {
  readonly name: string;
  /** Whether it is enabled by default. */
  readonly on: boolean;
  create(deps: PluginDeps): AdmissionPlugin;
}
