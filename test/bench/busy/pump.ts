/** Changes pods at a steady rate, from a tab of its own, by the port to the cluster: the service worker passes some 100 requests a second. */
import type { ClusterOptions } from '../../../src/cluster/index.ts';
import { createPageHost, type RunningCluster } from '../../../src/hosts/page/index.ts';

interface PumpOptions {
  /** Of the status of each pod. */
  readonly paths: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly perSecond: number;
}

/** More than these are never under way at a time. */
const UNDER_WAY = 60;

/** No divisor of the number of pods: a pod whose turn comes again gets another count of restarts, so that each change is one. */
const COUNTS = 49;

declare global {
  interface Window {
    pump: Pump;
  }
}

/** As many changes as are due, and no two pods after each other that are neighbours in a table. */
class Pump {
  /** Changes since it was started. */
  done = 0;
  #sent = 0;
  /** Goes on where the last run ended. */
  #turn = 0;
  #began = 0;
  #failed: unknown;
  #timer: ReturnType<typeof setInterval> | undefined;
  #cluster: RunningCluster | undefined;

  /** Opens the cluster in this tab. */
  async open(options: ClusterOptions): Promise<void> {
    this.#cluster = await createPageHost().open(options);
  }

  start(options: PumpOptions): void {
    this.done = this.#sent = 0;
    this.#began = performance.now();
    this.#timer = setInterval(() => {
      const due = ((performance.now() - this.#began) * options.perSecond) / 1000;
      while (this.#sent < due && this.#sent - this.done < UNDER_WAY) {
        this.#sent++;
        void this.#change(options, this.#turn++);
      }
    }, 10);
  }

  /** Ends the changes; how many there were in a second. Throws if one failed. */
  stop(): number {
    clearInterval(this.#timer);
    if (this.#failed !== undefined) throw this.#failed;
    return (this.done * 1000) / (performance.now() - this.#began);
  }

  async #change({ paths, headers }: PumpOptions, turn: number): Promise<void> {
    const containerStatuses = [
      { name: 'c', restartCount: turn % COUNTS, ready: true, image: 'nginx', imageID: '', lastState: {}, state: {} },
    ];
    try {
      const answer = await this.#cluster?.transport(paths[(turn * 7) % paths.length] ?? '', {
        method: 'PATCH',
        headers: { ...headers, 'content-type': 'application/merge-patch+json' },
        body: JSON.stringify({ status: { containerStatuses } }),
      });
      await answer?.text();
      if (!answer?.ok) this.#failed = new Error(`a change was answered with ${answer?.status}`);
    } catch (error) {
      this.#failed = error;
    }
    this.done++;
  }
}

window.pump = new Pump();
