/** The lesson that is under way in the open cluster. */
import { create } from '../../store.ts';
import {
  lessonEngine,
  type Lesson,
  type LessonCluster,
  type LessonRun,
  type PageLink,
  type RunState,
} from '../../../lessons/index.ts';
import { toast } from '../../parts/Toast.tsx';
import { messageOf } from '../../stores/actions.ts';
import { go, type Step } from '../../stores/address.ts';
import { actAs, administrator } from '../../stores/identity.ts';
import { pageClock } from '../../stores/liveObjects.ts';
import { removeCluster, switchCluster, theHost, useSession, type Open } from '../../stores/session.ts';
import { useNaming } from '../start/defaults.ts';
import { asKept } from './ids.ts';
import { findLesson, forgetFile, keepFile, keepProgress, progressOf, useKept } from './kept.ts';

interface Running {
  readonly run: LessonRun | undefined;
  readonly state: RunState | undefined;
  /** Why there is no lesson to show. */
  readonly problem: string | undefined;
}

const nothing: Running = { run: undefined, state: undefined, problem: undefined };

export const useRunning = create<Running>()(() => nothing);

/** Where a link of a lesson leads. */
export const stepTo = ({ panel, path = [], query = {} }: PageLink): Step => ({
  panel,
  path,
  // What the panel was about before is not what the lesson is about.
  query: { sel: undefined, tab: undefined, obj: undefined, who: undefined, ...query },
});

export function clusterOf({ cluster, names }: Open): LessonCluster {
  return {
    names,
    transport: cluster.transport,
    trace: (listener, topics) => cluster.trace(listener, topics),
    step: (ms) => cluster.clock.step(ms),
    now: async () => (await cluster.clock.state()).now,
    random: { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) },
    clock: pageClock,
  };
}

/** Follows the lesson of this id in the open cluster; returns what ends it. */
export function runLesson(id: string, open: Open): () => void {
  let left = false;
  let run: LessonRun | undefined;
  const begin = async (): Promise<void> => {
    const [lesson, { LessonRun }] = await Promise.all([findLesson(id), lessonEngine.load()]);
    if (left) return;
    if (!lesson) return useRunning.setState({ problem: `This browser has no lesson ${id}.` });
    const changed = (state: RunState): void => {
      useRunning.setState({ state });
      const done = state.tasks.flatMap((task, index) => (task.done ? [index] : []));
      if (state.phase === 'ready') keepProgress(id, { done, tasks: state.tasks.length });
    };
    run = new LessonRun(lesson, clusterOf(open), { done: progressOf(id)?.done ?? [], changed });
    useRunning.setState({ run, state: run.state, problem: undefined });
    await run.begin();
  };
  begin().catch((error: unknown) => useRunning.setState({ problem: messageOf(error) }));
  return () => {
    left = true;
    run?.stop();
    useRunning.setState(nothing);
  };
}

/** Keeps a lesson from elsewhere in this browser, under an id that neither another lesson nor its cluster has; returns it so. */
export async function keepLesson(lesson: Lesson): Promise<Lesson> {
  const { clusterNameOf } = await lessonEngine.load();
  const names = new Set((await theHost().clusters()).map(({ name }) => name));
  const kept = asKept(lesson, useKept.getState().files, (id) => names.has(clusterNameOf(id)));
  keepFile(kept);
  return kept;
}

/** Forgets a lesson that was kept, with its progress and its cluster. */
export async function dropLesson(id: string): Promise<void> {
  const { clusterNameOf } = await lessonEngine.load();
  const name = clusterNameOf(id);
  forgetFile(id);
  keepProgress(id, undefined);
  if ((await theHost().clusters()).some((known) => known.name === name)) await removeCluster(name);
}

/** Opens a lesson in its cluster: the one that this browser has of it, or a fresh one. */
export async function startLesson(lesson: Lesson): Promise<void> {
  const { clusterOptionsOf, firstPlaceOf } = await lessonEngine.load();
  const options = clusterOptionsOf(lesson, useNaming.getState().naming);
  const known = await theHost().clusters();
  const kept = known.find(({ name }) => name === options.name);
  if (!kept) keepProgress(lesson.id, undefined);
  actAs(administrator);
  const opening = switchCluster(kept?.options ?? { ...options, storage: 'indexeddb' });
  const { naming = options.naming } = kept?.options ?? options;
  go({ cluster: options.name, ...stepTo(firstPlaceOf(lesson, naming)) });
  await opening;
}

/** As `startLesson`, for buttons: what goes wrong is said. */
export async function openLesson(id: string): Promise<void> {
  try {
    const lesson = await findLesson(id);
    if (lesson) await startLesson(lesson);
  } catch (error) {
    toast('failed', 'The lesson could not be opened.', messageOf(error));
  }
}

/** Removes the lesson's cluster and begins anew. */
export async function resetLesson(lesson: Lesson): Promise<void> {
  const { clusterNameOf } = await lessonEngine.load();
  const { session } = useSession.getState();
  if (session.phase === 'open') await session.cluster.stop();
  keepProgress(lesson.id, undefined);
  await removeCluster(clusterNameOf(lesson.id));
  await startLesson(lesson);
}

/** Plays the reference solution of a task. */
export async function showSolution(index: number): Promise<void> {
  try {
    await useRunning.getState().run?.show(index);
  } catch (error) {
    toast('failed', 'The cluster refused a step of the solution.', messageOf(error));
  }
}
