/** What the deletion of a namespace comes to: what is deleted in it, what is left, and what its conditions say. */
import { beforeEach, describe, expect, test } from 'vitest';
import {
  Client,
  configMaps,
  pods,
  secrets,
  type DiscoveredResource,
  type Namespace,
  type Pod,
} from '../../../src/client/index.ts';
import { planConditions, type Emptying } from '../../../src/controllers/namespace/conditions.ts';
import { deleteContent, longestGraceOf } from '../../../src/controllers/namespace/content.ts';
import { planNamespace } from '../../../src/controllers/namespace/namespace.ts';
import { namesOf } from '../../../src/names/index.ts';
import { manualClock } from '../../../src/std/index.ts';
import { SmallServer, type Loose } from '../../client/smallServer.ts';
import { at, minute, NOON } from './objects.ts';

const names = namesOf('cluster.io');

test.each<[leaving: boolean, finalizers: string[] | undefined, 'nothing' | 'empty' | 'finalized']>([
  [false, ['cluster'], 'nothing'],
  [false, [], 'nothing'],
  [true, ['cluster'], 'empty'],
  [true, ['other', 'cluster'], 'empty'],
  [true, ['other'], 'finalized'],
  [true, [], 'finalized'],
  [true, undefined, 'finalized'],
])('a namespace (is deleted: %s) with the finalizers %j: %s', (leaving, finalizers, next) => {
  const metadata = { name: 'ns', creationTimestamp: minute(0), ...(leaving && { deletionTimestamp: minute(1) }) };
  const namespace: Namespace = { metadata, spec: { ...(finalizers && { finalizers }) }, status: {} };
  expect(planNamespace(namespace, 'cluster')).toBe(next);
});

test('the pods whose grace period is waited for may be any number', () => {
  const podOf = (grace: number | undefined, phase: string): Pod =>
    ({ metadata: {}, spec: { terminationGracePeriodSeconds: grace }, status: { phase } }) as Pod;
  const many = Array.from({ length: 200_000 }, () => podOf(30, 'Running'));
  expect(longestGraceOf([...many, podOf(40, 'Pending'), podOf(90, 'Succeeded'), podOf(90, 'Failed')])).toBe(40);
  expect(longestGraceOf([podOf(undefined, 'Running')])).toBe(0);
  expect(longestGraceOf([])).toBe(0);
});

