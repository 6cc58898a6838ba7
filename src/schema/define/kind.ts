/** The declaring language, part 2: API groups, kinds, their versions, subresources, columns and rules. */
import type { Names } from '../../names/index.ts';
import type { Loadable, PartOf } from '../../std/index.ts';
import type { FieldErrors } from './fieldErrors.ts';
import type { Infer, StructType } from './types.ts';

/** An API group. `name` may contain placeholders of the naming profile; the core group's name is empty. */
export interface Group {
  readonly name: string;
  /** The group's versions, most preferred first. */
  readonly versions: readonly string[];
  /** The priorities of versions in APIServices: higher is preferred. */
  readonly versionPriorities: Readonly<Record<string, number>>;
  /** Order among groups in discovery and in API services: higher comes first. */
  readonly priority: number;
  /** Versions that are served only when `--runtime-config` switches them on. */
  readonly off?: readonly string[];
}

/** The fields that every object has. */
export interface ObjectMeta {
  name?: string;
  generateName?: string;
  namespace?: string;
  selfLink?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp: string | null;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  clusterName?: string;
  managedFields?: ManagedFieldsEntry[];
}

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export interface ManagedFieldsEntry {
  manager?: string;
  operation?: string;
  apiVersion?: string;
  time?: string;
  fieldsType?: string;
  fieldsV1?: Record<string, unknown>;
}

/** Any object, where its kind is not known or does not matter. */
export interface ApiObject {
  apiVersion?: string;
  kind?: string;
  metadata: ObjectMeta;
  [field: string]: unknown;
}

/** What rules may use besides the objects. */
export interface RuleContext {
  readonly names: Names;
  /** Whether a feature gate is on. */
  readonly gate: (name: string) => boolean;
  /** The user; rules read it where the server records the requester (signing requests). */
  readonly user: {
    readonly name: string;
    readonly uid?: string;
    readonly groups: readonly string[];
    readonly extra: Readonly<Record<string, readonly string[]>>;
  };
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The group and version through which the request came: some rules differ by version. */
  readonly requested: { readonly group: string; readonly version: string };
  /** Whether a flag such as `allow-privileged` is set. */
  readonly flag: (name: string) => string | undefined;
  /** The client's input or the result of its patch, before decoding, which drops empty lists and maps. */
  readonly sent?: unknown;
  /** A new unique identifier. */
  readonly uuid: () => string;
}

/** `unsupported`: the kind has no dependants, and whatever a request asks for them is ignored. */
export type DependentsPolicy = 'background' | 'orphan' | 'unsupported';

/**
 * What happens to an object between decoding and storage (the reference calls it a strategy). All functions see the
 * hub version; those named `prepare…` mutate their first argument, the others only read.
 */
