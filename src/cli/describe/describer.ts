/** A describer: how one kind of object is described. */
import { pathOf, type Client, type ResourceRef } from '../../client/index.ts';
import { groupVersionOf, type ApiObject } from '../../schema/index.ts';
import type { Line } from './lines.ts';

/** What a description may ask for besides the object itself. */
export interface Around {
  readonly client: Client;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The objects of a kind in a namespace. Throws StatusError where the server refuses. */
  list<T extends ApiObject>(ref: ResourceRef<T>, selection?: Selection): Promise<readonly T[]>;
}

export interface Selection {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

type Describe<T> = (object: T, around: Around) => readonly Line[] | Promise<readonly Line[]>;

export interface Describer {
  /** The resource at the version that is described, whichever was asked for. */
  readonly ref: ResourceRef;
  /** Whether the object's events stand at the end; `always` even when none were asked for. */
  readonly events: boolean | 'always';
  readonly describe: Describe<ApiObject>;
}

/** Declares how a resource is described. */
export const describer = <T extends ApiObject>(
  ref: ResourceRef<T>,
  describe: Describe<T>,
  events: Describer['events'] = true,
): Describer => ({
  ref,
  events,
  // The server answers a resource's path with its objects.
  describe: (object, around) => describe(object as T, around),
});

/** A resource that no component of the control plane works with. */
export const resource = <T extends ApiObject>(
  groupVersion: string,
  plural: string,
  kind: string,
  namespaced = true,
): ResourceRef<T> => {
  return { ...groupVersionOf(groupVersion), resource: plural, kind, namespaced };
};

export const aroundOf = (client: Client, now: number): Around => ({
  ...{ client, now },
  list: async <T extends ApiObject>(ref: ResourceRef<T>, { namespace, ...query }: Selection = {}) => {
    const list = (await client.json(pathOf(ref, client.names, namespace), { query })) as {
      items?: readonly T[] | null;
    };
    return list.items ?? [];
  },
});
