/** Extenders: how they are configured, what they are asked, and what becomes of their answers. */
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../src/client/index.ts';
import {
  binderOf,
  candidatesAfterExtenders,
  Extender,
  filterByExtenders,
  filteringExtenders,
  withScoresOfExtenders,
  type ExtenderConfig,
} from '../../src/scheduler/extender/index.ts';
import { Snapshot } from '../../src/scheduler/framework/snapshot.ts';
import { manualClock, toBase64, encodeText } from '../../src/std/index.ts';
import { answering, configured as read } from './extenders.ts';
import { node, pod, withPods } from './objects.ts';

describe('the configuration of an extender', () => {
  it.each<[object, Partial<ExtenderConfig>]>([
    [
      {},
      {
        ...{ urlPrefix: 'https://x', filterVerb: '', prioritizeVerb: '', preemptVerb: '', bindVerb: '', weight: 0 },
        ...{ timeout: 5000, trust: {}, nodeCacheCapable: false, managedResources: [], ignoredResources: [] },
        ignorable: false,
      },
    ],
    [{ urlPrefix: 'https://x/a//' }, { urlPrefix: 'https://x/a' }],
    [
      { filterVerb: 'f', prioritizeVerb: 'p', preemptVerb: 'e', bindVerb: 'b', weight: 3 },
      { filterVerb: 'f', prioritizeVerb: 'p', preemptVerb: 'e', bindVerb: 'b', weight: 3 },
    ],
    [
      { nodeCacheCapable: true, ignorable: true },
      { nodeCacheCapable: true, ignorable: true },
    ],
    [
      { managedResources: [{ name: 'a' }, { name: 'b', ignoredByScheduler: true }] },
      { managedResources: ['a', 'b'], ignoredResources: ['b'] },
    ],
    [{ httpTimeout: '100ms' }, { timeout: 100 }],
    [{ httpTimeout: '1m1.5s' }, { timeout: 61_500 }],
    [{ httpTimeout: '2h' }, { timeout: 7_200_000 }],
    [{ httpTimeout: '500us' }, { timeout: 0.5 }],
    [{ httpTimeout: 2e9 }, { timeout: 2000 }],
    [{ httpTimeout: 0 }, { timeout: 5000 }],
    [{ httpTimeout: '0s' }, { timeout: 5000 }],
    [{ enableHTTPS: true, tlsConfig: { insecure: true } }, { trust: { insecure: true } }],
    [{ tlsConfig: { serverName: 'me', certFile: 'c', keyFile: 'k' } }, { trust: { serverName: 'me' } }],
    [{ tlsConfig: { caData: toBase64(encodeText('PEM')) } }, { trust: { authorities: 'PEM' } }],
    [{ tlsConfig: { caFile: 'ca.pem' } }, { trust: { authorities: 'OF THE FILE' } }],
    [{ tlsConfig: { caFile: 'none.pem' } }, { trust: {} }],
  ])('%j', (fields, expected) => {
    expect(read(fields, { 'ca.pem': 'OF THE FILE' })).toMatchObject(expected);
  });

  it.each<[object, string]>([
    [{ urlPrefix: '' }, 'extenders[0].urlPrefix: "" is no URL'],
    [{ prioritizeVerb: 'p' }, 'extenders[0].weight: Invalid value: 0: must have a positive weight'],
    [{ httpTimeout: '5' }, 'extenders[0].httpTimeout: invalid duration "5"'],
    [{ httpTimeout: '-5s' }, 'extenders[0].httpTimeout: invalid duration "-5s"'],
    [{ httpTimeout: '5s x' }, 'extenders[0].httpTimeout: invalid duration "5s x"'],
    [{ httpTimeout: -1 }, 'extenders[0].httpTimeout: invalid duration -1'],
    [{ tlsConfig: { caData: '%' } }, 'extenders[0].tlsConfig.caData: illegal base64 data'],
    [{ unknown: 1 }, 'unknown field "extenders[0].unknown"'],
    [{ managedResources: [{ nome: 'x' }] }, 'unknown field "extenders[0].managedResources[0].nome"'],
  ])('%j is refused', (fields, message) => {
    expect(() => read(fields)).toThrow(message);
  });
});

