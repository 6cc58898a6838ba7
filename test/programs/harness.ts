import {
  Container,
  Cpu,
  devices,
  Device,
  imageOf,
  layerOf,
  LoopbackNetwork,
  MountTable,
  sink,
  textSource,
  Tree,
  type Network,
  type Stream,
} from '../../src/programs/index.ts';
import { decodeText, manualClock, seededRandom, type ControlledClock } from '../../src/std/index.ts';

export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
  /** Milliseconds of simulated time. */
  readonly took: number;
}

export interface Setup {
  readonly image?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly network?: Network;
  readonly uid?: number;
  readonly memory?: number;
  readonly clock?: ControlledClock;
}

export const MB = 1024 * 1024;

/** A container of an image with a clock that tests move. */
export class Box {
  readonly clock: ControlledClock;
  readonly container: Container;
  readonly tree: Tree;
  readonly #setup: Setup;

  constructor(setup: Setup = {}) {
    const { image = 'busybox', files = {}, network = new LoopbackNetwork().at('10.0.0.1'), memory = Infinity } = setup;
    this.#setup = setup;
    this.clock = setup.clock ?? manualClock(Date.UTC(2026, 0, 1));
    const now = (): number => this.clock.now();
    this.tree = new Tree(new Device('overlay', 'overlay', 64 * MB), now, 0o755, layerOf(imageOf(image)));
    for (const [path, text] of Object.entries(files)) this.tree.file(path, text);
    const mounts = new MountTable(this.tree.root);
    mounts.add({
      path: '/dev',
      root: new Tree(new Device('tmpfs', 'tmpfs', MB), now, 0o755, devices).root,
      readOnly: false,
    });
    this.container = new Container({
      ...{ mounts, network, clock: this.clock, random: seededRandom(1), cpu: new Cpu(this.clock) },
      ...{ hostname: 'box', image, ports: [], limits: { cpu: Infinity, memory } },
    });
  }

  /** Starts a program beside what runs already. */
  start(
    args: readonly string[],
    stdin: Stream = textSource(this.#setup.stdin ?? ''),
  ): { done: Promise<Ran>; kill(signal: 'TERM' | 'KILL' | 'INT'): void; read(): string } {
    const began = this.clock.now();
    const output = { stdout: '', stderr: '' };
    const to = (name: 'stdout' | 'stderr'): Stream => sink((bytes) => (output[name] += decodeText(bytes)));
    const { uid = 0, env = {} } = this.#setup;
    const child = this.container.exec({
      args,
      env: new Map(Object.entries({ PATH: '/bin:/usr/bin:/usr/sbin:/usr/local/bin', HOME: '/root', ...env })),
      cwd: '/',
      user: { uid, gid: uid, groups: [] },
      streams: new Map([
        [0, stdin],
        [1, to('stdout')],
        [2, to('stderr')],
      ]),
    });
    const done = child.exit.then((code) => ({ ...output, code, took: this.clock.now() - began }));
    return { done, kill: (signal) => child.kill(signal), read: () => output.stdout };
  }

  /** Runs a program to its end, however much simulated time it takes. */
  async run(args: readonly string[]): Promise<Ran> {
    return this.until(this.start(args).done);
  }

  sh(script: string): Promise<Ran> {
    return this.run(['sh', '-c', script]);
  }

  /** Moves the clock until a promise is settled; fails after an hour of simulated time. */
  async until<T>(promise: Promise<T>): Promise<T> {
    let settled = false;
    const mark = (): void => void (settled = true);
    promise.then(mark, mark);
    for (let steps = 0; steps < 36_000; steps++) {
      await turns();
      if (settled) return promise;
      await this.clock.step(100);
    }
    throw new Error('it did not end within an hour');
  }

  async advance(ms: number, step = 100): Promise<void> {
    for (let left = ms; left > 0; left -= step) {
      await this.clock.step(Math.min(step, left));
      await turns();
    }
  }
}

/** Lets everything that doesn't wait for the clock go as far as it can. */
export async function turns(count = 5): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
}
