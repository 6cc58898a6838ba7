/** The versions of a custom resource: what each knows of its objects, and the way from one to another. */
import type { Names } from '../../names/index.ts';
import { clone } from '../../std/index.ts';
import type { CustomResourceDefinition } from '../apiextensions/customResourceDefinition.ts';
import type { ApiObject } from '../define/kind.ts';
import { unexpected } from '../status.ts';
import { applyDefaults } from './defaults.ts';
import { coerceEmbedded, type Coercion } from './embedded.ts';
import { dropNulls, META_FIELDS, prune } from './prune.ts';
import { markersOf, structuralOf, type Structural } from './structural.ts';

export class Family {
  readonly preservesUnknown: boolean;
  /** `group/version` of the version in which objects are stored. */
  readonly storedAs: string;
  readonly #names: Names;
  readonly #definition: CustomResourceDefinition;
  readonly #structures: ReadonlyMap<string, Structural | undefined>;

  constructor(names: Names, definition: CustomResourceDefinition) {
    const { group, versions, preserveUnknownFields = false } = definition.spec;
    const markers = markersOf(names);
    this.#names = names;
    this.#definition = definition;
    this.preservesUnknown = preserveUnknownFields;
    this.storedAs = `${group}/${versions?.find((version) => version.storage)?.name ?? ''}`;
    this.#structures = new Map(
      (versions ?? []).map(({ name, schema }) => {
        const structure = schema?.openAPIV3Schema && structuralOf(schema.openAPIV3Schema, markers);
        return [`${group}/${name}`, structure];
      }),
    );
  }

  structure(apiVersion: string): Structural | undefined {
    return this.#structures.get(apiVersion);
  }

  /** What a request brings: pruned, typed where its types are known, defaulted. Throws DecodeError. */
  complete(object: ApiObject): void {
    this.#tidy(object, 'strict');
    applyDefaults(object, this.structure(object.apiVersion ?? ''));
  }

  fromStored(object: ApiObject, apiVersion: string): ApiObject {
    this.#tidy(object, 'lenient');
    // Objects that were stored before generations were counted begin with the first.
    object.metadata.generation ??= 1;
    applyDefaults(object, this.structure(object.apiVersion ?? ''));
    return object.apiVersion === apiVersion ? object : this.#convert(object, apiVersion);
  }

  convert(object: ApiObject, apiVersion: string): ApiObject {
    return object.apiVersion === apiVersion ? object : this.#convert(clone(object), apiVersion);
  }

  #convert(object: ApiObject, apiVersion: string): ApiObject {
    const { strategy } = this.#definition.spec.conversion ?? { strategy: 'None' };
    if (strategy === 'Webhook')
      throw unexpected(`conversion webhook for ${object.apiVersion}, Kind=${object.kind} failed: it can't be reached`);
    const converted = { ...object, apiVersion };
    this.#tidy(converted, 'lenient');
    return converted;
  }

  /** Without a structure nothing but metadata is known. */
  #tidy(object: ApiObject, how: Coercion): void {
    const structure = this.structure(object.apiVersion ?? '');
    if (!this.preservesUnknown) {
      const { apiVersion: _version, kind: _kind, metadata: _metadata, ...content } = object;
      prune(content, structure);
      dropNulls(content, structure);
      for (const name of Object.keys(object)) {
        if (!META_FIELDS.has(name) && !Object.hasOwn(content, name)) Reflect.deleteProperty(object, name);
      }
    }
    coerceEmbedded(this.#names, object, structure, how);
  }
}
