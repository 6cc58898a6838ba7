/**
 * Lessons in files. A lesson from elsewhere is data: it is read into the form of a lesson and nothing else, its requests go to its own
 * cluster alone, and it brings no flags.
 */
import type { Check, FieldWant, Lesson, Step, Task } from './lesson.ts';
import {
  byTag,
  flag,
  FormError,
  json,
  list,
  longText,
  map,
  matching,
  number,
  object,
  oneOf,
  prose,
  text,
  title,
  told,
  type Reader,
} from './form.ts';

/** The id of a lesson from a file begins with this, so that it is none of the project's. */
export const OWN = 'own-';

const MOST_CHARACTERS = 2_000_000;
/** Verbs or resources of one check of access, and questions of all of them: each is a request whenever a role changes. */
const [MOST_WORDS, MOST_QUESTIONS] = [20, 2_000];
const [MOST_CHECKS, MOST_STEPS] = [50, 500];
const LONGEST_ID = 40;
/** The clock works off what the cluster does in that time. */
const MOST_SECONDS = 366 * 86_400;

const panel = matching(/^[a-z]+(-[a-z]+)*$/, 'the name of a panel, such as explore');
const link = object({ panel }, { path: list(text), query: map(text) });

const want: Reader<FieldWant> = (value, at) => {
  const read = object(
    { path: text },
    {
      is: json,
      not: json,
      atLeast: number(-1e9, 1e9),
      atMost: number(-1e9, 1e9),
      has: json,
      lacks: json,
      only: list(json),
      exists: flag,
    },
  )(value, at);
  if (Object.keys(read).length !== 2) throw new FormError(`${told(at)} must have a path and exactly one condition.`);
  // Besides the path there is exactly one expectation.
  return read as FieldWant;
};

const oneOrMore: Reader<string | readonly string[]> = (value, at) =>
  Array.isArray(value) ? list(text, MOST_WORDS)(value, at) : text(value, at);

const pods = object({ namespace: text, labels: map(text) }, {});
/** A line; in YAML a block of one line ends with a line end. */
const line: Reader<string> = (value, at) => text(typeof value === 'string' ? value.replace(/\n$/, '') : value, at);

const says = { look: text, says: line };
const count = object({}, { is: number(0, 1e6), atLeast: number(0, 1e6), atMost: number(0, 1e6) });

const resource = matching(/^(?!.*\.\.)[\w.{}-]+(\/[\w.{}-]+){1,2}$/, 'a resource, such as apps/v1/deployments');

const readCheck = byTag('look', {
  object: object(
    { ...says, look: oneOf('object'), resource, name: text },
    { namespace: text, gone: flag, original: flag, fields: list(want) },
  ),
  list: object(
    { ...says, look: oneOf('list'), resource, count },
    { namespace: text, labels: text, fields: list(want) },
  ),
  access: object(
    { ...says, look: oneOf('access'), user: text, verb: oneOrMore, resource: oneOrMore, allowed: flag },
    { groups: list(text), subresource: text, namespace: text, name: text },
  ),
  requests: object(
    { ...says, look: oneOf('requests') },
    {
      ...{ user: text, method: text, verb: text, path: text, status: number(100, 599), by: text, ended: text },
      ...{ query: list(want), atLeast: number(1, 1e6), anew: flag, fresh: flag },
      ...{ stale: flag, took: number(0, 1e9) },
    },
  ),
  network: object(
    {
      ...says,
      look: oneOf('network'),
      from: pods,
      to: ((value, at) => (typeof value === 'string' ? value : pods(value, at))) as Reader<
        string | ReturnType<typeof pods>
      >,
      port: number(1, 65_535),
      allowed: flag,
    },
    { protocol: oneOf('TCP', 'UDP', 'SCTP') },
  ),
}) satisfies Reader<Check>;

const asker = object({}, { user: text, groups: list(text), token: prose, certificate: prose, key: prose });

