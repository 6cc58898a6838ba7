import type { ProcessInfo } from '../process.ts';
import type { Signal } from '../signals.ts';

/** A process as others see it. */
export interface Visible {
  readonly info: ProcessInfo;
  receive(signal: Signal): void;
}

const ROOT = { uid: 0, gid: 0, groups: [] };

/**
 * The processes that see and signal each other: those of one container, of all containers of a pod that shares them, or of a
 * node. Processes are also in the namespace around theirs, under another id.
 */
export class PidNamespace {
  readonly #processes = new Map<number, Visible>();
  readonly #around: PidNamespace | undefined;
  /** Ids in the namespace around this one. */
  readonly #outside = new Map<number, number>();
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
    this.#processes.set(pid, process);
    this.#around?.add((id) => {
      this.#outside.set(pid, id);
      return this.#fromOutside(process, id);
    });
    return process;
  }

  remove(pid: number): void {
    this.#processes.delete(pid);
    this.#around?.remove(this.#outside.get(pid) ?? 0);
    this.#outside.delete(pid);
  }

  /** A process as the namespace around this one has it. What has no parent here was started by the runtime, which is the second process there. */
  #fromOutside(process: Visible, id: number): Visible {
    const outside = this.#outside;
    return {
      get info(): ProcessInfo {
        return { ...process.info, pid: id, parent: outside.get(process.info.parent) ?? 2 };
      },
      receive: (signal) => process.receive(signal),
    };
  }

  find(pid: number): Visible | undefined {
    return this.#processes.get(pid);
  }

  list(): readonly ProcessInfo[] {
    return [...this.#processes.values()].map(({ info }) => info);
  }
}
