/** Patches and apply on random objects of every kind that is declared. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonDiff, jsonPatch, mergePatch, strategicMerge } from '../../src/merge/index.ts';
import { StatusError, type ApiObject, type Resource } from '../../src/schema/index.ts';
import { objectOf } from '../schema/derive/arbitrary.ts';
import { History, scheme } from './support.ts';

const stored = scheme.all().filter(({ verbs }) => verbs.includes('patch'));
const resources = stored.map((resource) => [`${resource.apiVersion} ${resource.gvk.kind}`, resource] as const);
const runs = { numRuns: 8 };

/** Objects as a client could send them: named, without owners. */
const objects = (resource: Resource): fc.Arbitrary<ApiObject> =>
  objectOf(scheme, resource.node).map((object) => {
    const { managedFields: _, ...metadata } = object['metadata'] as Record<string, unknown>;
    const named = { ...metadata, name: 'x', uid: 'u' };
    const { gvk, apiVersion, node } = resource;
    return scheme.decode(node, { ...object, kind: gvk.kind, apiVersion, metadata: named }) as ApiObject;
  });

/** Random lists may hold items that can't be told apart, which apply refuses. */
function applied(history: History, object: ApiObject): ApiObject | undefined {
  try {
    return structuredClone(history.apply('me', object, { force: true }));
  } catch (error) {
    if (error instanceof StatusError && error.status.code === 500) return undefined;
    throw error;
  }
}

/** What defaulting makes of an empty value is taken back by each apply and put there again, which counts as a change. */
function timeless(object: ApiObject | undefined): unknown {
  return JSON.parse(JSON.stringify(object, (key, value: unknown) => (key === 'time' ? undefined : value)));
}

describe.each(resources)('any %s', (name, resource) => {
  it('is restored by the inverse of a patch', () => {
    const property = fc.property(objects(resource), objects(resource), (a, b) => {
      const there = jsonPatch(a, jsonDiff(a, b));
      expect(there).toEqual(b);
      expect(jsonPatch(there, jsonDiff(b, a))).toEqual(a);
    });
    fc.assert(property, runs);
  });

  it('is not changed by what it says itself', () => {
    const property = fc.property(objects(resource), (object) => {
      expect(scheme.decode(resource.node, mergePatch(object, object))).toEqual(object);
      expect(scheme.decode(resource.node, strategicMerge(object, {}, resource.node))).toEqual(object);
    });
    fc.assert(property, runs);
  });

  it('is the same applied twice', () => {
    const property = fc.property(objects(resource), (object) => {
      // Whoever applies nothing at all is not tracked, so there is a label.
      const configuration = { ...object, metadata: { ...object.metadata, labels: { l: 'v' } } };
      const history = new History(name);
      const once = applied(history, configuration);
      fc.pre(once !== undefined);
      expect(timeless(history.apply('me', configuration))).toEqual(timeless(once));
    });
    fc.assert(property, runs);
  });
});
