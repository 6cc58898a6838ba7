import type { ProcessInfo } from '../process.ts';
import type { Signal } from '../signals.ts';

/** A process as others see it. */
export interface Visible {
  readonly info: ProcessInfo;
  receive(signal: Signal): void;
}

/** The processes that see and signal each other: those of one container, or of all containers of a pod that shares them. */
export class PidNamespace {
  readonly #processes = new Map<number, Visible>();
  #next = 1;

  /** One that containers share has a first process of its own, which no signal reaches. */
  static shared(now: number): PidNamespace {
    const made = new PidNamespace();
    const user = { uid: 0, gid: 0, groups: [] };
    made.add((pid) => ({
      info: { pid, parent: 0, user, args: ['/pause'], startedAt: now },
      receive: () => undefined,
    }));
    return made;
  }

  /** Adds the process that is made with the next id. */
  add<T extends Visible>(make: (pid: number) => T): T {
    const pid = this.#next++;
    const process = make(pid);
    this.#processes.set(pid, process);
    return process;
  }

  remove(pid: number): void {
    this.#processes.delete(pid);
  }

  find(pid: number): Visible | undefined {
    return this.#processes.get(pid);
  }

  list(): readonly ProcessInfo[] {
    return [...this.#processes.values()].map(({ info }) => info);
  }
}
