/**
 * A cluster in a browser's tabs, under everything that can go wrong there, by one seed: random work (the simulation's), tabs that
 * are closed, reloaded, frozen and crash, a service worker that is stopped, a disk that is full, hours that pass at once; clients
 * count meanwhile. Then what has to hold: nothing answered is lost, no watch has a gap, and what the cluster shows is what it kept.
 */
import type { BrowserContext } from '@playwright/test';
import { inBackground } from '../../src/std/index.ts';
import { Counter, CounterFollower, COUNTERS } from '../kills/counters.ts';
import { settled } from '../simulation/invariants.ts';
import { APPS, CORE, Simulation, type Deed } from '../simulation/simulation.ts';
import type { SoakOutcome } from './outcome.ts';
import { TabsGround } from './tabs.ts';

const CLIENTS = 3;
const MOST_TABS = 4;
/** What is answered, is answered within so many milliseconds of the host's time: a machine may be busy. */
const PATIENCE = 60_000;
/** So much room in bytes is none. */
const NO_ROOM = 1;

/** Plays one seed through in new tabs of `context`, whose profile lies on the disk; `address` is that of the page. */
export async function soakInTabs(
  context: BrowserContext,
  address: string,
  seed: number,
  rounds: number,
): Promise<SoakOutcome> {
  const faults = new Set<string>();
  const ground = await TabsGround.open(context, address, (sentence) => faults.add(sentence));
  const simulation = await Simulation.start(seed, ground);
  return new TabsSoak(seed, simulation, faults).play(rounds);
}

class TabsSoak {
  readonly #seed: number;
  readonly #simulation: Simulation<TabsGround>;
  readonly #ground: TabsGround;
  readonly #faults: Set<string>;
  readonly #counters: readonly Counter[];

  constructor(seed: number, simulation: Simulation<TabsGround>, faults: Set<string>) {
    this.#seed = seed;
    this.#simulation = simulation;
    this.#ground = simulation.ground;
    this.#faults = faults;
    this.#counters = Array.from({ length: CLIENTS }, (_, i) => new Counter(`count-${i}`, this.#ground.servers));
  }

