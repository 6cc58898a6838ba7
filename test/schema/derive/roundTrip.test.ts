import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { namesOf } from '../../../src/names/index.ts';
import {
  createScheme,
  decodeProtobuf,
  encodeProtobuf,
  kinds,
  type ApiObject,
  type Resource,
} from '../../../src/schema/index.ts';
import { isObject } from '../../../src/std/index.ts';
import { objectOf } from './arbitrary.ts';

const scheme = createScheme(namesOf('cluster.io'), kinds, { runtimeConfig: 'api/all=true', gate: () => true });
const resources = scheme.all().map((resource) => [`${resource.apiVersion} ${resource.gvk.kind}`, resource] as const);
const runs = { numRuns: 15 };

const normalized = (resource: Resource) =>
  objectOf(scheme, resource.node).map(
    (object) =>
      scheme.decode(resource.node, {
        ...object,
        kind: resource.gvk.kind,
        apiVersion: resource.apiVersion,
      }) as ApiObject,
  );

describe.each(resources)('any %s', (_name, resource) => {
  test('is the same when it is normalized again', () => {
    const property = fc.property(normalized(resource), (object) => {
      expect(scheme.decode(resource.node, object)).toEqual(object);
    });
    fc.assert(property, runs);
  });

  test('takes over the fields that it shares with a known object, and is what it would be without', () => {
    const property = fc.property(normalized(resource), normalized(resource), (known, other) => {
      const form = resource.declaration.storesEmpty ? 'sent' : 'stored';
      const mixed = { ...other, ...known, metadata: other.metadata };
      const decoded = scheme.decode(resource.node, mixed, form, known) as ApiObject;
      expect(decoded).toEqual(scheme.decode(resource.node, mixed, form));
      for (const [name, value] of Object.entries(known))
        if (name !== 'metadata' && typeof value === 'object') expect(decoded[name]).toBe(value);
    });
    fc.assert(property, runs);
  });

  test('takes over what its parts share with those of a known object', () => {
    const property = fc.property(normalized(resource), normalized(resource), (known, other) => {
      const form = resource.declaration.storesEmpty ? 'sent' : 'stored';
      const mixed: Record<string, unknown> = { ...other };
      for (const [name, value] of Object.entries(known))
        if (isObject(value) && isObject(other[name])) mixed[name] = { ...other[name], ...value };
      const decoded = scheme.decode(resource.node, mixed, form, known);
      expect(decoded).toEqual(scheme.decode(resource.node, mixed, form));
    });
    fc.assert(property, runs);
  });

  test('comes back from Protobuf as it was', () => {
    const property = fc.property(normalized(resource), (object) => {
      const bytes = encodeProtobuf(scheme, object);
      const back = scheme.decode(resource.node, decodeProtobuf(scheme, bytes));
      expect(back).toEqual(object);
      expect(encodeProtobuf(scheme, back as ApiObject)).toEqual(bytes);
    });
    fc.assert(property, runs);
  });

  test('is not changed by defaults a second time', () => {
    const property = fc.property(normalized(resource), (object) => {
      scheme.applyDefaults(resource, object);
      const once = structuredClone(object);
      scheme.applyDefaults(resource, object);
      expect(object).toEqual(once);
    });
    fc.assert(property, runs);
  });
});

/** Versions that say less than the hub, or say it in more than one way, are told apart in `conversion.test.ts`. */
const SPECIAL = /customresourcedefinitions|v1alpha1\/\w*rolebindings|v1\/horizontalpodautoscalers/;

const others = resources.filter(
  ([, { hub, gvr }]) => hub.gvr.version !== gvr.version && !SPECIAL.test(`${gvr.version}/${gvr.resource}`),
);

describe.each(others)('any %s', (_name, resource) => {
  test('is the same after a way through the version that is stored', () => {
    const property = fc.property(normalized(resource), (object) => {
      scheme.applyDefaults(resource, object);
      const defaulted = scheme.decode(resource.node, object) as ApiObject;
      const back = scheme.convert(scheme.convert(defaulted, resource, resource.hub), resource.hub, resource);
      expect(back).toEqual(defaulted);
    });
    fc.assert(property, runs);
  });
});
