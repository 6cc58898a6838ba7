import { describe, expect, it } from 'vitest';
import { catalogOf, kindsIn, schemaFor } from '../../src/ui/editor/schema.ts';

const gvk = (group: string, version: string, kind: string): object => ({
  'x-cluster-group-version-kind': [{ group, version, kind }],
});

const document = {
  definitions: {
    'io.cluster.Deployment': {
      type: 'object',
      properties: { spec: { $ref: '#/definitions/io.cluster.Spec' } },
      ...gvk('apps', 'v1', 'Deployment'),
    },
    'io.cluster.Spec': {
      type: 'object',
      required: ['selector'],
      properties: {
        replicas: { type: 'integer', description: 'How many.' },
        port: { $ref: '#/definitions/io.cluster.IntOrString' },
      },
    },
    'io.cluster.IntOrString': { type: 'string', format: 'int-or-string' },
    'io.cluster.PodList': { type: 'object', ...gvk('', 'v1', 'PodList') },
    'io.cluster.Pod': { type: 'object', ...gvk('', 'v1', 'Pod') },
  },
};

describe('the kinds in a text', () => {
  it.each([
    [
      'whole documents',
      'apiVersion: v1\nkind: Pod\n---\napiVersion: apps/v1\nkind: Deployment\n',
      ['v1 Pod', 'apps/v1 Deployment'],
    ],
    ['one that is being typed', 'apiVersion: v1\nkind: Pod\nspec:\n  containers:\n    - na', ['v1 Pod']],
    ['quotes and comments', 'kind: "Pod" # one\napiVersion: \'v1\'\n', ['v1 Pod']],
    ['the same kind twice', 'apiVersion: v1\nkind: Pod\n---\napiVersion: v1\nkind: Pod\n', ['v1 Pod']],
    [
      'a reference to another kind',
      'apiVersion: v1\nkind: Pod\nmetadata:\n  ownerReferences:\n    - kind: Other\n',
      ['v1 Pod'],
    ],
    ['none yet', 'apiVersion: v1\n', []],
  ])('are found among %s', (_what, text, expected) => {
    expect(kindsIn(text).map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toEqual(expected);
  });
});

describe('the editor’s schema', () => {
  const catalog = catalogOf(document);

  it('knows each kind that the server serves, lists left out', () => {
    expect(catalog.kinds.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toEqual([
      'apps/v1 Deployment',
      'v1 Pod',
    ]);
  });

  it('holds only the kinds in the text and what they refer to', () => {
    const schema = schemaFor(catalog, [{ apiVersion: 'apps/v1', kind: 'Deployment' }]);
    expect(Object.keys(schema.definitions ?? {}).sort()).toEqual([
      'io.cluster.Deployment',
      'io.cluster.IntOrString',
      'io.cluster.Spec',
    ]);
    expect(schema.allOf).toHaveLength(1);
    expect(schema.properties?.['kind']).toMatchObject({ enum: ['Deployment', 'Pod'] });
  });

  it('keeps what is said of fields, refuses fields that there are not, and takes ports in both forms', () => {
    expect(catalog.definitions['io.cluster.Spec']).toMatchObject({
      required: ['selector'],
      additionalProperties: false,
      properties: { replicas: { type: 'integer', description: 'How many.' } },
    });
    expect(catalog.definitions['io.cluster.IntOrString']?.type).toEqual(['string', 'integer', 'number']);
  });

  it('of a document that says nothing is empty', () => {
    expect(catalogOf(undefined)).toEqual({ kinds: [], definitions: {} });
  });
});
