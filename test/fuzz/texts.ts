/** Requests around one text with a grammar of its own: selectors, headers, YAML, schemas, reviews. */
import fc from 'fast-check';
import type { RequestInput } from './input.ts';
import { inherited, jsonOf, oddNumbers, oddTexts } from './words.ts';

const json = [['content-type', 'application/json']] as const;
const post = (path: string, body: unknown): RequestInput => ({
  method: 'POST',
  path,
  headers: json,
  body: JSON.stringify(body),
});

/** Texts made of the pieces of a grammar, in any order. */
const piecesOf = (...pieces: string[]): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...pieces) }, { weight: 1, arbitrary: oddTexts }))
    .map((list) => list.join(''));

const labelSelectors = piecesOf('a', 'b/c', '=', '==', '!=', '!', ',', ' in ', ' notin ', '(', ')', ' ', '<', '>', '5');
const fieldSelectors = piecesOf('metadata.name', 'spec.nodeName', 'type', '=', '==', '!=', ',', '\\', 'a', ' ');
const collections = fc.constantFrom(
  '/api/v1/pods',
  '/api/v1/events',
  '/api/v1/namespaces/default/configmaps',
  '/apis/batch/v1/jobs',
);

export const selectors: fc.Arbitrary<RequestInput> = fc
  .tuple(collections, labelSelectors, fieldSelectors, fc.nat(2))
  .map(([path, labels, fields, which]) => {
    const query = new URLSearchParams();
    if (which !== 0) query.set('labelSelector', labels);
    if (which !== 1) query.set('fieldSelector', fields);
    return { method: 'GET', path: `${path}?${query.toString()}`, headers: [] };
  });

const headerNames = fc.oneof(
  fc.constantFrom('accept', 'content-type', 'user-agent', 'impersonate-user', 'impersonate-group', 'authorization'),
  fc.constantFrom('accept-encoding', 'x-remote-user', 'x-remote-group', 'audit-id', 'content-length', 'if-match'),
  fc.oneof(inherited, oddTexts).map((key) => `impersonate-extra-${key}`),
);
const headerValues = fc.oneof(
  oddTexts,
  piecesOf(
    'application/json',
    'as=Table',
    'v=v1',
    'g=meta.k8s.io',
    ';',
    ',',
    '*/*',
    'q=0.5',
    'Bearer ',
    'Basic ',
    'e30.e30.',
    '=',
  ),
);

export const headers: fc.Arbitrary<RequestInput> = fc
  .tuple(collections, fc.array(fc.tuple(headerNames, headerValues), { maxLength: 4 }))
  .map(([path, list]) => ({ method: 'GET', path, headers: list }));

const yamlBodies = piecesOf(
  ...['apiVersion: v1\n', 'kind: ConfigMap\n', 'metadata:\n', '  name: a\n', 'data:\n', '  a: ', 'b', '\n', '---\n'],
  ...['- ', '{', '}', '[', ']', ': ', '&a ', '*a', '|\n', '>-\n', '"', "'", '!!binary ', '!!str ', '# ', '? ', '<<: '],
);

export const yaml: fc.Arbitrary<RequestInput> = yamlBodies.map((body) => ({
  method: 'POST',
  path: '/api/v1/namespaces/default/configmaps',
  headers: [['content-type', 'application/yaml']],
  body,
}));

const schemaKeys = fc.oneof(
  fc.constantFrom(
    'type',
    'properties',
    'items',
    'additionalProperties',
    'required',
    'enum',
    'pattern',
    'format',
    'not',
  ),
  fc.constantFrom(
    'default',
    'nullable',
    'minimum',
    'maxLength',
    'anyOf',
    'allOf',
    'oneOf',
    'uniqueItems',
    'multipleOf',
  ),
  fc.constantFrom('x-kubernetes-preserve-unknown-fields', 'x-kubernetes-int-or-string', 'x-kubernetes-list-type'),
  fc.constantFrom(
    'x-kubernetes-list-map-keys',
    'x-kubernetes-embedded-resource',
    '$ref',
    'definitions',
    'dependencies',
  ),
  inherited,
);
const patterns = piecesOf(
  '^',
  '$',
  '(',
  ')',
  '[',
  ']',
  '*',
  '+',
  '?',
  '{2}',
  '{1,1000}',
  '|',
  '\\d',
  '\\p{L}',
  '(?i)',
  '(?P<a>',
  'a',
  '.',
);
const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'medium' },
    fc.record({ type: fc.constantFrom('object', 'string', 'integer', 'array', 'boolean', 'number', 'x') }),
    fc.record({ type: fc.constant('string'), pattern: patterns }),
    fc.record({ type: fc.constant('object'), properties: fc.dictionary(oddTexts, tie('schema'), { maxKeys: 3 }) }),
    fc.record({ type: fc.constant('array'), items: tie('schema') }),
    fc.dictionary(schemaKeys, fc.oneof(tie('schema'), jsonOf(schemaKeys)), { maxKeys: 4 }),
  ),
}));

