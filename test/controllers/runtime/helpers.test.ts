/** What all controllers share: claims, writes that wait for the cache, pods, conditions, and what is served. */
import { beforeEach, describe, expect, test } from 'vitest';
import {
  Client,
  customResourceDefinitions,
  apiServices,
  Informers,
  pods as podsRef,
  replicaSets,
  type Pod,
  type ReplicaSet,
} from '../../../src/client/index.ts';
import {
  availableIn,
  claim,
  controllerIn,
  deleteIfPresent,
  isConflict,
  isFinished,
  isNamespaceTerminating,
  isReady,
  messageOf,
  ownersOf,
  PodControl,
  podFromTemplate,
  readySince,
  wakingBy,
  withCondition,
  writeStatus,
} from '../../../src/controllers/runtime/index.ts';
import { Served } from '../../../src/controllers/runtime/served.ts';
import { namesOf } from '../../../src/names/index.ts';
import { selectorOfObject, StatusError, type ApiObject } from '../../../src/schema/index.ts';
import { manualClock, settle } from '../../../src/std/index.ts';
import { SmallServer, type Loose } from '../../client/smallServer.ts';
import { at, minute, namesOf as namesIn, NOON, pod, readyPod, replicaSet } from '../plans/objects.ts';

const names = namesOf('cluster.io');
const clock = manualClock(NOON);
let server: SmallServer;
let client: Client;
beforeEach(() => {
  server = new SmallServer(names, clock);
  client = new Client({ transport: server.transport, names, userAgent: 'test' });
});

/** A cache that notes what is awaited, and says whether it would be awaited no longer with an object. */
class Awaiting<T extends ApiObject> {
  readonly keys: string[] = [];
  isSeen: (object: T | undefined) => boolean = () => false;
  until(key: string, isSeen: (object: T | undefined) => boolean): Promise<void> {
    this.keys.push(key);
    this.isSeen = isSeen;
    return Promise.resolve();
  }
}

const failure = (code: number, reason: string, more: Loose = {}): StatusError =>
  new StatusError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason, ...more });
const causes = (...reasons: string[]): Loose => ({ details: { causes: reasons.map((reason) => ({ reason })) } });

test.each<[string, problem: unknown, terminating: boolean, conflict: boolean]>([
  ['no status', new Error('no'), false, false],
  ['no causes', failure(403, 'Forbidden'), false, false],
  ['no details of causes', failure(403, 'Forbidden', { details: {} }), false, false],
  ['another cause', failure(403, 'Forbidden', causes('Other')), false, false],
  ['the cause among others', failure(403, 'Forbidden', causes('Other', 'NamespaceTerminating')), true, false],
  ['a conflict', failure(409, 'Conflict'), false, true],
  ['what exists already', failure(409, 'AlreadyExists'), false, false],
  ['another code', failure(500, 'Conflict'), false, false],
])('a problem with %s: its namespace goes: %s, a conflict: %s', (_, problem, terminating, conflict) => {
  expect([isNamespaceTerminating(problem), isConflict(problem)]).toEqual([terminating, conflict]);
});

test('a problem is told by its message, or as it is', () => {
  expect([messageOf(new Error('no')), messageOf('text'), messageOf(undefined)]).toEqual(['no', 'text', 'undefined']);
});

test.each<[object: Loose, waking: object]>([
  [
    { kind: 'Pod', metadata: { name: 'p', namespace: 'ns', resourceVersion: '7' } },
    { why: 'Pod ns/p added', revision: 7 },
  ],
  [{ metadata: { name: 'n', resourceVersion: '0' } }, { why: 'object n added' }],
  [{ kind: 'Node', metadata: { name: 'n', resourceVersion: 'x' } }, { why: 'Node n added' }],
  [{ kind: 'Node', metadata: { name: 'n' } }, { why: 'Node n added' }],
])('%j wakes with %j', (object, waking) => {
  expect(wakingBy(object, 'added')).toEqual(waking);
});