const readStep: Reader<Step> = byTag('do', {
  apply: object({ do: oneOf('apply'), manifest: longText }, { as: asker }),
  request: object(
    {
      do: oneOf('request'),
      method: oneOf('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
      path: matching(
        /^(?!.*\/(\.|%2[eE]){1,2}(\/|\?|$))(\/servers\/(first|second))?\/(api|apis|version)(\/|\?|$)/,
        'a path of the API, such as /api/v1/pods',
      ),
    },
    { body: json, contentType: text, as: asker, expect: number(100, 599), keep: map(text) },
  ),
  wait: object({ do: oneOf('wait'), for: readCheck }, {}),
  clock: object({ do: oneOf('clock'), seconds: number(0, 1e9) }, {}),
});

const task: Reader<Task> = object(
  {
    ...{ title, text: list(prose), hints: list(prose) },
    ...{ checks: list(readCheck, MOST_CHECKS), solution: list(readStep, MOST_STEPS) },
  },
  { where: link, commands: list(prose), talk: list(prose), note: prose },
);

const user = object({ name: text, groups: list(text), about: prose }, {});

const readLesson: Reader<Lesson> = object(
  {
    id: matching(/^[a-z0-9][a-z0-9-]{0,39}$/, 'a short name of lower-case letters, digits and hyphens'),
    title,
    minutes: number(1, 600),
    learn: prose,
    level: oneOf('first steps', 'basics', 'deeper'),
    intro: list(prose),
    start: object(
      { steps: list(readStep, MOST_STEPS) },
      {
        ...{ naming: oneOf('cluster.io', 'k8s.io'), nodes: number(0, 20), addons: list(oneOf('dns')) },
        ...{ twoServers: flag, users: list(user) },
      },
    ),
    tasks: list(task),
    seen: list(object({ text: prose, link }, {})),
    why: list(prose),
  },
  {},
);

/** Reads a lesson from a file's text. Throws FormError, which says what is wrong and where. */
export function readLessonFile(content: string): Lesson {
  if (content.length > MOST_CHARACTERS) throw new FormError('The file is larger than 2 MB. It is not a lesson.');
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    throw new FormError('The file is not JSON.');
  }
  const lesson = readLesson(value, '');
  if (lesson.tasks.length === 0) throw new FormError('The lesson has no tasks.');
  if (questionsOf(lesson) > MOST_QUESTIONS)
    throw new FormError(`The lesson checks access in more than ${MOST_QUESTIONS} ways.`);
  if (secondsOf(lesson) > MOST_SECONDS) throw new FormError('The lesson moves the clock by more than a year.');
  const id = lesson.id.startsWith(OWN) ? lesson.id : `${OWN}${lesson.id}`;
  return { ...lesson, id: id.slice(0, LONGEST_ID).replace(/-+$/, '') };
}

const countOf = (one: string | readonly string[]): number => (typeof one === 'string' ? 1 : one.length);

/** How many questions about access the lesson's checks come to. */
function questionsOf({ tasks }: Lesson): number {
  const checks = tasks.flatMap((each) => each.checks);
  return checks.reduce(
    (sum, check) => (check.look === 'access' ? sum + countOf(check.verb) * countOf(check.resource) : sum),
    0,
  );
}

/** By how much the lesson's steps move the clock. */
function secondsOf({ start, tasks }: Lesson): number {
  const steps = [start, ...tasks.map(({ solution }) => ({ steps: solution }))].flatMap((each) => each.steps);
  return steps.reduce((sum, step) => sum + (step.do === 'clock' ? step.seconds : 0), 0);
}

/** Reads one check, as an author writes it; `at` is its place in what they wrote. Throws FormError. */
export const readCheckOf = (value: unknown, at: string): Check => readCheck(value, at);

/** The lesson as a file's text. */
export const writeLessonFile = (lesson: Lesson): string => `${JSON.stringify(lesson, null, 2)}\n`;
