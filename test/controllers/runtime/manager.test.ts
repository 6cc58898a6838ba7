/** How the manager starts any controllers: with which identities, when their code is loaded, and what it tells of problems. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { configMaps, keyOf, nodes, secrets, serviceAccounts } from '../../../src/client/index.ts';
import {
  first,
  wakeOn,
  type Controller,
  type ControllerContext,
  type Start,
} from '../../../src/controllers/runtime/index.ts';
import { Part, settle } from '../../../src/std/index.ts';
import type { TraceEvent } from '../../../src/trace/index.ts';
import { Lab, type Loose } from '../lab.ts';

let lab: Lab;
let told: Loose[];
beforeEach(() => {
  lab = new Lab();
  told = [];
});
afterEach(() => lab.stop());

const listen = (): unknown => lab.tracer.listen((event: TraceEvent) => told.push(event), ['reconcile']);
const problems = (): string[] =>
  told.filter(({ what }) => what === 'failed').map(({ controller, key, why }) => `${controller} ${key}: ${why}`);

/** A controller that only notes the config maps that it sees. */
function noting(name: string, seen: string[], traits: Partial<Controller> = {}): Controller {
  const start: Start = (context) => {
    const loop = context.loop({ reconcile: (key) => Promise.resolve(void seen.push(key)) });
    wakeOn(loop, context.informers.of(configMaps));
  };
  return { name, start, ...traits };
}

/** A controller whose context the test looks at. */
async function contextOf(traits: Partial<Controller> = {}, options: Parameters<Lab['run']>[1] = {}) {
  const contexts: ControllerContext[] = [];
  await lab.run([{ name: 'c', ...traits, start: (given) => void contexts.push(given) }], options);
  const [context] = contexts;
  if (!context) throw new Error('it was not started');
  return context;
}

const map = (name: string): Loose => lab.server.put(configMaps, { metadata: { name, namespace: 'ns' } });
const alarm = first(configMaps, ({ metadata }) => metadata.name === 'alarm');

