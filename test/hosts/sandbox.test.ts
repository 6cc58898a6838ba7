import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Job, Run, Sandbox } from '../../src/cluster/index.ts';
import { nodeSandbox } from '../../src/hosts/node/sandbox.ts';
import { runJob } from '../../src/hosts/sandbox/machine.ts';
import { createPool, type ThreadEvents } from '../../src/hosts/sandbox/pool.ts';
import { bundleSandboxThread } from '../tools/sandboxThread.ts';

const MIB = 1024 * 1024;
const file = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm');
const engine = await WebAssembly.compile(readFileSync(file));

function job(code: string, given: readonly unknown[] = [], milliseconds = 2000): Job {
  return { code, input: JSON.stringify(given), limits: { milliseconds, bytes: 32 * MIB } };
}

function shown(run: Run): string {
  if (run.outcome === 'returned') return run.value ?? 'nothing';
  return run.outcome === 'threw' ? `threw ${run.message}` : `ended (${run.limit}): ${run.message}`;
}

describe('a run in a machine of its own', () => {
  test.each<[string, string, readonly unknown[], string | RegExp]>([
    ['gives what the handler returns', 'export default (a, b) => ({ sum: a.x + b })', [{ x: 1 }, 2], '{"sum":3}'],
    ['waits for what it promises', 'export default async (a) => { await 0; return a }', ['x'], '"x"'],
    [
      'lets timers run',
      'export default async () => { await new Promise((go) => setTimeout(go, 5)); return 1 }',
      [],
      '1',
    ],
    [
      'does not wait for timers that were cleared',
      'export default () => { clearTimeout(setTimeout(() => 0, 1e6)); return 1 }',
      [],
      '1',
    ],
    ['may return nothing', 'export default () => {}', [], 'nothing'],
    ['knows base64', 'export default (text) => atob(btoa(text))', ['é'], '"é"'],
    [
      'says where the code threw',
      'export default () => {\n  throw new TypeError("no")\n}',
      [],
      'threw TypeError: no at handler.js:2:22',
    ],
    ['says what a promise was rejected with', 'export default () => Promise.reject("why")', [], 'threw why'],
    ['says where the text is no module', 'export default (', [], /^threw SyntaxError: .* at handler\.js:1/],
    ['needs a handler', 'export const handler = 1', [], /^threw there is no handler/],
    ['refuses a promise that can never settle', 'export default () => new Promise(() => 0)', [], /can never settle/],
    [
      'refuses an answer without an end',
      'const a = []; a.push(a); export default () => a',
      [],
      /^threw TypeError: circular/,
    ],
    [
      'survives a recursion without an end',
      'const f = () => 1 + f(); export default f',
      [],
      /^threw InternalError: stack overflow/,
    ],
    ['ends a loop', 'export default () => { for (;;); }', [], 'ended (time): it ran for more than 0.3 s'],
    ['ends a loop that catches', 'export default () => { for (;;) try { x } catch {} }', [], /^ended \(time\)/],
    ['ends a loop outside the handler', 'for (;;); export default 1', [], /^ended \(time\)/],
    [
      'ends a pattern that goes on and on',
      'export default () => /(a+)+$/.test("a".repeat(40) + "!")',
      [],
      /^ended \(time\)/,
    ],
    [
      'ends a wait beyond its time',
      'export default () => new Promise((go) => setTimeout(go, 1e6))',
      [],
      /^ended \(time\)/,
    ],
    [
      'ends what allocates objects',
      'export default () => { for (const all = [];;) all.push({ x: 1 }) }',
      [],
      'ended (memory): it used more than 32 MiB of memory',
    ],
    [
      'ends what allocates buffers',
      'export default () => { for (const all = [];;) all.push(new ArrayBuffer(1e6)) }',
      [],
      /^ended \(memory\)/,
    ],
    [
      'ends what allocates text',
      'export default () => { for (let s = "x", all = [];;) all.push((s += s.slice(0, 1e6))) }',
      [],
      /^ended \(memory\)/,
    ],
  ])('%s', async (_what, code, given, expected) => {
    const run = shown(
      await runJob(engine, job(code, given, /^ended \(time|loop|pattern|wait/.test(_what) ? 300 : 2000)),
    );
    if (typeof expected === 'string') expect(run).toBe(expected);
    else expect(run).toMatch(expected);
  });

  test.each([
    'fetch("https://example.com")',
    'new XMLHttpRequest()',
    'indexedDB.open("x")',
    'localStorage.x',
    'importScripts("x.js")',
    'new Worker("x")',
    'document.body',
    'process.env',
    'require("fs")',
    'self.close()',
  ])('has no %s', async (code) => {
    expect(shown(await runJob(engine, job(`export default () => ${code}`)))).toMatch(
      /^threw ReferenceError: '\w+' is not defined \(what runs here has no network, no storage and no page\)/,
    );
  });

  test('imports nothing, and its functions make no way out', async () => {
    const attempts = [
      'import("node:fs")',
      '(() => 0).constructor("return this")().process',
      'console.log.constructor("return typeof process")()',
    ];
    const runs = await Promise.all(
      attempts.map((code) => runJob(engine, job(`export default () => ${code} ?? "nothing"`))),
    );
    expect(runs.map(shown)).toEqual([expect.stringMatching(/^threw /), '"nothing"', '"undefined"']);
  });

  test('keeps what it writes to the console, up to a limit', async () => {
    const run = await runJob(
      engine,
      job('export default () => { console.log("a", { b: [1] }); for (let i = 0; i < 1e4; i++) console.warn(i) }'),
    );
    expect([run.logs.length, run.logs[0]]).toEqual([100, 'a {"b":[1]}']);
  });

  test('leaves nothing for the next', async () => {
    const code =
      'globalThis.count = (globalThis.count ?? 0) + 1; Array.prototype.x = 1; export default () => [count, Object.keys(globalThis).length > 0]';
    const first = shown(await runJob(engine, job(code)));
    expect(shown(await runJob(engine, job(code)))).toBe(first);
  });
});

describe('threads for machines', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = nodeSandbox(await bundleSandboxThread());
  });
  afterAll(() => sandbox.stop());
  const run = (code: string, signal = new AbortController().signal, milliseconds = 20_000): Promise<Run> =>
    sandbox.run(job(code, [], milliseconds), signal);

  test('answer meanwhile others loop, and end when nobody waits any more', async () => {
    const gone = new AbortController();
    const looping = Promise.allSettled([1, 2, 3].map(() => run('export default () => { for (;;); }', gone.signal)));
    expect(shown(await run('export default () => "here"'))).toBe('"here"');
    gone.abort(new Error('gone'));
    expect((await looping).map((one) => one.status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(shown(await run('export default () => "still"'))).toBe('"still"');
  });

  test('are not all taken by one code, however often it is asked', async () => {
    const gone = new AbortController();
    const code = 'export default () => { for (;;); }';
    const looping = Promise.allSettled(Array.from({ length: 8 }, () => run(code, gone.signal)));
    expect(shown(await run('export default () => "other"'))).toBe('"other"');
    gone.abort(new Error('gone'));
    await looping;
    expect(shown(await run('export default () => "after"'))).toBe('"after"');
  });

  test('take more jobs than there are threads, one after the other', async () => {
    const runs = await Promise.all(Array.from({ length: 20 }, (_, i) => run(`export default () => ${i}`)));
    expect(runs.map(shown)).toEqual(Array.from({ length: 20 }, (_, i) => String(i)));
  });
});

