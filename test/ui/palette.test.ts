import { describe, expect, it } from 'vitest';
import { catalogOf } from '../../src/ui/editor/schema.ts';
import { fieldPathIn, fieldsAt, fieldsNamed } from '../../src/ui/shell/foundFields.ts';
import type { Doing } from '../../src/ui/panels/object/actions/list.ts';
import { objectCommands } from '../../src/ui/shell/foundObjects.ts';
import { flagCommands } from '../../src/ui/shell/foundFlags.ts';
import type { Resource } from '../../src/ui/stores/resources.ts';

const document = {
  definitions: {
    Pod: {
      'x-group-version-kind': [{ group: '', version: 'v1', kind: 'Pod' }],
      properties: { spec: { $ref: '#/definitions/PodSpec' }, kind: { type: 'string', description: 'Its kind.' } },
    },
    PodSpec: {
      description: 'What is wanted.',
      properties: {
        containers: { type: 'array', items: { $ref: '#/definitions/Container' }, description: 'What runs.' },
        nodeName: { type: 'string' },
      },
    },
    Container: {
      properties: {
        image: { type: 'string', description: 'Its image.' },
        args: { type: 'array', items: { type: 'string' } },
      },
    },
  },
};
const pod = { group: '', version: 'v1', kind: 'Pod' };

describe('fields in the palette', () => {
  it.each([
    ['pod.', ['kind <string> Its kind.', 'spec <Object> What is wanted.']],
    ['pod.sp', ['spec <Object> What is wanted.']],
    ['pod.spec.con', ['spec.containers <[]Object> What runs.']],
    ['pod.spec.containers.', ['spec.containers.args <[]string> ', 'spec.containers.image <string> Its image.']],
    ['pod.spec.nothing.', []],
    ['pod.constructor.', []],
  ])('%s', (text, expected) => {
    const found = fieldsAt(catalogOf(document), pod, (fieldPathIn(text) ?? []).slice(1));
    expect(found.map(({ path, type, description }) => `${path} <${type}> ${description}`).sort()).toEqual(expected);
  });

  it.each([
    ['image', ['spec.containers.image <string> Its image.']],
    ['IMA', ['spec.containers.image <string> Its image.']],
    ['n', ['spec.nodeName <string> ']],
    ['c', ['spec.containers <[]Object> What runs.']],
    ['mage', []],
    ['constructor', []],
  ])('the name %s', (word, expected) => {
    const found = fieldsNamed(catalogOf(document), [pod, pod], word, 6);
    expect(found.map(({ path, type, description }) => `${path} <${type}> ${description}`)).toEqual(expected);
  });

  it('finds only so many by name, those near the top first', () => {
    const named = (most: number): readonly string[] =>
      fieldsNamed(catalogOf(document), [pod], '', most).map(({ path }) => path);
    expect(named(2)).toEqual(['spec', 'kind']);
    expect(named(9).slice(0, 4)).toEqual(['spec', 'kind', 'spec.containers', 'spec.nodeName']);
  });

  it('ends with a type that holds itself', () => {
    const tree = {
      definitions: {
        Pod: {
          'x-group-version-kind': [{ group: '', version: 'v1', kind: 'Pod' }],
          properties: { tree: { $ref: '#/definitions/Tree' } },
        },
        Tree: { properties: { branches: { type: 'array', items: { $ref: '#/definitions/Tree' } } } },
      },
    };
    expect(fieldsNamed(catalogOf(tree), [pod], 'bra', 6).map(({ path }) => path)).toEqual(['tree.branches']);
  });

  it.each(['pod', ':pod default', '--v', 'two words.', ''])('%j is no path', (text) => {
    expect(fieldPathIn(text)).toBeUndefined();
  });
});

it('flags are commands, each by its component', () => {
  const flag = {
    name: 'v',
    section: '',
    type: 'int',
    several: false,
    isSwitch: false,
    help: 'How much is told.',
    default: '0',
    isFile: false,
  };
  const info = { components: [{ key: 'apiserver' as const, title: 'API server', flags: [flag] }], gates: [] };
  expect(flagCommands(info).map(({ label, note }) => `${label} ${note}`)).toEqual([
    '--v API server: How much is told.',
  ]);
});

describe('actions in the palette', () => {
  const resource = (kind: string, plural: string, subresources: readonly string[] = []): Resource => ({
    ...{ group: 'apps', version: 'v1', kind, resource: plural, singularName: kind.toLowerCase(), namespaced: true },
    ...{ shortNames: [], categories: [], verbs: ['list'], subresources },
  });
  const doing = (of: Resource, name: string): Doing => ({
    target: { resource: of, namespace: 'shop', name },
    object: { kind: of.kind, metadata: { name, namespace: 'shop', creationTimestamp: null } },
  });
  const found = [
    doing(resource('ReplicaSet', 'replicasets', ['scale']), 'cart-77d9'),
    doing(resource('Deployment', 'deployments', ['scale']), 'cart'),
    doing(resource('ConfigMap', 'configmaps'), 'cart'),
  ];
  const offered = (text: string): readonly string[] =>
    objectCommands(found, text)
      .filter(({ label }) => label.includes(': '))
      .map(({ label, note }) => `${label}, ${note}`);

  it.each([
    ['scale cart', ['Scale: cart, Deployment in shop', 'Scale: cart-77d9, ReplicaSet in shop']],
    ['restart', ['Restart the roll-out: cart, Deployment in shop']],
    ['cordon cart', []],
    ['s', []],
    ['s ca', ['Scale: cart, Deployment in shop', 'Scale: cart-77d9, ReplicaSet in shop']],
    ['', []],
  ])('%j', (text, expected) => {
    expect(offered(text)).toEqual(expected);
  });

  it('what begins as no action does finds the objects alone, a Deployment before what belongs to it', () => {
    const notes = objectCommands(found, 'cart').map(({ label, note }) => `${label}, ${note}`);
    expect(notes).toEqual(['cart, Deployment in shop', 'cart, ConfigMap in shop', 'cart-77d9, ReplicaSet in shop']);
  });
});