describe('what a controller gets', () => {
  test.each<[traits: Partial<Controller>, component: string]>([
    [{ component: 'part', account: 'account' }, 'part'],
    [{ account: 'account' }, 'account'],
    [{}, 'cluster-controller-manager'],
  ])('%j records events as %s', async (traits, component) => {
    const { recorder, recorderAs } = await contextOf(traits);
    const about = { metadata: { name: 'x', namespace: 'ns' } };
    recorder.record(about, 'Normal', 'Reason', 'own');
    recorderAs('other').record(about, 'Normal', 'Reason', 'of another');
    await lab.settle();
    expect(lab.server.events.map(({ by }) => by)).toEqual([component, 'other']);
  });

  test('the files, by their whole path', async () => {
    const { file } = await contextOf({}, { files: { '/a': 'text' } });
    expect([file('/a'), file('/b'), file('toString')]).toEqual(['text', undefined, undefined]);
  });

  test('no keys where the manager has none', async () => {
    const { issuance } = await contextOf();
    expect([issuance.accountToken, issuance.rootCA, issuance.signerOf('any')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    await expect(issuance.readRequest('')).rejects.toThrow('no keys: requests are not read');
  });

  test('calls once the caches are there and when the manager stops', async () => {
    const calls: string[] = [];
    lab.server.put(configMaps, { metadata: { name: 'a', namespace: 'ns' } });
    await lab.run([
      {
        name: 'c',
        start: ({ informers, onReady, onStop }) => {
          const maps = informers.of(configMaps);
          onReady(() => calls.push(`ready with ${maps.list().length}`));
          onStop(() => calls.push('stopped'));
        },
      },
    ]);
    expect(calls).toEqual(['ready with 1']);
    await lab.stop();
    expect(calls).toEqual(['ready with 1', 'stopped']);
  });

  test('flags of each type; one that is not there is a mistake', async () => {
    const { flags } = await contextOf(
      {},
      { flags: ['--concurrent-gc-syncs=7', '--feature-gates=TTLAfterFinished=true'] },
    );
    expect(flags.number('concurrent-gc-syncs')).toBe(7);
    expect(flags.duration('node-monitor-grace-period')).toBe(40_000);
    expect([flags.bool('use-service-account-credentials'), flags.text('cluster-name')]).toEqual([false, 'cluster']);
    expect([flags.list('controllers'), flags.text('no-such'), flags.list('no-such')]).toEqual([['*'], '', []]);
    expect([flags.gate('TTLAfterFinished'), flags.gate('GenericEphemeralVolume')]).toEqual([true, false]);
    expect(() => flags.number('no-such')).toThrow('there is no flag --no-such');
    expect(() => flags.duration('no-such')).toThrow('there is no flag --no-such');
  });
});

describe('which controllers run', () => {
  const names = (): string[] => (lab.running?.view() as Loose).controllers.map(({ name }: Loose) => name);

  test.each<[flags: string[], running: string[]]>([
    [[], ['plain']],
    [['--feature-gates=TTLAfterFinished=true'], ['plain', 'gated']],
    [['--feature-gates=TTLAfterFinished=true', '--controllers=-gated,*'], ['plain']],
    [['--controllers=*,optional'], ['plain', 'optional']],
  ])('with %j: %j', async (flags, running) => {
    const given = ['plain', 'gated', 'optional'].map((name) => noting(name, []));
    const [plain, gated, optional] = given as [Controller, Controller, Controller];
    await lab.run([plain, { ...gated, gate: 'TTLAfterFinished' }, { ...optional, offByDefault: true }], { flags });
    expect(names()).toEqual(running);
  });

  test('with one identity, or with an account each where they have one', async () => {
    const users = async (flags: string[]): Promise<string[]> => {
      lab = new Lab();
      await lab.run([noting('a', [], { account: 'a-controller' }), noting('b', [])], { flags });
      const all = (lab.running?.view() as Loose).controllers.map(({ user }: Loose) => user);
      await lab.stop();
      return all;
    };
    const manager = 'system:cluster-controller-manager';
    expect(await users([])).toEqual([manager, manager]);
    expect(lab.server.writes).toEqual([]);
    const own = 'system:serviceaccount:cluster-system:a-controller';
    expect(await users(['--use-service-account-credentials=true'])).toEqual([own, manager]);
    expect(lab.server.writes.map(({ body }) => body.metadata)).toEqual([
      { name: 'a-controller', namespace: 'cluster-system' },
    ]);
  });

  test('an account that cannot be created is told of, one that is there already is not', async () => {
    listen();
    lab.server.put(serviceAccounts, { metadata: { name: 'there', namespace: 'cluster-system' } });
    lab.server.refuse('POST', /serviceaccounts/, 403, 'Forbidden', 1);
    const all = ['refused', 'there', 'new'].map((account) => noting(account, [], { account }));
    await lab.run(all, { flags: ['--use-service-account-credentials=true'] });
    expect(problems()).toEqual(['informers serviceaccounts/refused: StatusError: Forbidden']);
    expect(lab.server.get(serviceAccounts, 'cluster-system/new')).toBeDefined();
  });

  test('discovery gives way to other requests', async () => {
    await lab.run([noting('a', [], { account: 'a' })], { flags: ['--use-service-account-credentials=true'] });
    expect(lab.background).toEqual(['system:cluster-controller-manager']);
  });

  test('their queues are counted', async () => {
    await lab.run([noting('counted', [])]);
    map('a');
    await lab.settle();
    expect(lab.metrics.text()).toContain('workqueue_adds_total{name="counted"} 1');
  });
});

describe('a controller that waits for its first object', () => {
  const drowsy = (seen: string[], fetches: { count: number; fail?: number }, wakesOn = [alarm]): Controller => {
    const { start } = noting('drowsy', seen) as { start: Start };
    const part = new Part(() =>
      ++fetches.count > (fetches.fail ?? 0) ? Promise.resolve({ start }) : Promise.reject(new Error('no network')),
    );
    return { name: 'drowsy', wakesOn, start: part.of('start') };
  };
  const view = (): Loose => (lab.running?.view() as Loose).controllers[0];

  test('is loaded when one is added, once, and then sees all objects', async () => {
    const seen: string[] = [];
    const fetches = { count: 0 };
    await lab.run([drowsy(seen, fetches)]);
    map('whisper');
    await lab.settle();
    expect([fetches.count, view().notStarted, view().loops, view().reads]).toEqual([0, true, [], []]);
    map('alarm');
    await lab.settle();
    expect([fetches.count, view().notStarted, view().reads]).toEqual([1, false, ['/api/v1/configmaps']]);
    expect(seen.sort()).toEqual(['ns/alarm', 'ns/whisper']);
    lab.server.change(configMaps, 'ns/alarm', { data: {} });
    await lab.settle();
    expect(seen).toHaveLength(3);
    expect(view().loops).toHaveLength(1);
  });

  test('is loaded when one comes to be so by a change', async () => {
    const seen: string[] = [];
    const loud = first(configMaps, ({ data }) => data?.loud === 'yes');
    await lab.run([drowsy(seen, { count: 0 }, [loud])]);
    map('a');
    await lab.settle();
    expect(view().notStarted).toBe(true);
    lab.server.change(configMaps, 'ns/a', { data: { loud: 'yes' } });
    await lab.settle();
    expect(seen).toEqual(['ns/a']);
  });

  test('is started at once where its code is there already', async () => {
    const seen: string[] = [];
    const controller = drowsy(seen, { count: 0 });
    await (controller.start as Exclude<Controller['start'], Start>).part.load();
    await lab.run([controller]);
    expect(view().notStarted).toBe(false);
    map('whisper');
    await lab.settle();
    expect(seen).toEqual(['ns/whisper']);
  });

  test('waits for any of several kinds', async () => {
    const fetches = { count: 0 };
    await lab.run([drowsy([], fetches, [alarm, first(nodes)])]);
    lab.server.put(nodes, { metadata: { name: 'n' } });
    await lab.settle();
    map('alarm');
    await lab.settle();
    expect([fetches.count, view().loops.length]).toEqual([1, 1]);
  });

  test('tells that its code could not be loaded, and tries again a second later', async () => {
    listen();
    const seen: string[] = [];
    const fetches = { count: 0, fail: 1 };
    await lab.run([drowsy(seen, fetches)]);
    map('alarm');
    await lab.settle();
    expect(problems()).toEqual(['informers drowsy: PartError: a part of the program could not be fetched: no network']);
    expect([fetches.count, view().notStarted]).toEqual([1, true]);
    await lab.pass(1);
    expect([fetches.count, seen]).toEqual([2, ['ns/alarm']]);
  });

  test('is not started any more when the manager has stopped meanwhile', async () => {
    const fetches = { count: 0, fail: 1 };
    await lab.run([drowsy([], fetches)]);
    map('alarm');
    await lab.settle();
    await lab.stop();
    await lab.pass(60);
    expect([fetches.count, view().notStarted]).toEqual([1, true]);
  });

  test('is not started by code that comes when the manager has stopped', async () => {
    const coming: ((part: { start: Start }) => void)[] = [];
    const started: string[] = [];
    const part = new Part(() => new Promise<{ start: Start }>((resolve) => void coming.push(resolve)));
    await lab.run([{ name: 'late', wakesOn: [alarm], start: part.of('start') }]);
    map('alarm');
    await settle();
    await lab.stop();
    await settle();
    expect(coming).toHaveLength(1);
    coming[0]?.({ start: () => void started.push('late') });
    await settle();
    expect(started).toEqual([]);
  });

  test('its problems are told of', async () => {
    listen();
    const start = (): never => {
      throw new Error('broken');
    };
    await lab.run([
      { name: 'broken', wakesOn: [alarm], start: new Part(() => Promise.resolve({ start })).of('start') },
    ]);
    map('alarm');
    await lab.settle();
    expect(problems()).toEqual(['informers broken: Error: broken']);
  });
});

describe('a controller with several loops', () => {
  const runs: string[] = [];
  const two: Controller = {
    name: 'two',
    start: (context) => {
      const reconcile = (loop: string) => (key: string) => Promise.resolve(void runs.push(`${loop} ${key}`));
      const maps = context.loop({ reconcile: reconcile('maps') });
      const keys = context.loop({ name: 'two/secrets', reconcile: reconcile('secrets') });
      wakeOn(maps, context.informers.of(configMaps), (object) => [keyOf(object)], undefined, 5000);
      wakeOn(keys, context.informers.of(secrets), (object) => [keyOf(object)], undefined);
    },
  };
  beforeEach(() => {
    runs.length = 0;
  });
  const pause = (paused: boolean): void => lab.running?.setPaused('two', paused);
  const step = async (): Promise<string[]> => {
    lab.running?.step('two');
    await lab.settle();
    return runs.splice(0);
  };

  test('takes what waits before what is due later, one key at a time', async () => {
    await lab.run([two]);
    pause(true);
    for (const name of ['a', 'b']) map(name);
    for (const name of ['x', 'y']) lab.server.put(secrets, { metadata: { name, namespace: 'ns' } });
    await lab.settle();
    expect(await step()).toEqual(['secrets ns/x']);
    expect(await step()).toEqual(['secrets ns/y']);
    expect(await step()).toEqual(['maps ns/a']);
    expect(await step()).toEqual(['maps ns/b']);
    expect(await step()).toEqual([]);
    pause(false);
    await lab.pass(10);
    expect(runs).toEqual([]);
  });

  test('steps a later loop where the first has nothing', async () => {
    const delayed: Controller = {
      name: 'two',
      start: (context) => {
        const reconcile = (loop: string) => () => Promise.resolve(void runs.push(loop));
        context.loop({ reconcile: reconcile('first') });
        context.loop({ reconcile: reconcile('second') }).addAfter('key', 60_000);
      },
    };
    await lab.run([delayed]);
    pause(true);
    expect(await step()).toEqual(['second']);
    lab.running?.step('unknown');
  });

  test('tells in each run the revisions of the caches that the controller reads, of no others', async () => {
    listen();
    await lab.run([noting('maps', []), { name: 'nodes', start: ({ informers }) => void informers.of(nodes) }]);
    map('a');
    await lab.settle();
    const done = told.find(({ what }) => what === 'done');
    expect(Object.keys(done.read)).toEqual(['/api/v1/configmaps']);
    expect((lab.running?.view() as Loose).controllers.map(({ reads }: Loose) => reads)).toEqual([
      ['/api/v1/configmaps'],
      ['/api/v1/nodes'],
    ]);
  });
});

test('a cache that cannot be read is told of by its resource, while somebody listens', async () => {
  const transport = lab.server.transport;
  let fails = true;
  const refused = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: 'not now', code: 503 };
  Object.assign(lab.server, {
    transport: ((path, init) =>
      fails && path.includes('/configmaps')
        ? Promise.resolve(Response.json(refused, { status: 503 }))
        : transport(path, init)) satisfies typeof transport,
  });
  listen();
  const seen: string[] = [];
  map('a');
  const running = lab.run([noting('maps', seen)]);
  await lab.settle();
  expect(problems()).toEqual(['informers configmaps: StatusError: not now']);
  fails = false;
  await lab.pass(5);
  await running;
  await lab.settle();
  expect(seen).toEqual(['ns/a']);
});

test('who follows the loops is told of pauses and runs, until they end it', async () => {
  await lab.run([noting('maps', [])]);
  let first = 0;
  let second = 0;
  const endFirst = lab.running?.follow(() => (first += 1));
  const endSecond = lab.running?.follow(() => (second += 1));
  lab.running?.setPaused('unknown', true);
  expect([first, second]).toEqual([1, 1]);
  endFirst?.();
  map('a');
  await lab.settle();
  expect(first).toBe(1);
  expect(second).toBeGreaterThan(2);
  endSecond?.();
  expect(lab.tracer.wants('reconcile')).toBe(false);
});
