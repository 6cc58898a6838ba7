import { expect, test } from 'vitest';
import type { Lesson } from '../../src/lessons/index.ts';
import { idOf, lessonOf, type Draft } from '../../src/ui/panels/lesson/author/draft.ts';
import { asKept } from '../../src/ui/panels/lesson/ids.ts';

const lesson = (id: string, learn: string): Lesson => ({
  ...{ id, title: 'Greet', minutes: 1, learn, level: 'basics' },
  ...{ intro: [], start: { steps: [] }, tasks: [], seen: [], why: [] },
});
const mine = lesson('own-greet', 'mine');
const theirs = lesson('own-greet', 'theirs');
const long = `own-${'a'.repeat(36)}`;

test.each<[what: string, given: Lesson, files: readonly Lesson[], clusters: readonly string[], id: string]>([
  ['the first of its id', mine, [], [], 'own-greet'],
  ['the same again', mine, [mine], ['own-greet'], 'own-greet'],
  ['another of the same id', theirs, [mine], [], 'own-greet-2'],
  ['a third', lesson('own-greet', 'third'), [mine, { ...theirs, id: 'own-greet-2' }], [], 'own-greet-3'],
  ['one that is here under another id', theirs, [mine, { ...theirs, id: 'own-greet-2' }], [], 'own-greet-2'],
  ['one whose id a cluster was made for', theirs, [], ['own-greet'], 'own-greet-2'],
  ['one of a long id', lesson(long, 'x'), [lesson(long, 'y')], [], `own-${'a'.repeat(34)}-2`],
])('a lesson is kept under an id of its own: %s', (_, given, files, clusters, id) => {
  const kept = asKept(given, Object.fromEntries(files.map((file) => [file.id, file])), (each) =>
    clusters.includes(each),
  );
  expect(kept).toEqual({ ...given, id });
});

test.each([
  ['Greet someone!', 'greet-someone'],
  ['…', 'lesson'],
  [`${'a'.repeat(35)} b`, 'a'.repeat(35)],
  ['a'.repeat(60), 'a'.repeat(36)],
])('the id of “%s” is %s', (title, id) => expect(idOf(title)).toBe(id));

const draft: Draft = {
  ...{ title: 'Greet', learn: 'l', minutes: '5', nodes: '1', why: '', start: '' },
  tasks: [
    {
      title: 'One',
      text: '',
      hints: '',
      checks: '- {look: object, says: s, resource: v1/pods, name: n}',
      solution: '',
    },
  ],
};
const withTask = (change: Partial<Draft['tasks'][number]>): Draft => ({
  ...draft,
  tasks: draft.tasks.flatMap((task) => [task, { ...task, ...change }]),
});

test('a draft becomes a lesson', async () => {
  expect(await lessonOf(draft, 'k8s.io')).toMatchObject({ id: 'own-greet', tasks: [{ title: 'One' }] });
});

test('the commands and the note of a draft’s task are those of the lesson; without any it has none', async () => {
  const [plain, rich] = (
    await lessonOf(withTask({ commands: 'kubectl get pods\n\n k get cm ', note: ' Ask. ' }), 'k8s.io')
  ).tasks;
  expect(plain).not.toHaveProperty('commands');
  expect(plain).not.toHaveProperty('note');
  expect(rich).toMatchObject({ commands: ['kubectl get pods', 'k get cm'], note: 'Ask.' });
});

test.each([
  ['without a title', withTask({ title: ' ' }), 'Task 2 has no title.'],
  ['without checks', withTask({ checks: '' }), 'Task 2 has no checks.'],
  ['with an unknown check', withTask({ checks: '- {look: no}' }), /^checks\[0\]\.look must be one of object, list/],
])('a task %s is refused', (_, given, message) => expect(lessonOf(given, 'k8s.io')).rejects.toThrow(message));
