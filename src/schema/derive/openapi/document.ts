/** The OpenAPI v2 document of all served resources (specification, Endpoints). Built on first use. */
import type { StructType } from '../../define/types.ts';
import { APIGroup, APIGroupList, APIResourceList, APIVersions } from '../../meta/discovery.ts';
import { Condition } from '../../meta/condition.ts';
import { DeleteOptions } from '../../meta/deleteOptions.ts';
import { ListMeta } from '../../meta/listMeta.ts';
import { ObjectMeta } from '../../meta/objectMeta.ts';
import { Status } from '../../meta/status.ts';
import { Info } from '../../meta/versionInfo.ts';
import { WatchEvent } from '../../meta/watchEvent.ts';
import { listOf } from '../documents.ts';
import { fullName, nodeOf } from '../nodes.ts';
import type { GroupVersionKind, Resource, Scheme, StructNode } from '../scheme.ts';
import { customList, customName, customSchema } from './custom.ts';
import { Definitions } from './definitions.ts';
import type { Document, PathItem, Schema } from './json.ts';
import { Operations, type Bodies } from './operations.ts';
import { plainPaths, type DiscoveryBodies } from './plainPaths.ts';

const documents = new WeakMap<Scheme, { readonly generation: number; readonly document: Document }>();

/** The document for what the scheme serves now. The same value until something is added or removed. */
export function openApiDocument(scheme: Scheme): Document {
  const known = documents.get(scheme);
  if (known?.generation === scheme.generation) return known.document;
  const document = new Builder(scheme).build();
  documents.set(scheme, { generation: scheme.generation, document });
  return document;
}

class Builder {
  readonly #scheme: Scheme;
  readonly #definitions: Definitions;
  readonly #common: Omit<Bodies, 'object' | 'list' | 'of'>;

  constructor(scheme: Scheme) {
    this.#scheme = scheme;
    this.#definitions = new Definitions(scheme.names);
    this.#common = {
      status: this.#refTo(Status, [{ group: '', version: 'v1', kind: 'Status' }]),
      deleteOptions: this.#refTo(DeleteOptions, this.#everywhere('DeleteOptions')),
      watchEvent: this.#refTo(WatchEvent, this.#everywhere('WatchEvent')),
      patch: this.#definitions.define(fullName(scheme.names, 'apimachinery.pkg.apis.meta.v1.Patch'), PATCH),
    };
  }

  build(): Document {
    const { names } = this.#scheme;
    const paths: Record<string, PathItem> = plainPaths(this.#scheme, this.#discovery());
    for (const type of [ObjectMeta, ListMeta, Condition]) this.#definitions.refTo(nodeOf(names, type));
    for (const resource of this.#scheme.all()) {
      const bodies: Bodies = { ...this.#common, ...this.#bodies(resource), of: (gvk) => this.#bodyOf(gvk) };
      Object.assign(paths, new Operations(names, resource, bodies).paths());
    }
    const sorted = Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1)));
    const info = { title: names.Product, version: 'v1.20.2' };
    return { swagger: '2.0', info, paths: sorted, definitions: this.#definitions.sorted(), ...SECURITY };
  }

  #discovery(): DiscoveryBodies {
    const core = (kind: string): GroupVersionKind[] => [{ group: '', version: 'v1', kind }];
    return {
      versions: this.#refTo(APIVersions, core('APIVersions')),
      groups: this.#refTo(APIGroupList, core('APIGroupList')),
      group: this.#refTo(APIGroup, core('APIGroup')),
      resources: this.#refTo(APIResourceList, core('APIResourceList')),
      info: this.#definitions.refTo(nodeOf(this.#scheme.names, Info)),
    };
  }

  #bodies(resource: Resource): Pick<Bodies, 'object' | 'list'> {
    const { gvk, listKind, version } = resource;
    if (resource.custom) return this.#customBodies(resource);
    return {
      object: this.#refToKind(resource.node, gvk, resource.declaration.doc),
      list: resource.verbs.includes('list')
        ? this.#refTo(listOf(version.type), [{ ...gvk, kind: listKind }], `A list of ${gvk.kind}.`)
        : {},
    };
  }

  #customBodies(resource: Resource): Pick<Bodies, 'object' | 'list'> {
    const { names } = this.#scheme;
    return {
      object: this.#definitions.define(customName(resource), customSchema(names, resource)),
      list: this.#definitions.define(customName(resource, resource.listKind), customList(names, resource)),
    };
  }

  #bodyOf(gvk: GroupVersionKind): Schema | undefined {
    const resource = this.#scheme.byKind(gvk);
    return resource && !resource.custom
      ? this.#refToKind(resource.node, resource.gvk, resource.declaration.doc)
      : undefined;
  }

  #refTo(type: StructType, gvks: readonly GroupVersionKind[], doc?: string): Schema {
    return this.#definitions.refTo(nodeOf(this.#scheme.names, type), this.#more(gvks, doc));
  }

  #refToKind(node: StructNode, gvk: GroupVersionKind, doc: string): Schema {
    return this.#definitions.refTo(node, this.#more([gvk], doc));
  }

  #more(gvks: readonly GroupVersionKind[], doc: string | undefined): Schema {
    const sorted = gvks.map(({ group, kind, version }) => ({ group, kind, version }));
    const { names } = this.#scheme;
    return {
      ...(doc === undefined ? {} : { description: names.fill(doc) }),
      [`x-${names.product}-group-version-kind`]: sorted,
    };
  }

  /** Kinds that belong to every group and version, and to reviews that are sent to webhooks. */
  #everywhere(kind: string): GroupVersionKind[] {
    const { names, declaredVersions } = this.#scheme;
    const unserved = UNSERVED.map(([group, version]) => ({ group: names.fill(group), version }));
    const all = [...declaredVersions, ...unserved].map((gv) => ({ ...gv, kind }));
    return all.sort((a, b) => (`${a.group}/${a.version}` < `${b.group}/${b.version}` ? -1 : 1));
  }
}

/** The versions that the reference knows without serving a path for them. */
const UNSERVED = [
  ['admission.{domain}', 'v1'],
  ['admission.{domain}', 'v1beta1'],
  ['apps', 'v1beta1'],
  ['apps', 'v1beta2'],
  ['discovery.{domain}', 'v1alpha1'],
] as const;

/** How a client says who it is: service accounts have tokens in every cluster. */
const SECURITY: Pick<Document, 'securityDefinitions' | 'security'> = {
  securityDefinitions: {
    BearerToken: { description: 'A token of the client.', type: 'apiKey', name: 'authorization', in: 'header' },
  },
  security: [{ BearerToken: [] }],
};

const PATCH: Schema = { type: 'object', description: 'A change to an object; the media type says in which form.' };
