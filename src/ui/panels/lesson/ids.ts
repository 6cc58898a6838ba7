/** Under which id a lesson from elsewhere is kept. */
import type { Lesson } from '../../../lessons/index.ts';
import { deepEqual } from '../../../std/index.ts';

const LONGEST_ID = 40;

const numbered = (id: string, number: number): string => {
  const end = `-${number}`;
  return number === 1 ? id : id.slice(0, LONGEST_ID - end.length).replace(/-+$/, '') + end;
};

/**
 * The lesson under the id that it is kept by: the one that it has here, or else one that no other lesson has and that no
 * cluster was made for. Two lessons may well have the same title, and so the same id.
 */
export function asKept(
  lesson: Lesson,
  files: Readonly<Record<string, Lesson>>,
  hasCluster: (id: string) => boolean,
): Lesson {
  const isSame = (kept: Lesson): boolean => deepEqual({ ...kept, id: '' }, { ...lesson, id: '' });
  const kept = Object.values(files).find(isSame);
  if (kept) return kept;
  for (let number = 1; ; number += 1) {
    const id = numbered(lesson.id, number);
    if (!Object.hasOwn(files, id) && !hasCluster(id)) return { ...lesson, id };
  }
}
