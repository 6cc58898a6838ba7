import { describe, expect, test } from 'vitest';
import { readLessonFile, summarize, writeLessonFile } from '../../src/lessons/engine/index.ts';
import { lessons, type Lesson } from '../../src/lessons/index.ts';
import { decodeLink, encodeLink, LONGEST_LINK } from '../../src/ui/share/link.ts';

const manifest = '{apiVersion: v1, kind: Namespace, metadata: {name: lab}}';
const small: Lesson = {
  id: 'small',
  title: 'Small',
  minutes: 2,
  learn: 'One thing.',
  level: 'basics',
  intro: [],
  start: { nodes: 1, steps: [{ do: 'apply', manifest }] },
  tasks: [
    {
      title: 'Do it',
      text: ['Now.'],
      hints: [],
      checks: [{ look: 'object', says: 'It is there.', resource: 'v1/configmaps', namespace: 'lab', name: 'a' }],
      solution: [{ do: 'request', method: 'GET', path: '/api/v1/pods', as: { user: 'anna' } }],
    },
  ],
  seen: [],
  why: [],
};

/** The small lesson with one field set, by its path. */
function changed(path: readonly (string | number)[], value: unknown): string {
  const copy: unknown = structuredClone(small);
  const last = path.at(-1) ?? '';
  let at = copy as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) at = at[key] as Record<string | number, unknown>;
  at[last] = value;
  return JSON.stringify(copy);
}

const access = (verbs: number, resources: number): object => ({
  ...{ look: 'access', says: 'x', user: 'anna', allowed: true },
  ...{ verb: Array(verbs).fill('get'), resource: Array(resources).fill('pods') },
});

const request = { do: 'request', method: 'POST', path: '/api/v1/pods', body: 'HERE' };
/** Its text is made by hand: writing it would exhaust the stack. */
const deep = changed(['start', 'steps', 0], request).replace('"HERE"', '['.repeat(20_000) + ']'.repeat(20_000));

test('a lesson that was saved is read as it was, under an id that is none of the project’s', () => {
  expect(readLessonFile(writeLessonFile(small))).toEqual({ ...small, id: 'own-small' });
  expect(readLessonFile(writeLessonFile({ ...small, id: 'own-small' })).id).toBe('own-small');
});

test.each(lessons.filter(({ id }) => id !== 'x'))('the form of files holds the lesson $id', async (entry) => {
  const lesson = await entry.lesson.load();
  expect(readLessonFile(writeLessonFile(lesson))).toEqual({ ...lesson, id: `own-${lesson.id}` });
});

test.each(lessons)('a link carries the lesson $id whole', async (entry) => {
  const lesson = { ...(await entry.lesson.load()), id: `own-${entry.id}` };
  const carried = { id: lesson.id, step: 1, file: writeLessonFile(lesson) };
  const link = await encodeLink({ name: 'x', options: { naming: 'k8s.io' }, manifests: '', lesson: carried });
  expect(link.length).toBeLessThan(LONGEST_LINK);
  const { lesson: received } = await decodeLink(link);
  expect(received).toEqual(carried);
  expect(readLessonFile(received?.file ?? '')).toEqual(lesson);
});

describe('a link is refused', () => {
  test.each<[string, object, RegExp]>([
    ['whose lesson is no text', { id: 'own-x', step: 0, file: { title: 'x' } }, /carries is no text/],
    ['whose task is no number', { id: 'own-x', step: '1', file: '{}' }, /no lesson and task/],
    ['whose lesson has a path for an id', { id: '../x', step: 0, file: '{}' }, /no lesson and task/],
  ])('%s', async (_, lesson, message) => {
    const recipe = { name: 'x', options: { naming: 'k8s.io' as const }, manifests: '', lesson: lesson as never };
    await expect(encodeLink(recipe).then(decodeLink)).rejects.toThrow(message);
  });
});