export interface Rules<T> {
  /** The name rule; `subdomain` by default. */
  readonly name?: 'subdomain' | 'label' | 'serviceLabel' | 'pathSegment' | ((name: string) => readonly string[]);
  /** A PUT to a name that is not there creates it: one of the object, or one of its status. */
  readonly createOnUpdate?: 'object' | 'status';
  /** Whether a PUT without a resourceVersion is accepted; true by default. */
  readonly unconditionalUpdate?: boolean;
  /**
   * A write is validated with the uid and the resourceVersion that were sent, before they are compared: another uid, or no
   * version, is an error of the metadata, and errors of the object are reported before a conflict (services).
   */
  readonly needsVersion?: boolean;
  /** Keeps `metadata.generation`: 1 at creation, one more whenever the spec (all but metadata and status) changes. */
  readonly generation?: boolean | ((object: T, old: T) => boolean);
  /** An empty list or map counts as another desired state than none: the reference compares a few kinds so. */
  readonly emptyCounts?: boolean;
  /** In a write of this subresource, a byte string that is sent empty is stored where there was none: a change, though nothing shows it. */
  readonly emptyBytesCount?: 'status';
  /** The default deletion policy for dependents; `background` by default. */
  readonly dependents?: DependentsPolicy | ((requested: RuleContext['requested']) => DependentsPolicy);
  readonly prepareCreate?: (object: T, context: RuleContext) => void;
  /** Objects for which this is the same are likely to have equal specifications, which they then share. */
  readonly alike?: (object: T) => string;
  /** Runs after `prepareCreate`, once the new object has its name and uid. Mutates. */
  readonly prepareNamed?: (object: T, context: RuleContext) => void;
  /**
   * Replaces `prepareCreate` for an export; `exact` keeps what another cluster can't provide. Mutates. Throws a
   * StatusError if the object can't be exported.
   */
  readonly prepareExport?: (object: T, exact: boolean, context: RuleContext) => void;
  /** Default: nothing but keeping `status` as it was when there is a status subresource. */
  readonly prepareUpdate?: (object: T, old: T, context: RuleContext) => void;
  /** For writes to `/status`; default: everything but status and managedFields stays as it was. */
  readonly prepareStatusUpdate?: (object: T, old: T, context: RuleContext) => void;
  readonly validate?: (object: T, context: RuleContext) => FieldErrors;
  /** Additional validation of new objects. */
  readonly validateCreate?: (object: T, context: RuleContext) => FieldErrors;
  readonly validateUpdate?: (object: T, old: T, context: RuleContext) => FieldErrors;
  /**
   * The checks of an update, in this order: the object (its metadata, then `validate`), changes of metadata, and the
   * change (`validateUpdate`). All three by default.
   */
  readonly updateChecks?: readonly ('alone' | 'metadata' | 'change')[];
  /** How often a new object is validated; the reference validates a few kinds twice and reports every error twice. */
  readonly createChecks?: number;
  /** The kind does not validate metadata; only the common rules apply. */
  readonly anyMetadata?: boolean;
  /** Takes finalizers without a domain: the reference checks a few kinds by the general rules for metadata only. */
  readonly anyFinalizer?: boolean;
  readonly validateStatusUpdate?: (object: T, old: T, context: RuleContext) => FieldErrors;
  /** The kind does not validate status writes; only the common rules apply. */
  readonly anyStatus?: boolean;
  /** Checked once the object has its addresses and ports, and all else is right. */
  readonly validateClaimed?: (object: T) => FieldErrors;
  /** Further views of the object that are written on their own (`finalize`, `approval`), each with its own rules. */
  readonly views?: Readonly<Record<string, ViewRules<T>>>;
  /** Whether an object that is marked for deletion has to stay for now, beyond its metadata's finalizers. */
  readonly holdsDeletion?: (object: T) => boolean;
  /** Seconds until an object that is deleted gracefully goes; undefined: at once. Only pods have one. */
  readonly gracePeriod?: (object: T, requested: number | undefined) => number | undefined;
  /** Warning texts for a write, beyond those of a deprecated version. */
  readonly warnings?: (object: T, old: T | undefined, context: RuleContext) => readonly string[];
}

/** Rules of a subresource that takes the object itself. */
export interface ViewRules<T> {
  /** Puts back everything that this subresource doesn't write. Mutates `object`. */
  readonly prepare: (object: T, old: T, context: RuleContext) => void;
  readonly validate?: (object: T, old: T, context: RuleContext) => FieldErrors;
}

/** A column of a Table (`type` and `format` as OpenAPI has them). */
export interface Column<T> {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format?: string;
  /** 0 is always shown, higher only in wide output. */
  readonly priority?: number;
  readonly doc: string;
  readonly cell: (object: T, context: CellContext) => unknown;
}

export interface CellContext {
  readonly now: number;
  readonly names: Names;
}

/** A subresource besides `status` and `scale`; its implementation is a file in the API server's registry. */
export interface Subresource {
  readonly name: string;
  /** Kind of its bodies as discovery shows it. */
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
  /** Query parameters that it takes instead of those which its verbs usually have. */
  readonly query?: Readonly<Record<string, 'string' | 'boolean' | 'integer'>>;
  /** The feature gate without which there is no such subresource. */
  readonly gate?: string;
  /** Whatever is sent to it is passed on, with any method that its verbs allow. */
  readonly connects?: 'once' | 'everything';
}

export interface ScaleSubresource {
  readonly specReplicas: string;
  readonly statusReplicas: string;
  readonly selector?: string;
}

/** One version of a kind. All objects are stored as the hub version; the others convert to it and back. */
export interface Version<T = unknown> {
  readonly version: string;
  /** Where this version is served under another group (Ingress, Event). */
  readonly group?: Group;
  /** The version's names of selectable fields, by the kind's names; by default the kind's. */
  readonly selectableAs?: Readonly<Record<string, string>>;
  /** Whether this version has the status subresource, where it differs from the kind. */
  readonly status?: boolean;
  // The struct's own value type differs from version to version; conversions tie it to the hub.
  readonly type: StructType;
  /**
   * Conversions to and from the hub version; identity (except apiVersion) by default. They may modify and return their
   * argument; the result is normalized.
   */
  readonly toHub?: (object: never, context: { readonly names: Names }) => object;
  readonly fromHub?: (object: T, context: { readonly names: Names }) => object;
  /** The release that stopped recommending it, the one that removes it, and what to use: the Warning header and the gauge. */
  readonly deprecated?: { readonly since: string; readonly removed?: string; readonly replacement?: string };
  /** The text of the Warning header, if a definition marks a version as deprecated. */
  readonly deprecationWarning?: string;
  /** Rules that hold only for requests through this version, after conversion to the hub. */
  readonly validate?: (object: T, context: RuleContext) => FieldErrors;
}