describe('pods', () => {
  test.each<[string, pod: Pod, ready: boolean, since: number | undefined, availableIn: number]>([
    ['ready for a minute', readyPod('p', { since: 0 }), true, NOON, 30_000],
    ['ready for two', readyPod('p', { since: -1 }), true, at(-1), 0],
    ['unready', pod('p', { ready: false, since: 0 }), false, undefined, Infinity],
    ['without conditions', pod('p'), false, undefined, Infinity],
    ['ready since ever', pod('p', { ready: true }), true, undefined, Infinity],
    ['without a status', { ...pod('p'), status: undefined } as Loose, false, undefined, Infinity],
    [
      'with another condition that holds',
      {
        ...pod('p'),
        status: { conditions: [{ type: 'Initialized', status: 'True', lastTransitionTime: minute(0) }] },
      } as Loose,
      false,
      undefined,
      Infinity,
    ],
  ])('one %s', (_, given, ready, since, ms) => {
    expect([isReady(given), readySince(given), availableIn(given, 90, at(1))]).toEqual([ready, since, ms]);
    expect(availableIn(given, 0, at(1))).toBe(ready ? 0 : Infinity);
  });

  test.each(['Succeeded', 'Failed', 'Running', 'Pending'])('one that is %s', (phase) => {
    expect(isFinished(pod('p', { phase }))).toBe(phase === 'Succeeded' || phase === 'Failed');
  });

  test('one without a status has not ended', () => {
    expect(isFinished({ ...pod('p'), status: undefined } as Loose)).toBe(false);
  });

  const owner = replicaSet('web', 1);
  const ownerReferences = [
    {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      name: 'web',
      uid: 'uid-web',
      controller: true,
      blockOwnerDeletion: true,
    },
  ];
  const base = { generateName: 'web-', namespace: 'ns', ownerReferences };

  test.each<[template: Loose, draft: Loose]>([
    [{}, { metadata: base }],
    [
      {
        metadata: { labels: { a: 'b' }, annotations: { c: 'd' }, finalizers: ['f'], name: 'x' },
        spec: { containers: [] },
      },
      {
        metadata: { ...base, labels: { a: 'b' }, annotations: { c: 'd' }, finalizers: ['f'] },
        spec: { containers: [] },
      },
    ],
  ])('of the template %j', (template, draft) => {
    expect(podFromTemplate(template, owner, replicaSets, client)).toEqual(draft);
  });

  describe('created and deleted for an owner', () => {
    const told: string[] = [];
    let cache: Awaiting<Pod>;
    let control: PodControl;
    beforeEach(() => {
      told.length = 0;
      cache = new Awaiting<Pod>();
      const recorder = {
        record: (about: Loose, type: string, reason: string, message: string) =>
          void told.push(`${about.metadata.name}: ${type} ${reason} ${message}`),
      };
      control = new PodControl(client, recorder as Loose, cache);
    });
    const draft = { metadata: { name: 'p', namespace: 'ns' } };

    test('are told of, and awaited', async () => {
      const made = await control.create(draft, owner);
      expect([told.splice(0), cache.keys.splice(0)]).toEqual([
        ['web: Normal SuccessfulCreate Created pod: p'],
        ['ns/p'],
      ]);
      expect([cache.isSeen(undefined), cache.isSeen(made)]).toEqual([false, true]);
      await control.delete(made, owner);
      expect([told, cache.keys]).toEqual([['web: Normal SuccessfulDelete Deleted pod: p'], ['ns/p']]);
      const leaving = { ...made, metadata: { ...made.metadata, deletionTimestamp: minute(1) } };
      const replaced = { ...made, metadata: { ...made.metadata, uid: 'other' } };
      expect([made, undefined, leaving, replaced].map((seen) => cache.isSeen(seen))).toEqual([false, true, true, true]);
    });

    test('one that is gone already needs no word', async () => {
      await control.delete(pod('gone'), owner);
      expect([told, cache.keys]).toEqual([[], []]);
    });

    test('are told of where they fail', async () => {
      server.refuse('POST', /pods/, 403, 'Forbidden');
      server.refuse('DELETE', /pods/, 403, 'Forbidden');
      await expect(control.create(draft, owner)).rejects.toThrow('Forbidden');
      await expect(control.delete(pod('p'), owner)).rejects.toThrow('Forbidden');
      expect(told).toEqual([
        'web: Warning FailedCreate Error creating: Forbidden',
        'web: Warning FailedDelete Error deleting: Forbidden',
      ]);
      expect(cache.keys).toEqual([]);
    });

    test('none is told of in a namespace that goes', async () => {
      const problem = { ...failure(403, 'Forbidden', causes('NamespaceTerminating')).status };
      const refusing = new Client({
        transport: () => Promise.resolve(Response.json(problem, { status: 403 })),
        ...{ names, userAgent: 'test' },
      });
      const recorder = { record: () => void told.push('told') };
      await expect(new PodControl(refusing, recorder as Loose, cache).create(draft, owner)).rejects.toThrow();
      expect(told).toEqual([]);
    });
  });
});

