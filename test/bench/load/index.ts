/** The dock's *Load* in Chromium, from an empty cluster until all pods run, at rest, when the page is opened again, and when it is removed again. */
import { chromium, type Page } from '@playwright/test';
import type { ClusterOptions } from '../../../src/cluster/index.ts';
import { administrator, boot, cluster } from '../../../e2e/support.ts';
import { launchOptions, serveBuiltPage } from '../../tools/servedPage.ts';
import { median, percentile } from '../row.ts';
import { followMemory, type Memory } from './memory.ts';

const NAME = 'heavy';
/** Milliseconds between two lines of the run. */
const EVERY = 10_000;
/** Milliseconds between two requests of the person who looks on. */
const ASKS_EVERY = 700;
/** Milliseconds for which the table scrolls, and pixels for each frame. */
const SCROLLS_FOR = 5_000;
const SCROLLS_BY = 90;
/** No progress for so long: it will not come any more. */
const STUCK_AFTER = 120_000;

/** History is compacted every five minutes, up to where it stood five minutes before. By the cluster's clock, which is moved. */
const FORGOTTEN_AFTER = 660_000;
/** Milliseconds until what a step of the clock has begun behind it is done. */
const SETTLES_WITHIN = 20_000;

export interface LoadSize {
  readonly nodes: number;
  readonly pods: number;
}

interface Run {
  readonly page: Page;
  readonly memory: Memory;
  readonly base: string;
  readonly began: number;
  readonly print: (line: string) => void;
}

/** Runs a load of this size in the built page and prints a line every ten seconds; ends early where it stays still or the tab dies. */
export async function runLoad(size: LoadSize, print: (line: string) => void): Promise<void> {
  const served = await serveBuiltPage();
  const browser = await chromium.launch(launchOptions());
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.on('crash', () => print('the tab has crashed'));
    const base = await boot(page, optionsOf(), served.address);
    const memory = await followMemory(browser, page);
    const run: Run = { page, memory, base, began: performance.now(), print };
    await openLoad(page);
    await page.waitForTimeout(EVERY);
    await memory.collect();
    print(
      `Chromium ${browser.version()}: ${size.nodes} nodes, ${size.pods} pods; before, collected: ${await state(run)}`,
    );
    await start(run, size);
    await untilDone(run, size);
    await rest(run);
    await reopen(run);
    await remove(run);
  } finally {
    await browser.close();
    await served.close();
  }
}

/** A cluster as the start page makes it, with an account of its own for the person who looks on. */
function optionsOf(): ClusterOptions {
  const options = cluster(NAME, { storage: 'indexeddb', nodes: 1 });
  return {
    ...options,
    apiserver: ['--authorization-mode=Node,RBAC', '--token-auth-file=tokens.csv'],
    controllerManager: ['--use-service-account-credentials=true'],
  };
}

const dock = (page: Page) => page.getByRole('region', { name: 'Load', exact: true });

