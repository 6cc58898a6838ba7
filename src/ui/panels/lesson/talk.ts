/** What a lesson shows to whoever gives a talk: its commands, one after another. */
import type { Lesson, Task } from '../../../lessons/index.ts';
import { openTerminal } from '../terminal/opened.ts';

/** The commands that a task shows: those for learners or, if it has none, in a talk those for the teacher. */
export const linesOf = ({ commands, talk = [] }: Task, teaching: boolean): readonly string[] =>
  commands ?? (teaching ? talk : []);

/** How many commands of a task the talk has put into the terminal; a lesson that is started over has new tasks. */
const counts = new WeakMap<Task, number>();

/** Puts the next command of a task into the terminal; after the last one comes the first again. */
export function putNextCommand(task: Task, number: number): void {
  const lines = linesOf(task, true);
  const count = counts.get(task) ?? 0;
  const line = lines[count % lines.length];
  if (line === undefined) return;
  counts.set(task, count + 1);
  openTerminal(line, `Command ${(count % lines.length) + 1} of ${lines.length} for task ${number}`);
}

/**
 * The index of the task whose command comes next in a talk: the current one, or one before it if only some of its commands
 * have been put. A task may be done before its last command.
 */
export function taskInTalk({ tasks }: Pick<Lesson, 'tasks'>, current: number): number {
  const begun = tasks.slice(0, current).findIndex((task) => {
    const count = counts.get(task) ?? 0;
    return count > 0 && count < linesOf(task, true).length;
  });
  return begun < 0 ? current : begun;
}

/** Puts the next command of a talk into the terminal; does nothing after the last task. */
export function putNextInTalk(lesson: Pick<Lesson, 'tasks'>, current: number): void {
  const index = taskInTalk(lesson, current);
  const task = lesson.tasks[index];
  if (task) putNextCommand(task, index + 1);
}
