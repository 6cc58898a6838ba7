import { administrator, createCluster, PROOF_HEADER, type Cluster } from '../../src/cluster/index.ts';
import { lessonEngine, type Lesson, type LessonCluster, type RunState } from '../../src/lessons/index.ts';
import { LessonRun } from '../../src/lessons/engine/index.ts';
import type { Profile } from '../../src/names/index.ts';

/** A lesson under way in a cluster of its own, in this process; its clock moves while the test waits. */
export class Classroom {
  readonly run: LessonRun;
  /** The cluster as the page has it. */
  readonly cluster: LessonCluster;
  readonly #cluster: Cluster;
  /** Milliseconds by which the clock moves at a time. */
  readonly #step: number;

  private constructor(cluster: Cluster, lesson: Lesson, answers: Answers, step: number) {
    this.#step = step;
    this.#cluster = cluster;
    const seen = seenByLesson(cluster);
    this.cluster = answers === 'one by one' ? { ...seen, transport: oneByOne(seen.transport) } : seen;
    this.run = new LessonRun(lesson, this.cluster);
  }

  /** Opens the lesson, brings it to its start state, and lets the cluster come to rest. */
  static async open(lesson: Lesson, naming: Profile, answers: Answers = 'as they come'): Promise<Classroom> {
    const room = await Classroom.#begin(lesson, naming, answers, STEP);
    await room.settle();
    return room;
  }

  /**
   * Opens the lesson and brings it to its start state; pods and controllers may still be busy. The clock moves in small
   * steps, so that several tasks may be solved within one second.
   */
  static openAtOnce(lesson: Lesson, naming: Profile): Promise<Classroom> {
    return Classroom.#begin(lesson, naming, 'as they come', SMALL_STEP);
  }

  static async #begin(lesson: Lesson, naming: Profile, answers: Answers, step: number): Promise<Classroom> {
    const { clusterOptionsOf } = await lessonEngine.load();
    const options = clusterOptionsOf(lesson, naming);
    const cluster = await createCluster({ ...options, clock: 'manual', storage: 'memory', seed: 1 });
    const room = new Classroom(cluster, lesson, answers, step);
    await room.during(room.run.begin());
    return room;
  }

  get state(): RunState {
    return this.run.state;
  }

  async stop(): Promise<void> {
    this.run.stop();
    await this.#cluster.stop();
  }

  /** Moves the clock until `work` has settled. */
  async during<T>(work: Promise<T>, atMost = 120_000): Promise<T> {
    let settled = false;
    const done = (): void => void (settled = true);
    work.then(done, done);
    for (let passed = 0; !settled && passed < atMost; passed += this.#step) await this.#advance();
    if (!settled) throw new Error(`not done after ${atMost / 1000} seconds: ${JSON.stringify(this.state, null, 1)}`);
    return work;
  }

  /** Moves the clock until a task holds; fails after two minutes of the cluster's time. */
  async untilDone(index: number, atMost = 120_000): Promise<void> {
    for (let passed = 0; passed < atMost; passed += this.#step) {
      if (this.state.tasks[index]?.done) return;
      await this.#advance();
    }
    throw new Error(`task ${index} is not done: ${JSON.stringify(this.state.tasks[index], null, 1)}`);
  }

  /** Lets what is under way come to rest: long enough for pods to start and for controllers to have reacted. */
  async settle(ms = 5_000): Promise<void> {
    for (let passed = 0; passed < ms; passed += this.#step) await this.#advance();
  }

  async #advance(): Promise<void> {
    await this.#cluster.clock.step(this.#step);
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
}

const STEP = 250;
const SMALL_STEP = 20;

/** How answers about access arrive: in the page each comes by a message, in a task of its own. */
export type Answers = 'as they come' | 'one by one';

function oneByOne(transport: LessonCluster['transport']): LessonCluster['transport'] {
  let last: Promise<unknown> = Promise.resolve();
  return (path, init) => {
    const answer = transport(path, init);
    if (!path.includes('subjectaccessreviews')) return answer;
    const before = last;
    const mine = (async () => {
      const response = await answer;
      await before;
      await new Promise((resolve) => setImmediate(resolve));
      return response;
    })();
    last = mine.catch(() => undefined);
    return mine;
  };
}

function seenByLesson(cluster: Cluster): LessonCluster {
  const as = { ...administrator, name: cluster.names.fill(administrator.name) };
  const { clock, names } = cluster;
  return {
    names,
    clock,
    transport: (path, init) => {
      const request = new Request(new URL(path, 'http://cluster.local'), init);
      const bears = request.headers.has('authorization') || request.headers.has(PROOF_HEADER);
      const userAgent = request.headers.get('user-agent') ?? '';
      return cluster.fetch(request, bears ? { from: 'fetch', userAgent } : { as, from: 'page', userAgent });
    },
    trace: (listener, topics) => cluster.trace.listen((event) => listener([event]), topics),
    step: (ms) => cluster.clock.step(ms),
    now: () => Promise.resolve(clock.now()),
    random: { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) },
  };
}
