/** The lesson that somebody is writing; kept in the browser. */
import { create } from '../../../store.ts';
import { persist } from 'zustand/middleware';
import type { Check, Lesson, Step } from '../../../../lessons/index.ts';
import type { Profile } from '../../../../names/index.ts';
import { loadYaml, yaml } from '../../../../std/index.ts';

/** A task as it is written: everything but its title is text. */
export interface DraftTask {
  readonly title: string;
  readonly text: string;
  readonly hints: string;
  /** A command line on each line. Drafts of before have none. */
  readonly commands?: string;
  readonly note?: string;
  /** YAML: a list of checks. */
  readonly checks: string;
  /** YAML documents that are applied. */
  readonly solution: string;
}

export interface Draft {
  readonly title: string;
  readonly learn: string;
  readonly minutes: string;
  readonly nodes: string;
  readonly why: string;
  /** YAML documents: the objects that are there at the start. */
  readonly start: string;
  readonly tasks: readonly DraftTask[];
  /** The lesson that was last tried of it, by its id. */
  readonly tried?: string;
}

const EXAMPLE = `- look: object
  says: There is a ConfigMap \`greeting\`.
  resource: v1/configmaps
  namespace: default
  name: greeting
`;

export const emptyTask: DraftTask = { title: '', text: '', hints: '', checks: EXAMPLE, solution: '' };

const empty: Draft = {
  title: '',
  learn: '',
  minutes: '5',
  nodes: '1',
  why: '',
  start: '',
  tasks: [emptyTask],
};

export const useDraft = create<Draft>()(persist((): Draft => empty, { name: 'vitrine.lessonDraft' }));

export const clearDraft = (): void => void useDraft.setState(empty, true);

export function setTask(index: number, change: Partial<DraftTask>): void {
  useDraft.setState(({ tasks }) => ({
    tasks: tasks.map((task, at) => (at === index ? { ...task, ...change } : task)),
  }));
}

const paragraphs = (text: string): string[] =>
  text
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter(Boolean);

const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

const applied = (manifest: string): Step[] => (manifest.trim() === '' ? [] : [{ do: 'apply', manifest }]);

/** An id of a title's letters and digits; with what is put before it, it is at most 40 characters long. */
export const idOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 36)
    .replace(/-$/, '') || 'lesson';

/** The checks of a text. Throws an error that says what is wrong with them. */
export async function readChecks(text: string): Promise<readonly Check[]> {
  await loadYaml();
  const { lessonEngine } = await import('../../../../lessons/index.ts');
  const { readCheckOf } = await lessonEngine.load();
  const value: unknown = yaml().parse(text) ?? [];
  if (!Array.isArray(value)) throw new Error('The checks must be a list.');
  return value.map((check, index) => readCheckOf(check, `checks[${index}]`));
}

/** The lesson that a draft says. Throws an error that says what is wrong with it. */
export async function lessonOf(draft: Draft, naming: Profile): Promise<Lesson> {
  for (const [index, { title, checks }] of draft.tasks.entries()) {
    if (title.trim() === '') throw new Error(`Task ${index + 1} has no title.`);
    if (checks.trim() === '') throw new Error(`Task ${index + 1} has no checks.`);
  }
  const { lessonEngine } = await import('../../../../lessons/index.ts');
  const { readLessonFile } = await lessonEngine.load();
  const tasks = await Promise.all(
    draft.tasks.map(async ({ title, text, hints, commands = '', note = '', checks, solution }) => ({
      title,
      text: paragraphs(text),
      hints: lines(hints),
      ...(commands.trim() !== '' && { commands: lines(commands) }),
      ...(note.trim() !== '' && { note: note.trim() }),
      checks: await readChecks(checks),
      solution: applied(solution),
    })),
  );
  const lesson = {
    id: idOf(draft.title),
    title: draft.title || 'A lesson',
    minutes: Number(draft.minutes),
    learn: draft.learn,
    level: 'basics',
    intro: paragraphs(draft.learn),
    start: { naming, nodes: Number(draft.nodes), steps: applied(draft.start) },
    tasks,
    seen: [],
    why: paragraphs(draft.why),
  };
  // It goes the way of a file, so that what is saved can be opened.
  return readLessonFile(JSON.stringify(lesson));
}
