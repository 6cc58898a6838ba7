/** Objects as the types of the reference's client write them: fields that are always written are there, in the types' order. */
import type { DiscoveredResource } from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import type { ApiObject } from '../../schema/index.ts';
import { Part } from '../../std/index.ts';
import { complaint } from '../command/errors.ts';
import type { Found } from './selected.ts';

/** Loaded on demand, because few commands need the types. */
const typesPart = new Part(() => import('../kustomize/types.ts'));

/** Reads an object by its type; undefined for one of a kind that the client doesn't know. Throws DecodeError. */
export type ReadTyped = (resource: DiscoveredResource, object: ApiObject) => ApiObject | undefined;

/** Loads the types. */
export async function loadTypes(names: Names): Promise<ReadTyped> {
  const { readerOf } = await typesPart.load();
  const read = readerOf(names);
  return ({ group, version, kind }, object) => read({ group, version, kind }, object);
}

/** Each object as its type writes it, or the error of one whose kind or fields the client can't read. */
export async function typedObjects(
  names: Names,
  found: readonly (Found | Error)[],
): Promise<readonly (Found | Error)[]> {
  const read = await loadTypes(names);
  return found.map((each) => {
    if (each instanceof Error) return each;
    try {
      const object = read(each.resource, each.object);
      return object ? { ...each, object } : unreadable(each, unknownKind(each.object));
    } catch (error) {
      return unreadable(each, error instanceof Error ? error.message : String(error));
    }
  });
}

const unreadable = ({ source }: Found, why: string): Error =>
  complaint(`unable to decode ${JSON.stringify(source)}: ${why}`);

const unknownKind = ({ apiVersion = '', kind = '' }: ApiObject): string =>
  `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "k8s.io/kubectl/pkg/scheme/scheme.go:28"`;
