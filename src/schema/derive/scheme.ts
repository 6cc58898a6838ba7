/**
 * What follows from the declarations, once per cluster: the contract between the declarations and all who use them.
 * `createScheme(names, kinds, options)` (see `createScheme.ts`) makes one; a CustomResourceDefinition adds to it while running.
 */
import type { Names } from '../../names/index.ts';
import type { ApiObject, KindDeclaration, ScaleSubresource, Subresource, Version } from '../define/kind.ts';
import type { FieldOptions, Presence, ScalarKind, StructOptions } from '../define/types.ts';

export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

export interface GroupVersionKind extends GroupVersion {
  readonly kind: string;
}

export interface GroupVersionResource extends GroupVersion {
  readonly resource: string;
}

/** Types at run time: declarations with the profile's names, or derived from a CRD's schema. */
export type Node = ScalarNode | ListNode | MapNode | StructNode | EitherNode | OpenNode;

export interface ScalarNode {
  readonly type: 'scalar';
  readonly scalar: ScalarKind;
}

export interface ListNode {
  readonly type: 'list';
  readonly of: Node;
  /** A message of its own on the wire (see `ListType.boxed`). */
  readonly boxed?: boolean;
  /** Server-side apply: how the list merges, where its type says so and no field does (custom resources). */
  readonly merging?: Pick<FieldOptions, 'list' | 'keys'>;
}

export interface MapNode {
  readonly type: 'map';
  readonly of: Node;
  /** Server-side apply: whether the map is one value, where its type says so and no field does (custom resources). */
  readonly merging?: Pick<FieldOptions, 'map'>;
}

export interface StructNode {
  readonly type: 'struct';
  /** Name in OpenAPI, in full. */
  readonly name: string;
  /** In the order in which JSON shows them. */
  readonly fields: readonly FieldNode[];
  readonly byName: ReadonlyMap<string, FieldNode>;
  readonly options: StructOptions;
  /** Keeps fields that are not declared (custom resources that preserve unknown fields). */
  readonly open: boolean;
}

/** A struct if the JSON value is an object, another type if not. For patches and apply it is atomic. */
export interface EitherNode {
  readonly type: 'either';
  /** Name in OpenAPI, in full. */
  readonly name: string;
  readonly struct: { readonly tag: number; readonly of: Node };
  readonly other: { readonly tag: number; readonly of: Node };
}

/** Anything at all: custom resources without a schema, and below fields that preserve unknown content. */
export interface OpenNode {
  readonly type: 'open';
}

export interface FieldNode {
  readonly name: string;
  readonly tag: number;
  readonly of: Node;
  readonly presence: Presence;
  readonly required: boolean;
  readonly options: FieldOptions;
}

/** A resource as one version serves it. */
export interface Resource {
  readonly declaration: KindDeclaration;
  readonly version: Version;
  /** Full group name, version, plural. */
  readonly gvr: GroupVersionResource;
  readonly gvk: GroupVersionKind;
  /** `v1`, `apps/v1`. */
  readonly apiVersion: string;
  readonly singular: string;
  readonly listKind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly node: StructNode;
  /** The resource as its hub version serves it: objects are stored as this. */
  readonly hub: Resource;
  /** Key prefix in storage: `/registry/apps/deployments/`. */
  readonly prefix: string;
  readonly status: boolean;
  readonly scale: ScaleSubresource | undefined;
  readonly subresources: readonly Subresource[];
  /** The definition behind a custom resource; its schema, conversion and columns come from there. */
  readonly custom?: CustomResource;
}

/**
 * The differences between custom and built-in resources. Each version is its own hub: rules and admission see the
 * version of the request. Objects are stored in the definition's storage version, and may still be stored in earlier
 * ones.
 */
export interface CustomResource {
  readonly definition: ApiObject;
  /** OpenAPI v3 schema of this version, as stored; undefined without one. */
  readonly schema: unknown;
  readonly preserveUnknownFields: boolean;
  /** What is known of the fields to apply and to their owners. */
  readonly ownership: Node;
  /** All versions that the definition knows, served or not, by `group/version`. */
  versions(): ReadonlyMap<string, Resource>;
  /** Drops what the schema does not know and fills in its defaults, in place. Throws DecodeError. */
  complete(object: ApiObject): void;
  /**
   * The result of an apply, with defaults. Unlike other input it is not pruned before it is validated and compared; metadata
   * of the wrong type is dropped. May share parts with its argument and change them.
   */
  completeApplied(raw: ApiObject): ApiObject;
  /** Prunes and defaults an object before it is stored, in place. */
  settle(object: ApiObject): void;
  /** An object of any version in this one; the argument is left as it is. Not where a webhook converts. */
  convert(object: ApiObject): ApiObject;
  /** An object as it was stored, whenever that was, in this version; may change its argument. Not where a webhook converts. */
  fromStored(object: ApiObject): ApiObject;
  /** An object of this version in the one in which objects are stored. Not where a webhook converts. */
  toStored(object: ApiObject): ApiObject;
  /** Aborted when the definition changes how its objects are served, or is deleted: watches have to start again. */
  readonly retired: AbortSignal | undefined;
  /** Conversions by a webhook: an object in another version has to be awaited. */
  readonly remote: RemoteConversions | undefined;
}

