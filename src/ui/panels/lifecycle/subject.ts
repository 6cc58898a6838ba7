/** The object that the room is about: the address names it. */
import type { KnownObject, World } from '../../../explain/index.ts';
import { go, useAddress } from '../../stores/address.ts';
import {
  formatRef,
  parseRef,
  resourceOfKind,
  useResources,
  versionOf,
  type ObjectRef,
} from '../../stores/resources.ts';

export interface Subject {
  readonly target: ObjectRef;
  /** Undefined where it is gone. */
  readonly object: KnownObject | undefined;
}

/** What the address names, or what the inspector shows. */
export function useSubject(world: World): Subject | undefined {
  const asked = useAddress(({ query }) => query['obj'] ?? query['sel']?.replace(/^object:/, ''));
  const resources = useResources((state) => state.resources);
  const target = asked === undefined ? undefined : parseRef(resources, asked);
  if (!target) return undefined;
  const { resource, namespace, name } = target;
  return { target, object: world.find(versionOf(resource), resource.kind, namespace, name) };
}

/** How an object stands in an address; undefined where the server doesn't serve its kind. */
export function useRefs(): (object: {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}) => ObjectRef | undefined {
  const resources = useResources((state) => state.resources);
  return ({ apiVersion, kind, namespace = '', name = '' }) => {
    const resource = resourceOfKind(resources, apiVersion, kind);
    return resource && { resource, namespace: resource.namespaced ? namespace : '', name };
  };
}

/** Makes an object the room's subject. */
export const choose = (ref: ObjectRef): void => go({ query: { obj: formatRef(ref) } });
