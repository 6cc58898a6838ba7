/** The interface of field ownership for the rest of the core. */
import type { Names } from '../names/index.ts';
import type { ApiObject, Node } from '../schema/index.ts';
import type { Steps } from '../std/index.ts';

/** One kind in all served versions. Owners name the version in which they see the object. */
export interface VersionedTypes {
  readonly names: Names;
  /** The kind that an applied configuration has to have. */
  readonly kind: string;
  /** The kind's type in `apiVersion`; undefined if that version is not served (any more). */
  node(apiVersion: string): Node | undefined;
  /** The result of decoding an object without fields. */
  empty(apiVersion: string): ApiObject;
  /**
   * The object in `apiVersion`, without defaulting. The argument may be the raw result of a merge, so it is first
   * decoded with its own version's type. Only called with versions for which `node` returns a type.
   */
  convert(object: ApiObject, apiVersion: string): ApiObject;
}

/** A write that is not an apply. */
export interface UpdateRequest {
  /** The stored object with its managedFields; undefined for a create. */
  readonly live: ApiObject | undefined;
  /** The new object from the request: decoded and defaulted, in any served version. */
  readonly next: ApiObject;
  /** The same as the client sent it, in the request's version; decoding has dropped its empty values. */
  readonly sent?: unknown;
  /** The writer: `fieldManager`, or the first word of the User-Agent. */
  readonly manager: string;
  /** The version of the request: `apps/v1`. */
  readonly apiVersion: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Whether the write goes to a subresource, which can't change managedFields. */
  readonly subresource?: boolean;
}

/** A server-side apply. */
export interface ApplyRequest {
  /** The stored object with its managedFields; undefined if apply creates it. */
  readonly live: ApiObject | undefined;
  /** The applied configuration as sent: neither decoded nor defaulted. */
  readonly applied: unknown;
  readonly manager: string;
  /** Whether to take over fields of other owners. */
  readonly force: boolean;
  readonly apiVersion: string;
  readonly now: number;
}

/**
 * Maintains `metadata.managedFields`. Arguments are never modified; results may share parts with them. Both methods run
 * on the requested object, before admission and the kind's preparation: what these change or drop still belongs to the
 * writer. Both work in steps, because a map with many keys needs several passes.
 */
export interface FieldManager {
  /** `next` with its managedFields after this write, in its original version. Never fails. */
  update(request: UpdateRequest): Steps<ApiObject>;
  /**
   * The merged object in the version `apiVersion`, including managedFields; not yet decoded or defaulted. If the apply
   * changes neither the object nor its owners, this is the live object. Throws StatusError: 409 with a
   * `FieldManagerConflict` cause for each field of another owner, 400 for another version or for managedFields in the
   * configuration, a bare 500 for a configuration with wrong types.
   */
  apply(request: ApplyRequest): Steps<ApiObject>;
}

/** The patch types besides apply, named by the media type before `-patch`. */
export type PatchForm = 'json' | 'merge' | 'strategic';