/** Definitions, taken only on trial: those that are taken for good are what `customObjects` are about. */
export const definitions: fc.Arbitrary<RequestInput> = fc
  .tuple(schema, jsonOf(schemaKeys), fc.nat(3))
  .map(([inner, odd, chance]) =>
    post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All', {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'things.fuzz.example.com' },
      spec: {
        group: 'fuzz.example.com',
        scope: 'Namespaced',
        names: { plural: 'things', kind: 'Thing', ...(chance === 0 ? { shortNames: odd } : {}) },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', properties: { spec: inner } } },
            ...(chance === 1 ? { additionalPrinterColumns: odd, subresources: odd } : {}),
          },
        ],
      },
    }),
  );

const REVIEWS: Readonly<Record<string, string>> = {
  TokenReview: '/apis/authentication.k8s.io/v1/tokenreviews',
  SubjectAccessReview: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
  SelfSubjectAccessReview: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
  SelfSubjectRulesReview: '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
};

const reviewSpecs = fc.record(
  {
    token: oddTexts,
    user: oddTexts,
    groups: fc.array(oddTexts, { maxLength: 2 }),
    extra: fc.dictionary(oddTexts, fc.array(oddTexts, { maxLength: 2 }), { maxKeys: 2 }),
    uid: oddTexts,
    namespace: oddTexts,
    audiences: fc.array(oddTexts, { maxLength: 2 }),
    resourceAttributes: fc.dictionary(
      fc.constantFrom('verb', 'group', 'resource', 'name', 'namespace', 'subresource'),
      oddTexts,
    ),
    nonResourceAttributes: fc.record({ path: oddTexts, verb: oddTexts }),
  },
  { requiredKeys: [] },
);

export const reviews: fc.Arbitrary<RequestInput> = fc
  .tuple(fc.constantFrom(...Object.keys(REVIEWS)), reviewSpecs)
  .map(([kind, spec]) => post(REVIEWS[kind] ?? '', { kind, spec }));

const steps = fc.constantFrom(
  'metadata',
  'labels',
  'annotations',
  'spec',
  'data',
  'finalizers',
  'apiVersion',
  'kind',
  '-',
  '0',
  '99',
);
const pointers = fc
  .array(fc.oneof({ weight: 6, arbitrary: steps }, { weight: 1, arbitrary: oddTexts }))
  .map((list) => list.map((step) => `/${step}`).join(''));
const operations = fc.array(
  fc.record({
    op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test', 'x'),
    path: pointers,
    from: pointers,
    value: fc.oneof(oddNumbers, oddTexts, jsonOf(oddTexts)),
  }),
  { maxLength: 4 },
);
const mergeKeys = fc.oneof(
  fc.constantFrom('apiVersion', 'kind', 'metadata', 'name', 'labels', 'data', 'binaryData', 'immutable', 'finalizers'),
  fc.constantFrom(
    '$patch',
    '$retainKeys',
    '$setElementOrder/finalizers',
    '$deleteFromPrimitiveList/finalizers',
    'ownerReferences',
  ),
  oddTexts,
);

const TARGET = '/api/v1/namespaces/default/configmaps/fuzz-target';

/** Patches of one small object that is always there. */
export const smallPatches: fc.Arbitrary<RequestInput> = fc
  .tuple(
    fc.constantFrom('json-patch+json', 'merge-patch+json', 'strategic-merge-patch+json', 'apply-patch+yaml'),
    operations,
    fc.dictionary(mergeKeys, jsonOf(mergeKeys), { maxKeys: 4 }),
  )
  .map(([form, list, merge]) => ({
    method: 'PATCH',
    path: form.startsWith('apply') ? `${TARGET}?fieldManager=fuzz` : TARGET,
    headers: [['content-type', `application/${form}`]],
    body: JSON.stringify(form.startsWith('json-') ? list : merge),
  }));

/** Values for the resources of pods and quotas: long digits, odd suffixes. */
export const quantities: fc.Arbitrary<RequestInput> = piecesOf(
  '1',
  '0',
  '000000',
  '.',
  '-',
  '+',
  'm',
  'Ki',
  'E',
  'e',
  'n',
  '5',
).map((text) =>
  post('/api/v1/namespaces/default/resourcequotas?dryRun=All', {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'fuzz' },
    spec: { hard: { cpu: text } },
  }),
);