async function openLoad(page: Page): Promise<void> {
  await page.evaluate((hash) => void (location.hash = hash), `#/${NAME}/explore/core/pods`);
  await page.getByRole('main', { name: 'Explore' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('load');
  await page.getByRole('option', { name: /^Load/ }).first().click();
  await dock(page).waitFor();
}

async function start({ page }: Run, { nodes, pods }: LoadSize): Promise<void> {
  await dock(page).getByLabel('Nodes').fill(String(nodes));
  await dock(page).getByLabel('Pods').fill(String(pods));
  await dock(page).getByRole('button', { name: 'Start' }).click();
}

/** Numbers as the dock shows them: `1,200 of 10,000`. */
const counts = (text: string): readonly number[] =>
  [...text.matchAll(/([\d,]+) of [\d,]+/g)].map(([, done = '']) => Number(done.replaceAll(',', '')));

async function untilDone(run: Run, size: LoadSize): Promise<void> {
  const { page, print } = run;
  const all: Asked = { gets: [], creates: [] };
  let last = '';
  let moved = performance.now();
  for (;;) {
    const asked = await asking(run, EVERY);
    all.gets.push(...asked.gets);
    all.creates.push(...asked.creates);
    const text = await dock(page).innerText();
    const [nodes = 0, pods = 0] = counts(text);
    print(`${nodes} nodes, ${pods} pods; ${spreads(asked)}; ${await state(run)}`);
    if (nodes >= size.nodes && pods >= size.pods) return print(`a person, median, p99 and longest: ${tails(all)}`);
    if (/Failed|could not/i.test(text)) throw new Error(text);
    const now = `${nodes} ${pods}`;
    if (now !== last) moved = performance.now();
    last = now;
    if (performance.now() - moved > STUCK_AFTER) throw new Error(`nothing moves any more: ${text}`);
  }
}

/** How things are when nothing is done: garbage is collected first, so that only what is kept counts. */
async function rest(run: Run): Promise<void> {
  const before = await run.memory.now();
  await run.memory.collect();
  run.print(`collected: ${await state(run)}`);
  run.print(`at rest: ${spreads(await asking(run, 3 * EVERY))}; ${await state(run)}`);
  const after = await run.memory.now();
  run.print(`of a core at rest: ${share(after.cpu - before.cpu, 3 * EVERY)}`);
  run.print(`list of 500, as text: ${await listPages(run)}`);
  run.print(`the table of pods: ${await scroll(run)}`);
}

const share = (cpu: number, ms: number): string => `${((cpu / ms) * 100).toFixed(1)} %`;

async function listPages({ page, base }: Run): Promise<string> {
  const took = await page.evaluate(
    async ([url, headers]) => {
      const all: number[] = [];
      for (let i = 0; i < 20; i++) {
        const began = performance.now();
        await (await fetch(url, { headers })).text();
        all.push(performance.now() - began);
      }
      return all;
    },
    [`${base}/api/v1/pods?limit=500`, administrator] as const,
  );
  return `median ${median(took).toFixed(0)} ms, least ${Math.min(...took).toFixed(0)} ms`;
}

/** Moves through the table by a few rows a frame, and tells how many frames there are; before that, while it stands still. */
async function scroll({ page }: Run): Promise<string> {
  const { still, moving, longest } = await page.getByRole('table', { name: 'pods' }).evaluate(
    async (table, [ms, step]) => {
      const scroller = table.parentElement;
      if (!scroller || scroller.scrollHeight <= scroller.clientHeight) throw new Error('the table does not scroll');
      const frames = async (eachFrame: () => void): Promise<number[]> => {
        const at: number[] = [];
        while (at.length === 0 || performance.now() < (at[0] ?? 0) + ms) {
          at.push(await new Promise<number>((resolve) => requestAnimationFrame(resolve)));
          eachFrame();
        }
        return at;
      };
      const rate = (at: readonly number[]): number => ((at.length - 1) * 1000) / ((at.at(-1) ?? 0) - (at[0] ?? 0));
      const still = await frames(() => undefined);
      const moving = await frames(() => scroller.scrollBy(0, step));
      const longest = Math.max(...moving.slice(1).map((time, i) => time - (moving[i] ?? 0)));
      return { still: rate(still), moving: rate(moving), longest };
    },
    [SCROLLS_FOR, SCROLLS_BY] as const,
  );
  const longestGap = `the longest ${longest.toFixed(0)} ms`;
  return `${moving.toFixed(1)} frames a second while it scrolls, ${longestGap}; ${still.toFixed(1)} while it stands still`;
}

async function reopen(run: Run): Promise<void> {
  const began = performance.now();
  await run.page.reload();
  await dock(run.page)
    .getByRole('progressbar', { name: 'Nodes ready' })
    .waitFor({ timeout: 10 * STUCK_AFTER });
  run.print(`opened again after ${seconds(performance.now() - began)}; ${await state(run)}`);
}

async function remove(run: Run): Promise<void> {
  const began = performance.now();
  await dock(run.page).getByRole('button', { name: 'Remove what was made' }).click();
  await dock(run.page)
    .getByRole('button', { name: 'Start' })
    .waitFor({ timeout: 10 * STUCK_AFTER });
  run.print(`removed after ${seconds(performance.now() - began)}; ${await state(run)}`);
  await run.memory.collect();
  run.print(`collected: ${await state(run)}`);
  await run.page.evaluate((ms) => window.vitrine.clock.step(ms), FORGOTTEN_AFTER);
  await run.page.waitForTimeout(SETTLES_WITHIN);
  await run.memory.collect();
  run.print(`collected, eleven minutes later: ${await state(run)}`);
}

/** How long a person's requests took, in milliseconds. */
interface Asked {
  readonly gets: number[];
  readonly creates: number[];
}

/** Sends a person's requests for so long: a get, and the creation of an object. */
function asking({ page, base }: Run, ms: number): Promise<Asked> {
  return page.evaluate(
    async ([url, headers, duration, pause]) => {
      const timed = async (path: string, init: RequestInit): Promise<number> => {
        const began = performance.now();
        await (await fetch(url + path, init)).text();
        return performance.now() - began;
      };
      const gets: number[] = [];
      const creates: number[] = [];
      const until = performance.now() + duration;
      while (performance.now() < until) {
        gets.push(await timed('/api/v1/namespaces/default', { headers }));
        const body = JSON.stringify({ metadata: { generateName: 'p-' } });
        const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
        creates.push(await timed('/api/v1/namespaces/default/configmaps', init));
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
      return { gets, creates };
    },
    [base, administrator, ms, ASKS_EVERY] as const,
  );
}

const spreads = ({ gets, creates }: Asked): string => `get ${spread(gets)}, create ${spread(creates)}`;
const tails = ({ gets, creates }: Asked): string => `get ${tail(gets)}, create ${tail(creates)} of ${gets.length}`;

/** Median and longest, in milliseconds. */
const spread = (values: readonly number[]): string =>
  `${median(values).toFixed(0)}/${Math.max(...values).toFixed(0)} ms`;

/** Median, 99th percentile and longest, in milliseconds. */
function tail(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  return [50, 99, 100].map((percent) => percentile(sorted, percent).toFixed(0)).join('/') + ' ms';
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

async function state({ memory, began }: Run): Promise<string> {
  const { cpu, own, resident, heap, reserved, buffers, pageHeap } = await memory.now();
  const at = `at ${seconds(performance.now() - began)}, ${seconds(cpu)} of CPU`;
  const worker = `the worker’s heap ${megabytes(heap)} of ${megabytes(reserved)} and buffers ${megabytes(buffers)}`;
  return `${at}, memory ${megabytes(own)}, ${megabytes(resident)} with the browser’s program, ${worker}, the page’s heap ${megabytes(pageHeap)}`;
}
