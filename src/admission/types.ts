import type { RemoteFetch, UserInfo } from '../authn/index.ts';
import type { Attributes, Authorization } from '../authz/index.ts';
import type { Transport } from '../client/index.ts';
import type { Names } from '../names/index.ts';
import type { ApiObject, GroupVersionKind, GroupVersionResource, ResourceName, Scheme } from '../schema/index.ts';
import type { Clock, Metrics, Random } from '../std/index.ts';
import type { Tracer } from '../trace/index.ts';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** Plugins are asked twice: to change the object, then to judge it. */
export type Phase = 'mutating' | 'validating';

/** One request as admission sees it. Objects are in the hub version (a webhook gets them converted); mutating plugins change `object` in place. */
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
  /** Absent for DELETE (and for CONNECT the options object stands here). */
  object: ApiObject | undefined;
  readonly oldObject: ApiObject | undefined;
  /** CreateOptions, UpdateOptions, DeleteOptions (with apiVersion and kind), as webhooks get them. */
  readonly options: ApiObject | undefined;
  readonly requestId: string;
  /** Waits before a plugin at a breakpoint. `object` may have been replaced when it returns. */
  hold?(plugin: string, phase: Phase): Promise<void> | undefined;
  addWarning(text: string): void;
  /** Kept with the request's audit event, where that records at least as much as `level` (Metadata where nothing is said). */
  addAuditAnnotation(key: string, value: string, level?: 'Metadata' | 'Request'): void;
}

/** A plugin of the chain; one file each. It refuses by throwing a StatusError; mutating ones change `attributes.object` in place. */
export interface AdmissionPlugin {
  readonly name: string;
  handles(operation: Operation): boolean;
  admit?(attributes: AdmissionAttributes, context: AdmissionContext): void | Promise<void>;
  validate?(attributes: AdmissionAttributes): void | Promise<void>;
}

/** What a mutating plugin may know of, and say to, the chain. */
export interface AdmissionContext {
  /** True in the second pass. */
  readonly reinvocation: boolean;
  /** Asks for a second pass of all mutating plugins once this one is over. */
  reinvoke(): void;
}

/** What plugins may ask of the cluster. */
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
  /** The virtual file set. */
  readonly files: Readonly<Record<string, string>>;
  /** This plugin's part of `--admission-control-config-file`, if there is one. */
  readonly config: unknown;
  /** An object as stored right now, in its hub version. */
  get(resource: ResourceName, namespace: string, name: string): ApiObject | undefined;
  /** A collection as stored right now; all namespaces where the namespace is empty. */
  list(resource: ResourceName, namespace: string): readonly ApiObject[];
  authorize(attributes: Attributes): Authorization | Promise<Authorization>;
  /** Reaches webhooks: those that people write, or what the host reaches. */
  readonly fetch: RemoteFetch;
  /** Creates or updates objects as the API server itself. */
  readonly transport: Transport;
}

/** An entry of the list of plugins. */
export interface PluginDeclaration {
  readonly name: string;
  /** Whether it runs where no flag says otherwise. */
  readonly on: boolean;
  create(deps: PluginDeps): AdmissionPlugin;
}