describe('a write', () => {
  const set = (): ReplicaSet =>
    server.put(replicaSets, { metadata: { name: 'web', namespace: 'ns' }, status: { replicas: 1 } });
  const written = (cache: Awaiting<ReplicaSet>) => ({ client, ref: replicaSets, cache });

  test('of a status is awaited, and answered with the new object', async () => {
    const before = set();
    const cache = new Awaiting<ReplicaSet>();
    const after = await writeStatus(written(cache), before, { replicas: 2 });
    expect([after?.status.replicas, cache.keys]).toEqual([2, ['ns/web']]);
    expect([before, after, undefined].map((seen) => cache.isSeen(seen))).toEqual([false, true, true]);
  });

  test('of an equal status is not sent', async () => {
    const before = set();
    expect(await writeStatus(written(new Awaiting()), before, { replicas: 1, readyReplicas: 0 })).toBe(before);
    expect(server.writes).toEqual([]);
  });

  test('without an effect is not awaited', async () => {
    const before = set();
    const unchanging = new Client({
      transport: () => Promise.resolve(Response.json(before)),
      names,
      userAgent: 'test',
    });
    const cache = new Awaiting<ReplicaSet>();
    await writeStatus({ client: unchanging, ref: replicaSets, cache }, before, { replicas: 3 });
    expect(cache.keys).toEqual([]);
  });

  test('of what is gone is no failure, others are', async () => {
    const before = set();
    server.refuse('PUT', /./, 409, 'Conflict', 1);
    await expect(writeStatus(written(new Awaiting()), before, { replicas: 2 })).rejects.toThrow('Conflict');
    server.remove(replicaSets, 'ns/web');
    expect(await writeStatus(written(new Awaiting()), before, { replicas: 2 })).toBeUndefined();
  });

  test('a deletion tells whether there was something', async () => {
    const before = set();
    server.refuse('DELETE', /./, 500, 'InternalError', 1);
    await expect(deleteIfPresent(client, replicaSets, before)).rejects.toThrow('InternalError');
    expect(await deleteIfPresent(client, replicaSets, before, { propagationPolicy: 'Orphan' })).toBe(true);
    expect(server.writes.at(-1)?.body).toMatchObject({ propagationPolicy: 'Orphan' });
    expect(await deleteIfPresent(client, replicaSets, before)).toBe(false);
  });
});

describe('the claims of an owner', () => {
  const selector = selectorOfObject({ matchLabels: { app: 'web' } });
  const reference = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'uid-web', controller: true };
  let owner: ReplicaSet;
  beforeEach(() => {
    owner = server.put(replicaSets, { metadata: { name: 'web', namespace: 'ns' }, status: { replicas: 0 } });
  });
  const put = (name: string, app: string, isOwned: boolean): Pod => {
    const metadata = { name, namespace: 'ns', labels: { app }, ...(isOwned && { ownerReferences: [reference] }) };
    return server.put(podsRef, { metadata });
  };
  const held = async (cache: Awaiting<Pod>, all: readonly Pod[]): Promise<string[]> =>
    namesIn(await claim({ client, ref: podsRef, cache, owner, ownerRef: replicaSets }, selector, all));
  const requests = (): string[] => server.writes.splice(0).map(({ method, path }) => `${method} ${path}`);

  test('are carried out and awaited', async () => {
    const all = [
      put('own', 'web', true),
      put('lost', 'db', true),
      put('free', 'web', false),
      put('other', 'db', false),
    ];
    const cache = new Awaiting<Pod>();
    expect(await held(cache, all)).toEqual(['own', 'free']);
    expect(server.writes.map(({ body }) => body.metadata)).toEqual([
      { uid: 'uid-lost', ownerReferences: [{ $patch: 'delete', uid: 'uid-web' }] },
      { uid: 'uid-free', ownerReferences: [{ ...reference, blockOwnerDeletion: true }] },
    ]);
    expect(requests()).toEqual(['PATCH namespaces/ns/pods/lost', 'PATCH namespaces/ns/pods/free']);
    expect(cache.keys).toEqual(['ns/lost', 'ns/free']);
  });

  test('of what it holds already need no request', async () => {
    server.refuse('GET', /replicasets/, 500, 'InternalError');
    expect(await held(new Awaiting(), [put('own', 'web', true), put('other', 'db', false)])).toEqual(['own']);
    expect(await held(new Awaiting(), [put('own', 'web', true), put('lost', 'db', true)])).toEqual(['own']);
    expect(requests()).toEqual(['PATCH namespaces/ns/pods/lost']);
  });

  test.each<[string, change: Loose]>([
    ['is being deleted', { metadata: { deletionTimestamp: minute(0) } }],
    ['was replaced', { metadata: { uid: 'other' } }],
  ])('adopt nothing if the server says that it %s', async (_, change) => {
    server.change(replicaSets, 'ns/web', change);
    expect(await held(new Awaiting(), [put('own', 'web', true), put('free', 'web', false)])).toEqual(['own']);
    expect(requests()).toEqual([]);
  });

  test.each<[code: number, reason: string, fails: boolean]>([
    [404, 'NotFound', false],
    [422, 'Invalid', false],
    [500, 'InternalError', true],
  ])('answered with %i %s fail: %s', async (code, reason, fails) => {
    const all = [put('own', 'web', true), put('first', 'web', false), put('second', 'web', false)];
    server.refuse('PATCH', /first/, code, reason);
    const result = held(new Awaiting(), all);
    if (fails) await expect(result).rejects.toThrow(reason);
    else expect(await result).toEqual(['own', 'second']);
  });
});

