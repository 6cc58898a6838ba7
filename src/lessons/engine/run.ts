/** A lesson under way in its cluster: brings the start state, follows the tasks' checks, and shows the solution of a task. */
import { Client, namespaces } from '../../client/index.ts';
import { getOwn } from '../../std/index.ts';
import { asError } from './problems.ts';
import type { Check, Lesson, Task, Verdict } from './lesson.ts';
import { Player } from './play.ts';
import { Sight, type Followed } from './sight.ts';
import { OBSERVER, PLAYER, type LessonCluster } from './surroundings.ts';
import { fillWords } from './words.ts';

/** How a task stands. */
export interface TaskState {
  readonly verdicts: readonly Verdict[];
  /** Whether all its checks hold now. */
  readonly holds: boolean;
  /** Whether they have held at once some time; that stays. */
  readonly done: boolean;
}

export interface RunState {
  readonly phase: 'preparing' | 'ready' | 'failed';
  /** Why the start state could not be made, or a solution not be played. */
  readonly problem?: string;
  readonly tasks: readonly TaskState[];
  /** The first task that is not done; the number of tasks where all are. */
  readonly current: number;
  /** The task whose solution is being shown. */
  readonly showing?: number;
}

export interface RunOptions {
  /** The tasks that were done before, by their index. */
  readonly done?: readonly number[];
  /** Hears of every change. */
  readonly changed?: (state: RunState) => void;
}

/** An annotation of a namespace that every cluster has: marks a cluster whose start state is complete. */
const MARK = 'vitrine.dev/lesson';

export class LessonRun {
  /** The lesson in the words of the cluster's naming profile. */
  readonly lesson: Lesson;
  readonly #cluster: LessonCluster;
  readonly #client: Client;
  readonly #sight: Sight;
  readonly #player: Player;
  readonly #changed: (state: RunState) => void;
  readonly #followed: (readonly Followed[])[] = [];
  readonly #done: Set<number>;
  /** The tasks whose turn has come. */
  readonly #begun = new Set<number>();
  readonly #waits = new Set<() => void>();
  #state: RunState;
  #stale = false;
  #stopped = false;

  constructor(lesson: Lesson, cluster: LessonCluster, { done = [], changed = () => undefined }: RunOptions = {}) {
    this.lesson = fillWords(lesson, cluster.names);
    this.#cluster = cluster;
    this.#client = new Client({ transport: cluster.transport, names: cluster.names, userAgent: OBSERVER });
    const checks = lesson.tasks.flatMap((task) => task.checks);
    const bodies = checks.some((check) => check.look === 'requests' && check.stale !== undefined);
    this.#sight = new Sight(this.#client, cluster, bodies);
    this.#player = new Player(cluster, (check) => this.until(check));
    this.#changed = changed;
    this.#done = new Set(done);
    this.#state = { phase: 'preparing', tasks: [], current: 0 };
  }

  get state(): RunState {
    return this.#state;
  }

  /** Brings the cluster to the start state, unless it was brought there before, and follows the checks from then on. */
  async begin(): Promise<void> {
    try {
      if (!(await this.#isPrepared())) await this.#prepare();
      if (this.#stopped) return;
      for (const task of this.lesson.tasks) this.#followed.push(this.#followTask(task));
      this.#read('ready');
    } catch (problem) {
      this.#set({ ...this.#state, phase: 'failed', problem: asError(problem).message });
    }
  }

  /** Plays the reference solution of a task, where the person wants to see it. Rejects where the cluster refuses it. */
  async show(index: number): Promise<void> {
    const task = this.lesson.tasks[index];
    if (!task) return;
    this.#sight.countPlayer();
    this.#set({ ...this.#state, showing: index });
    try {
      await this.#player.play(task.solution);
    } finally {
      const { showing: _, ...rest } = this.#state;
      this.#set(rest);
    }
  }

  /** Resolves when a check holds; rejects when the run is stopped before. */
  until(check: Check): Promise<void> {
    return new Promise((resolve, reject) => {
      let settled = false;
      const settle = (end: () => void): void => {
        if (settled) return;
        settled = true;
        this.#waits.delete(give);
        followed?.stop();
        end();
      };
      const give = (): void => settle(() => reject(new Error('The lesson was closed.')));
      const look = (): void => {
        if (followed?.verdict.holds) settle(resolve);
      };
      let followed: Followed | undefined;
      this.#waits.add(give);
      // `follow` may call back before it returns.
      followed = this.#sight.follow(check, () => queueMicrotask(look));
      look();
    });
  }

  stop(): void {
    this.#stopped = true;
    for (const give of [...this.#waits]) give();
    for (const followed of this.#followed.flat()) followed.stop();
    this.#sight.stop();
  }

  async #isPrepared(): Promise<boolean> {
    const { metadata } = await this.#client.of(namespaces).get(this.#cluster.names.publicNamespace);
    return getOwn(metadata.annotations, MARK) === this.lesson.id;
  }

  async #prepare(): Promise<void> {
    await this.#player.play(this.lesson.start.steps);
    const target = { metadata: { name: this.#cluster.names.publicNamespace } };
    const change = { metadata: { annotations: { [MARK]: this.lesson.id } } };
    const { transport, names } = this.#cluster;
    const client = new Client({ transport, names, userAgent: PLAYER });
    await client.of(namespaces).patch(target, 'merge', change);
  }

  #followTask({ checks }: Task): Followed[] {
    return checks.map((check) => this.#sight.follow(check, () => this.#soon()));
  }

  /** Changes that come together are read together. */
  #soon(): void {
    if (this.#stale || this.#stopped) return;
    this.#stale = true;
    queueMicrotask(() => {
      this.#stale = false;
      if (!this.#stopped && this.#followed.length === this.lesson.tasks.length) this.#read('ready');
    });
  }

  #read(phase: RunState['phase']): void {
    const tasks = this.#followed.map((followed, index) => this.#readTask(followed, index));
    const open = tasks.findIndex(({ done }) => !done);
    const { showing } = this.#state;
    this.#set({ phase, tasks, current: open < 0 ? tasks.length : open, ...(showing !== undefined && { showing }) });
  }

  #readTask(followed: readonly Followed[], index: number): TaskState {
    // A task counts once those before it are done: its checks may hold by the way.
    const isNext = [...Array(index).keys()].every((earlier) => this.#done.has(earlier));
    if (isNext && !this.#begun.has(index)) {
      this.#begun.add(index);
      for (const each of followed) each.begin?.();
    }
    const verdicts = followed.map(({ verdict }) => verdict);
    const holds = verdicts.every((verdict) => verdict.holds);
    if (holds && isNext) this.#done.add(index);
    return { verdicts, holds, done: this.#done.has(index) };
  }

  #set(state: RunState): void {
    this.#state = state;
    this.#changed(state);
  }
}