  async play(rounds: number): Promise<SoakOutcome> {
    const found = (await (await this.#ground.send(COUNTERS)).json()) as { metadata: { resourceVersion: string } };
    // How far back history goes is known to the cluster alone, and hours pass at once.
    const shared = { servers: this.#ground.servers, revision: found.metadata.resourceVersion, mayBeGone: () => true };
    const followers = [new CounterFollower(shared), new CounterFollower(shared)];
    const run = (each: Counter | CounterFollower): Promise<void> =>
      each.run().catch((error: unknown) => void this.#faults.add(String(error)));
    const [counting, following] = [this.#counters.map(run), followers.map(run)];
    try {
      for (let i = 0; i < rounds && this.#faults.size === 0; i++) await this.#round();
      for (const counter of this.#counters) counter.end();
      // Two writes of one counter at once would take each other for losses.
      await Promise.all(counting);
      await this.#judgeCounts(followers);
      for (const fault of await settled(this.#simulation)) this.#faults.add(fault);
      await this.#judgeDisk();
    } catch (error) {
      this.#faults.add(`broke off: ${(error as Error).stack ?? String(error)}`);
    }
    for (const each of [...this.#counters, ...followers]) each.end();
    await Promise.all([...counting, ...following]);
    return {
      seed: this.#seed,
      faults: [...this.#faults],
      steps: this.#simulation.steps,
      answered: this.#counters.reduce((sum, { answered }) => sum + answered, 0),
      events: followers.reduce((sum, { events }) => sum + events, 0),
      watches: followers.reduce((sum, { resumed }) => sum + resumed, 0),
    };
  }

  async #round(): Promise<void> {
    await this.#simulation.act(this.#deeds());
    if (this.#ground.tabs.length < 2) await this.#ground.openTab();
    // Somebody is answered, whatever was done.
    await this.#within(this.#ground.send('/version'), 'a request');
  }

  #deeds(): readonly Deed[] {
    const ground = this.#ground;
    const tab = this.#simulation.pick(ground.tabs);
    return [
      ['close a tab', () => tab.close()],
      ['close the oldest tab', async () => ground.tabs[0]?.close()],
      ['crash a tab', () => ground.crash(tab)],
      ['reload a tab', () => ground.reload(tab)],
      ['open a tab', async () => (ground.tabs.length < MOST_TABS ? ground.openTab() : undefined)],
      ['stop the service worker', () => ground.stopServiceWorkers()],
      ['freeze a tab', () => this.#freeze()],
      ['fill the disk', () => this.#fill()],
      ['let an hour pass', () => ground.advance(3_600_000)],
    ];
  }

  /** The youngest tab does nothing for a while; the others are not to notice. */
  #freeze(): Promise<void> {
    const youngest = this.#ground.tabs.at(-1);
    if (!youngest || this.#ground.tabs.length < 2) return Promise.resolve();
    return this.#ground.frozen(youngest, () => this.#within(this.#ground.send(`${CORE}/pods`), 'a request'));
  }

  /** What can't be written is refused, and what is there can be read; then there is room again. */
  async #fill(): Promise<void> {
    await this.#ground.limitRoom(NO_ROOM);
    try {
      await this.#within(
        this.#simulation.send('POST', `${CORE}/configmaps`, { metadata: { generateName: 'full-' } }),
        'a write to a full disk',
      );
      await this.#within(this.#ground.send(`${CORE}/pods`), 'a read beside a full disk');
    } finally {
      await this.#ground.limitRoom();
    }
  }

  async #within(work: Promise<unknown>, what: string): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => (timer = setTimeout(() => resolve('late'), PATIENCE)));
    if ((await Promise.race([work, late])) === 'late') this.#faults.add(`${what} is not answered`);
    clearTimeout(timer);
    inBackground(Promise.resolve(work), () => undefined);
  }

  /** Every count is what was answered at least, and every watcher has seen each up to there. */
  async #judgeCounts(followers: readonly CounterFollower[]): Promise<void> {
    for (const counter of this.#counters) {
      const end = performance.now() + PATIENCE;
      let isWritten = false;
      while (!isWritten && performance.now() < end) isWritten = await counter.write();
      if (!isWritten) this.#faults.add(`${counter.name} can't be written though nothing is wrong`);
      const count = await counter.read();
      const seen = (): boolean => followers.every((follower) => follower.seen.get(counter.name) === count);
      // A watch ends by the cluster's clock.
      while (!seen() && performance.now() < end) await this.#simulation.advance(1000);
      if (!seen()) this.#faults.add(`a watcher has not seen that ${counter.name} is ${count}`);
    }
    for (const follower of followers) follower.end();
  }

  /** When all tabs were closed, a new one shows what the last one showed. */
  async #judgeDisk(): Promise<void> {
    const shown = await this.#contents();
    await this.#ground.restart();
    const kept = await this.#contents();
    for (const [name, revision] of shown)
      if (kept.get(name) !== revision) this.#faults.add(`${name} was at ${revision} and is at ${kept.get(name)}`);
    for (const name of kept.keys()) if (!shown.has(name)) this.#faults.add(`${name} came back`);
  }

  /** What does not change by itself, with its revisions. */
  async #contents(): Promise<ReadonlyMap<string, string>> {
    const contents = new Map<string, string>();
    for (const path of [COUNTERS, `${CORE}/configmaps`, `${CORE}/services`, `${APPS}/deployments`, `${CORE}/secrets`])
      for (const { metadata } of await this.#simulation.items(path))
        contents.set(`${path}/${metadata.name}`, metadata.resourceVersion);
    return contents;
  }
}
