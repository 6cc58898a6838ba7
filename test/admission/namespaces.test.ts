/** Plugins that look at the namespace of a request. */
import { describe, expect, it } from 'vitest';
import { pluginIn, request, verdictOf, type Asked, type Raw, type World } from './helpers.ts';

const going = {
  metadata: { name: 'going', deletionTimestamp: '2026-01-01T00:00:00Z' },
  status: { phase: 'Terminating' },
};
const world: World = { objects: { namespaces: [{ metadata: { name: 'ns' } }, going] } };
const map: Raw = { metadata: { name: 'm' } };

describe('NamespaceExists', () => {
  it.each<[string, string, Asked, string]>([
    ['there', 'CREATE configmaps', { object: map }, 'allowed'],
    ['not there', 'CREATE configmaps', { object: map, namespace: 'gone' }, '404 namespaces "gone" not found'],
    [
      'not there, update',
      'UPDATE configmaps',
      { object: map, old: map, namespace: 'gone' },
      '404 namespaces "gone" not found',
    ],
    ['not there, deletion', 'DELETE configmaps', { old: map, namespace: 'gone' }, '404 namespaces "gone" not found'],
    ['of no namespace', 'CREATE nodes', { object: { metadata: { name: 'n' } } }, 'allowed'],
    [
      'the namespace itself',
      'CREATE namespaces',
      { object: { metadata: { name: 'new' } }, namespace: 'new' },
      'allowed',
    ],
  ])('%s', async (_what, what, asked, expected) => {
    expect(await verdictOf(pluginIn('NamespaceExists', world), request(what, asked))).toBe(expected);
  });
});

describe('NamespaceLifecycle', () => {
  it.each<[string, string, Asked, string]>([
    ['there', 'CREATE configmaps', { object: map }, 'allowed'],
    ['not there', 'CREATE configmaps', { object: map, namespace: 'gone' }, '404 namespaces "gone" not found'],
    [
      'going',
      'CREATE configmaps',
      { object: map, namespace: 'going' },
      '403 configmaps "m" is forbidden: unable to create new content in namespace going because it is being terminated',
    ],
    ['going, update', 'UPDATE configmaps', { object: map, old: map, namespace: 'going' }, 'allowed'],
    ['going, deletion', 'DELETE configmaps', { old: map, namespace: 'going' }, 'allowed'],
    [
      'a namespace that stays',
      'DELETE namespaces',
      { name: 'kube-system', namespace: 'kube-system' },
      '403 namespaces "kube-system" is forbidden: this namespace may not be deleted',
    ],
    ['another one', 'DELETE namespaces', { name: 'ns', namespace: 'ns' }, 'allowed'],
    [
      'a question about a namespace that is not there',
      'CREATE localsubjectaccessreviews.authorization.k8s.io',
      { object: { metadata: {}, spec: {} }, namespace: 'gone' },
      'allowed',
    ],
  ])('%s', async (_what, what, asked, expected) => {
    expect(await verdictOf(pluginIn('NamespaceLifecycle', world), request(what, asked))).toBe(expected);
  });
});

describe('NamespaceAutoProvision', () => {
  it.each<[string, string, Asked, number, string, readonly string[]]>([
    ['there', 'CREATE configmaps', { object: map }, 201, 'allowed', []],
    ['not there', 'CREATE configmaps', { object: map, namespace: 'new' }, 201, 'allowed', ['new']],
    [
      'made by somebody else meanwhile',
      'CREATE configmaps',
      { object: map, namespace: 'new' },
      409,
      'allowed',
      ['new'],
    ],
    [
      'not to be made',
      'CREATE configmaps',
      { object: map, namespace: 'New' },
      422,
      '403 configmaps "m" is forbidden: no',
      ['New'],
    ],
    ['dry run', 'CREATE configmaps', { object: map, namespace: 'new', dryRun: true }, 201, 'allowed', []],
    ['update', 'UPDATE configmaps', { object: map, old: map, namespace: 'new' }, 201, 'allowed', []],
    ['of no namespace', 'CREATE nodes', { object: { metadata: { name: 'n' } } }, 201, 'allowed', []],
  ])('%s', async (_what, what, asked, code, expected, created) => {
    const made: string[] = [];
    const transport: World['transport'] = (_path, init) => {
      made.push((JSON.parse(String(init?.body)) as { metadata: { name: string } }).metadata.name);
      return Promise.resolve(Response.json({ message: 'no' }, { status: code }));
    };
    const plugin = pluginIn('NamespaceAutoProvision', {
      ...world,
      transport: transport as NonNullable<World['transport']>,
    });
    expect(await verdictOf(plugin, request(what, asked))).toBe(expected);
    expect(made).toEqual(created);
  });
});
