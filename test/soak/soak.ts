/**
 * A cluster under everything that can go wrong at once, by one seed: random work and faults of nodes (the simulation's), kills
 * and restarts, disks that are full or abort writes, clients that count, watchers that are slow or vanish, webhooks that hang.
 * Then what has to hold: nothing answered is lost, no watch has a gap, quotas and endpoints are what one counts, nothing is held on to.
 */
import { inBackground, seededRandom } from '../../src/std/index.ts';
import { openStorage, type Storage } from '../../src/storage/index.ts';
import { COUNTED, Counter, CounterFollower, COUNTERS, Lost, type Send } from '../kills/counters.ts';
import { OPTIONS } from '../simulation/ground.ts';
import { settled } from '../simulation/invariants.ts';
import { ProcessGround } from '../simulation/processGround.ts';
import { APPS, CORE, Simulation, type Deed } from '../simulation/simulation.ts';
import { faultyDisk, type FaultyDisk } from './faultyDisk.ts';
import { HangingWebhook, WEBHOOKS } from './hangingWebhook.ts';
import { added, bytesInUse, grown, held, leaked } from './leaks.ts';
import type { SoakOutcome } from './outcome.ts';
import { MOST_SECONDS, unlessRefused, whileTimePasses } from './patience.ts';

const CLIENTS = 4;
/** Work before anything goes wrong: what is made on first use is there, then. */
const WARM_UP = 15;
/** Longer than events are kept, so that only what is wanted is left. */
const LONG = 75 * 60_000;
/** All that a soak makes, but services. */
const MADE = [
  ...['deployments', 'statefulsets', 'daemonsets', 'replicasets'].map((kind) => `${APPS}/${kind}`),
  '/apis/batch/v1/namespaces/sim/jobs',
  `${CORE}/pods`,
  `${CORE}/configmaps`,
  COUNTED,
  WEBHOOKS,
];
/** Hours pass here: watches that end each few seconds would take most of the time. */
const LONGER_WATCHES = { ...OPTIONS, apiserver: ['--min-request-timeout=60'] };

/** Plays one seed through. */
export async function soak(seed: number, rounds: number): Promise<SoakOutcome> {
  const before = held();
  const run = await Soak.start(seed);
  const outcome = await run.play(rounds);
  return { ...outcome, faults: [...outcome.faults, ...(await leaked(before))] };
}

/** What a cluster at rest holds. */
interface Holdings {
  readonly bytes: number;
  readonly watches: number;
  readonly keys: ReadonlySet<string>;
}

class Soak {
  readonly #seed: number;
  readonly #disk: FaultyDisk;
  readonly #webhook: HangingWebhook;
  readonly #simulation: Simulation<ProcessGround>;
  readonly #faults = new Set<string>();
  readonly #onUncaught = (error: unknown): void => void this.#faults.add(`uncaught: ${String(error)}`);
  readonly #counters: readonly Counter[];
  #followers: readonly CounterFollower[] = [];
  #following: readonly Promise<void>[] = [];
  /** Watches that nobody reads. */
  #strays: AbortController[] = [];
  /** Those who read slowly go on when a round is over. */
  #ticks: (() => void)[] = [];

  private constructor(seed: number, simulation: Simulation<ProcessGround>, disk: FaultyDisk, webhook: HangingWebhook) {
    this.#seed = seed;
    this.#simulation = simulation;
    this.#disk = disk;
    this.#webhook = webhook;
    this.#counters = Array.from({ length: CLIENTS }, (_, i) => new Counter(`count-${i}`, () => [this.#send]));
  }

  static async start(seed: number): Promise<Soak> {
    const disk = faultyDisk(seed % 2 === 0 ? 'memory' : 'files', seededRandom(`disk ${seed}`));
    const webhook = new HangingWebhook();
    const host = async () => ({ backend: await disk.open(), fetch: webhook.fetch });
    const ground = await ProcessGround.open(seed, host, LONGER_WATCHES);
    return new Soak(seed, await Simulation.start(seed, ground), disk, webhook);
  }