const wanted = pod('p');
const nodes = [withPods(node('a'), pod('old')), withPods(node('b')), withPods(node('c'))];
const names = (found: readonly { readonly name: string }[]): string[] => found.map(({ name }) => name);

describe('an extender that filters', () => {
  it('is sent the nodes, or where it caches them their names', async () => {
    const { extender, asked } = answering({ filterVerb: 'f' }, { Nodes: { items: [{ metadata: { name: 'b' } }, {}] } });
    expect(names((await extender.filter(wanted, nodes)).feasible)).toEqual(['b']);
    expect(asked).toEqual([
      {
        url: 'POST https://x/f',
        body: {
          Pod: JSON.parse(JSON.stringify(wanted)) as unknown,
          Nodes: { kind: 'NodeList', apiVersion: 'v1', metadata: {}, items: nodes.map((each) => each.node) },
        },
      },
    ]);
    const caching = answering({ filterVerb: 'f', nodeCacheCapable: true }, { nodeNames: ['c', 'a', 7] });
    expect(names((await caching.extender.filter(wanted, nodes)).feasible)).toEqual(['a', 'c']);
    expect(caching.asked[0]?.body).toMatchObject({ NodeNames: ['a', 'b', 'c'] });
  });

  it('is not asked without a verb', async () => {
    const { extender, asked } = answering({}, {});
    expect(await extender.filter(wanted, nodes)).toEqual({ feasible: nodes, failed: new Map() });
    expect(asked).toEqual([]);
  });

  it.each<[string, unknown, string[]]>([
    ['names no nodes', {}, []],
    ['says nothing', null, []],
    ['names nodes in other letters', { NODENAMES: ['a'] }, ['a']],
    ['names nodes that were not asked about', { nodeNames: ['z', 'b'] }, ['b']],
    ['has an error that is empty', { nodeNames: ['a'], Error: '' }, ['a']],
  ])('that %s', async (_, answer, left) => {
    const { extender } = answering({ filterVerb: 'f' }, answer);
    expect(names((await extender.filter(wanted, nodes)).feasible)).toEqual(left);
  });

  it('fails with the extender’s error, or with its HTTP status', async () => {
    await expect(answering({ filterVerb: 'f' }, { error: 'no idea' }).extender.filter(wanted, nodes)).rejects.toThrow(
      'no idea',
    );
    await expect(answering({ filterVerb: 'f' }, {}, 503).extender.filter(wanted, nodes)).rejects.toThrow(
      'failed f with extender at URL https://x, code 503',
    );
  });

  it('fails when the extender times out', async () => {
    const clock = manualClock();
    const config = read({ filterVerb: 'f', httpTimeout: '2s' });
    const extender = new Extender(config, { clock, fetch: () => new Promise(() => undefined) });
    const filtered = extender.filter(wanted, nodes).catch((problem: unknown) => String(problem));
    await clock.step(1999);
    expect(await Promise.race([filtered, Promise.resolve('waits')])).toBe('waits');
    await clock.step(1);
    expect(await filtered).toBe('Error: Post "https://x/f": context deadline exceeded');
  });

  it('leaves nodes out one after the other, each with its reason', async () => {
    const first = answering(
      { urlPrefix: 'https://1', filterVerb: 'f' },
      { nodeNames: ['a', 'b'], failedNodes: { c: 'full' } },
    );
    const second = answering({ urlPrefix: 'https://2', filterVerb: 'f' }, { nodeNames: ['b'] });
    const { feasible, rejections, leftOut } = await filterByExtenders([first.extender, second.extender], wanted, nodes);
    expect(names(feasible)).toEqual(['b']);
    expect(rejections).toEqual([{ node: 'c', plugin: 'https://1', refusal: { reasons: ['full'], resolvable: true } }]);
    expect(leftOut).toEqual([
      { node: 'c', extender: 'https://1', why: 'full' },
      { node: 'a', extender: 'https://2' },
    ]);
    expect(filteringExtenders([answering({}, {}).extender, second.extender], wanted)).toEqual([second.extender]);
  });

  it('is not asked when nothing is left, nor about pods that use nothing of its own', async () => {
    const none = answering({ filterVerb: 'f' }, {});
    const after = answering({ filterVerb: 'f' }, { nodeNames: ['a'] });
    expect((await filterByExtenders([none.extender, after.extender], wanted, nodes)).feasible).toEqual([]);
    expect(after.asked).toEqual([]);
    const other = answering({ filterVerb: 'f', managedResources: [{ name: 'x.io/gpu' }] }, {});
    expect((await filterByExtenders([other.extender], wanted, nodes)).feasible).toEqual(nodes);
  });

  it('may fail where it can be ignored', async () => {
    const ignorable = answering({ filterVerb: 'f', ignorable: true }, {}, 500);
    expect((await filterByExtenders([ignorable.extender], wanted, nodes)).feasible).toEqual(nodes);
    const strict = answering({ filterVerb: 'f' }, {}, 500);
    await expect(filterByExtenders([strict.extender], wanted, nodes)).rejects.toThrow('code 500');
  });

  const using = (where: 'containers' | 'initContainers', kind: 'requests' | 'limits'): Pod =>
    pod('p', {
      spec: { containers: [], [where]: [{ name: 'c', resources: { [kind]: { 'x.io/gpu': '1' } } }] } as never,
    });
  it.each<[string, Pod, boolean]>([
    ['requests it', using('containers', 'requests'), true],
    ['is limited in it', using('containers', 'limits'), true],
    ['begins with one that requests it', using('initContainers', 'requests'), true],
    ['uses something else', pod('p', { requests: { cpu: '1' } }), false],
    ['has nothing', pod('p', { spec: { containers: undefined } as never }), false],
  ])('that manages a resource cares for a pod that %s: %s', (_, one, expected) => {
    const { extender } = answering({ managedResources: [{ name: 'x.io/gpu' }] }, {});
    expect(extender.isInterested(one)).toBe(expected);
  });
});

