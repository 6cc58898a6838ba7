import { IDLE, inBackground, type Clock, type Timer } from '../../std/index.ts';

/** Where nodes keep what is to outlive a reload: texts by key. */
export interface KeptData {
  /** All of it, by key. */
  all(): readonly (readonly [key: string, text: string])[];
  get(key: string): string | undefined;
  /** Puts texts; undefined takes one away. */
  write(changes: ReadonlyMap<string, string | undefined>): Promise<void>;
}

export interface KeeperSetup {
  /** Without it nothing is kept: the cluster ends with its host. */
  readonly data: KeptData | undefined;
  readonly clock: Clock;
  readonly onProblem: (problem: unknown) => void;
}

/** Milliseconds between a change and its write, and between two writes. */
const [SOON, LATER] = [1_000, 10_000];
/** Characters that are written in a millisecond at most, in the long run: storage keeps what is replaced for a while. */
const RATE = 25;
/** Characters that are kept of all; what was written longest ago goes first. */
const MOST = 8 * 1024 * 1024;

/** Writes down what changes, a little later and not too often: files of volumes, logs. Reads it again when the cluster is opened. */
export class Keeper {
  readonly #setup: KeeperSetup;
  /** How to make the text of what has changed; undefined where there is none any more. */
  readonly #dirty = new Map<string, (() => string) | undefined>();
  /** Characters by key, the one that was written longest ago first. */
  readonly #sizes = new Map<string, number>();
  #total = 0;
  #timer: Timer | undefined;
  #notBefore = 0;
  #isWriting = false;
  #stopped = false;

  constructor(setup: KeeperSetup) {
    this.#setup = setup;
    for (const [key, text] of setup.data?.all() ?? []) this.#count(key, text.length);
  }

  get isOn(): boolean {
    return this.#setup.data !== undefined;
  }

  read(key: string): string | undefined {
    return this.#setup.data?.get(key);
  }

  /** Says that what has the key has changed. `text` is asked when it is written. */
  changed(key: string, text: () => string): void {
    if (!this.isOn || this.#stopped) return;
    this.#dirty.set(key, text);
    this.#arm();
  }

  /** Takes away what begins with a prefix. */
  forget(prefix: string): void {
    if (!this.isOn || this.#stopped) return;
    for (const key of this.#dirty.keys()) if (key.startsWith(prefix)) this.#dirty.delete(key);
    for (const key of this.#sizes.keys()) if (key.startsWith(prefix)) this.#dirty.set(key, undefined);
    if (this.#dirty.size > 0) this.#arm();
  }

  /** What has changed last is written before storage closes. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#setup.clock.clearTimeout(this.#timer);
    if (this.#dirty.size > 0) await this.#write();
  }

  #arm(): void {
    if (this.#timer !== undefined || this.#isWriting || this.#stopped) return;
    const { clock } = this.#setup;
    const due = Math.max(SOON, this.#notBefore - clock.now());
    this.#timer = clock.setTimeout(() => inBackground(this.#write(), this.#setup.onProblem), due, IDLE);
  }

  async #write(): Promise<void> {
    this.#timer = undefined;
    const changes = this.#changes();
    this.#isWriting = true;
    try {
      if (changes.size > 0) await this.#setup.data?.write(changes);
    } finally {
      this.#isWriting = false;
      const written = [...changes.values()].reduce((sum, text) => sum + (text?.length ?? 0), 0);
      this.#notBefore = this.#setup.clock.now() + Math.max(LATER, written / RATE);
      if (this.#dirty.size > 0) this.#arm();
    }
  }

  /** What is to be written: what is another text than before, and the end of what has no room any more. */
  #changes(): Map<string, string | undefined> {
    const changes = new Map<string, string | undefined>();
    for (const [key, make] of this.#dirty) {
      const text = make?.();
      if (text === this.read(key)) continue;
      changes.set(key, text);
      this.#count(key, text?.length);
    }
    this.#dirty.clear();
    for (const key of this.#sizes.keys()) {
      if (this.#total <= MOST) break;
      changes.set(key, undefined);
      this.#count(key, undefined);
    }
    return changes;
  }

  #count(key: string, size: number | undefined): void {
    this.#total += (size ?? 0) - (this.#sizes.get(key) ?? 0);
    this.#sizes.delete(key);
    if (size !== undefined) this.#sizes.set(key, size);
  }
}
