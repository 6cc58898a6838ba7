import { IDLE, inBackground, type Clock, type Timer } from '../../std/index.ts';

/** Where nodes save state that must survive a reload: texts by key. */
export interface KeptData {
  /** All entries by key, oldest write first. */
  all(): readonly (readonly [key: string, text: string])[];
  get(key: string): string | undefined;
  /** Writes texts; undefined deletes an entry. */
  write(changes: ReadonlyMap<string, string | undefined>): Promise<void>;
}

export interface KeeperSetup {
  /** Without it nothing is saved: the cluster ends with its host. */
  readonly data: KeptData | undefined;
  readonly clock: Clock;
  readonly onProblem: (problem: unknown) => void;
}

/** A pending write under a key. */
interface Change {
  /** Returns the text; undefined to delete it. */
  readonly text: (() => string) | undefined;
  /** Called if there is no space for the text. */
  readonly refused?: (() => void) | undefined;
}

/** Milliseconds between a change and its write, and between two writes. */
const [SOON, LATER] = [1_000, 10_000];
/**
 * The maximum long-term write rate in characters per millisecond, because storage keeps replaced values for a while.
 */
const RATE = 100;
/** The maximum size of a write in characters; the rest is written first in the next one. */
const AT_ONCE = RATE * LATER;
const MiB = 1024 * 1024;

/** The keys and total size of one budget. */
class Budget {
  /** The maximum size in characters. */
  readonly most: number;
  /** Whether the oldest entries are deleted for new ones. */
  readonly givesWay: boolean;
  /** Sizes in characters by key, oldest write first. */
  readonly sizes = new Map<string, number>();
  #total = 0;

  constructor(most: number, givesWay: boolean) {
    this.most = most;
    this.givesWay = givesWay;
  }

  count(key: string, size: number | undefined): void {
    this.#total += (size ?? 0) - (this.sizes.get(key) ?? 0);
    this.sizes.delete(key);
    if (size !== undefined) this.sizes.set(key, size);
  }

  /** The keys to delete so that a text fits; undefined if it can't fit. */
  roomFor(key: string, size: number): readonly string[] | undefined {
    let left = this.#total - (this.sizes.get(key) ?? 0) + size;
    if (left <= this.most) return [];
    if (!this.givesWay || size > this.most) return undefined;
    const going: string[] = [];
    for (const [other, taken] of this.sizes) {
      if (left <= this.most) break;
      if (other === key) continue;
      going.push(other);
      left -= taken;
    }
    return going;
  }
}

/**
 * Saves changes with a delay and a limited rate: files of volumes, logs. Reads them again when the cluster is opened.
 */
export class Keeper {
  readonly #setup: KeeperSetup;
  readonly #dirty = new Map<string, Change>();
  /** Old logs are deleted for newer ones. Files of volumes are never deleted for others: they are somebody's work. */
  readonly #logs = new Budget(2 * MiB, true);
  readonly #volumes = new Budget(6 * MiB, false);
  #timer: Timer | undefined;
  #notBefore = 0;
  #isWriting = false;
  #stopped = false;

  constructor(setup: KeeperSetup) {
    this.#setup = setup;
    for (const [key, text] of setup.data?.all() ?? []) this.#budgetOf(key).count(key, text.length);
  }

  get isOn(): boolean {
    return this.#setup.data !== undefined;
  }

  /** The saved keys with a prefix. */
  keys(prefix: string): string[] {
    return [...this.#budgetOf(prefix).sizes.keys()].filter((key) => key.startsWith(prefix));
  }

  read(key: string): string | undefined {
    return this.#setup.data?.get(key);
  }

  /** Schedules a write of a key. `text` is called when it is written, `refused` when it does not fit. */
  changed(key: string, text: () => string, refused?: () => void): void {
    if (!this.isOn || this.#stopped) return;
    this.#dirty.set(key, { text, refused });
    this.#arm();
  }

  /** Deletes the keys. */
  forget(keys: Iterable<string>): void {
    if (!this.isOn || this.#stopped) return;
    for (const key of keys)
      if (this.#budgetOf(key).sizes.has(key)) this.#dirty.set(key, { text: undefined });
      else this.#dirty.delete(key);
    if (this.#dirty.size > 0) this.#arm();
  }

  /** Saves all changes immediately; if that fails, the previous state stays. */
  async keepNow(): Promise<void> {
    this.#setup.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#dirty.size > 0) await this.#write(Infinity).catch(this.#setup.onProblem);
  }

  /** Pending changes are written before storage closes. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.keepNow();
  }

  #budgetOf(key: string): Budget {
    return key.startsWith('logs/') ? this.#logs : this.#volumes;
  }

  #arm(): void {
    if (this.#timer !== undefined || this.#isWriting || this.#stopped) return;
    const { clock } = this.#setup;
    const due = Math.max(SOON, this.#notBefore - clock.now());
    this.#timer = clock.setTimeout(() => inBackground(this.#write(), this.#setup.onProblem), due, IDLE);
  }

  async #write(most = AT_ONCE): Promise<void> {
    this.#timer = undefined;
    const { changes, dirty } = this.#changes(most);
    this.#isWriting = true;
    try {
      if (changes.size > 0) await this.#setup.data?.write(changes);
    } catch (problem) {
      this.#putBack(dirty, changes);
      throw problem;
    } finally {
      this.#isWriting = false;
      const written = [...changes.values()].reduce((sum, text) => sum + (text?.length ?? 0), 0);
      this.#notBefore = this.#setup.clock.now() + Math.max(LATER, written / RATE);
      if (this.#dirty.size > 0) this.#arm();
    }
  }

  /** Schedules a failed write again, unless its key has changed since. */
  #putBack(dirty: ReadonlyMap<string, Change>, changes: ReadonlyMap<string, unknown>): void {
    for (const [key, change] of dirty) if (!this.#dirty.has(key)) this.#dirty.set(key, change);
    for (const key of changes.keys()) this.#budgetOf(key).count(key, this.read(key)?.length);
  }

  /** The next batch of writes: texts that changed and fit, and deletions for space. Oldest change first. */
  #changes(most: number): { readonly changes: Map<string, string | undefined>; readonly dirty: Map<string, Change> } {
    const changes = new Map<string, string | undefined>();
    const dirty = new Map<string, Change>();
    let size = 0;
    const put = (key: string, text: string | undefined): void => {
      changes.set(key, text);
      size += text?.length ?? 0;
      this.#budgetOf(key).count(key, text?.length);
    };
    for (const [key, change] of this.#dirty) {
      if (size >= most) break;
      this.#dirty.delete(key);
      dirty.set(key, change);
      const text = change.text?.();
      if (text === this.read(key)) continue;
      const room = text === undefined ? [] : this.#budgetOf(key).roomFor(key, text.length);
      for (const other of room ?? []) put(other, undefined);
      if (room) put(key, text);
      else change.refused?.();
    }
    return { changes, dirty };
  }
}
