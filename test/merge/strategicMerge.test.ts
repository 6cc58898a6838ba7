import { describe, expect, it } from 'vitest';
import { strategicMerge } from '../../src/merge/index.ts';
import { nodeOf, refusal, yaml } from './support.ts';

interface Row {
  readonly what: string;
  readonly document: string;
  readonly patch: string;
  readonly result: string;
}

/** All of these patch the spec of a pod template. */
const rows: readonly Row[] = [
  {
    what: 'items of a list merge by key, and keep their places',
    document: 'containers: [{name: a, image: "1"}, {name: b, image: "2"}]',
    patch: 'containers: [{name: b, image: "20"}]',
    result: 'containers: [{name: a, image: "1"}, {name: b, image: "20"}]',
  },
  {
    what: 'new items come first, where nothing else says where',
    document: 'containers: [{name: a}, {name: b}]',
    patch: 'containers: [{name: c}]',
    result: 'containers: [{name: c}, {name: a}, {name: b}]',
  },
  {
    what: 'the order of the patch wins, others stay before what they stood before',
    document: 'containers: [{name: a}, {name: b}, {name: c}]',
    patch: 'containers: [{name: c}, {name: x}, {name: a}]',
    result: 'containers: [{name: b}, {name: c}, {name: x}, {name: a}]',
  },
  {
    what: 'lists merge below lists',
    document: 'containers: [{name: a, env: [{name: E, value: "1"}, {name: F, value: "2"}]}]',
    patch: 'containers: [{name: a, env: [{name: F, value: two}, {name: G}]}]',
    result: 'containers: [{name: a, env: [{name: E, value: "1"}, {name: F, value: two}, {name: G}]}]',
  },
  {
    what: 'a list without a strategy is replaced',
    document: 'tolerations: [{key: a}, {key: b}]',
    patch: 'tolerations: [{key: c}]',
    result: 'tolerations: [{key: c}]',
  },
  {
    what: 'a list of scalars without a strategy is replaced',
    document: 'containers: [{name: a, args: [x, y]}]',
    patch: 'containers: [{name: a, args: [z]}]',
    result: 'containers: [{name: a, args: [z]}]',
  },
  {
    what: 'an empty list that merges changes nothing',
    document: 'containers: [{name: a}]',
    patch: 'containers: []',
    result: 'containers: [{name: a}]',
  },
  {
    what: 'null deletes',
    document: '{hostname: h, nodeSelector: {a: b}}',
    patch: '{nodeSelector: null, subdomain: null}',
    result: 'hostname: h',
  },
  {
    what: 'maps merge',
    document: 'nodeSelector: {a: b, c: d}',
    patch: 'nodeSelector: {c: e, a: null}',
    result: 'nodeSelector: {c: e}',
  },
  {
    what: 'a value of another form replaces',
    document: 'nodeSelector: {a: b}',
    patch: 'nodeSelector: [1]',
    result: 'nodeSelector: [1]',
  },
  {
    what: 'a map replaces a text',
    document: 'nodeSelector: text',
    patch: 'nodeSelector: {a: b}',
    result: 'nodeSelector: {a: b}',
  },
  {
    what: 'the first of two items with one key is merged',
    document: 'containers: [{name: a, image: "1"}, {name: a, image: "2"}]',
    patch: 'containers: [{name: a, image: "3"}]',
    result: 'containers: [{name: a, image: "3"}, {name: a, image: "2"}]',
  },
  {
    what: '$patch: delete takes an item out',
    document: 'containers: [{name: a}, {name: b}]',
    patch: 'containers: [{name: a, $patch: delete}, {name: none, $patch: delete}]',
    result: 'containers: [{name: b}]',
  },
  {
    what: '$patch: replace replaces a list',
    document: 'containers: [{name: a}, {name: b}]',
    patch: 'containers: [{$patch: replace}, {name: c}]',
    result: 'containers: [{name: c}]',
  },
  {
    what: '$patch: replace empties a list',
    document: 'volumes: [{name: a}]',
    patch: 'volumes: [{$patch: replace}]',
    result: 'volumes: []',
  },
  {
    what: '$patch in an object',
    document: '{securityContext: {runAsUser: 1, runAsGroup: 2}, affinity: {nodeAffinity: {}}}',
    patch: '{securityContext: {$patch: replace, fsGroup: 3}, affinity: {$patch: delete}}',
    result: '{securityContext: {fsGroup: 3}, affinity: {}}',
  },
  {
    what: '$retainKeys clears what it does not list',
    document: 'volumes: [{name: w, configMap: {name: c}}]',
    patch: 'volumes: [{name: w, $retainKeys: [name, emptyDir], emptyDir: {}}]',
    result: 'volumes: [{name: w, emptyDir: {}}]',
  },
  {
    what: 'a new item is taken as it is, directives included',
    document: 'volumes: [{name: w}]',
    patch: 'volumes: [{name: n, $retainKeys: [name, hostPath], hostPath: {path: /h}}]',
    result: 'volumes: [{name: n, $retainKeys: [name, hostPath], hostPath: {path: /h}}, {name: w}]',
  },
  {
    what: '$setElementOrder orders a list that the patch does not change',
    document: 'containers: [{name: a}, {name: b}]',
    patch: '$setElementOrder/containers: [{name: b}, {name: a}]',
    result: 'containers: [{name: b}, {name: a}]',
  },
  {
    what: '$setElementOrder goes with the list that it orders',
    document: 'containers: [{name: a}, {name: b, image: "1"}]',
    patch:
      '{$setElementOrder/containers: [{name: c}, {name: b}, {name: a}], containers: [{name: c}, {name: b, image: "2"}]}',
    result: 'containers: [{name: c}, {name: b, image: "2"}, {name: a}]',
  },
  {
    what: 'items that $setElementOrder does not name keep their places',
    document: 'containers: [{name: x}, {name: a}, {name: y}, {name: b}]',
    patch: '$setElementOrder/containers: [{name: b}, {name: a}]',
    result: 'containers: [{name: x}, {name: y}, {name: b}, {name: a}]',
  },
  {
    what: 'a new item takes the place that a deleted one leaves at the end',
    document: 'containers: [{name: a}, {name: x}, {name: b}]',
    patch: '{$setElementOrder/containers: [{name: a}, {name: c}], containers: [{name: c}, {name: b, $patch: delete}]}',
    result: 'containers: [{name: a}, {name: x}, {name: c}]',
  },
  {
    what: 'a new item comes before those that $setElementOrder does not name where none is deleted',
    document: 'containers: [{name: a}, {name: x}]',
    patch: '{$setElementOrder/containers: [{name: a}, {name: c}], containers: [{name: c}]}',
    result: 'containers: [{name: a}, {name: c}, {name: x}]',
  },
  {
    what: '$setElementOrder of a list that is nowhere says nothing',
    document: 'hostname: h',
    patch: '$setElementOrder/volumes: [{name: a}]',
    result: 'hostname: h',
  },
  {
    what: '$retainKeys may delete what it does not list, and stands beside other directives',
    document:
      '{volumes: [{name: w, configMap: {name: c}}], containers: [{name: a, image: i, env: [{name: E}, {name: F}]}]}',
    patch:
      '{volumes: [{name: w, $retainKeys: [name], configMap: null}], containers: [{name: a, $retainKeys: [name, env], $setElementOrder/env: [{name: F}, {name: E}]}]}',
    result: '{volumes: [{name: w}], containers: [{name: a, env: [{name: F}, {name: E}]}]}',
  },
  {
    what: 'two empty lists stay empty',
    document: 'containers: []',
    patch: 'containers: []',
    result: 'containers: []',
  },
  {
    what: 'of two new items only the first takes the place of a deleted one',
    document: 'containers: [{name: a}, {name: x}, {name: b}]',
    patch:
      '{$setElementOrder/containers: [{name: a}, {name: d}, {name: c}], containers: [{name: d}, {name: c}, {name: b, $patch: delete}]}',
    result: 'containers: [{name: a}, {name: x}, {name: d}, {name: c}]',
  },
  {
    what: 'directives in a list that is not there come after what $setElementOrder names',
    document: 'hostname: h',
    patch:
      '{$setElementOrder/volumes: [{name: a}], volumes: [{name: m, $patch: merge}, {name: n, $patch: merge}, {name: a}]}',
    result: '{hostname: h, volumes: [{name: a}, {name: n, $patch: merge}, {name: m, $patch: merge}]}',
  },
  {
    what: 'unknown fields are taken',
    document: 'hostname: h',
    patch: 'nonsense: {a: 1}',
    result: '{hostname: h, nonsense: {a: 1}}',
  },
];

