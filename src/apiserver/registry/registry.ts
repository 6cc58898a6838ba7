/**
 * What the server can do with each resource and subresource. The generic store serves nearly all; a kind that needs more
 * has a file in `kinds/`, listed in `kinds/index.ts`.
 */
import { getOwn } from '../../std/index.ts';
import type { ApiObject, Resource } from '../../schema/index.ts';
import type { Loadable, PartOf } from '../../std/index.ts';
import type { Admission } from '../../admission/index.ts';
import type { Op } from '../../storage/index.ts';
import type { Breakpoints } from '../../trace/index.ts';
import type { Core, RequestContext } from '../context.ts';
import type { Decisions } from '../decisions.ts';
import type { NodeAccess } from '../streams/nodeStreams.ts';
import type { Answer } from '../codec/answer.ts';
import type { View } from '../codec/views.ts';
import type { DeleteOptions, ValidateDelete } from './deleteOptions.ts';

/** What requests for resources may use of the server: handlers, the store, and what kinds do beyond it. */
export interface ResourceServer extends Core, Decisions, NodeAccess {
  readonly registry: Registry;
  readonly admission: Admission;
  /** Where people hold requests. */
  readonly breakpoints: Breakpoints;
  /** Who was overtaken and tries again, by the key that they write. */
  readonly lines: Map<string, Line>;
}

/** The writes of one object that were overtaken; whoever came first is first. */
export type Line = Set<object>;

/** A request for a resource. */
export type ResourceContext = RequestContext<ResourceServer>;

/** What a write made: the object in its hub version and how it looks; `entry`less for dry runs and virtual kinds. */
export interface Written {
  readonly object: ApiObject;
  readonly view: (resource: Resource) => View;
  readonly created: boolean;
}

/**
 * Undoes what `claim` took, when the write fails after all. Where other servers take of the same, `guards` go with the write: it is
 * made only if nobody has taken anything meanwhile.
 */
export type Undo = (() => void) & { readonly guards?: readonly Op[] };

/** What a kind does beyond the generic store, at fixed points of a write. Objects are in the hub version. */
export interface Behaviour {
  /** Before rules and validation: refuses by throwing (escalation checks); may change the object on create. */
  readonly guard?: (object: ApiObject, old: ApiObject | undefined, context: ResourceContext) => void | Promise<void>;
  /** Once the rules allow the write, before admission has its last word: takes what the object needs (addresses, ports) and writes it into the object. */
  readonly claim?: (
    object: ApiObject,
    old: ApiObject | undefined,
    context: ResourceContext,
    dryRun: boolean,
  ) => Undo | undefined | Promise<Undo | undefined>;
  /** After an object is gone from storage, or has been replaced by `now`. */
  readonly released?: (object: ApiObject, context: ResourceContext, now?: ApiObject) => Promise<void> | undefined;
  /** After a deletion, be the object gone or still held by finalizers. */
  readonly deleted?: (object: ApiObject, context: ResourceContext) => Promise<void>;
  /** Instead of the generic deletion. Returns undefined to go on with it. */
  readonly remove?: (
    object: ApiObject,
    options: DeleteOptions,
    context: ResourceContext,
    resource: Resource,
    validate: ValidateDelete,
  ) => Promise<Removal | undefined>;
  /** Instead of storing: virtual kinds answer a create with what they computed. */
  readonly create?: (object: ApiObject, context: ResourceContext) => Promise<ApiObject>;
  /** Instead of reading from storage. */
  readonly get?: (name: string, context: ResourceContext) => Promise<ApiObject>;
  readonly list?: (context: ResourceContext) => Promise<readonly ApiObject[]>;
}

/** What a delete did. `deleted`: the object is gone, not merely marked. */
export interface Removal {
  readonly object: ApiObject;
  readonly view: (resource: Resource) => View;
  readonly deleted: boolean;
}

/** A subresource that isn't `status` or `scale`: answers a request by itself, after authorization. */
export type SubresourceHandler = (context: ResourceContext, resource: Resource) => Promise<Answer>;

export interface Registry {
  behaviour(resource: Resource): Behaviour | undefined;
  subresource(resource: Resource, name: string): SubresourceHandler | undefined;
  /** What has to be here before an object of that resource is written, or one of its subresources is asked. */
  parts(resource: Resource, subresource: string): readonly Loadable[];
}

export interface KindFile {
  /** Group (template) and plural: `pods`, `deployments.apps`, `subjectaccessreviews.authorization.{domain}`. */
  readonly resource: string;
  readonly behaviour?: Behaviour;
  readonly subresources?: Readonly<Record<string, SubresourceHandler>>;
}

/** A kind's file that a part of the program brings. */
export interface KindFilePart {
  readonly resource: string;
  readonly file: PartOf<KindFile>;
  /** What it uses of other kinds. */
  readonly needs?: readonly Loadable[];
  /** Whether it has subresources and nothing else: then writes of the object itself go without it. */
  readonly subresourcesOnly?: boolean;
}

export type KindEntry = KindFile | KindFilePart;

/** The object itself, and the view of it that the generic store writes. */
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
