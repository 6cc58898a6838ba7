import type { ProcessInfo } from '../process.ts';
import type { Signal } from '../signals.ts';

/** A process as others see it. */
export interface Visible {
  readonly info: ProcessInfo;
  receive(signal: Signal): void;
}

/** A process, and its id in the namespace around its own. */
interface Known {
  readonly process: Visible;
  outside: number | undefined;
}

const ROOT = { uid: 0, gid: 0, groups: [] };

/**
 * The processes that see and signal each other: those of one container, of all containers of a pod that shares them, or of a
 * node. Processes are also in the namespace around theirs, under another id.
 */
export class PidNamespace {
  readonly #processes = new Map<number, Known>();
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
      info: { pid, parent: pid === 1 ? 0 : 1, user: ROOT, args, startedAt },
      receive: () => undefined,
    }));
  }

  /** Adds the process that is made with the next id. */
  add<T extends Visible>(make: (pid: number) => T): T {
    const pid = this.#next++;
    const process = make(pid);
    const known: Known = { process, outside: undefined };
    this.#processes.set(pid, known);
    this.#around?.add((id) => {
      known.outside = id;
      return new FromOutside(process, id, this);
    });
    return process;
  }

  remove(pid: number): void {
    const outside = this.outside(pid);
    this.#processes.delete(pid);
    this.#around?.remove(outside ?? 0);
  }

  /** The id of a process in the namespace around this one. */
  outside(pid: number): number | undefined {
    return this.#processes.get(pid)?.outside;
  }

  find(pid: number): Visible | undefined {
    return this.#processes.get(pid)?.process;
  }

  list(): readonly ProcessInfo[] {
    return [...this.#processes.values()].map(({ process }) => process.info);
  }
}

/** A process as the namespace around its own has it. What has no parent within was started by the runtime, which is the second process there. */
class FromOutside implements Visible {
  readonly #process: Visible;
  readonly #id: number;
  readonly #within: PidNamespace;

  constructor(process: Visible, id: number, within: PidNamespace) {
    this.#process = process;
    this.#id = id;
    this.#within = within;
  }

  get info(): ProcessInfo {
    const { info } = this.#process;
    return { ...info, pid: this.#id, parent: this.#within.outside(info.parent) ?? 2 };
  }

  receive(signal: Signal): void {
    this.#process.receive(signal);
  }
}