interface BadRow {
  readonly what: string;
  readonly document: string;
  readonly patch: string;
  readonly code: number;
  readonly message?: string;
}

const refused: readonly BadRow[] = [
  {
    what: 'an item without the key',
    document: 'containers: [{name: a}]',
    patch: 'containers: [{image: i}]',
    code: 500,
  },
  {
    what: 'a deletion without the key',
    document: 'containers: [{name: a}]',
    patch: 'containers: [{$patch: delete}]',
    code: 500,
  },
  {
    what: 'merging a list by directive',
    document: 'containers: [{name: a}]',
    patch: 'containers: [{$patch: merge, name: a}]',
    code: 500,
    message: 'merging lists cannot yet be specified in the patch',
  },
  {
    what: 'an unknown directive',
    document: 'securityContext: {runAsUser: 1}',
    patch: 'securityContext: {$patch: frobnicate}',
    code: 500,
  },
  { what: 'items of different kinds', document: 'containers: [{name: a}]', patch: 'containers: [a]', code: 500 },
  { what: 'a null item', document: 'containers: [{name: a}]', patch: 'containers: [null]', code: 500 },
  {
    what: 'a list in a list',
    document: 'containers: [[]]',
    patch: 'containers: [[]]',
    code: 422,
    message: 'lists of lists are not supported',
  },
  {
    what: 'a list among objects',
    document: 'containers: [{name: a}]',
    patch: 'containers: [[]]',
    code: 500,
    message: 'list element types are not identical: [[map[name:a]] [[]]]',
  },
  {
    what: 'a field that is not declared',
    document: 'nonsense: {a: 1}',
    patch: 'nonsense: {b: 2}',
    code: 500,
    message: 'unable to find api field in struct PodSpec for the json field "nonsense"',
  },
  {
    what: 'an object in a map of texts',
    document: 'nodeSelector: {a: {b: c}}',
    patch: 'nodeSelector: {a: {b: d}}',
    code: 500,
    message: 'merging an object in json but data type is not struct, instead is: map',
  },
  {
    what: '$setElementOrder that is null',
    document: 'containers: [{name: a}]',
    patch: '$setElementOrder/containers: null',
    code: 500,
    message: 'expected a []interface {}, but received a %!s(<nil>)',
  },
  {
    what: '$setElementOrder of texts for a list of objects',
    document: 'containers: [{name: a}]',
    patch: '$setElementOrder/containers: [a]',
    code: 500,
    message: 'expected a map[string]interface {}, but received a string',
  },
  {
    what: '$retainKeys that is no list',
    document: 'volumes: [{name: w}]',
    patch: 'volumes: [{name: w, $retainKeys: emptyDir}]',
    code: 400,
    message: 'invalid patch format of retainKeys',
  },
  {
    what: '$retainKeys that lacks what is set',
    document: 'volumes: [{name: w}]',
    patch: 'volumes: [{name: w, $retainKeys: [name], emptyDir: {}}]',
    code: 400,
    message: 'invalid patch format of retainKeys',
  },
  { what: '$setElementOrder without a field', document: 'hostname: h', patch: '$setElementOrder: []', code: 400 },
  {
    what: '$setElementOrder that is no list',
    document: 'containers: [{name: a}]',
    patch: '$setElementOrder/containers: x',
    code: 500,
  },
  {
    what: '$setElementOrder that lacks an item',
    document: 'containers: [{name: a}]',
    patch: '{$setElementOrder/containers: [{name: a}], containers: [{name: b}]}',
    code: 500,
  },
  {
    what: '$deleteFromPrimitiveList without a field',
    document: 'hostname: h',
    patch: '$deleteFromPrimitiveListX: []',
    code: 400,
  },
];

