/**
 * The operations of each resource and subresource. The generic store serves nearly all; a kind with more behaviour has
 * a file in `kinds/`, listed in `kinds/index.ts`.
 */
import { getOwn } from '../../std/index.ts';
import type { ApiObject, Resource } from '../../schema/index.ts';
import type { Loadable, PartOf } from '../../std/index.ts';
import type { Admission } from '../../admission/index.ts';
import type { Op } from '../../storage/index.ts';
import type { Breakpoints } from '../../trace/index.ts';
import type { SharedSpecs } from './sharedSpecs.ts';
import type { Core, RequestContext } from '../context.ts';
import type { Decisions } from '../decisions.ts';
import type { NodeAccess } from '../streams/nodeStreams.ts';
import type { Answer } from '../codec/answer.ts';
import type { View } from '../codec/views.ts';
import type { DeleteOptions, ValidateDelete } from './deleteOptions.ts';

/** What resource requests may use of the server: handlers, the store, and the behaviour of kinds. */
export interface ResourceServer extends Core, Decisions, NodeAccess {
  readonly registry: Registry;
  readonly admission: Admission;
  readonly specs: SharedSpecs;
  /** Where people hold requests. */
  readonly breakpoints: Breakpoints;
  /** The retry queues of concurrent writes, by storage key. */
  readonly retryQueues: Map<string, RetryQueue>;
}

/** Writes of one object that lost a race, in order of arrival. */
export type RetryQueue = Set<object>;

/** A request for a resource. */
export type ResourceContext = RequestContext<ResourceServer>;

/**
 * The result of a write: the object in its hub version and its view; without `entry` for dry runs and virtual kinds.
 */
export interface Written {
  readonly object: ApiObject;
  readonly view: (resource: Resource) => View;
  readonly created: boolean;
}

/**
 * Releases what `claim` allocated if the write fails. With shared storage its `guards` are committed with the write,
 * which then fails if another server has allocated meanwhile.
 */
export type Undo = (() => void) & { readonly guards?: readonly Op[] };

/** The behaviour of a kind beyond the generic store, at fixed points of a write. Objects are in the hub version. */
export interface Behaviour {
  /** Runs before rules and validation: refuses by throwing (escalation checks); may change the object on create. */
  readonly guard?: (object: ApiObject, old: ApiObject | undefined, context: ResourceContext) => void | Promise<void>;
  /**
   * Runs after validation, before validating admission: allocates what the object needs (addresses, ports) and writes
   * it into the object.
   */
  readonly claim?: (
    object: ApiObject,
    old: ApiObject | undefined,
    context: ResourceContext,
    dryRun: boolean,
  ) => Undo | undefined | Promise<Undo | undefined>;
  /** Runs after an object was deleted from storage or replaced by `now`. */
  readonly released?: (object: ApiObject, context: ResourceContext, now?: ApiObject) => Promise<void> | undefined;
  /** Runs after a deletion, whether the object is deleted or finalizers still hold it. */
  readonly deleted?: (object: ApiObject, context: ResourceContext) => Promise<void>;
  /** Replaces the generic deletion. Returns undefined to continue with the generic one. */
  readonly remove?: (
    object: ApiObject,
    options: DeleteOptions,
    context: ResourceContext,
    resource: Resource,
    validate: ValidateDelete,
  ) => Promise<Removal | undefined>;
  /** Replaces storing: virtual kinds answer a create with a computed object. */
  readonly create?: (object: ApiObject, context: ResourceContext) => Promise<ApiObject>;
  /** Replaces reading from storage. */
  readonly get?: (name: string, context: ResourceContext) => Promise<ApiObject>;
  readonly list?: (context: ResourceContext) => Promise<readonly ApiObject[]>;
}

/** The result of a delete. `deleted`: the object is deleted, not only marked. */
export interface Removal {
  readonly object: ApiObject;
  readonly view: (resource: Resource) => View;
  readonly deleted: boolean;
}

/** A subresource other than `status` or `scale`: handles a request by itself, after authorization. */
export type SubresourceHandler = (context: ResourceContext, resource: Resource) => Promise<Answer>;

export interface Registry {
  behaviour(resource: Resource): Behaviour | undefined;
  subresource(resource: Resource, name: string): SubresourceHandler | undefined;
  /** The parts to load before an object of the resource is written or one of its subresources is used. */
  parts(resource: Resource, subresource: string): readonly Loadable[];
}

export interface KindFile {
  /** Plural and group (template): `pods`, `deployments.apps`, `subjectaccessreviews.authorization.{domain}`. */
  readonly resource: string;
  readonly behaviour?: Behaviour;
  readonly subresources?: Readonly<Record<string, SubresourceHandler>>;
}

/** A kind's file that is loaded as a part. */
export interface KindFilePart {
  readonly resource: string;
  readonly file: PartOf<KindFile>;
  /** The parts of other kinds that it uses. */
  readonly needs?: readonly Loadable[];
  /** Whether it has only subresources: then writes of the object itself do not need it. */
  readonly subresourcesOnly?: boolean;
}

export type KindEntry = KindFile | KindFilePart;

/** The object itself, and the subresource that the generic store writes. */
const PLAIN = ['', 'status'];

/** Finds a resource's file by its full name: `resource` for the core group, `resource.group` otherwise. */
export function createRegistry(files: readonly KindEntry[], fill: (template: string) => string): Registry {
  const byName = new Map(files.map((file) => [fill(file.resource), file]));
  const nameOf = ({ hub: { gvr } }: Resource): string =>
    gvr.group === '' ? gvr.resource : `${gvr.resource}.${gvr.group}`;
  const file = (resource: Resource): KindFile | undefined => {
    const entry = byName.get(nameOf(resource));
    if (!entry || !('file' in entry)) return entry;
    return entry.file.part.loaded ? entry.file.get() : undefined;
  };
  return {
    behaviour: (resource) => file(resource)?.behaviour,
    subresource: (resource, name) => getOwn(file(resource)?.subresources, name),
    parts: (resource, subresource) => {
      const entry = byName.get(nameOf(resource));
      const isPart = entry && 'file' in entry;
      if (!isPart || (entry.subresourcesOnly && PLAIN.includes(subresource))) return [];
      return [entry.file.part, ...(entry.needs ?? [])];
    },
  };
}
