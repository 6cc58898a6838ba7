/** The page while 500 of 10,000 pods change in a second: how long its tasks are, and how many frames it shows. */
import { chromium, type Browser, type Page } from '@playwright/test';
import type { ClusterOptions } from '../../../src/cluster/index.ts';
import { administrator, boot, cluster } from '../../../e2e/support.ts';
import { launchOptions, scriptFile, serveBuiltPage } from '../../tools/servedPage.ts';
import { tasksDuring, untilQuiet } from '../rooms/tasks.ts';
import { describeRow, median, type Measured } from '../row.ts';
import type {} from './pump.ts';

const PUMP = 'pump';
const PUMP_FILE = scriptFile(PUMP);
const NAME = 'busy';
const PODS = 10_000;
const NODES = 100;
const EVENTS_PER_SECOND = 500;
const SECONDS = 5;
const ROUNDS = 3;
/** What a task may take, in milliseconds of CPU. */
const TASK_AIM = 50;
/** The time between two frames at 60 a second. */
const FRAME_MS = 1000 / 60;
/** Shows nothing that changes; frames are held against those that it shows while the same goes on. */
const CALM = 'settings';

interface View {
  readonly name: string;
  readonly path: string;
  /** What stands there when it is open. */
  readonly shows: string;
  /** What is done before it is measured. */
  readonly prepare?: (page: Page) => Promise<void>;
}

const sorted = async (page: Page): Promise<void> =>
  page.getByRole('columnheader', { name: 'Restarts' }).getByRole('button').click();

const views: readonly View[] = [
  { name: 'table', path: 'explore/core/pods', shows: 'p00001' },
  { name: 'sorted table', path: 'explore/core/pods', shows: 'p00001', prepare: sorted },
  { name: 'table and inspector', path: 'explore/core/pods?sel=object:core/pods/default/p00003', shows: 'Summary' },
  { name: 'Glass', path: 'glass', shows: 'What happens' },
  { name: 'Requests', path: 'requests', shows: 'Log' },
];

const rowNames = ({ name }: View): readonly string[] => [`busy: ${name}, longest task`, `busy: ${name}, frames`];

/** Builds the page, fills a cluster and prints the rows of each view that `only` names. */
export async function runBusy(only: string, print: (line: string) => void): Promise<void> {
  const wanted = views.filter((view) => rowNames(view).some((name) => name.includes(only)));
  if (wanted.length === 0) return;
  const served = await serveBuiltPage({ scripts: { [PUMP]: 'test/bench/busy/pump.ts' } });
  const browser = await chromium.launch(launchOptions());
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    await fill(page, served.address);
    // Whoever changes the pods sits in a tab of their own: what that costs is not the page's.
    const other = await context.newPage();
    await other.goto(served.address);
    await other.evaluate((script) => import(script), `/${PUMP_FILE}`);
    await other.evaluate((options) => window.pump.open(options), optionsOf());
    await page.bringToFront();
    for (const view of wanted) await measure({ browser, page, other, print }, view);
  } finally {
    await browser.close();
    await served.close();
  }
}

interface Bench {
  readonly browser: Browser;
  readonly page: Page;
  readonly other: Page;
  readonly print: (line: string) => void;
}

/** What one round gives. */
interface Round {
  /** Frames a second, where nothing moves and in the view. */
  readonly calm: number;
  readonly seen: number;
  /** Events a second. */
  readonly rate: number;
  /** Milliseconds of CPU of each task of the page. */
  readonly tasks: readonly number[];
}

async function measure(bench: Bench, view: View): Promise<void> {
  const rounds: Round[] = [];
  while (rounds.length < ROUNDS) rounds.push(await play(bench, view));
  const over = (of: (round: Round) => number): number => median(rounds.map(of));
  const longest = Math.min(...rounds.map(({ tasks }) => Math.max(...tasks)));
  const share = over(({ tasks }) => tasks.reduce((sum, ms) => sum + ms, 0) / SECONDS / 10);
  const late = over(({ tasks }) => tasks.filter((ms) => ms > FRAME_MS).length / SECONDS);
  const [taskRow = '', frameRow = ''] = rowNames(view);
  const at = `at ${over(({ rate }) => rate).toFixed(0)} events/s`;
  say(bench, taskRow, 'at most 1', {
    subject: `${longest.toFixed(0)} ms of CPU ${at}, ${share.toFixed(0)} % of the thread, ${late.toFixed(1)} tasks/s longer than a frame`,
    reference: `${TASK_AIM} ms`,
    ratio: longest / TASK_AIM,
  });
  const [seen, calm] = [over((round) => round.seen), over((round) => round.calm)];
  say(bench, frameRow, '1: as many as where nothing moves', {
    subject: `${seen.toFixed(1)} frames/s`,
    reference: `${calm.toFixed(1)} where nothing moves`,
    ratio: seen / calm,
  });
}

