import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../src/schema/index.ts';
import { originsIn, partsOf } from '../../src/ui/panels/access/aggregation.ts';
import { leastFor } from '../../src/ui/panels/access/least.ts';
import { ruleText } from '../../src/ui/panels/access/words.ts';
import { withAdded } from '../../src/ui/panels/access/applyEdits.ts';
import { subjectsIn } from '../../src/ui/shell/boundSubjects.ts';
import type { LoggedRequest } from '../../src/ui/stores/requests.ts';

/** `get pods in a`, `get pods/log in a`, `list deployments.apps`, `get /healthz`; with `!` in front, refused. */
function request(text: string, user = 'jane'): LoggedRequest {
  const [, refused = '', verb = '', what = '', namespace = ''] = /^(!?)(\S+) (\S+)(?: in (\S+))?$/.exec(text) ?? [];
  const isResource = !what.startsWith('/');
  const [full = '', subresource = ''] = isResource ? what.split('/') : [];
  const [resource = '', group = ''] = full.split('.');
  const attributes = { verb, isResource, path: isResource ? '' : what, namespace, group, resource, subresource };
  const stage = {
    topic: 'request',
    request: text,
    at: 0,
    stage: 'authorization',
    allowed: refused === '',
    attributes,
    verdicts: [],
  };
  return { user, stages: [stage] } as unknown as LoggedRequest;
}

describe('the smallest role for what somebody did', () => {
  const smallest = (...texts: string[]): string[] =>
    leastFor(
      texts.map((text) => request(text)),
      'jane',
    ).flatMap(({ scope, rules }) => rules.map((rule) => `${ruleText(rule)} in ${scope || '*'}`));

  it.each([
    [[], []],
    [['get pods in a', 'get pods in a'], ['get pods in a']],
    [['list pods in a', 'get pods in a'], ['get, list pods in a']],
    [['get pods in a', 'get services in a'], ['get pods, services in a']],
    [
      ['get pods in a', 'list services in a'],
      ['get pods in a', 'list services in a'],
    ],
    [
      ['get pods in a', 'get pods in b', 'list nodes'],
      ['list nodes in *', 'get pods in a', 'get pods in b'],
    ],
    [['get pods/log in a'], ['get pods/log in a']],
    [['get deployments.apps in a'], ['get deployments of apps in a']],
    [['get /healthz', 'get /version'], ['get /healthz, /version in *']],
    [['!delete pods in a'], []],
  ])('%j', (texts, expected) => {
    expect(smallest(...texts)).toEqual(expected);
  });

  it('counts nobody else’s requests', () => {
    expect(leastFor([request('get pods in a', 'ben')], 'jane')).toEqual([]);
  });
});

const role = (
  name: string,
  labels: Record<string, string>,
  verbs: string[],
  selects?: Record<string, string>,
): ApiObject =>
  ({
    kind: 'ClusterRole',
    metadata: { name, labels, creationTimestamp: null },
    rules: [{ verbs, apiGroups: [''], resources: ['pods'] }],
    ...(selects && { aggregationRule: { clusterRoleSelectors: [{ matchLabels: selects }] } }),
  }) as ApiObject;

describe('aggregated roles', () => {
  const view = role('view', {}, ['get'], { 'to-view': 'true' });
  const roles = [
    view,
    role('a', { 'to-view': 'true' }, ['get']),
    role('b', { 'to-view': 'false' }, ['get']),
    role('c', {}, ['get']),
  ];

  it('are put together from those that their selector finds', () => {
    expect(partsOf(view, roles)?.map(({ metadata }) => metadata.name)).toEqual(['a']);
    expect(partsOf(roles[1] as ApiObject, roles)).toBeUndefined();
  });

  it('say of each rule where it came from', () => {
    const rule = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };
    expect(originsIn(roles)('view', rule)).toEqual(['a']);
    expect(originsIn(roles)('view', { ...rule, verbs: ['list'] })).toEqual([]);
    expect(originsIn(roles)('constructor', rule)).toEqual([]);
  });
});

it('bindings suggest whom to act as, once each, without the system’s own', () => {
  const subject = (kind: string, name: string) => ({ kind, name });
  const binding = (...subjects: object[]): ApiObject =>
    ({ metadata: { creationTimestamp: null }, subjects }) as ApiObject;
  const found = subjectsIn([
    binding(subject('User', 'jane'), subject('Group', 'dev'), subject('ServiceAccount', 'robot')),
    binding(subject('User', 'jane'), subject('User', 'system:kube-scheduler'), subject('Group', 'system:masters')),
  ]);
  expect(found).toEqual([
    { kind: 'user', name: 'jane', groups: [] },
    { kind: 'user', name: 'somebody-of-dev', groups: ['dev'] },
  ]);
});

describe('an item more in a field', () => {
  it.each([
    [{ rules: [{ verbs: ['get'] }] }, 'rules[0].verbs', 'list', { rules: [{ verbs: ['get', 'list'] }] }],
    [{}, 'subjects', { kind: 'User' }, { subjects: [{ kind: 'User' }] }],
    [{ subjects: null }, 'subjects', 1, { subjects: [1] }],
  ])('%j %s', (object, field, value, expected) => {
    expect(withAdded(object, field, value)).toEqual(expected);
  });

  it('says so where its place is gone', () => {
    expect(() => withAdded({ rules: [] }, 'rules[3].verbs', 'get')).toThrow('There is no rules[3].verbs any more.');
  });
});