const spec = (text: string): Record<string, unknown> => ({ template: { spec: yaml(text) } });
const podTemplate = nodeOf('v1 PodTemplate');

describe('strategic merge patch', () => {
  it.each(rows)('$what', ({ document, patch, result }) => {
    const live = spec(document);
    const before = structuredClone(live);
    expect(strategicMerge(live, spec(patch), podTemplate)).toEqual(spec(result));
    expect(live).toEqual(before);
  });

  it.each(refused)('refuses with $code: $what', ({ document, patch, code, message }) => {
    const refused = refusal(() => strategicMerge(spec(document), spec(patch), podTemplate));
    expect(refused).toMatchObject({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code });
    if (message !== undefined) expect(refused.message).toBe(message);
  });

  it('merges no objects into a list of texts, and is itself an object', () => {
    const list = { metadata: { finalizers: [{ a: 1 }] } };
    const refused = (patch: unknown): string | undefined =>
      refusal(() => strategicMerge(list, patch, podTemplate)).message;
    expect(refused(list)).toBe('cannot merge lists without merge key');
    expect(refused(7)).toBe('a strategic merge patch is an object');
  });

  const metadata = (text: string): Record<string, unknown> => ({ metadata: yaml(text) });

  it.each([
    ['scalars merge as a set', 'finalizers: [a, b]', 'finalizers: [b, c]', 'finalizers: [a, b, c]'],
    ['the order of the patch wins for scalars', 'finalizers: [a, b]', 'finalizers: [b, a]', 'finalizers: [b, a]'],
    [
      '$deleteFromPrimitiveList',
      'finalizers: [a, b, c]',
      '$deleteFromPrimitiveList/finalizers: [a, c, x]',
      'finalizers: [b]',
    ],
    [
      '$deleteFromPrimitiveList from a list that is not there adds, as it does in the reference',
      'name: n',
      '$deleteFromPrimitiveList/finalizers: [a]',
      '{name: n, finalizers: [a]}',
    ],
    ['$deleteFromPrimitiveList of null', 'finalizers: [a]', '$deleteFromPrimitiveList/finalizers: null', '{}'],
    [
      '$setElementOrder for scalars',
      'finalizers: [a, b]',
      '{$setElementOrder/finalizers: [c, b, a], finalizers: [c]}',
      'finalizers: [c, b, a]',
    ],
    [
      'owners merge by uid',
      'ownerReferences: [{uid: "1", name: a}]',
      'ownerReferences: [{uid: "1", controller: true}]',
      'ownerReferences: [{uid: "1", name: a, controller: true}]',
    ],
  ])('%s', (_what, document, patch, result) => {
    expect(strategicMerge(metadata(document), metadata(patch), podTemplate)).toEqual(metadata(result));
  });

  it('is quick with long lists', () => {
    const items = Array.from({ length: 20_000 }, (_, i) => ({ name: `c${i}` }));
    const document = { template: { spec: { containers: items } } };
    const patch = { template: { spec: { containers: [...items].reverse() } } };
    expect(strategicMerge(document, patch, podTemplate)).toEqual(patch);
  });
});