describe('an extender that scores', () => {
  const scored = { columns: [{ plugin: 'X', weight: 1, raw: [1, 2, 3], normalized: [1, 2, 3] }], totals: [1, 2, 3] };
  it('adds tenfold scores by its weight, in whole numbers; nodes that it does not name get none', async () => {
    const answer = [
      { Host: 'a', Score: 7 },
      { host: 'c', score: 1.9 },
      { host: 'z', score: 5 },
      { host: 'b', score: '4' },
    ];
    const { extender, asked } = answering({ prioritizeVerb: 'p', weight: 2 }, answer);
    const { columns, totals } = await withScoresOfExtenders(scored, [extender], wanted, nodes);
    expect(columns[1]).toEqual({ plugin: 'https://x', weight: 2, raw: [7, 0, 1], normalized: [70, 0, 10] });
    expect(totals).toEqual([141, 2, 23]);
    expect(asked[0]?.url).toBe('POST https://x/p');
  });

  it.each<[string, object, unknown, number]>([
    ['fails', { prioritizeVerb: 'p', weight: 1 }, {}, 500],
    ['has no verb for it', {}, [{ host: 'a', score: 9 }], 200],
    ['answers something else', { prioritizeVerb: 'p', weight: 1 }, { a: 1 }, 200],
  ])('and %s changes no total', async (_, fields, answer, status) => {
    const { extender } = answering(fields, answer, status);
    expect((await withScoresOfExtenders(scored, [extender], wanted, nodes)).totals).toEqual([1, 2, 3]);
  });
});

