/** What patches and applies are refused with, word for word, and how owners are read and written. */
import { beforeAll, describe, expect, it } from 'vitest';
import { applyPatch, jsonPatching, type PatchForm } from '../../src/merge/index.ts';
import { lastApplied, lastAppliedKey, lastAppliedText, withLastApplied } from '../../src/merge/lastApplied.ts';
import {
  decodeOwners,
  encodeOwners,
  identify,
  keepEmptyOwners,
  OwnersError,
  secondsOf,
  timeText,
} from '../../src/merge/apply/owners.ts';
import { conflictError } from '../../src/merge/apply/conflicts.ts';
import { decodeFields, encodeFields } from '../../src/merge/apply/fieldsV1.ts';
import { fieldType, itemType } from '../../src/merge/strategic/fieldTypes.ts';
import type { ApiObject } from '../../src/schema/index.ts';
import { History, names, nodeOf, refusal } from './support.ts';

beforeAll(async () => {
  await jsonPatching.load();
});

describe('a patch is refused with', () => {
  const pod = nodeOf('v1 Pod');
  const document = { metadata: { name: 'p', labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const tooMany = JSON.stringify(Array.from({ length: 10_001 }, () => ({ op: 'test', path: '', value: {} })));

  it.each<[PatchForm, string, number, string]>([
    ['json', '{}', 400, 'a JSON patch is a list of operations'],
    ['json', '"x"', 400, 'a JSON patch is a list of operations'],
    ['json', '[1]', 400, 'an operation of a JSON patch is an object'],
    ['json', tooMany, 413, 'The allowed maximum operations in a JSON patch is 10000, got 10001'],
    ['json', '[null]', 422, 'Unexpected kind: unknown'],
    ['json', '[{"op":1}]', 422, 'Unexpected kind: unknown'],
    ['json', '[{"op":"constructor"}]', 422, 'Unexpected kind: constructor'],
    ['json', '[{"op":"remove"}]', 422, 'operation is missing path field'],
    ['json', '[{"op":"move","path":"/a"}]', 422, 'operation is missing from field'],
    ['merge', '1', 500, 'Invalid JSON Patch'],
    ['merge', 'null', 500, 'Invalid JSON Patch'],
    [
      'strategic',
      '{"spec":{"containers":[1]}}',
      500,
      'list element types are not identical: [[map[image:i name:c]] [1]]',
    ],
    [
      'strategic',
      '{"spec":{"containers":[{"image":"x"}]}}',
      500,
      'map: map[image:x] does not contain declared merge key: name',
    ],
    ['strategic', '{"spec":{"$patch":"other"}}', 500, 'unknown patch type: other in map: map[$patch:other]'],
  ])('%s %s: %i %s', (form, body, code, message) => {
    const refused = refusal(() => applyPatch(form, document, body, pod));
    expect([refused.code, refused.message]).toEqual([code, expect.stringContaining(message)]);
  });

  it.each([
    ['json', '{"a":', 400],
    ['merge', '{"a":', 500],
  ] as const)('%s %s: the parser’s own words', (form, body, code) => {
    const refused = refusal(() => applyPatch(form, document, body, pod));
    expect(refused.code).toBe(code);
    expect(refused.message).toMatch(/^the patch is not valid JSON: .+/);
  });

  it.each(['json', 'merge', 'strategic'] as const)(
    '%s: more than 1,000 levels at once, but not one after the other',
    (form) => {
      const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
      const refused = refusal(() => applyPatch(form, document, deep(1001), pod));
      expect([refused.code, refused.message]).toEqual([400, 'the patch nests deeper than 1000 levels']);
      const wide = JSON.stringify({
        metadata: { annotations: { a: 'x' } },
        more: Array.from({ length: 2000 }, () => ({})),
      });
      expect(applyPatch('merge', document, wide, pod)).toMatchObject({ metadata: { annotations: { a: 'x' } } });
    },
  );

  it('takes 10,000 operations', () => {
    const body = JSON.stringify(
      Array.from({ length: 10_000 }, () => ({ op: 'test', path: '/metadata/name', value: 'p' })),
    );
    expect(applyPatch('json', document, body, pod)).toEqual(document);
  });
});

describe('the type of a field', () => {
  const spec = fieldType(nodeOf('v1 Pod'), 'spec').of;
  it.each([
    ['containers', true, 'name'],
    ['tolerations', false, ''],
    ['volumes', true, 'name'],
    ['nodeSelector', false, ''],
    ['imagePullSecrets', true, 'name'],
  ])('%s is a list that merges: %j, with the key %j', (name, merges, mergeKey) => {
    expect(fieldType(spec, name)).toMatchObject({ merges, mergeKey });
  });

  it('has items where it is a list', () => {
    expect(itemType(fieldType(spec, 'containers'), 'containers').type).toBe('struct');
    expect(() => itemType(fieldType(spec, 'hostname'), 'hostname')).toThrow(
      'expected slice or array type for hostname, but got: ',
    );
  });

  it('is unknown in what is no struct', () => {
    const map = fieldType(spec, 'nodeSelector').of;
    expect(() => fieldType(map, 'x')).toThrow('merging an object in json but data type is not struct, instead is: map');
  });
});

describe('an apply is refused with', () => {
  const base = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' } };
  it.each<[object, string]>([
    [{ spec: { replicas: 'three' } }, '.spec.replicas: expected number, got "three"'],
    [{ spec: { none: 1 } }, '.spec.none: field not declared in schema'],
    [{ spec: 7 }, '.spec: expected map, got 7'],
    [{ spec: { template: { spec: { containers: {} } } } }, '.spec.template.spec.containers: expected list, got {}'],
    [
      { spec: { template: { spec: { containers: [{ name: 'x' }, { name: 'x' }] } } } },
      '.spec.template.spec.containers: duplicate entries for key k:{"name":"x"}',
    ],
    [
      { spec: { template: { spec: { containers: [{ name: 'a', image: 7 }] } } } },
      '.spec.template.spec.containers[name="a"].image: expected string, got 7',
    ],
    [
      { metadata: { name: 'd', finalizers: [{}] } },
      ".metadata.finalizers: associative list without keys has an element that's a list or map type",
    ],
    [
      { metadata: { name: 'd', finalizers: [null] } },
      ".metadata.finalizers: associative list without keys has an element that's an explicit null",
    ],
    [{ kind: 'ReplicaSet' }, 'failed to create typed patch object: expected kind Deployment'],
    [{ kind: undefined }, 'failed to create typed patch object: expected kind Deployment'],
    [{ metadata: { name: 'd', managedFields: [] } }, 'metadata.managedFields must be nil'],
    [{ metadata: { name: 'd', labels: { a: 1 } } }, '.metadata.labels.a: expected string, got 1'],
  ])('%j: %s', (fields, message) => {
    expect(() => new History('apps/v1 Deployment').apply('m', { ...base, ...fields })).toThrow(message);
  });

  it.each([
    ['v1', '"v1"'],
    [undefined, '""'],
  ])('another version: %s', (apiVersion, shown) => {
    const applied = { ...base, apiVersion };
    expect(() => new History('apps/v1 Deployment').apply('m', applied, { apiVersion: 'apps/v1' })).toThrow(
      `Incorrect version specified in apply patch. Specified patch version: ${shown}, expected: apps/v1`,
    );
  });

  it('owners of the live object that cannot be read', () => {
    const history = new History('apps/v1 Deployment');
    history.live = {
      ...base,
      metadata: { name: 'd', managedFields: [{ manager: 'x', fieldsType: 'V2' }] },
    } as ApiObject;
    expect(() => history.apply('m', base)).toThrow('failed to decode managed fields: invalid fieldsType "V2"');
  });

  it.each([
    [{ operation: 'Apply' }, '"m"'],
    [{ operation: 'Update', time: '2021-01-01T00:00:00Z' }, '"m" using v1 at 2021-01-01T00:00:00Z'],
    [{ operation: 'Update' }, '"m" using v1'],
  ])('a conflict with %j names %s', (owner, who) => {
    const fields = decodeFields({ 'f:data': { 'f:a': {} } });
    const { status } = conflictError([
      { owner: { manager: 'm', apiVersion: 'v1', time: undefined, ...owner, fields }, fields },
    ]);
    expect(status).toMatchObject({
      code: 409,
      reason: 'Conflict',
      message: `Apply failed with 1 conflict: conflict with ${who}: .data.a`,
      details: { causes: [{ reason: 'FieldManagerConflict', message: `conflict with ${who}`, field: '.data.a' }] },
    });
  });

  it('conflicts by owner: one in a sentence, several in a list', () => {
    const history = new History('apps/v1 Deployment');
    history.update('one', { ...base, spec: { replicas: 1, minReadySeconds: 2 } });
    const refused = (fields: object): string =>
      refusal(() => history.apply('two', { ...base, spec: fields })).message ?? '';
    expect(refused({ replicas: 5 })).toMatch(
      /^Apply failed with 1 conflict: conflict with "one" using apps\/v1 at \S+Z: \.spec\.replicas$/,
    );
    expect(refused({ replicas: 5, minReadySeconds: 6 })).toMatch(
      /^Apply failed with 2 conflicts: conflicts with "one" using apps\/v1 at \S+Z:\n- \.spec\.minReadySeconds\n- \.spec\.replicas$/,
    );
  });
});

describe('owners', () => {
  const fieldsV1 = { 'f:spec': { 'f:replicas': {} } };
  const entry = {
    manager: 'm',
    operation: 'Update',
    apiVersion: 'v1',
    time: '2021-01-01T00:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1,
  };

  it.each<[unknown, string]>([
    [[{}], 'invalid fieldsType ""'],
    [[{ ...entry, fieldsType: 'Other' }], 'invalid fieldsType "Other"'],
    [['x'], 'invalid fieldsType ""'],
    [[{ ...entry, fieldsV1: { 'f:x': 7 } }], 'fields of m: '],
  ])('%j are refused: %s', (entries, message) => {
    expect(() => decodeOwners(entries)).toThrow(OwnersError);
    expect(() => decodeOwners(entries)).toThrow(message);
  });

  it.each([undefined, null, {}, 'x', []])('%j are none', (entries) => {
    expect(decodeOwners(entries).size).toBe(0);
    expect(encodeOwners(decodeOwners(entries))).toBeUndefined();
  });

  it.each<[string, object, object]>([
    ['all fields', entry, entry],
    ['the least', { fieldsType: 'FieldsV1' }, { fieldsType: 'FieldsV1', fieldsV1: {} }],
    [
      'an empty manager',
      { ...entry, manager: '' },
      { operation: 'Update', apiVersion: 'v1', time: entry.time, fieldsType: 'FieldsV1', fieldsV1 },
    ],
  ])('are written as they were read: %s', (_what, read, written) => {
    expect(encodeOwners(decodeOwners([read]))).toEqual([written]);
  });

  it('come appliers first, then the oldest, then by name and version', () => {
    const of = (operation: string, time: string | undefined, manager: string, apiVersion = 'v1'): object => ({
      ...entry,
      operation,
      manager,
      apiVersion,
      ...(time === undefined ? { time: undefined } : { time: `2021-01-01T00:00:0${time}Z` }),
    });
    const sorted = [
      of('Apply', '9', 'z'),
      of('Update', undefined, 'y'),
      of('Update', '1', 'b', 'v1'),
      of('Update', '1', 'b', 'v2'),
      of('Update', '1', 'c'),
      of('Update', '2', 'a'),
    ];
    const shown = (entries: readonly object[] | undefined): unknown =>
      entries?.map((each) =>
        ['operation', 'time', 'manager', 'apiVersion'].map((field) => (each as Record<string, unknown>)[field]),
      );
    for (const mixed of [[...sorted].reverse(), [2, 5, 0, 4, 1, 3].map((i) => sorted[i])])
      expect(shown(encodeOwners(decodeOwners(mixed)))).toEqual(shown(sorted));
  });

  it.each([
    [
      { manager: 'm', operation: 'Apply', apiVersion: 'v1' },
      { manager: 'm', operation: 'Apply', apiVersion: 'v2' },
      true,
    ],
    [
      { manager: 'm', operation: 'Update', apiVersion: 'v1' },
      { manager: 'm', operation: 'Update', apiVersion: 'v2' },
      false,
    ],
    [
      { manager: 'm', operation: 'Update', apiVersion: 'v1' },
      { manager: 'n', operation: 'Update', apiVersion: 'v1' },
      false,
    ],
    [
      { manager: 'm', operation: 'Apply', apiVersion: 'v1' },
      { manager: 'm', operation: 'Update', apiVersion: 'v1' },
      false,
    ],
  ])('%j and %j are one: %s', (a, b, same) => {
    expect(identify(a) === identify(b)).toBe(same);
  });

  it.each([
    [undefined, 0],
    ['rubbish', 0],
    ['1970-01-01T00:00:07Z', 7],
    ['1970-01-01T00:00:07.900Z', 7],
  ])('with the time %s are of second %d', (time, seconds) => {
    expect(secondsOf({ time } as Parameters<typeof secondsOf>[0])).toBe(seconds);
  });

  it('have their time written in whole seconds', () => {
    expect(timeText(7900)).toBe('1970-01-01T00:00:07Z');
  });

  it.each<[unknown, boolean]>([
    [{ metadata: { managedFields: [] } }, true],
    [{ metadata: { managedFields: [entry] } }, false],
    [{ metadata: { managedFields: null } }, false],
    [{ metadata: {} }, false],
    [{}, false],
    [7, false],
    [{ metadata: 7 }, false],
  ])('are forgotten on request: %j → %s', (raw, forgotten) => {
    const object = { metadata: { creationTimestamp: null } } as ApiObject;
    keepEmptyOwners(object, raw);
    expect(object.metadata.managedFields).toEqual(forgotten ? [] : undefined);
  });
});

describe('the fields of an owner', () => {
  it('are read anew from an object that may have changed', () => {
    const fields = { 'f:a': {} };
    decodeFields(fields);
    expect(encodeFields(decodeFields(Object.assign(fields, { 'f:b': null })))).toEqual({ 'f:a': {}, 'f:b': {} });
  });

  it.each([
    [7, 'expected an object of path elements, got 7'],
    [{ 'f:a': [] }, 'expected an object of path elements, got []'],
  ])('are no %j', (fields, message) => {
    expect(() => decodeFields(fields)).toThrow(message);
  });
});

describe('the manifest of the last apply', () => {
  const key = 'kubectl.kubernetes.io/last-applied-configuration';
  const object = (annotations?: Record<string, string>): ApiObject =>
    ({
      metadata: { name: 'x', creationTimestamp: null, ...(annotations && { annotations }) },
      data: { b: '<&>\u2028\u2029', a: '1' },
    }) as ApiObject;

  it('has its annotation', () => {
    expect(lastAppliedKey(names)).toBe(key);
    expect([lastAppliedText(object(), names), lastAppliedText(object({ [key]: 'text' }), names)]).toEqual([
      undefined,
      'text',
    ]);
  });

  it.each([
    [undefined, {}],
    ['{"a":1}', { a: 1 }],
    ['[1]', {}],
    ['null', {}],
    ['{', {}],
    ['', {}],
  ])('%j is read as %j', (text, read) => {
    expect(lastApplied(object(text === undefined ? undefined : { [key]: text }), names)).toEqual(read);
  });

  it('is written with sorted keys and without itself, and these characters escaped', () => {
    const written =
      '{"data":{"a":"1","b":"\\u003c\\u0026\\u003e\\u2028\\u2029"},"metadata":{"annotations":{"mine":"y"},"creationTimestamp":null,"name":"x"}}\n';
    for (const annotations of [{ mine: 'y' }, { mine: 'y', [key]: 'old' }]) {
      const before = object(annotations);
      expect(withLastApplied(before, names)).toEqual({
        ...before,
        metadata: { ...before.metadata, annotations: { mine: 'y', [key]: written } },
      });
    }
    expect(withLastApplied(object(), names).metadata.annotations).toEqual({ [key]: written.replace('"mine":"y"', '') });
  });
});
