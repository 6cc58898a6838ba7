/** The versions of a custom resource, and conversion between them. */
import type { Names } from '../../names/index.ts';
import { assert, clone, must } from '../../std/index.ts';
import type { CustomResourceDefinition } from '../apiextensions/customResourceDefinition.ts';
import type { ApiObject } from '../define/kind.ts';
import { DecodeError } from '../derive/scheme.ts';
import { unexpected } from '../status.ts';
import { applyDefaults } from './defaults.ts';
import { coerceEmbedded, salvageMeta, type Coercion } from './embedded.ts';
import { dropNulls, META_FIELDS, prune } from './prune.ts';
import { markersOf, structuralOf, type Structural } from './structural.ts';

/**
 * Converts objects with a webhook: all at once, in order; none has the desired version. Rejects with a StatusError if
 * it fails.
 */
export type ConvertRemotely = (objects: readonly ApiObject[], apiVersion: string) => Promise<readonly ApiObject[]>;

export class Family {
  readonly preservesUnknown: boolean;
  /** `group/version` of the version in which objects are stored. */
  readonly storedAs: string;
  /** Undefined where no webhook is needed. */
  readonly remote: ConvertRemotely | undefined;
  readonly #names: Names;
  readonly #structures: ReadonlyMap<string, Structural | undefined>;

  constructor(names: Names, definition: CustomResourceDefinition, remote: ConvertRemotely | undefined) {
    const { group, versions, preserveUnknownFields = false } = definition.spec;
    const markers = markersOf(names);
    this.remote = remote;
    this.#names = names;
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
    this.#applyDefaults(object);
  }

  completeApplied({ metadata, ...content }: ApiObject): ApiObject {
    const object = { ...content, metadata: salvageMeta(this.#names, metadata) ?? { creationTimestamp: null } };
    this.#applyDefaults(object);
    return object;
  }

  settle(object: ApiObject): void {
    this.#tidy(object, 'lenient');
    this.#applyDefaults(object);
  }

  fromStored(object: ApiObject, apiVersion: string): ApiObject {
    this.#read(object);
    return object.apiVersion === apiVersion ? object : this.#convert(object, apiVersion);
  }

  convert(object: ApiObject, apiVersion: string): ApiObject {
    return object.apiVersion === apiVersion ? object : this.#convert(clone(object), apiVersion);
  }

  fromStoredRemotely(objects: readonly ApiObject[], apiVersion: string): Promise<readonly ApiObject[]> {
    for (const object of objects) this.#read(object);
    return this.convertRemotely(objects, apiVersion);
  }

  async convertRemotely(objects: readonly ApiObject[], apiVersion: string): Promise<readonly ApiObject[]> {
    const converted = await this.convertBare(objects, apiVersion);
    converted.forEach((object, i) => {
      if (object !== objects[i]) this.#receive(object);
    });
    return converted;
  }

  async convertBare(objects: readonly ApiObject[], apiVersion: string): Promise<readonly ApiObject[]> {
    const others = objects.filter((object) => object.apiVersion !== apiVersion);
    if (others.length === 0) return objects;
    const converted = (await must(this.remote, 'a webhook converts')(others, apiVersion)).values();
    return objects.map((object) =>
      object.apiVersion === apiVersion ? object : must(converted.next().value, 'as many come back as were sent'),
    );
  }

  #applyDefaults(object: ApiObject): void {
    applyDefaults(object, this.structure(object.apiVersion ?? ''));
  }

  /** Processes a stored object with its own version's schema. */
  #read(object: ApiObject): void {
    // Objects that were stored before generations were counted begin with the first.
    object.metadata.generation ??= 1;
    this.settle(object);
  }

  #convert(object: ApiObject, apiVersion: string): ApiObject {
    assert(!this.remote, 'nobody waits for a webhook here');
    const converted = { ...object, apiVersion };
    this.#tidy(converted, 'lenient');
    return converted;
  }

  /** Processes a webhook's result: drops fields that the schema lacks. */
  #receive(object: ApiObject): void {
    try {
      this.#tidy(object, 'strict');
    } catch (error) {
      throw error instanceof DecodeError ? unexpected(error.message) : error;
    }
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
