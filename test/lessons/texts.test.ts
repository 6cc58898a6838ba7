import { describe, expect, test } from 'vitest';
import { lessons, type Lesson, type PageLink } from '../../src/lessons/index.ts';
import { panels } from '../../src/ui/panels/index.ts';

const loaded: readonly Lesson[] = await Promise.all(lessons.map((entry) => entry.lesson.load()));

/** Everything that a person reads. */
const textsOf = ({ title, learn, intro, why, seen, tasks }: Lesson): string[] => [
  ...[title, learn, ...intro, ...why, ...seen.map(({ text }) => text)],
  ...tasks.flatMap((task) => [
    task.title,
    ...task.text,
    task.note ?? '',
    ...task.hints,
    ...task.checks.map(({ says }) => says),
  ]),
];

const linksOf = ({ tasks, seen }: Lesson): PageLink[] => [
  ...tasks.flatMap(({ where }) => where ?? []),
  ...seen.map(({ link }) => link),
];

/** Tabs of panels that name them in the address. */
const tabs: Readonly<Record<string, readonly string[]>> = {
  access: ['who-can', 'what-can', 'compare', 'refusals', 'certificates', 'tokens'],
  watch: ['watches', 'paging', 'storage'],
  lifecycle: ['graph', 'deleting', 'rollout', 'pod'],
  network: ['map', 'matrix', 'flows'],
  requests: ['log', 'breakpoints', 'audit'],
  scheduling: ['pod', 'deployment', 'drain'],
};

test('there are at least twelve, each with an id of its own', () => {
  expect(loaded.length).toBeGreaterThanOrEqual(12);
  expect(new Set(loaded.map(({ id }) => id)).size).toBe(loaded.length);
});

test('those of a level stand together, as the list shows them', () => {
  const levels = loaded.map(({ level }) => level);
  expect(levels.filter((level, index) => level !== levels[index - 1])).toEqual(['first steps', 'basics', 'deeper']);
});

describe.each(loaded.map((lesson) => [lesson.id, lesson] as const))('%s', (id, lesson) => {
  test('is what the list says', () => {
    expect(lessons.find((entry) => entry.id === id)).toMatchObject({ title: lesson.title, learn: lesson.learn });
  });

  test('leads to places that exist', () => {
    for (const { panel, path } of linksOf(lesson)) {
      expect(panels.map((each) => each.id)).toContain(panel);
      const known = tabs[panel];
      if (known && path?.[0] !== undefined) expect(known).toContain(path[0]);
    }
  });

  test('has a note for each step of a talk', () => {
    expect(lesson.tasks.filter(({ note = '' }) => note === '').map(({ title }) => title)).toEqual([]);
  });

  test('has commands for each step of a talk, unless keys or certificates are made in the page', () => {
    const without = lesson.tasks.filter(({ commands = [], talk = [] }) => commands.length + talk.length === 0);
    expect(without.map(({ where }) => where?.path)).toEqual(without.map(() => ['certificates']));
  });

  test('has solutions that need no other task’s solution', () => {
    for (const { title, solution } of lesson.tasks) {
      const kept = solution.flatMap((step) => (step.do === 'request' ? Object.keys(step.keep ?? {}) : []));
      const used = [...JSON.stringify(solution).matchAll(/<([\w-]+)>/g)].map(([, word]) => word);
      expect(
        used.filter((word) => !kept.includes(word ?? '')),
        title,
      ).toEqual([]);
    }
  });

  test('has short sentences', () => {
    const long = textsOf(lesson)
      .flatMap((text) => text.split(/(?<=[.?!])\s+/))
      .filter((sentence) => sentence.split(/\s+/).length > 30);
    expect(long).toEqual([]);
  });

  test('closes each piece of code, and explains each task', () => {
    for (const text of textsOf(lesson)) expect(text.split('`').length % 2, text).toBe(1);
    for (const task of lesson.tasks) {
      expect(task.hints.length, task.title).toBeGreaterThan(0);
      expect(task.checks.length, task.title).toBeGreaterThan(0);
      expect(task.solution.length, task.title).toBeGreaterThan(0);
    }
    expect(lesson.why.length).toBeGreaterThan(0);
    expect(lesson.seen.length).toBeGreaterThan(0);
  });
});
