import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Task } from '../../src/lessons/index.ts';
import { putNextCommand, putNextInTalk, taskInTalk } from '../../src/ui/panels/lesson/talk.ts';
import { useTerminal } from '../../src/ui/panels/terminal/opened.ts';

const taskOf = (lines: Pick<Task, 'commands' | 'talk'>): Task => ({
  ...{ title: '', text: [], hints: [], checks: [], solution: [] },
  ...lines,
});

const lessonOf = (): { readonly tasks: readonly Task[] } => ({
  tasks: [taskOf({ commands: ['a1', 'a2'] }), taskOf({ talk: ['b1'] }), taskOf({ commands: ['c1', 'c2'] })],
});

/** The line that was put last, and what it is called. */
function put(): string {
  const { wanted, put: called } = useTerminal.getState();
  return `${wanted.at(-1)}: ${called}`;
}

// The terminal is opened in the dock of a wide page.
vi.stubGlobal('window', { matchMedia: () => ({ matches: false }) });
beforeEach(() => useTerminal.setState({ wanted: [], put: '' }));

describe('the next command of a talk', () => {
  test('is the current task’s, and says which of how many it is', () => {
    const lesson = lessonOf();
    putNextInTalk(lesson, 0);
    expect(put()).toBe('a1: Command 1 of 2 for task 1');
    putNextInTalk(lesson, 0);
    expect(put()).toBe('a2: Command 2 of 2 for task 1');
  });

  test('is the rest of a task that was done before its last command', () => {
    const lesson = lessonOf();
    putNextInTalk(lesson, 0);
    putNextInTalk(lesson, 1);
    expect(put()).toBe('a2: Command 2 of 2 for task 1');
    putNextInTalk(lesson, 1);
    expect(put()).toBe('b1: Command 1 of 1 for task 2');
  });

  test('leaves out the tasks that were done by hand', () => {
    const lesson = lessonOf();
    expect(taskInTalk(lesson, 2)).toBe(2);
    putNextInTalk(lesson, 2);
    expect(put()).toBe('c1: Command 1 of 2 for task 3');
  });

  test('after the last command of a task comes its first again', () => {
    const lesson = lessonOf();
    for (let count = 0; count < 3; count += 1) putNextInTalk(lesson, 0);
    expect(put()).toBe('a1: Command 1 of 2 for task 1');
  });

  test('at the end of the lesson is the rest of its last task, and then none', () => {
    const lesson = lessonOf();
    putNextInTalk(lesson, 2);
    putNextInTalk(lesson, 3);
    expect(put()).toBe('c2: Command 2 of 2 for task 3');
    useTerminal.setState({ wanted: [], put: '' });
    putNextInTalk(lesson, 3);
    expect(useTerminal.getState().wanted).toEqual([]);
  });

  test('of a task that another is shown instead of is its own', () => {
    const { tasks } = lessonOf();
    const [first] = tasks;
    if (first) putNextCommand(first, 1);
    expect(put()).toBe('a1: Command 1 of 2 for task 1');
  });
});
