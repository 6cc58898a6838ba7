/** Objects that the reference has taken, changed at random: most of each is in order, so that checks get far. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { namesOf } from '../../src/names/index.ts';
import { createScheme, encodeProtobuf, kinds, type Resource } from '../../src/schema/index.ts';
import { clone, isObject, setOwn, toBase64 } from '../../src/std/index.ts';
import type { RequestInput } from './input.ts';
import { inherited, jsonOf, oddScalars, oneOf } from './words.ts';

type Fields = Record<string, unknown>;

interface Sample {
  readonly resource: Resource;
  readonly object: Fields;
}

const scheme = createScheme(namesOf('k8s.io'), kinds);

export const samples: readonly Sample[] = readSamples();

function readSamples(): Sample[] {
  const text = readFileSync('test/protobuf/fixtures.json', 'utf8');
  const lists = Object.values(JSON.parse(text) as Record<string, { json: Fields }[]>);
  return lists.flat().flatMap(({ json }) => {
    const [group, version] = splitVersion(String(json['apiVersion']));
    const resource = scheme.byKind({ group, version, kind: String(json['kind']) });
    return resource?.verbs.includes('create') ? [{ resource, object: withoutIdentity(json) }] : [];
  });
}

function splitVersion(apiVersion: string): readonly [string, string] {
  const [first = '', second] = apiVersion.split('/');
  return second === undefined ? ['', first] : [first, second];
}

function withoutIdentity(object: Fields): Fields {
  const { uid: _u, resourceVersion: _r, managedFields: _m, ...metadata } = object['metadata'] as Fields;
  return { ...object, metadata: { ...metadata, namespace: undefined } };
}

/** The path of a resource's collection, in the namespace `default` where it has one. */
export function collectionOf({ gvk, gvr, apiVersion, namespaced }: Resource): string {
  const root = gvk.group === '' ? `/api/${apiVersion}` : `/apis/${apiVersion}`;
  return `${root}${namespaced ? '/namespaces/default' : ''}/${gvr.resource}`;
}

interface Place {
  readonly container: Fields | unknown[];
  readonly key: string;
}

/** Every place in a value where another value may be put. */
function placesIn(value: unknown): Place[] {
  if (Array.isArray(value)) {
    const list: unknown[] = value;
    return list.flatMap((item, i) => [{ container: list, key: String(i) }, ...placesIn(item)]);
  }
  if (!isObject(value)) return [];
  return Object.keys(value).flatMap((key) => [{ container: value, key }, ...placesIn(value[key])]);
}

const replacements = fc.oneof({ weight: 4, arbitrary: oddScalars }, { weight: 1, arbitrary: jsonOf(inherited) });
const changes = fc.array(fc.record({ at: fc.nat(10_000), value: replacements, kind: fc.nat(5) }), {
  minLength: 0,
  maxLength: 4,
});

type Change = typeof changes extends fc.Arbitrary<(infer T)[]> ? T : never;

function changed(object: Fields, list: readonly Change[]): Fields {
  const result = clone(object);
  for (const { at, value, kind } of list) {
    const places = placesIn(result).filter(({ key }) => key !== 'apiVersion' && key !== 'kind');
    const place = places[at % Math.max(places.length, 1)];
    if (place) change(place, kind, value);
  }
  return result;
}

/** Replaces, repeats or removes what stands in a place, or puts a key beside it. */
function change({ container, key }: Place, kind: number, value: unknown): void {
  if (Array.isArray(container)) {
    if (kind === 0) container.splice(Number(key), 1);
    else if (kind === 1) container.push(clone(container[Number(key)]));
    else container[Number(key)] = value;
  } else if (kind === 0) delete container[key];
  else if (kind === 1) setOwn(container, typeof value === 'string' ? value : 'extra', value);
  else setOwn(container, key, value);
}

export const changedSamples = fc
  .tuple(oneOf(samples), changes)
  .map(([{ resource, object }, list]) => ({ resource, object: changed(object, list) }));

const json = [['content-type', 'application/json']] as const;

/** Creations, and a few dry runs. */
export const creations: fc.Arbitrary<RequestInput> = fc
  .tuple(changedSamples, fc.nat(9))
  .map(([{ resource, object }, chance]) => ({
    method: 'POST',
    path: `${collectionOf(resource)}${chance === 0 ? '?dryRun=All' : ''}`,
    headers: json,
    body: JSON.stringify(object),
  }));

/** Objects as Protobuf, with bytes changed. */
export const protobuf: fc.Arbitrary<RequestInput> = fc
  .tuple(
    oneOf(samples),
    fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }),
    fc.option(fc.nat(2_000), { freq: 5 }),
  )
  .map(([{ resource, object }, edits, cut]) => {
    const whole = encodeProtobuf(scheme, { ...object, ...resource.gvk, apiVersion: resource.apiVersion } as never);
    const bytes = whole.slice(0, cut ?? whole.length);
    for (const [at, byte] of edits) if (bytes.length > 0) bytes[at % bytes.length] = byte;
    return {
      method: 'POST',
      path: collectionOf(resource),
      headers: [['content-type', 'application/vnd.kubernetes.protobuf']],
      bytes: toBase64(bytes),
    };
  });

const FORMS = {
  'application/merge-patch+json': '',
  'application/strategic-merge-patch+json': '',
  'application/apply-patch+yaml': '?fieldManager=fuzz&force=true',
} as const;

/** Patches of objects that may be there: an apply makes them. */
export const patches: fc.Arbitrary<RequestInput> = fc
  .tuple(changedSamples, fc.constantFrom(...(Object.keys(FORMS) as (keyof typeof FORMS)[])), fc.nat(3))
  .map(([{ resource, object }, type, number]) => ({
    method: 'PATCH',
    path: `${collectionOf(resource)}/fuzz-${number}${FORMS[type]}`,
    headers: [['content-type', type]],
    body: JSON.stringify({ ...object, metadata: { ...(object['metadata'] as object), name: `fuzz-${number}` } }),
  }));
