/** What the rest of the core hands to field ownership, and gets from it. */
import type { Names } from '../names/index.ts';
import type { ApiObject, Node } from '../schema/index.ts';
import type { Steps } from '../std/index.ts';

/** One kind in all versions that are served. Owners name the version in which they know an object. */
export interface VersionedTypes {
  readonly names: Names;
  /** What an applied configuration has to name. */
  readonly kind: string;
  /** The kind's type in `apiVersion`; undefined where that version is not served (any more). */
  node(apiVersion: string): Node | undefined;
  /** What decoding an object without any fields gives. */
  empty(apiVersion: string): ApiObject;
  /**
   * The object as `apiVersion` has it, without defaulting. The argument may be the raw result of a merge, so it is
   * decoded by its own version's type first. Only called with versions for which `node` knows a type.
   */
  convert(object: ApiObject, apiVersion: string): ApiObject;
}

/** A write that is not an apply. */
export interface UpdateRequest {
  /** The object as it is stored, with its managedFields; undefined when it is being created. */
  readonly live: ApiObject | undefined;
  /** The object as the request wants it: decoded and defaulted, in any served version. */
  readonly next: ApiObject;
  /** The same as the client sent it, in the version of the request; decoding has dropped what was empty in it. */
  readonly sent?: unknown;
  /** Who writes: `fieldManager`, or the first word of the User-Agent. */
  readonly manager: string;
  /** The version through which the request came: `apps/v1`. */
  readonly apiVersion: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Whether the write goes to a subresource, through which owners can't be edited. */
  readonly subresource?: boolean;
}

/** A server-side apply. */
export interface ApplyRequest {
  /** The object as it is stored, with its managedFields; undefined when apply creates it. */
  readonly live: ApiObject | undefined;
  /** The applied configuration as it was sent: neither decoded nor defaulted. */
  readonly applied: unknown;
  readonly manager: string;
  /** Whether to take over what others own. */
  readonly force: boolean;
  readonly apiVersion: string;
  readonly now: number;
}

/**
 * Keeps `metadata.managedFields`. Arguments are never changed; results may share with them. Both run on what the request
 * wants, before admission and before the kind's own preparation: what these change or drop still counts as the writer's.
 * Both work in steps, since a map of many keys takes several passes.
 */
export interface FieldManager {
  /** `next` with its managedFields as they have to be after this write; in the version in which it came. Never fails. */
  update(request: UpdateRequest): Steps<ApiObject>;
  /**
   * The merged object in the version `apiVersion`, managedFields included; not yet decoded or defaulted. Where the apply
   * changes neither the object nor its owners, that is the live object.
   * Throws StatusError: 409 with a `FieldManagerConflict` cause for each field that somebody else owns, 400 for another
   * version or for managedFields in the configuration, a bare 500 for a configuration that isn't of its type.
   */
  apply(request: ApplyRequest): Steps<ApiObject>;
}

/** The patch forms besides apply, by what the media type says before `-patch`. */
export type PatchForm = 'json' | 'merge' | 'strategic';
