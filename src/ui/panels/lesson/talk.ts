/** What a task shows to whoever gives a talk: its commands, one after another. */
import type { Task } from '../../../lessons/index.ts';
import { openTerminal } from '../terminal/opened.ts';

/** The commands that a task shows: those for learners or, if it has none, in a talk those for the teacher. */
export const linesOf = ({ commands, talk = [] }: Task, teaching: boolean): readonly string[] =>
  commands ?? (teaching ? talk : []);

/** How many commands of a task the talk has put into the terminal; a lesson that is started over has new tasks. */
const counts = new WeakMap<Task, number>();

/** Puts the next command of a task into the terminal; after the last one comes the first again. */
export function putNextCommand(task: Task): void {
  const lines = linesOf(task, true);
  const count = counts.get(task) ?? 0;
  const line = lines[count % lines.length];
  if (line === undefined) return;
  counts.set(task, count + 1);
  openTerminal(line);
}