describe('a file is refused', () => {
  test.each<[string, string, RegExp]>([
    ['that is no JSON', '---', /not JSON/],
    ['that is no object', '[]', /must be an object/],
    ['without a title', changed(['title'], undefined), /title must be a text/],
    ['with an unknown field', changed(['script'], 'alert()'), /unknown field: script/],
    ['with flags', changed(['start', 'apiserver'], ['--x']), /unknown field: apiserver/],
    ['with an unknown step', changed(['start', 'steps', 0], { do: 'run', code: '1' }), /one of apply, request/],
    ['with another server', changed(['tasks', 0, 'solution', 0, 'path'], 'https://example.com/'), /path of the API/],
    [
      'with a path beside the API',
      changed(['tasks', 0, 'solution', 0, 'path'], '//example.com/api'),
      /path of the API/,
    ],
    ['with an unknown check', changed(['tasks', 0, 'checks', 0, 'look'], 'keys'), /one of object, list/],
    ['with code in a check', changed(['tasks', 0, 'checks', 0, 'script'], 'alert()'), /unknown field: script/],
    ['with headers in a step', changed(['tasks', 0, 'solution', 0, 'headers'], {}), /unknown field: headers/],
    [
      'with a script for a path',
      changed(['tasks', 0, 'solution', 0, 'path'], 'javascript:alert(1)'),
      /path of the API/,
    ],
    ['with a prototype', `${JSON.stringify(small).slice(0, -1)},"__proto__":{"a":1}}`, /unknown field: __proto__/],
    ['with too many nodes', changed(['start', 'nodes'], 1000), /from 0 to 20/],
    ['with an id that is a path', changed(['id'], '../x'), /short name/],
    ['with a body that nests very deep', deep, /nests deeper than 100/],
    ['with too many tasks', changed(['tasks'], Array(101).fill(small.tasks[0])), /at most 100/],
    ['with too many steps', changed(['start', 'steps'], Array(501).fill(small.start.steps[0])), /at most 500/],
    ['with too many verbs', changed(['tasks', 0, 'checks', 0], access(21, 1)), /verb must be a list of at most 20/],
    ['with too many resources', changed(['tasks', 0, 'checks', 0], access(1, 21)), /at most 20/],
    ['with too many questions', changed(['tasks', 0, 'checks'], Array(6).fill(access(20, 20))), /more than 2000 ways/],
    ['with a very long title', changed(['title'], 'x'.repeat(121)), /title must be a text of at most 120/],
    ['with a name that hides a space', changed(['tasks', 0, 'solution', 0, 'path'], '/api/v1/\u200bpods'), /invisible/],
    ['with a command that hides letters', changed(['tasks', 0, 'text'], ['see \u{e0061}\u{e0062}']), /invisible/],
    ['with a text that hides bytes in variation selectors', changed(['tasks', 0, 'text'], ['a\u{e0101}']), /invisible/],
    ['with a title that reads backwards', changed(['title'], 'a\u202eb'), /title must be a text without control/],
    [
      'with a command that hides its beginning behind a carriage return',
      changed(['tasks', 0, 'text'], ['curl /x\rkubectl get pods']),
      /without control or invisible/,
    ],
    [
      'with a check of no resource',
      changed(['tasks', 0, 'checks', 0], { look: 'object', resource: 'v1/../../x', name: 'a', says: 'b' }),
      /a resource, such as apps/,
    ],
    [
      'with a link that is a script',
      changed(['seen'], [{ text: 'x', link: { panel: 'javascript:alert(1)' } }]),
      /the name of a panel/,
    ],
    [
      'with a path of two lines',
      changed(['tasks', 0, 'solution', 0, 'path'], '/api/v1\n, as nobody'),
      /path must be a text without control/,
    ],
    [
      'with a check that says two lines',
      changed(['tasks', 0, 'checks', 0, 'says'], 'a\nb'),
      /says must be a text without/,
    ],
    [
      'with a path that leads upwards',
      changed(['tasks', 0, 'solution', 0, 'path'], '/api/v1/../../apis/apps/v1'),
      /path of the API/,
    ],
    [
      'with a path that hides that it leads upwards',
      changed(['tasks', 0, 'solution', 0, 'path'], '/api/v1/%2E%2e/pods'),
      /path of the API/,
    ],
    [
      'with steps that move the clock by more than a year',
      changed(['start', 'steps'], Array(40).fill({ do: 'clock', seconds: 864_000 })),
      /clock by more than a year/,
    ],
    ['with half of a character', changed(['seen'], [{ text: 'x', link: { panel: '\ud800' } }]), /invisible/],
    ['without tasks', changed(['tasks'], []), /no tasks/],
    [
      'with a field check with two conditions',
      changed(['tasks', 0, 'checks', 0, 'fields'], [{ path: 'a', is: 1, not: 2 }]),
      /exactly one condition/,
    ],
  ])('%s', (_, content, message) => {
    expect(() => readLessonFile(content)).toThrow(message);
  });
});

