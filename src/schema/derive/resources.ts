/** From declarations to what each version serves. */
import type { Names } from '../../names/index.ts';
import { must } from '../../std/index.ts';
import { ALL_VERBS, type KindDeclaration, type Subresource, type Version } from '../define/kind.ts';
import { nodeOf } from './nodes.ts';
import type { Resource, StructNode } from './scheme.ts';

/** The resources of a kind, one for each of its versions; the hub is among them. */
export function resourcesOf(
  names: Names,
  declaration: KindDeclaration,
  gate: (name: string) => boolean,
): readonly Resource[] {
  const hubVersion = hubOf(declaration);
  const parts = subresourcesOf(names, declaration, gate);
  const hub = new DeclaredResource(names, declaration, parts, hubVersion);
  return declaration.versions.map((version) =>
    version === hubVersion ? hub : new DeclaredResource(names, declaration, parts, version, hub),
  );
}

function subresourcesOf(
  names: Names,
  { subresources = [] }: KindDeclaration,
  gate: (name: string) => boolean,
): readonly Subresource[] {
  return subresources
    .filter((part) => part.gate === undefined || gate(part.gate))
    .map((part) => (part.group === undefined ? part : { ...part, group: names.fill(part.group) }));
}

function hubOf({ versions, hub, kind }: KindDeclaration): Version {
  const version = versions.find((v) => v.group === undefined && v.version === (hub ?? versions[0]?.version));
  return must(version, `${kind} has no hub version`);
}

class DeclaredResource implements Resource {
  readonly declaration: KindDeclaration;
  readonly version: Version;
  readonly gvr: Resource['gvr'];
  readonly gvk: Resource['gvk'];
  readonly apiVersion: string;
  readonly singular: string;
  readonly listKind: string;
  readonly verbs: readonly string[];
  readonly prefix: string;
  readonly status: boolean;
  readonly namespaced: boolean;
  readonly hub: Resource;
  readonly subresources: Resource['subresources'];
  readonly #names: Names;
  #node: StructNode | undefined;

  constructor(
    names: Names,
    declaration: KindDeclaration,
    subresources: readonly Subresource[],
    version: Version,
    hub?: Resource,
  ) {
    const { kind, resource } = declaration;
    const group = names.fill((version.group ?? declaration.group).name);
    this.#names = names;
    this.hub = hub ?? this;
    this.namespaced = declaration.namespaced;
    this.declaration = declaration;
    this.version = version;
    this.gvr = { group, version: version.version, resource };
    this.gvk = { group, version: version.version, kind };
    this.apiVersion = group === '' ? version.version : `${group}/${version.version}`;
    this.singular = declaration.singular ?? kind.toLowerCase();
    this.listKind = `${kind}List`;
    this.verbs = declaration.verbs ?? ALL_VERBS;
    this.prefix = prefixOf(names, declaration);
    this.status = version.status ?? declaration.status ?? false;
    this.subresources = subresources;
  }

  get scale(): Resource['scale'] {
    return this.declaration.scale;
  }

  get node(): StructNode {
    return (this.#node ??= nodeOf(this.#names, this.version.type));
  }
}

/** Objects of the core group stand directly under the root, others under their group. */
function prefixOf(names: Names, { group, resource, storagePrefix = resource }: KindDeclaration): string {
  const name = names.fill(group.name);
  return name === '' ? `/registry/${storagePrefix}/` : `/registry/${name}/${storagePrefix}/`;
}