describe('the owners of an object', () => {
  const informers = (): Informers => new Informers({ client, clock });
  const cached = async () => {
    const all = informers();
    const sets = all.of(replicaSets);
    all.start();
    await all.synced();
    return { sets, stop: () => all.stop() };
  };
  const reference = (name: string, more: Loose = {}): Loose => ({
    ownerReferences: [
      { apiVersion: 'apps/v1', kind: 'ReplicaSet', name, uid: `uid-${name}`, controller: true, ...more },
    ],
  });

  test.each<[string, metadata: Loose, controller: string | undefined, keys: string[]]>([
    ['of its controller', reference('a'), 'a', ['ns/a']],
    ['of one that was replaced', reference('a', { uid: 'old' }), undefined, []],
    ['of one that is gone', reference('x'), undefined, []],
    ['of another kind', reference('a', { kind: 'Job' }), undefined, []],
    ['of nobody', {}, undefined, ['ns/a']],
    ['of one that does not control it', reference('b', { controller: false }), undefined, ['ns/a']],
  ])('%s', async (_, metadata, controller, keys) => {
    for (const name of ['a', 'b']) server.put(replicaSets, { metadata: { name, namespace: 'ns' } });
    server.put(replicaSets, { metadata: { name: 'a', namespace: 'other' } });
    const { sets, stop } = await cached();
    const object: ApiObject = { metadata: { name: 'p', namespace: 'ns', creationTimestamp: null, ...metadata } };
    expect(controllerIn(sets, 'ReplicaSet', object)?.metadata.name).toBe(controller);
    expect(ownersOf(sets, 'ReplicaSet', object, (owner, of) => owner.metadata.name === 'a' && of === object)).toEqual(
      keys,
    );
    stop();
  });
});

test.each<[string, before: Loose[] | null | undefined, condition: Loose, after: Loose[]]>([
  [
    'the first',
    null,
    { type: 'A', status: 'True', lastTransitionTime: 'now' },
    [{ type: 'A', status: 'True', lastTransitionTime: 'now' }],
  ],
  [
    'a new status, at the end and with its time',
    [
      { type: 'A', status: 'False', lastTransitionTime: 'then' },
      { type: 'B', status: 'True' },
    ],
    { type: 'A', status: 'True', lastTransitionTime: 'now' },
    [
      { type: 'B', status: 'True' },
      { type: 'A', status: 'True', lastTransitionTime: 'now' },
    ],
  ],
  [
    'a new reason, with the time of its status',
    [{ type: 'A', status: 'True', reason: 'x', lastTransitionTime: 'then' }],
    { type: 'A', status: 'True', reason: 'y', lastTransitionTime: 'now' },
    [{ type: 'A', status: 'True', reason: 'y', lastTransitionTime: 'then' }],
  ],
  [
    'a new reason of a condition without a time',
    [{ type: 'A', status: 'True', reason: 'x' }],
    { type: 'A', status: 'True', reason: 'y', lastTransitionTime: 'now' },
    [{ type: 'A', status: 'True', reason: 'y', lastTransitionTime: 'now' }],
  ],
  [
    'the same but for its message, which is dropped',
    [{ type: 'A', status: 'True', reason: 'x', message: 'old', lastTransitionTime: 'then' }],
    { type: 'A', status: 'True', reason: 'x', message: 'new', lastTransitionTime: 'now' },
    [{ type: 'A', status: 'True', reason: 'x', message: 'old', lastTransitionTime: 'then' }],
  ],
])('a condition is set: %s', (_, before, condition, after) => {
  expect(withCondition(before, condition)).toEqual(after);
});

