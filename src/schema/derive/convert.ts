/** Between versions of a kind, by way of the hub. */
import type { Names } from '../../names/index.ts';
import { clone } from '../../std/index.ts';
import type { ApiObject } from '../define/kind.ts';
import { decoderOf } from './decode.ts';
import type { Resource } from './scheme.ts';

/** The object in another version; shares parts with its argument where the versions agree, and never modifies it. */
export function convert(names: Names, object: ApiObject, from: Resource, to: Resource): ApiObject {
  if (from === to) return object;
  if (to.custom) return to.custom.convert(object);
  return fromHub(names, toHub(names, object, from), to);
}

function toHub(names: Names, object: ApiObject, from: Resource): ApiObject {
  const { hub, version } = from;
  if (from === hub) return object;
  if (!version.toHub) return { ...object, apiVersion: hub.apiVersion };
  // Converters are declared on their own version's type, which the resource guarantees here.
  return normalized(hub, version.toHub(clone(object) as never, { names }));
}

function fromHub(names: Names, object: ApiObject, to: Resource): ApiObject {
  const { hub, version } = to;
  if (to === hub) return object;
  if (!version.fromHub) return { ...object, apiVersion: to.apiVersion };
  return normalized(to, version.fromHub(clone(object) as never, { names }));
}

function normalized(resource: Resource, converted: unknown): ApiObject {
  const form = resource.declaration.storesEmpty ? 'sent' : 'stored';
  const object = decoderOf(resource.node, form)(converted) as ApiObject;
  object.apiVersion = resource.apiVersion;
  object.kind = resource.gvk.kind;
  return object;
}
