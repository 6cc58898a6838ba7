import type { ProcessInfo } from '../process.ts';
import type { Signal } from '../signals.ts';

/** A process as others see it. */
export interface Visible {
  readonly pid: number;
  readonly info: ProcessInfo;
  receive(signal: Signal): void;
}

/** A process in its namespace, and in the one around that under another id. */
interface Known {
  readonly process: Visible;
  readonly within: PidNamespace;
  readonly outside: number;
}

const ROOT = { uid: 0, gid: 0, groups: [] };
const NONE: readonly Known[] = [];

/**
 * The processes that see and signal each other: those of one container, of all containers of a pod that shares them, or of a
 * node. Processes are also in the namespace around theirs, under another id.
 */
export class PidNamespace {
  /** By id. They are few, and searched one by one; a list that grows by `push` would reserve room for many more. */
  #processes: readonly Known[] = NONE;
  readonly #around: PidNamespace | undefined;
  #next = 1;

  constructor(around?: PidNamespace) {
    this.#around = around;
  }

  /** One that containers share has a first process of its own, which no signal reaches. */
  static shared(now: number, around?: PidNamespace): PidNamespace {
    const made = new PidNamespace(around);
    made.addDeaf(['/pause'], now);
    return made;
  }

  /** That of a node: the node's own processes come first, and no signal reaches them. */
  static ofNode(now: number, agent: string): PidNamespace {
    const made = new PidNamespace();
    for (const program of ['/sbin/init', '/usr/bin/containerd', `/usr/bin/${agent}`]) made.addDeaf([program], now);
    return made;
  }

  /** Adds a process that does nothing, and hears nothing. */
  addDeaf(args: readonly string[], startedAt: number): void {
    this.add((pid) => ({
      pid,
      info: { pid, parent: pid === 1 ? 0 : 1, user: ROOT, args, startedAt },
      receive: () => undefined,
    }));
  }

  /** Adds the process that is made with the next id. */
  add<T extends Visible>(make: (pid: number) => T): T {
    const process = make(this.#next++);
    const known = { process, within: this, outside: this.#around ? this.#around.#next++ : 0 };
    this.#processes = this.#processes.concat([known]);
    if (this.#around) this.#around.#processes = this.#around.#processes.concat([known]);
    return process;
  }

  remove(pid: number): void {
    const gone = this.#find(pid);
    const isLeft = (known: Known): boolean => known !== gone;
    this.#processes = this.#processes.filter(isLeft);
    if (this.#around) this.#around.#processes = this.#around.#processes.filter(isLeft);
  }

  find(pid: number): Visible | undefined {
    return this.#find(pid)?.process;
  }

  list(): readonly ProcessInfo[] {
    return this.#processes.map((known) => this.#info(known));
  }

  #find(pid: number): Known | undefined {
    return this.#processes.find((known) => this.#id(known) === pid);
  }

  #id({ process, within, outside }: Known): number {
    return within === this ? process.pid : outside;
  }

  /** What has no parent in its own namespace was started by the runtime, which is the second process of the one around it. */
  #info({ process, within, outside }: Known): ProcessInfo {
    const { info } = process;
    return within === this ? info : { ...info, pid: outside, parent: within.#find(info.parent)?.outside ?? 2 };
  }
}