describe('what is served', () => {
  let served: Served;
  let stop: () => void;
  let asked: string[];
  beforeEach(async () => {
    asked = [];
    const noting = new Client({
      transport: (path, init) => {
        if (path === '/apis') asked.push(path);
        return server.transport(path, init);
      },
      ...{ names, userAgent: 'test' },
    });
    const informers = new Informers({ client, clock });
    served = new Served(noting, informers);
    for (const version of ['v1', 'v1beta1'])
      server.serve({ group: 'a.io', version, resource: 'xs', kind: 'X', namespaced: true });
    server.serve({ group: 'b.io', version: 'v1', resource: 'xs', kind: 'X', namespaced: true });
    server.serve({ group: 'b.io', version: 'v1', resource: 'ys', kind: 'Y', namespaced: true });
    server.put(customResourceDefinitions, { metadata: { name: 'there' } });
    informers.start();
    await informers.synced();
    stop = () => informers.stop();
  });

  test('is asked for once, and again after a definition or an API service has changed', async () => {
    let changes = 0;
    served.onChange(() => (changes += 1));
    const isAskedAgain = async (): Promise<boolean> => {
      await settle();
      asked.length = 0;
      await served.discovery();
      return asked.length > 0;
    };
    expect([await isAskedAgain(), await isAskedAgain(), changes]).toEqual([true, false, 0]);
    server.put(customResourceDefinitions, { metadata: { name: 'd' } });
    expect([await isAskedAgain(), await isAskedAgain(), changes]).toEqual([true, false, 1]);
    server.change(customResourceDefinitions, 'd', { status: {} });
    expect([await isAskedAgain(), changes]).toEqual([true, 2]);
    server.remove(customResourceDefinitions, 'd');
    expect([await isAskedAgain(), changes]).toEqual([true, 3]);
    server.put(apiServices, { metadata: { name: 's' } });
    expect([await isAskedAgain(), await isAskedAgain(), changes]).toEqual([true, false, 4]);
    stop();
  });

  test('is asked for again after a failure', async () => {
    server.refuse('GET', /^\/apis$/, 500, 'InternalError', 1);
    await expect(served.discovery()).rejects.toThrow('InternalError');
    expect((await served.discovery()).failed).toEqual([]);
    stop();
  });

  test('is asked for again after a failure of one group', async () => {
    server.refuse('GET', /^\/apis\/b.io\/v1$/, 503, 'ServiceUnavailable', 1);
    expect((await served.discovery()).failed.map(({ groupVersion }) => groupVersion)).toEqual(['b.io/v1']);
    expect((await served.discovery()).failed).toEqual([]);
    stop();
  });

  test('is found by version or group, and kind', async () => {
    expect(await served.resourceOf('b.io/v1', 'X')).toMatchObject({ group: 'b.io', resource: 'xs' });
    expect(await served.resourceOf('b.io/v1', 'Y')).toMatchObject({ group: 'b.io', resource: 'ys' });
    expect(await served.resourceInGroup('b.io', 'X')).toMatchObject({ group: 'b.io', resource: 'xs' });
    expect(await served.resourceInGroup('a.io', 'X')).toMatchObject({ group: 'a.io', version: 'v1' });
    const missing = [
      served.resourceOf('a.io/v1', 'Y'),
      served.resourceOf('c.io/v1', 'X'),
      served.resourceInGroup('a.io', 'Y'),
    ];
    const told = await Promise.allSettled(missing);
    expect(told.map((each) => each.status === 'rejected' && String(each.reason))).toEqual([
      'Error: no matches for kind "Y" in version "a.io/v1"',
      'Error: no matches for kind "X" in version "c.io/v1"',
      'Error: no matches for kind "Y" in group "a.io"',
    ]);
    stop();
  });
});