describe('a pool of threads', () => {
  /** Threads that answer nothing by themselves; what they are told is at hand. */
  const pool = (): { sandbox: Sandbox; threads: ThreadEvents[] } => {
    const threads: ThreadEvents[] = [];
    const sandbox = createPool((events) => {
      threads.push(events);
      return { post: () => undefined, end: () => undefined };
    });
    return { sandbox, threads };
  };
  const returned: Run = { outcome: 'returned', value: '1', logs: [] };
  const { signal } = new AbortController();

  test('gives no job to a thread that broke while it had nothing to do', async () => {
    const { sandbox, threads } = pool();
    const first = sandbox.run(job('a'), signal);
    await expect.poll(() => threads.length).toBe(1);
    await Promise.resolve();
    threads[0]?.onMessage(returned);
    await first;
    threads[0]?.onBroken('gone');
    const second = sandbox.run(job('a'), signal);
    await expect.poll(() => threads.length).toBe(2);
    await Promise.resolve();
    threads[1]?.onMessage(returned);
    expect(shown(await second)).toBe('1');
  });

  test('that is closed ends what runs and begins nothing that waits', async () => {
    const { sandbox, threads } = pool();
    const runs = Promise.allSettled([1, 2, 3, 4, 5].map(() => sandbox.run(job('a'), signal)));
    await expect.poll(() => threads.length).toBe(4);
    await Promise.resolve();
    sandbox.stop();
    const outcomes = (await runs).map((run) => (run.status === 'fulfilled' ? shown(run.value) : String(run.reason)));
    const ended = 'ended (none): the sandbox was closed';
    expect(outcomes).toEqual([ended, ended, ended, ended, 'Error: the sandbox was closed']);
    expect(threads.length).toBe(4);
  });

  describe('limits the time of a job', () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());
    /** A job of 2 s on a new thread, and what became of it so far. */
    const running = async (): Promise<{ sandbox: Sandbox; thread: ThreadEvents; outcome(): string }> => {
      const { sandbox, threads } = pool();
      let outcome = 'running';
      void sandbox.run(job('a'), signal).then((run) => (outcome = shown(run)));
      await vi.advanceTimersByTimeAsync(0);
      const [thread] = threads;
      if (!thread) throw new Error('no thread was started');
      return { sandbox, thread, outcome: () => outcome };
    };

    test('from when its thread is ready', async () => {
      const { thread, outcome } = await running();
      await vi.advanceTimersByTimeAsync(20_000);
      expect(outcome()).toBe('running');
      thread.onMessage('ready');
      await vi.advanceTimersByTimeAsync(2_900);
      expect(outcome()).toBe('running');
      await vi.advanceTimersByTimeAsync(200);
      expect(outcome()).toBe('ended (time): it did not end after 2 s');
    });

    test('at once on a thread that has been ready for long', async () => {
      const { sandbox, thread, outcome } = await running();
      thread.onMessage('ready');
      thread.onMessage(returned);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(outcome()).toBe('1');
      const second = sandbox.run(job('a'), signal);
      await vi.advanceTimersByTimeAsync(3_000);
      expect(shown(await second)).toBe('ended (time): it did not end after 2 s');
    });

    test('and the time in which a thread has to start', async () => {
      const { outcome } = await running();
      await vi.advanceTimersByTimeAsync(30_000);
      expect(outcome()).toBe('ended (time): its thread did not start within 30 s');
    });
  });
});