export interface KindDeclaration<T = unknown> {
  readonly group: Group;
  readonly kind: string;
  /** Plural, lower case: the name in URLs. */
  readonly resource: string;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly namespaced: boolean;
  readonly doc: string;
  /** Most preferred first. */
  readonly versions: readonly Version<T>[];
  /** The version for storage and rules; the first by default. */
  readonly hub?: string;
  /** All eight by default; virtual kinds have only `create`. */
  readonly verbs?: readonly string[];
  readonly status?: boolean;
  /** Scale subresource: paths into the hub version. `versions` restricts it. */
  readonly scale?: ScaleSubresource;
  readonly subresources?: readonly Subresource[];
  /** Its rules, or the part of the program that brings them. Read them with `rulesOf`. */
  readonly rules?: Rules<T> | PartOf<Rules<T>>;
  /** Its own, or the part of the program that brings them. Read them with `columnsOf`. */
  readonly columns?: readonly Column<T>[] | PartOf<readonly Column<T>[]>;
  /** The metadata in Table rows and partial metadata, where the reference stores part of it differently. */
  readonly hubMetadata?: (object: T) => ObjectMeta;
  /** What an object without content, as in a bookmark, holds nevertheless: fields that the reference converts from plain values. */
  readonly blank?: { readonly metadata?: object; readonly spec?: object };
  /** The order of a table's rows; that of the list where it is missing. */
  readonly rowOrder?: (a: T, b: T) => number;
  /** The conditions of a Table row for a finished object. */
  readonly rowConditions?: (object: T) => readonly object[] | undefined;
  /**
   * Whether a delete returns the object, always or never; by default it does so while the object still exists, and
   * returns a Status when it is deleted.
   */
  readonly returnsDeleted?: boolean;
  /** Fields that field selectors may name, beyond metadata.name and metadata.namespace, and the text that each holds. */
  readonly selectable?: Readonly<Record<string, (object: T) => string>>;
  /** How a selector of another field is refused, where that is not as usual. */
  readonly unselectable?: (field: string) => string;
  /** False where the reference refuses to select by metadata.namespace. */
  readonly selectableNamespace?: boolean;
  /** Group that validation errors name, where the reference's differs from the kind's own (Ingress: extensions). */
  readonly errorGroup?: string;
  /** The reference's storage version, if it differs from the hub version. Discovery has a hash of it. */
  readonly storedAs?: string;
  /** That version can't express all of the hub version, so what is stored has been through it. */
  readonly losesInStorage?: boolean;
  /** The reference stores the kind as JSON: a list that is always written stays empty where it was sent empty. */
  readonly storesEmpty?: boolean;
  /** Applies the defaults that the reference applies again when it reads an object from storage. Mutates. */
  readonly restore?: (object: T) => void;
  /** Path segment under which objects are stored, where it is not the plural. */
  readonly storagePrefix?: string;
  /** Kept for this many seconds after the last write (events); a function of flags. */
  readonly ttlSeconds?: (flag: (name: string) => string | undefined) => number;
  readonly gate?: string;
  /** False if the reference does not export the kind (`export`). */
  readonly exported?: boolean;
  /** Nobody owns its fields, and it can't be applied: the reference serves it apart, without ownership. */
  readonly untracked?: boolean;
}

/** Declares a kind. `hub` is the struct whose TypeScript type rules, columns and conversions work on. */
export function kind<S extends StructType>(
  hub: S,
  declaration: Omit<KindDeclaration<Infer<S>>, 'versions'> & { readonly versions: readonly Version<Infer<S>>[] },
): KindDeclaration {
  return { ...declaration, hubType: hub } as KindDeclaration;
}

/** A kind's rules. Where a part brings them, it has been loaded (`rulesPart`). */
export function rulesOf({ rules }: Pick<KindDeclaration, 'rules'>): Rules<unknown> | undefined {
  return rules && 'part' in rules ? rules.get() : rules;
}

/** The part that brings a kind's rules: loaded before an object of the kind is written. */
export function rulesPart({ rules }: Pick<KindDeclaration, 'rules'>): Loadable | undefined {
  return rules && 'part' in rules ? rules.part : undefined;
}

/** Declares a group. */
export function group(name: string, options: Omit<Group, 'name'>): Group {
  return { name, ...options };
}

/** All verbs of a stored kind, in discovery's order. */
export const ALL_VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'] as const;