describe('the conditions', () => {
  const clean: Emptying = { undiscovered: [], problems: [], remaining: [], estimate: 0 };
  const good = [
    'NamespaceDeletionDiscoveryFailure False ResourcesDiscovered: All resources successfully discovered',
    'NamespaceDeletionGroupVersionParsingFailure False ParsedGroupVersions: All legacy kube types successfully parsed',
    'NamespaceDeletionContentFailure False ContentDeleted: All content successfully deleted, may be waiting on finalization',
    'NamespaceContentRemaining False ContentRemoved: All content successfully removed',
    'NamespaceFinalizersRemaining False ContentHasNoFinalizers: All content-preserving finalizers finished',
  ];
  const shown = (conditions: ReturnType<typeof planConditions>): string[] =>
    (conditions ?? []).map(({ type, status, reason, message }) => `${type} ${status} ${reason}: ${message}`);
  const rest = (resource: string, group: string, count: number, finalizers: Record<string, number>) => ({
    ...{ resource: { resource, group }, count, finalizers },
  });

  test.each<[string, Partial<Emptying>, which: number, text: string]>([
    [
      'groups that were not discovered',
      { undiscovered: ['a/v1', 'b/v1'] },
      0,
      'NamespaceDeletionDiscoveryFailure True DiscoveryFailed: Discovery failed for some groups, 2 failing: a/v1, b/v1',
    ],
    [
      'failures, sorted',
      { problems: ['second', 'first'] },
      2,
      'NamespaceDeletionContentFailure True ContentDeletionFailed: Failed to delete all resource types, 2 remaining: first, second',
    ],
    [
      'what remains, sorted',
      { remaining: [rest('pods', '', 2, {}), rest('jobs', 'batch', 1, {})] },
      3,
      'NamespaceContentRemaining True SomeResourcesRemain: Some resources are remaining: jobs.batch has 1 resource instances, pods. has 2 resource instances',
    ],
    [
      'finalizers of all that remains, added up and sorted',
      { remaining: [rest('pods', '', 2, { b: 1, a: 2 }), rest('jobs', 'batch', 1, { b: 1, toString: 1 })] },
      4,
      'NamespaceFinalizersRemaining True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: a in 2 resource instances, b in 2 resource instances, toString in 1 resource instances',
    ],
  ])('tell of %s', (_, emptying, which, text) => {
    const told = shown(planConditions(undefined, { ...clean, ...emptying }, NOON));
    expect(told).toHaveLength(5);
    expect(told[which]).toBe(text);
  });

  test('are all written at first, stay where nothing changes, and get a new time where something does', () => {
    const first = planConditions(undefined, clean, NOON);
    expect(shown(first)).toEqual(good);
    expect(planConditions(first, clean, at(1))).toBeUndefined();
    const more = planConditions(first, { ...clean, problems: ['x'] }, at(2));
    expect(more?.map(({ lastTransitionTime }) => lastTransitionTime)).toEqual([0, 0, 2, 0, 0].map(minute));
    // Another message under the same reason is news, too.
    const other = planConditions(more, { ...clean, problems: ['y'] }, at(3));
    expect(other?.map(({ lastTransitionTime }) => lastTransitionTime)).toEqual([0, 0, 3, 0, 0].map(minute));
    const own = { type: 'Own', status: 'True', reason: '', message: '', lastTransitionTime: minute(0) };
    expect(shown(planConditions([own], clean, NOON))).toEqual(['Own True : ', ...good]);
  });

  test.each<[field: string, value: string]>([
    ['status', 'True'],
    ['reason', 'Other'],
    ['message', 'other'],
  ])('are written again where the %s differs', (field, value) => {
    const [first, ...others] = planConditions(undefined, clean, NOON) ?? [];
    const changed = [{ ...first, [field]: value } as NonNullable<typeof first>, ...others];
    expect(shown(planConditions(changed, clean, at(1)))).toEqual(good);
  });
});

