import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createViews, storedText } from '../../src/apiserver/codec/views.ts';
import { namesOf } from '../../src/names/index.ts';
import { createScheme, kinds, type ApiObject, type Resource } from '../../src/schema/index.ts';
import { must } from '../../src/std/index.ts';
import type { Entry, StorageEvent } from '../../src/storage/index.ts';

const scheme = createScheme(namesOf('k8s.io'), kinds, { runtimeConfig: '', gate: () => true });
const resourceOf = (group: string, version: string, kind: string): Resource =>
  must(scheme.byKind({ group, version, kind }), `${kind} is served`);

const key = fc.oneof(fc.constantFrom('__proto__', 'constructor', 'toString', '1', 'é', 'a/b'), fc.string());
const texts = fc.dictionary(key, fc.string());
const object = fc.record({
  kind: fc.constantFrom('ConfigMap', 'Pod', 'Deployment'),
  labels: texts,
  data: texts,
  fields: fc.dictionary(key, fc.constant({})),
  replicas: fc.option(fc.integer(), { nil: undefined }),
});

const entryOf = (form: ApiObject): Entry => ({
  ...{ key: '/k', value: storedText(form), created: 7, revision: 7, version: 1 },
});

/** An object as it is stored, made of what is arbitrary. */
function formOf({ kind, labels, data, fields, replicas }: typeof object extends fc.Arbitrary<infer T> ? T : never): {
  readonly resource: Resource;
  readonly form: ApiObject;
} {
  const resource = resourceOf(kind === 'Deployment' ? 'apps' : '', 'v1', kind);
  const managedFields = [{ manager: 'm', operation: 'Update', fieldsType: 'FieldsV1', fieldsV1: fields }];
  const containers = [{ name: 'c', image: 'i', command: Object.values(data) }];
  const raw = {
    ...{ kind, apiVersion: resource.apiVersion, metadata: { name: 'n', labels, managedFields } },
    ...(kind === 'ConfigMap' && { data }),
    ...(kind === 'Pod' && { spec: { containers, nodeSelector: data } }),
    ...(kind === 'Deployment' && { spec: { replicas, template: { spec: { containers } } } }),
  };
  return { resource, form: scheme.decode(resource.node, raw, 'stored') as ApiObject };
}

test('a stored object is shown as if its text had been parsed', () => {
  fc.assert(
    fc.property(object, (made) => {
      const { resource, form } = formOf(made);
      const views = createViews(scheme);
      const stored = entryOf(form);
      views.take(stored, resource, form);
      const [read, taken] = [views.of(entryOf(form), resource), views.of(stored, resource)];
      expect(taken.object.spec).toBe(form.spec);
      expect(taken.json()).toBe(read.json());
      expect(taken.object).toEqual(read.object);
      expect(Object.isFrozen(taken.object.metadata)).toBe(true);
    }),
    { seed: 17, numRuns: 300 },
  );
});

test('does not replace an existing view', () => {
  const { resource, form } = formOf({
    kind: 'ConfigMap',
    labels: {},
    data: { a: '1' },
    fields: {},
    replicas: undefined,
  });
  const entry = entryOf(form);
  const views = createViews(scheme);
  const before = views.of(entry, resource);
  views.take(entry, resource, { ...form });
  expect(views.of(entry, resource)).toBe(before);
});

test('drops views of entries after many others, and parses them again', () => {
  const { resource, form } = formOf({ kind: 'Pod', labels: {}, data: { a: '1' }, fields: {}, replicas: undefined });
  const views = createViews(scheme);
  const first = entryOf(form);
  const before = views.of(first, resource);
  views.passed(first, resource);
  expect(views.of(first, resource)).toBe(before);
  for (let i = 0; i < 2000; i++) views.passed(entryOf(form), resource);
  expect(views.of(first, resource)).not.toBe(before);
  expect(views.of(first, resource).json()).toBe(before.json());
});

test('decodes an old deletion again when it is read, with an equal result, because only recent ones keep their view', () => {
  const { resource, form } = formOf({ kind: 'Pod', labels: {}, data: { a: '1' }, fields: {}, replicas: undefined });
  const views = createViews(scheme);
  const deletion = (): StorageEvent => ({ type: 'delete', key: '/k', revision: 8, previous: entryOf(form) });
  const first = deletion();
  const before = views.ofDeleted(first, resource);
  expect(before.object.metadata?.resourceVersion).toBe('8');
  expect(views.ofDeleted(first, resource)).toBe(before);
  for (let i = 0; i < 2000; i++) views.ofDeleted(deletion(), resource);
  expect(views.ofDeleted(first, resource)).not.toBe(before);
  expect(views.ofDeleted(first, resource).json()).toBe(before.json());
});

test('caches only texts that will be used again', () => {
  const { resource, form } = formOf({ kind: 'Pod', labels: {}, data: {}, fields: {}, replicas: undefined });
  const view = createViews(scheme).of(entryOf(form), resource);
  const line = `${JSON.stringify(view.object)}\n`;
  expect(view.lineOnce()).toBe(line);
  expect(view.isWritten).toBe(false);
  expect([view.line(), view.json()]).toEqual([line, line.slice(0, -1)]);
  expect(view.isWritten).toBe(true);
});

test('shows an entry in each version of its kind', () => {
  const views = createViews(scheme);
  const events = [resourceOf('', 'v1', 'Event'), resourceOf('events.k8s.io', 'v1', 'Event')] as const;
  const event = entryOf(
    scheme.decode(events[0].hub.node, { kind: 'Event', metadata: { name: 'e' } }, 'stored') as ApiObject,
  );
  const shown = events.map((resource) => views.of(event, resource));
  expect(shown[0]).not.toBe(shown[1]);
  expect(events.map((resource) => views.of(event, resource) === shown[events.indexOf(resource)])).toEqual([true, true]);
});
