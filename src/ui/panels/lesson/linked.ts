/** Links that lead to a task of a lesson. */
import { lessonEngine, type Lesson } from '../../../lessons/index.ts';
import { getOwn } from '../../../std/index.ts';
import { encodeLink, LONGEST_LINK } from '../../share/link.ts';
import type { Recipe } from '../../share/recipe.ts';
import { toast } from '../../parts/Toast.tsx';
import { leaveLink } from '../../stores/address.ts';
import { useNaming } from '../start/defaults.ts';
import { useKept } from './kept.ts';
import { openLesson, showSolution, useRunning } from './running.ts';

type At = NonNullable<Recipe['lesson']>;

/** Resolves when the lesson is ready to be done, or never will be; says which. */
function ready(id: string): Promise<boolean> {
  return new Promise((resolve) => {
    const ended = (): boolean => {
      const { run, state, problem } = useRunning.getState();
      return problem !== undefined || (run?.lesson.id === id && state !== undefined && state.phase !== 'preparing');
    };
    const end = (): void => resolve(useRunning.getState().state?.phase === 'ready');
    if (ended()) return end();
    const stop = useRunning.subscribe(() => {
      if (!ended()) return;
      stop();
      end();
    });
  });
}

/** Opens a lesson at one of its tasks: the solutions of those before it are played. */
export async function openLessonAt({ id, step }: Pick<At, 'id' | 'step'>): Promise<void> {
  leaveLink();
  await openLesson(id);
  if (step === 0) return;
  if (!(await ready(id))) return;
  const { state } = useRunning.getState();
  for (let task = state?.current ?? 0; task < step; task += 1) await showSolution(task);
}

/** The file of a lesson that is none of the project's: its link carries it. */
async function carried(own: Lesson | undefined): Promise<Pick<At, 'file'>> {
  return own ? { file: (await lessonEngine.load()).writeLessonFile(own) } : {};
}

/** Puts a link to a task of a lesson on the clipboard; one that is not the project's is within the link. */
export async function copyLessonLink(
  at: Pick<At, 'id' | 'step'>,
  own = getOwn(useKept.getState().files, at.id),
): Promise<void> {
  const recipe: Recipe = {
    name: `lesson-${at.id}`,
    options: { naming: useNaming.getState().naming },
    manifests: '',
    lesson: { ...at, ...(await carried(own)) },
  };
  const link = await encodeLink(recipe);
  if (link.length > LONGEST_LINK) throw new Error('The lesson is too long for a link. Save it as a file instead.');
  await navigator.clipboard.writeText(`${location.origin}${location.pathname}#share=${link}`);
  toast('allowed', 'The link is on the clipboard.', `It opens this lesson at task ${at.step + 1}.`);
}
