/**
 * Creates the scheme of a cluster: an index of the served resources, and the functions derived from the declarations.
 */
import type { Names } from '../../names/index.ts';
import { must } from '../../std/index.ts';
import type { ApiObject, KindDeclaration } from '../define/kind.ts';
import { convert } from './convert.ts';
import { decoderOf } from './decode.ts';
import { Defaulters } from './defaults.ts';
import { Documents } from './documents.ts';
import { ResourceIndex } from './resourceIndex.ts';
import { resourcesOf } from './resources.ts';
import { parseRuntimeConfig } from './runtimeConfig.ts';
import type { GroupVersion, RemoteConversions, Scheme } from './scheme.ts';

export interface SchemeOptions {
  /** The text of `--runtime-config`. */
  readonly runtimeConfig?: string;
  /** Whether a feature gate is on. */
  readonly gate?: (name: string) => boolean;
}

/** The scheme of a cluster with these names, serving these kinds. Cheap: types are made when they are first used. */
export function createScheme(names: Names, kinds: readonly KindDeclaration[], options: SchemeOptions = {}): Scheme {
  const gate = options.gate ?? (() => false);
  const defaulters = new Defaulters({ fill: names.fill, gate });
  const index = new ResourceIndex();
  const documents = new Documents(names, index);
  const declaredVersions = serve(names, kinds, options, index);
  return {
    names,
    get groups() {
      return index.groups;
    },
    declaredVersions,
    get generation() {
      return index.generation;
    },
    resources: (gv) => index.resources(gv),
    all: () => index.all(),
    byResource: (gvr) => index.byResource(gvr),
    byKind: (gvk) => index.byKind(gvk),
    typeOf: (gvk) => documents.typeOf(gvk),
    decode: (node, raw, form, known) => decoderOf(node, form)(raw, known),
    applyDefaults: (resource, object) =>
      resource.custom ? resource.custom.complete(object) : defaulters.of(resource.node)(object),
    convert: (object: ApiObject, from, to) => convert(names, object, from, to),
    converted: (object: ApiObject, from, to) =>
      to.custom?.remote && from !== to ? onlyOne(to.custom.remote, object) : convert(names, object, from, to),
    addCustom: (resources) => index.addCustom(resources),
    removeCustom: (group, resource) => index.removeCustom(group, resource),
  };
}

async function onlyOne(remote: RemoteConversions, object: ApiObject): Promise<ApiObject> {
  const [converted] = await remote.convert([object]);
  return must(converted, 'what is converted is returned');
}

/** Fills the index; returns every version that is declared, served or not. */
function serve(
  names: Names,
  kinds: readonly KindDeclaration[],
  options: SchemeOptions,
  index: ResourceIndex,
): readonly GroupVersion[] {
  const { gate = () => false } = options;
  const config = parseRuntimeConfig(options.runtimeConfig ?? '');
  const declared = new Map<string, GroupVersion>();
  for (const kind of kinds) {
    if (kind.gate !== undefined && !gate(kind.gate)) continue;
    for (const resource of resourcesOf(names, kind, gate)) {
      const { gvr, apiVersion } = resource;
      const group = resource.version.group ?? kind.group;
      declared.set(apiVersion, { group: gvr.group, version: gvr.version });
      const served = config.serves(group, gvr.group, gvr.version) && config.servesResource(apiVersion, gvr.resource);
      if (served) index.add(resource, group);
    }
  }
  return [...declared.values()];
}
