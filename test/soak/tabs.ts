/** A cluster in a browser's tabs, as the ground of a simulation: tabs come and go, and one of them writes. */
import type { BrowserContext, Page } from '@playwright/test';
import { setTimeout as delay } from 'node:timers/promises';
import type { TraceEvent } from '../../src/cluster/index.ts';
import type { Send } from '../kills/counters.ts';
import { OPTIONS, type Ground } from '../simulation/ground.ts';

const TOKEN = 'admintoken';
const options = {
  ...OPTIONS,
  storage: 'indexeddb',
  apiserver: [...OPTIONS.apiserver, '--authorization-mode=Node,RBAC', '--token-auth-file=tokens.csv'],
  files: { 'tokens.csv': `${TOKEN},admin,uid-admin,"system:masters"\n` },
} as const;

/** History is kept for up to twice the interval of compaction, which is five minutes. */
const FORGOTTEN_AFTER = 11 * 60_000;
/** A request that went down with its tab is made again by another one, so often at most. */
const MOST_TRIES = 20;

/** Where a page gathers what the trace tells. */
type Tracing = Window & { traced?: TraceEvent[]; endTracing?: () => void };

export class TabsGround implements Ground {
  readonly #context: BrowserContext;
  readonly #address: string;
  readonly #problem: (sentence: string) => void;
  #tabs: Page[] = [];
  #base = '';
  /** Nothing can be written, so time may stand still. */
  isFull = false;
  #markers = 0;

  private constructor(context: BrowserContext, address: string, problem: (sentence: string) => void) {
    this.#context = context;
    this.#address = address;
    this.#problem = problem;
  }

  /** Opens two tabs on a new cluster. `problem` hears of errors of the pages. */
  static async open(
    context: BrowserContext,
    address: string,
    problem: (sentence: string) => void,
  ): Promise<TabsGround> {
    const ground = new TabsGround(context, address, problem);
    await ground.openTab();
    await ground.openTab();
    return ground;
  }

  /** The open tabs, the oldest first: as a rule it is the one that writes. */
  get tabs(): readonly Page[] {
    return this.#tabs;
  }

  async openTab(): Promise<void> {
    const tab = await this.#context.newPage();
    tab.on('pageerror', (error) => this.#problem(`an error in a page: ${error.message}`));
    tab.on('crash', () => this.#forgetTab(tab));
    tab.on('close', () => this.#forgetTab(tab));
    await this.#boot(tab);
    this.#tabs.push(tab);
  }

  async reload(tab: Page): Promise<void> {
    this.#forgetTab(tab);
    await this.#boot(tab);
    this.#tabs.push(tab);
  }

  /** The renderer of a tab ends in the middle of whatever it does, as when the system kills it. */
  async crash(tab: Page): Promise<void> {
    this.#forgetTab(tab);
    await tab.goto('chrome://crash').catch(() => undefined);
    await tab.close();
  }

  async #boot(tab: Page): Promise<void> {
    await tab.goto(this.#address);
    await tab.waitForFunction(() => 'vitrine' in window);
    this.#base = await tab.evaluate(async (given) => (await window.vitrine.boot(given)).base, options);
  }

  #forgetTab(tab: Page): void {
    this.#tabs = this.#tabs.filter((each) => each !== tab);
  }

  /** A way to the cluster through each open tab: the page's own `fetch`. It rejects when the tab goes meanwhile. */
  readonly servers = (): readonly Send[] => this.#tabs.map((tab) => (path, init) => this.#through(tab, path, init));

  readonly send: Send = async (path, init) => {
    for (let tries = 0; ; tries++) {
      const [tab] = this.#tabs;
      try {
        if (tab) return await this.#through(tab, path, init);
      } catch (error) {
        if (tries >= MOST_TRIES) throw error;
      }
      if (tries >= MOST_TRIES) throw new Error('no tab is open');
      await delay(50);
    }
  };

  /** One request; a stream is answered as a whole when it has ended. */
  async #through(tab: Page, path: string, { signal, ...init }: Parameters<Send>[1] = {}): Promise<Response> {
    signal?.throwIfAborted();
    const answering = tab.evaluate(
      async ([address, { method, headers, body }]) => {
        const response = await fetch(address, { method, headers, body } as RequestInit);
        return { status: response.status, text: await response.text() };
      },
      [this.#base + path, { ...init, headers: { ...init.headers, authorization: `Bearer ${TOKEN}` } }] as const,
    );
    const gone = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('the watcher has vanished')), { once: true });
    });
    const { status, text } = await (signal ? Promise.race([answering, gone]) : answering);
    return new Response(text, { status });
  }

  /** A step that went down with the tab that ran the cluster is made again: how far time has moved is not what is looked at. */
  async advance(ms: number): Promise<void> {
    for (let tries = 0; ; tries++) {
      const stepping = this.#first.evaluate(async (passed) => void (await window.vitrine.clock.step(passed)), ms);
      try {
        return await stepping;
      } catch (error) {
        if (this.isFull) return;
        if (tries >= MOST_TRIES) throw error;
      }
    }
  }

  /** History goes by itself, as time passes. */
  forget(): Promise<void> {
    return this.advance(FORGOTTEN_AFTER);
  }

  async restart(): Promise<void> {
    // The profile stays open while a page of it is.
    const blank = await this.#context.newPage();
    for (const tab of this.#tabs) await tab.close();
    await this.openTab();
    await this.openTab();
    await blank.close();
  }

  async traced(work: () => Promise<void>): Promise<readonly TraceEvent[]> {
    const tab = this.#first;
    const marker = `/api/v1/namespaces/marker-${this.#markers++}`;
    await tab.evaluate(() => {
      const traced: TraceEvent[] = [];
      const endTracing = window.vitrine.trace((events) => void traced.push(...events), ['request', 'reconcile']);
      Object.assign(window, { traced, endTracing });
    });
    await work();
    await this.#through(tab, marker);
    // Events come in batches: once the marker's are here, so are all before it.
    await tab.waitForFunction(
      (path) => (window as Tracing).traced?.some((event) => 'url' in event && event.url.includes(path)),
      marker,
    );
    return tab.evaluate(() => {
      const { traced = [], endTracing } = window as Tracing;
      endTracing?.();
      return traced;
    });
  }

  get #first(): Page {
    const [tab] = this.#tabs;
    if (!tab) throw new Error('no tab is open');
    return tab;
  }

  /** Sets how much room the origin has, in bytes; without a number as much as ever. */
  async limitRoom(quotaSize?: number): Promise<void> {
    const tab = this.#first;
    const devtools = await this.#context.newCDPSession(tab);
    const { origin } = new URL(tab.url());
    await devtools.send('Storage.overrideQuotaForOrigin', { origin, ...(quotaSize !== undefined && { quotaSize }) });
    await devtools.detach();
    this.isFull = quotaSize !== undefined;
  }

  async stopServiceWorkers(): Promise<void> {
    const devtools = await this.#context.newCDPSession(this.#first);
    await devtools.send('ServiceWorker.enable');
    await devtools.send('ServiceWorker.stopAllWorkers');
    await devtools.detach();
  }

  /** A tab in the background that the browser lets do nothing, until `work` is done. */
  async frozen(tab: Page, work: () => Promise<void>): Promise<void> {
    const devtools = await this.#context.newCDPSession(tab);
    await devtools.send('Page.setWebLifecycleState', { state: 'frozen' });
    await work().finally(() => devtools.send('Page.setWebLifecycleState', { state: 'active' }));
    await devtools.detach();
  }
}