const say = ({ print }: Bench, name: string, aim: string, measured: Measured): void =>
  print(`  ${describeRow({ name, aim }, measured)}`);

/** Counts the frames of the calm view and of this one, and then looks at the tasks of this one, while pods change. */
async function play(bench: Bench, view: View): Promise<Round> {
  const { browser, page } = bench;
  await visit(page, CALM);
  await page.getByRole('main', { name: 'Settings' }).waitFor({ timeout: 120_000 });
  const { result: calm } = await changing(bench, () => frames(page));
  await visit(page, view.path);
  await page.getByText(view.shows).first().waitFor({ timeout: 120_000 });
  await view.prepare?.(page);
  await untilQuiet(page);
  const before = await wordsOf(page);
  const { result: seen, rate } = await changing(bench, () => frames(page));
  if ((await wordsOf(page)) === before) throw new Error(`nothing changed in ${view.name}`);
  const { result: tasks } = await changing(bench, () =>
    tasksDuring(browser, page, () => page.waitForTimeout(SECONDS * 1000)),
  );
  return { calm, seen, rate, tasks };
}

const visit = (page: Page, path: string): Promise<void> =>
  page.evaluate((hash) => void (location.hash = hash), `#/${NAME}/${path}`);

const wordsOf = (page: Page): Promise<string> => page.getByRole('main').first().innerText();

/** Frames a second, over some seconds. */
const frames = (page: Page): Promise<number> =>
  page.evaluate(
    (ms) =>
      new Promise<number>((resolve) => {
        let count = -1;
        let began = 0;
        const next = (now: number): void => {
          if (++count === 0) began = now;
          if (now - began < ms) requestAnimationFrame(next);
          else resolve((count * 1000) / (now - began));
        };
        requestAnimationFrame(next);
      }),
    SECONDS * 1000,
  );

const pods = '/api/v1/namespaces/default/pods';
const podNames = Array.from({ length: PODS }, (_, i) => `p${String(i).padStart(5, '0')}`);

/** Lets pods change, from the other tab, while `work` runs; its result, and how many changed in a second. */
async function changing<T>({ other }: Bench, work: () => Promise<T>): Promise<{ result: T; rate: number }> {
  await other.evaluate((options) => window.pump.start(options), {
    ...{ paths: podNames.map((name) => `${pods}/${name}/status`), perSecond: EVENTS_PER_SECOND },
    headers: administrator,
  });
  // Until the first have come: what is measured is a stream that runs.
  await other.waitForFunction(() => window.pump.done > 100);
  const result = await work();
  const rate = await other.evaluate(() => window.pump.stop());
  return { result, rate };
}

/** A cluster in which nobody but the bench works. */
function optionsOf(): ClusterOptions {
  const options = cluster(NAME, { storage: 'indexeddb', controllerManager: ['--controllers=namespace'] });
  const more = ['--max-mutating-requests-inflight=0', '--disable-admission-plugins=ServiceAccount'];
  return { ...options, apiserver: [...(options.apiserver ?? []), ...more] };
}

/** Opens the cluster and makes its nodes and pods. */
async function fill(page: Page, address: string): Promise<void> {
  const base = await boot(page, optionsOf(), address);
  await page.evaluate(
    async ([url, headers, nodes, names]) => {
      const post = async (path: string, object: object): Promise<void> => {
        const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } };
        const answer = await fetch(url + path, { ...init, body: JSON.stringify(object) });
        if (answer.status !== 201) throw new Error(await answer.text());
      };
      for (let i = 0; i < nodes; i++) await post('/api/v1/nodes', { metadata: { name: `n${i}` } });
      let next = 0;
      const lane = async (): Promise<void> => {
        for (let i = next++; i < names.length; i = next++)
          await post('/api/v1/namespaces/default/pods', {
            metadata: { name: names[i], labels: { app: `a${i % 40}` } },
            spec: { nodeName: `n${i % nodes}`, containers: [{ name: 'c', image: 'nginx' }] },
          });
      };
      await Promise.all(Array.from({ length: 20 }, lane));
    },
    [base, administrator, NODES, podNames] as const,
  );
}
