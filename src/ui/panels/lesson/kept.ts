/** Progress in each lesson, and lessons from files; kept in the browser. */
import { create } from '../../store.ts';
import { persist } from 'zustand/middleware';
import { getOwn, setOwn } from '../../../std/index.ts';
import type { Size } from '../../theme/appearance.ts';
import { lessons, type Lesson, type LessonCard } from '../../../lessons/index.ts';

/** Progress in a lesson. */
export interface Progress {
  /** Tasks that are done, by their index. */
  readonly done: readonly number[];
  readonly tasks: number;
}

interface Kept {
  readonly progress: Readonly<Record<string, Progress>>;
  /** Lessons that came from files, by their id. */
  readonly files: Readonly<Record<string, Lesson>>;
  /** Whether lessons are shown as one teaches them: large, with notes. */
  readonly teaching: boolean;
  /** The size of the page before teaching made it large. */
  readonly sizeBefore: Size;
  /** The width of the lesson beside the stage, in pixels of the normal text size. */
  readonly width: number;
}

export const useKept = create<Kept>()(
  persist((): Kept => ({ progress: {}, files: {}, teaching: false, sizeBefore: 'normal', width: 380 }), {
    name: 'vitrine.lessons',
  }),
);

export const progressOf = (id: string): Progress | undefined => getOwn(useKept.getState().progress, id);

export function keepProgress(id: string, progress: Progress | undefined): void {
  useKept.setState((kept) => {
    const next = { ...kept.progress };
    if (progress) setOwn(next, id, progress);
    else delete next[id];
    return { progress: next };
  });
}

export function keepFile(lesson: Lesson): void {
  useKept.setState((kept) => {
    const files = { ...kept.files };
    setOwn(files, lesson.id, lesson);
    return { files };
  });
}

export function forgetFile(id: string): void {
  useKept.setState((kept) => {
    const files = { ...kept.files };
    delete files[id];
    return { files };
  });
}

/** The lesson with this id, built in or from a file; undefined if there is none. */
export async function findLesson(id: string): Promise<Lesson | undefined> {
  const entry = lessons.find((each) => each.id === id);
  return entry ? entry.lesson.load() : getOwn(useKept.getState().files, id);
}

/** The lesson that comes after another. */
export function lessonAfter(id: string): LessonCard | undefined {
  const index = lessons.findIndex((each) => each.id === id);
  return index < 0 ? undefined : lessons[index + 1];
}