test('a lesson says what it would do before it does it', async () => {
  expect(await summarize(small)).toEqual({
    cluster: 'Creates the cluster lesson-small with 1 simulated node.',
    start: [{ text: 'Creates or replaces: Namespace lab.', contents: manifest }],
    solutions: [[{ text: 'Sends GET /api/v1/pods, as anna.' }]],
    commands: [],
  });
});

test('emojis may be in a text, though some have an invisible selector', () => {
  const text = ['I \u2764\ufe0f pods. \u{1f469}\u200d\u{1f4bb}'];
  expect(readLessonFile(changed(['tasks', 0, 'text'], text)).tasks[0]?.text).toEqual(text);
});

test('the summary of a lesson shows the commands of a talk, too', async () => {
  const talk = ['kubectl get pods'];
  const { commands } = await summarize(readLessonFile(changed(['tasks', 0, 'talk'], talk)));
  expect(commands).toEqual([{ text: 'kubectl get pods' }]);
});

test('the summary of a lesson shows each command that it offers, line by line', async () => {
  const [task] = small.tasks;
  const lesson = { ...small, tasks: [{ ...task, commands: ['echo a\nkubectl delete ns x', 'kubectl get pods'] }] };
  expect((await summarize(readLessonFile(JSON.stringify(lesson)))).commands).toEqual([
    { text: 'echo a\nkubectl delete ns x' },
    { text: 'kubectl get pods' },
  ]);
});

test('a manifest whose aliases unfold without end is refused before anything runs', async () => {
  const levels = Array.from({ length: 12 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join(', ')}]`);
  const bomb = ['a0: &a0 x', ...levels].join('\n');
  const lesson = readLessonFile(changed(['start', 'steps', 0, 'manifest'], bomb));
  await expect(summarize(lesson)).rejects.toThrow(/alias/);
});

test('a block of YAML is a line, though it ends with a line end', () => {
  const read = readLessonFile(changed(['tasks', 0, 'checks', 0, 'says'], 'It is there.\n'));
  expect(read.tasks[0]?.checks[0]?.says).toBe('It is there.');
});

test('the summary of a lesson shows what its requests send, with control characters as escapes', async () => {
  const body = { metadata: { name: 'a\u202eb' } };
  const solution = [
    { do: 'request', method: 'POST', path: '/api/v1/x', body },
    { do: 'apply', manifest: '{kind: "A\\nB", metadata: {name: "\\u202ex"}}' },
  ];
  const { solutions } = await summarize(readLessonFile(changed(['tasks', 0, 'solution'], solution)));
  expect(solutions).toEqual([
    [
      { text: 'Sends POST /api/v1/x.', contents: JSON.stringify(body, null, 2).replace('\u202e', '\\u202e') },
      { text: 'Creates or replaces: A\\u000aB \\u202ex.', contents: solution[1]?.manifest },
    ],
  ]);
});

test('names that only look like others are told apart, and invisible characters are seen', async () => {
  const solution = [
    { do: 'request', method: 'GET', path: '/api/v1/namespaces/kube-s\u0443stem/pods', as: { user: '\u0430dmin' } },
    { do: 'apply', manifest: '{kind: Pod, metadata: {name: "a\\u200bb", namespace: "\u{1f600}"}}' },
  ];
  const { solutions } = await summarize(readLessonFile(changed(['tasks', 0, 'solution'], solution)));
  expect(solutions[0]?.map(({ text }) => text)).toEqual([
    'Sends GET /api/v1/namespaces/kube-s\\u0443stem/pods, as \\u0430dmin.',
    'Creates or replaces: Pod a\\u200bb in \\u{1f600}.',
  ]);
});

test.each(['own-a', 'a'])('an id, %s, stays short enough for a link', (start) => {
  const { id } = readLessonFile(changed(['id'], `${start}${'b'.repeat(30)}--${'c'.repeat(3)}`));
  expect(id).toMatch(/^own-a.*[a-z0-9]$/);
  expect(readLessonFile(writeLessonFile({ ...small, id })).id).toBe(id);
});