  async play(rounds: number): Promise<SoakOutcome> {
    process.on('uncaughtException', this.#onUncaught);
    process.on('unhandledRejection', this.#onUncaught);
    try {
      for (let i = 0; i < WARM_UP; i++) await this.#simulation.act();
      const before = await this.#atRest();
      await this.#follow();
      for (let i = 0; i < rounds && this.#faults.size === 0; i++) await this.#round();
      await this.#judgeCounts();
      this.#compare(before, await this.#atRest());
      await this.#judgeDisk();
    } catch (error) {
      this.#faults.add(error instanceof Lost ? error.message : `broke off: ${(error as Error).stack ?? String(error)}`);
      await this.#simulation.ground.stop();
    } finally {
      process.off('uncaughtException', this.#onUncaught);
      process.off('unhandledRejection', this.#onUncaught);
      this.#disk.remove();
    }
    return this.#outcome();
  }

  #outcome(): SoakOutcome {
    const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
    return {
      seed: this.#seed,
      faults: [...this.#faults],
      steps: this.#simulation.steps,
      answered: sum(this.#counters.map(({ answered }) => answered)),
      events: sum(this.#followers.map(({ events }) => events)),
      watches: sum(this.#followers.map(({ resumed }) => resumed)),
    };
  }

  readonly #send: Send = (path, init) => this.#simulation.ground.send(path, init);

  /** One thing that is done, whatever is wrong with the disk meanwhile, while all clients write. */
  async #round(): Promise<void> {
    this.#disk.fault = this.#simulation.pick(['none', 'none', 'none', 'full', 'aborts'] as const);
    if (this.#disk.fault !== 'none') this.#simulation.steps.push(`the disk: ${this.#disk.fault}`);
    const writing = Promise.all(this.#counters.map((counter) => counter.write()));
    inBackground(writing, () => undefined);
    // Time stands still where it can't be written down.
    await this.#simulation.act(this.#deeds()).catch(unlessRefused);
    this.#disk.fault = 'none';
    await this.#whileTimePasses(writing, 'a write');
    for (const tick of this.#ticks.splice(0)) tick();
  }

  #deeds(): readonly Deed[] {
    const simulation = this.#simulation;
    return [
      ['kill', () => this.#kill()],
      ['kill', () => this.#kill()],
      ['let an hour pass', () => simulation.advance(3_600_000)],
      ['spend the quota', () => this.#spendQuota()],
      ['a webhook hangs', () => this.#hang()],
      ['a watcher vanishes', async () => simulation.pick(this.#followers).vanish()],
      ['a watch is left unread', () => this.#stray()],
      ['unread watches go', async () => this.#endStrays()],
    ];
  }

  /** Another process opens the disk while the one before is at work: that is all that data sees of a kill. */
  async #kill(): Promise<void> {
    const { ground } = this.#simulation;
    const killed = ground.cluster;
    const made = this.#send('/api/v1/namespaces/sim/configmaps', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ metadata: { generateName: 'last-' } }),
    });
    await ground.open();
    await killed.stop();
    await (await made).body?.cancel();
  }

  async #spendQuota(): Promise<void> {
    const service = (i: number) => ({ metadata: { name: `more-${i}` }, spec: { ports: [{ port: 80 }], selector: {} } });
    const names = Array.from({ length: 7 }, (_, i) => i);
    await Promise.all(names.map((i) => this.#simulation.send('POST', `${CORE}/services`, service(i))));
    await Promise.all(names.map((i) => this.#simulation.send('DELETE', `${CORE}/services/more-${i}`)));
  }

  async #hang(): Promise<void> {
    await this.#whileTimePasses(this.#webhook.hang(this.#simulation), 'a request whose webhook hangs');
  }

  async #stray(): Promise<void> {
    const stray = new AbortController();
    this.#strays.push(stray);
    await this.#send(`${CORE}/pods?watch=1&timeoutSeconds=600`, { signal: stray.signal }).catch(() => undefined);
  }

  #endStrays(): void {
    for (const stray of this.#strays.splice(0)) stray.abort();
  }

  async #follow(): Promise<void> {
    const found = (await (await this.#send(COUNTERS)).json()) as { metadata: { resourceVersion: string } };
    const shared = {
      servers: () => [this.#send],
      revision: found.metadata.resourceVersion,
      mayBeGone: (revision: string) => Number(revision) < this.#simulation.ground.cluster.storage.compacted,
    };
    const slowly = (): Promise<void> => new Promise((resolve) => this.#ticks.push(resolve));
    this.#followers = [new CounterFollower(shared), new CounterFollower({ ...shared, pace: slowly })];
    this.#following = this.#followers.map((follower) =>
      follower.run().catch((error: unknown) => void this.#faults.add(String(error))),
    );
  }

  async #whileTimePasses(work: Promise<unknown>, what: string): Promise<void> {
    const isDone = await whileTimePasses(this.#simulation.ground, this.#disk, work);
    if (!isDone) this.#faults.add(`${what} does not end`);
  }

  /** Every count is what was answered at least, and every watcher has seen each up to there. */
  async #judgeCounts(): Promise<void> {
    this.#endStrays();
    for (const counter of this.#counters) {
      if (!(await counter.write())) this.#faults.add(`${counter.name} can't be written though nothing is wrong`);
      const count = await counter.read();
      const seen = (): boolean => this.#followers.every((follower) => follower.seen.get(counter.name) === count);
      for (let i = 0; i < MOST_SECONDS && !seen(); i++) {
        for (const tick of this.#ticks.splice(0)) tick();
        await this.#simulation.advance(1000);
      }
      if (!seen()) this.#faults.add(`a watcher has not seen that ${counter.name} is ${count}`);
    }
    for (const follower of this.#followers) follower.end();
    for (const tick of this.#ticks.splice(0)) tick();
    await this.#whileTimePasses(Promise.all(this.#following), 'a watch');
    if (this.#webhook.open > 0) this.#faults.add(`${this.#webhook.open} calls of webhooks were never given up`);
  }

  /** Takes away what was made, waits until all is quiet, and looks what is held. */
  async #atRest(): Promise<Holdings> {
    for (const fault of await settled(this.#simulation)) this.#faults.add(fault);
    for (const path of MADE) await this.#simulation.send('DELETE', path);
    for (const { metadata } of await this.#simulation.items(`${CORE}/services`))
      await this.#simulation.send('DELETE', `${CORE}/services/${metadata.name}`);
    await this.#simulation.advance(LONG);
    for (const fault of await settled(this.#simulation)) this.#faults.add(fault);
    const { storage } = this.#simulation.ground.cluster;
    const keys = new Set(contents(storage).keys());
    return { watches: storage.stats().watches, keys, bytes: await bytesInUse() };
  }

  #compare(before: Holdings, after: Holdings): void {
    for (const fault of grown('the cluster at rest', before.bytes, after.bytes)) this.#faults.add(fault);
    if (after.watches > before.watches)
      this.#faults.add(`${after.watches} watches of storage are open where there were ${before.watches}`);
    for (const fault of added(before.keys, after.keys)) this.#faults.add(fault);
  }

  /** What the cluster showed last is what the disk holds. */
  async #judgeDisk(): Promise<void> {
    const { cluster } = this.#simulation.ground;
    await cluster.stop();
    const storage = await openStorage({ backend: await this.#disk.open(), clock: cluster.clock });
    const [shown, kept] = [cluster.storage, storage].map(contents);
    await storage.close();
    for (const [key, text] of shown ?? []) if (kept?.get(key) !== text) this.#faults.add(`${key} is not on the disk`);
    for (const key of kept?.keys() ?? []) if (!shown?.has(key)) this.#faults.add(`${key} came back on the disk`);
  }
}

function contents(storage: Storage): ReadonlyMap<string, string> {
  const { entries } = storage.range({ start: '/', end: '0' });
  return new Map(entries.map(({ key, revision, value }) => [key, `${revision} ${value}`]));
}