describe('the content', () => {
  const clock = manualClock(NOON);
  let server: SmallServer;
  let client: Client;
  beforeEach(() => {
    server = new SmallServer(names, clock);
    client = new Client({ transport: server.transport, names, userAgent: 'test' });
  });

  const ALL = ['delete', 'list', 'watch'];
  const served = (ref: Loose, verbs: readonly string[] = ALL): DiscoveredResource => ({ ...ref, verbs });
  const empty = (
    preferred: readonly DiscoveredResource[],
    { since = NOON, failed = [] as readonly string[] } = {},
  ): Promise<Emptying> => {
    const problems = failed.map((groupVersion) => ({ groupVersion, problem: new Error('down') }));
    return deleteContent(client, 'ns', { resources: preferred, preferred, failed: problems }, since, at(1));
  };
  const put = (ref: Parameters<SmallServer['put']>[0], name: string, more: Loose = {}): void =>
    void server.put(ref, { ...more, metadata: { name, namespace: 'ns', ...more.metadata } });
  const requests = (): string[] => server.writes.splice(0).map(({ method, path }) => `${method} ${path}`);
  const held = { metadata: { finalizers: ['f'] } };

  test('goes one by one, or all at once where the server can', async () => {
    put(configMaps, 'a');
    put(secrets, 's');
    server.put(secrets, { metadata: { name: 'other', namespace: 'elsewhere' } });
    const all = [served(configMaps), served(secrets, [...ALL, 'deletecollection'])];
    expect(await empty(all)).toEqual({ undiscovered: [], problems: [], remaining: [], estimate: 0 });
    const options = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background' };
    expect(server.writes.map(({ body }) => body)).toEqual([options, options]);
    expect(requests()).toEqual(['DELETE namespaces/ns/configmaps/a', 'DELETE namespaces/ns/secrets']);
    expect(server.list(secrets)).toHaveLength(1);
  });

  test('is only what is in namespaces and can be deleted', async () => {
    put(configMaps, 'a', held);
    put(secrets, 's', held);
    const all = [{ ...served(configMaps), namespaced: false }, served(secrets, ['list', 'watch'])];
    expect(await empty(all, { failed: ['a/v1', 'b/v1'] })).toEqual({
      ...{ undiscovered: ['a/v1', 'b/v1'], problems: [], remaining: [], estimate: 0 },
    });
    expect(requests()).toEqual([]);
  });

  test('that cannot be listed counts as gone', async () => {
    put(secrets, 's', held);
    expect((await empty([served(secrets, ['delete', 'deletecollection'])])).remaining).toEqual([]);
    expect(requests()).toEqual(['DELETE namespaces/ns/secrets']);
  });

  test('with finalizers is counted by them, and looked at again fifteen seconds later', async () => {
    put(configMaps, 'a', held);
    put(configMaps, 'b', { metadata: { finalizers: ['f', 'toString'] } });
    put(configMaps, 'c', { metadata: { finalizers: [], deletionTimestamp: minute(0) } });
    const { remaining, estimate, problems } = await empty([served(configMaps), served(secrets)]);
    expect(remaining.map(({ resource, count, finalizers }) => [resource.resource, count, finalizers])).toEqual([
      ['configmaps', 2, { f: 2, toString: 1 }],
    ]);
    expect([estimate, problems]).toEqual([15, []]);
  });

  test.each<[code: number, reason: string, problem: string]>([
    [404, 'NotFound', 'unexpected items still remain in namespace: ns for gvr: /v1, Resource=configmaps'],
    [405, 'MethodNotAllowed', 'unexpected items still remain in namespace: ns for gvr: /v1, Resource=configmaps'],
    [403, 'Forbidden', 'Forbidden'],
    [409, 'Conflict', 'Conflict'],
  ])('whose deletion is answered with %i %s: %s', async (code, reason, problem) => {
    put(configMaps, 'a');
    put(secrets, 's');
    server.refuse('DELETE', /configmaps/, code, reason);
    const { problems, remaining } = await empty([served(configMaps), served(secrets)]);
    expect([problems, remaining, server.list(secrets)]).toEqual([[problem], [], []]);
  });

  const pod = (name: string, phase: string, seconds: number | undefined, finalizers = ['f']): void =>
    put(pods, name, {
      metadata: { finalizers },
      spec: { ...(seconds !== undefined && { terminationGracePeriodSeconds: seconds }) },
      status: { phase },
    });

  test.each<[string, [phase: string, seconds: number | undefined][], since: number, estimate: number]>([
    [
      'the longest grace period counts',
      [
        ['Running', 90],
        ['Pending', 120],
        ['Running', 70],
      ],
      0,
      120,
    ],
    [
      'those that have ended do not count',
      [
        ['Running', 70],
        ['Failed', 90],
        ['Succeeded', 90],
      ],
      0,
      70,
    ],
    ['without a grace period finalizers count', [['Running', undefined]], 0, 15],
    ['after it finalizers count', [['Running', 59]], 0, 15],
    ['at its end it counts still', [['Running', 60]], 0, 60],
  ])('of pods: %s', async (_, all, since, estimate) => {
    for (const [i, [phase, seconds]] of all.entries()) pod(`p${i}`, phase, seconds);
    const left = await empty([served(pods)], { since: at(since) });
    expect([left.estimate, left.remaining[0]?.count, left.problems]).toEqual([estimate, all.length, []]);
  });

  test('pods that go at once may still have to end', async () => {
    pod('p', 'Running', 90, []);
    expect(await empty([served(pods)])).toEqual({ undiscovered: [], problems: [], remaining: [], estimate: 90 });
  });

  test('pods without finalizers that remain within their grace period are no problem', async () => {
    pod('p', 'Running', 90, []);
    server.refuse('DELETE', /pods/, 404, 'NotFound');
    const { problems, remaining, estimate } = await empty([served(pods)]);
    expect([problems, remaining.length, estimate]).toEqual([[], 1, 90]);
  });

  test('other resources of that name have no grace period', async () => {
    pod('p', 'Running', 90);
    expect((await empty([{ ...served(pods), group: 'metrics.cluster.io' }])).estimate).toBe(0);
  });
});
