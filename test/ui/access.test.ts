import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { namesOf } from '../../src/names/index.ts';
import type { AccessEdit, HeldRule } from '../../src/ui/host.ts';
import { connected, graphOf, LAYERS } from '../../src/ui/panels/access/graph.ts';
import { manifestsOf } from '../../src/ui/panels/access/manifests.ts';
import { editText, ruleText } from '../../src/ui/panels/access/words.ts';

const held = (subject: string, binding: string, role: string, ...rules: string[]): HeldRule[] =>
  rules.map((resource, ruleIndex) => ({
    scope: '',
    subject: { kind: 'User', name: subject },
    binding: { kind: 'ClusterRoleBinding', namespace: '', name: binding },
    role: { kind: 'ClusterRole', namespace: '', name: role },
    ruleIndex,
    rule: { verbs: ['get'], apiGroups: [''], resources: [resource] },
  }));

const graph = graphOf([
  ...held('jane', 'b1', 'view', 'pods', 'services'),
  ...held('jane', 'b2', 'view', 'pods', 'services'),
  ...held('jane', 'b3', 'edit', 'secrets'),
]);

describe('the graph of somebody’s rights', () => {
  it('has each subject, binding, role and rule once, in columns', () => {
    const labels = (layer: string): string[] =>
      graph.nodes.filter((node) => node.layer === layer).map(({ label }) => label);
    expect(Object.fromEntries(LAYERS.map((layer) => [layer, labels(layer)]))).toEqual({
      subject: ['jane'],
      binding: ['b1', 'b2', 'b3'],
      role: ['view', 'edit'],
      rule: ['get pods', 'get services', 'get secrets'],
    });
    expect(graph.height).toBe(3);
  });

  it('leads from each part only to the next', () => {
    const layerOf = new Map(graph.nodes.map(({ id, layer }) => [id, layer]));
    const steps = new Set(graph.edges.map(({ from, to }) => `${layerOf.get(from)} ${layerOf.get(to)}`));
    expect([...steps].sort()).toEqual(['binding role', 'role rule', 'subject binding']);
  });

  it('knows what a part leads to, and what leads to it', () => {
    const edit = graph.nodes.find(({ label }) => label === 'edit');
    const labels = graph.nodes.filter(({ id }) => connected(graph, edit?.id ?? '').has(id)).map(({ label }) => label);
    expect(labels.sort()).toEqual(['b3', 'edit', 'get secrets', 'jane']);
  });
});

const edits: readonly AccessEdit[] = [
  {
    do: 'create-role',
    role: { kind: 'Role', namespace: 'shop', name: 'get-pods' },
    rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }],
  },
  {
    do: 'create-binding',
    binding: { kind: 'RoleBinding', namespace: 'shop', name: 'get-pods-jane' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'get-pods' },
    subjects: [{ kind: 'User', name: 'jane' }],
  },
];

describe('a change of access', () => {
  it('that creates something can be written as manifests', () => {
    const documents = parseAllDocuments(manifestsOf(edits, namesOf('k8s.io')));
    expect(Array.isArray(documents) && documents.map((document) => (document.toJS() as { kind: string }).kind)).toEqual(
      ['Role', 'RoleBinding'],
    );
    expect(parse(manifestsOf(edits.slice(0, 1), namesOf('cluster.io')))).toMatchObject({
      apiVersion: 'rbac.authorization.cluster.io/v1',
      metadata: { name: 'get-pods', namespace: 'shop' },
    });
  });

  it('can be said in a sentence', () => {
    expect(edits.map(editText)).toEqual([
      'Create Role shop/get-pods: get pods',
      'Create RoleBinding shop/get-pods-jane: Role get-pods to User jane',
    ]);
    expect(
      editText({ do: 'add', to: { kind: 'Role', namespace: 'a', name: 'r' }, field: 'rules[0].apiGroups', value: '' }),
    ).toBe('Add “core” to rules[0].apiGroups of Role a/r');
  });

  it('names groups where they are not the core, and names where there are some', () => {
    expect(
      ruleText({ verbs: ['get', 'list'], apiGroups: ['apps'], resources: ['deployments'], resourceNames: ['web'] }),
    ).toBe('get, list deployments of apps named web');
    expect(ruleText({ verbs: ['get'], nonResourceURLs: ['/healthz'] })).toBe('get /healthz');
  });
});