/**
 * Conversion by a webhook. All objects of a call are sent in one review, except those in the desired version; they are
 * returned in order. Rejects with a StatusError if the webhook fails.
 */
export interface RemoteConversions {
  /** Objects of any versions in this one. */
  convert(objects: readonly ApiObject[]): Promise<readonly ApiObject[]>;
  /** The same, with everything that the webhook returned, including unknown fields. */
  convertBare(objects: readonly ApiObject[]): Promise<readonly ApiObject[]>;
  /** Objects as they were stored, in this version; may change its argument. */
  fromStored(objects: readonly ApiObject[]): Promise<readonly ApiObject[]>;
  /** An object of this version in the one in which objects are stored. */
  toStored(object: ApiObject): Promise<ApiObject>;
}

export interface ServedGroup {
  readonly name: string;
  /** Served versions, most preferred first. */
  readonly versions: readonly string[];
  readonly priority: number;
}

/**
 * In storage an empty list or map equals a missing one. In a request they differ for fields that are always written,
 * because ownership depends on it. The merged result of a patch and an object is converted rather than parsed: integers
 * that do not fit lose their high bits.
 */
export type Form = 'stored' | 'sent' | 'merged';

/** Thrown by `decode` for a value of the wrong type; becomes a 400. */
export class DecodeError extends Error {
  override name = 'DecodeError';
  readonly #reason: string;
  #path = '';

  constructor(reason: string) {
    super(reason);
    this.#reason = reason;
  }

  /** The same error, one step further out: the field, key or index in which the value stands. */
  within(step: string | number): this {
    const inner = this.#path === '' || this.#path.startsWith('[') ? this.#path : `.${this.#path}`;
    this.#path = typeof step === 'number' ? `[${step}]${inner}` : `${step}${inner}`;
    this.message = `${this.#path}: ${this.#reason}`;
    return this;
  }
}

/** Thrown for a value of the right type that can't be converted to the form in which objects are checked. */
export class ConversionError extends DecodeError {}

export interface Scheme {
  readonly names: Names;
  /** Served groups in discovery's order; changes when definitions come and go. */
  readonly groups: readonly ServedGroup[];
  /** All versions of the declared groups, served or not. */
  readonly declaredVersions: readonly GroupVersion[];
  /** Raised whenever something is added or removed. */
  readonly generation: number;
  /** Served resources of one group and version, in discovery's order (by name). */
  resources(gv: GroupVersion): readonly Resource[];
  /** All served resources, hub or not. */
  all(): readonly Resource[];
  byResource(gvr: GroupVersionResource): Resource | undefined;
  byKind(gvk: GroupVersionKind): Resource | undefined;
  /** Struct types that are not resources of their own: Status, DeleteOptions, Scale, Eviction, reviews, lists. */
  typeOf(gvk: GroupVersionKind): StructNode | undefined;

  /** A raw JSON value as an object of this type: unknown fields dropped, presence rules applied, scalars in canonical form; fields of `known` as they are (see Decoder). Throws DecodeError. */
  decode(node: Node, raw: unknown, form?: Form, known?: object): unknown;
  /** Fills in defaults for a decoded object of this version, in place; a custom one is pruned, too (throws DecodeError). */
  applyDefaults(resource: Resource, object: ApiObject): void;
  /** Between versions of one kind; the result is normalized, may share with the argument. Not where a webhook converts. */
  convert(object: ApiObject, from: Resource, to: Resource): ApiObject;
  /** Like `convert`, for any kind of conversion: a promise if a webhook is called. */
  converted(object: ApiObject, from: Resource, to: Resource): ApiObject | Promise<ApiObject>;
  /** Adds the resources of a definition, or replaces them; returns what removes them. */
  addCustom(resources: readonly Resource[]): void;
  removeCustom(group: string, resource: string): void;
}
