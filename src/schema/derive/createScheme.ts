/** Makes the scheme of a cluster: an index of what is served, and the functions that follow from the declarations. */
import type { Names } from '../../names/index.ts';
import type { ApiObject, Group, KindDeclaration } from '../define/kind.ts';
import { convert } from './convert.ts';
import { decoderOf } from './decode.ts';
import { Defaulters } from './defaults.ts';
import { Documents } from './documents.ts';
import { ResourceIndex } from './resourceIndex.ts';
import { resourcesOf } from './resources.ts';
import { parseRuntimeConfig } from './runtimeConfig.ts';
import type { Scheme } from './scheme.ts';

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
  serve(names, kinds, options, index);
  return {
    names,
    get groups() {
      return index.groups;
    },
    get generation() {
      return index.generation;
    },
    resources: (gv) => index.resources(gv),
    all: () => index.all(),
    byResource: (gvr) => index.byResource(gvr),
    byKind: (gvk) => index.byKind(gvk),
    typeOf: (gvk) => documents.typeOf(gvk),
    decode: (node, raw, form) => decoderOf(node, form)(raw),
    applyDefaults: (resource, object) => defaulters.of(resource.node)(object),
    convert: (object: ApiObject, from, to) => convert(names, object, from, to),
    addCustom: (resources) => index.addCustom(resources),
    removeCustom: (group, resource) => index.removeCustom(group, resource),
  };
}

function serve(names: Names, kinds: readonly KindDeclaration[], options: SchemeOptions, index: ResourceIndex): void {
  const config = parseRuntimeConfig(options.runtimeConfig ?? '');
  const groups = new Map<string, Group>();
  for (const kind of kinds) {
    if (kind.gate !== undefined && !options.gate?.(kind.gate)) continue;
    for (const resource of resourcesOf(names, kind)) {
      const group = resource.version.group ?? kind.group;
      groups.set(resource.gvr.group, group);
      const served = config.serves(group, resource.gvr.group, resource.gvr.version);
      if (served && config.servesResource(resource.apiVersion, resource.gvr.resource)) index.add(resource, group);
    }
  }
}