describe('an extender that preempts', () => {
  const snapshot = new Snapshot(nodes);
  const candidates = [
    { node: 'a', victims: [pod('old')], violations: 1 },
    { node: 'b', victims: [], violations: 0 },
  ];

  it('is sent the victims, or where it caches nodes their uids, and may spare some', async () => {
    const answer = { NodeNameToMetaVictims: { a: { Pods: [{ UID: 'uid-old' }], NumPDBViolations: 2 } } };
    const { extender, asked } = answering({ preemptVerb: 'e' }, answer);
    const [left, ...more] = await candidatesAfterExtenders([extender], wanted, candidates, snapshot);
    expect([left?.node, left?.victims.map(({ metadata }) => metadata.name), left?.violations, more]).toEqual([
      'a',
      ['old'],
      2,
      [],
    ]);
    expect(asked[0]).toMatchObject({
      url: 'POST https://x/e',
      body: {
        NodeNameToVictims: { a: { Pods: [{ metadata: { name: 'old' } }], NumPDBViolations: 1 }, b: { Pods: [] } },
      },
    });
    const caching = answering({ preemptVerb: 'e', nodeCacheCapable: true }, answer);
    await candidatesAfterExtenders([caching.extender], wanted, candidates, snapshot);
    expect(caching.asked[0]?.body).toMatchObject({
      NodeNameToMetaVictims: {
        a: { Pods: [{ UID: 'uid-old' }], NumPDBViolations: 1 },
        b: { Pods: [], NumPDBViolations: 0 },
      },
    });
  });

  it.each<[string, object, unknown, string[]]>([
    ['agrees with none', { preemptVerb: 'e' }, {}, []],
    ['agrees with one that nobody leaves', { preemptVerb: 'e' }, { nodeNameToMetaVictims: { b: {} } }, ['b']],
    ['has no verb for it', {}, {}, ['a', 'b']],
  ])('and %s', async (_, fields, answer, left) => {
    const { extender } = answering(fields, answer);
    const found = await candidatesAfterExtenders([extender], wanted, candidates, snapshot);
    expect(found.map((each) => each.node)).toEqual(left);
  });

  it('fails over victims that are not there, unless it can be ignored', async () => {
    const answer = { nodeNameToMetaVictims: { a: { pods: [{ uid: 'gone' }] } } };
    const strict = answering({ preemptVerb: 'e' }, answer).extender;
    await expect(candidatesAfterExtenders([strict], wanted, candidates, snapshot)).rejects.toThrow(
      'extender: pod (UID: gone) not found on node a',
    );
    const ignorable = answering({ preemptVerb: 'e', ignorable: true }, answer).extender;
    expect(await candidatesAfterExtenders([ignorable], wanted, candidates, snapshot)).toEqual(candidates);
  });

  it('is not asked when no candidate is left', async () => {
    const { extender, asked } = answering({ preemptVerb: 'e' }, {});
    expect(await candidatesAfterExtenders([extender], wanted, [], snapshot)).toEqual([]);
    expect(asked).toEqual([]);
  });
});

describe('an extender that binds', () => {
  it('is told the pod and its node', async () => {
    const { extender, asked } = answering({ bindVerb: 'b' }, { Error: '' });
    await extender.bind(wanted, 'a');
    expect(asked).toEqual([
      { url: 'POST https://x/b', body: { PodName: 'p', PodNamespace: 'ns', PodUID: 'uid-p', Node: 'a' } },
    ]);
  });

  it('fails with the extender’s error', async () => {
    await expect(answering({ bindVerb: 'b' }, { Error: 'taken' }).extender.bind(wanted, 'a')).rejects.toThrow('taken');
  });

  it('is the one that has a verb for it and cares for the pod', () => {
    const [silent, other, binder] = [{}, { bindVerb: 'b', managedResources: [{ name: 'x' }] }, { bindVerb: 'b' }].map(
      (fields) => answering(fields, {}).extender,
    ) as [Extender, Extender, Extender];
    expect(binderOf([silent, other, binder], wanted)).toBe(binder);
    expect(binderOf([silent, other], wanted)).toBeUndefined();
  });
});
