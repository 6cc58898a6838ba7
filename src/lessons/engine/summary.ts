/** What a lesson would do, in sentences, for whoever is asked whether it may. */
import { loadYaml, isObject, yaml } from '../../std/index.ts';
import type { Asker, Lesson, Step } from './lesson.ts';
import { readPath } from './fields.ts';
import { plainLine, plainName, plainText } from './form.ts';

/** A step in a sentence, with everything that it sends. */
export interface StepSummary {
  readonly text: string;
  readonly contents?: string;
}

/** Everything that a lesson does: to the cluster at its start, and when a solution is shown. */
export interface LessonSummary {
  readonly cluster: string;
  readonly start: readonly StepSummary[];
  /** By task. */
  readonly solutions: readonly (readonly StepSummary[])[];
  /** What the tasks offer for the terminal; it runs when somebody puts it there and presses Enter. */
  readonly commands: readonly StepSummary[];
}

const shown = (value: unknown): string => (typeof value === 'string' ? plainName(value) : '?');

function objectsIn(manifest: string): string[] {
  return yaml()
    .parseAllDocuments(manifest)
    .map((document): unknown => document.toJS())
    .filter(isObject)
    .map((object) => {
      const namespace = readPath(object, 'metadata.namespace');
      const place = typeof namespace === 'string' ? ` in ${plainName(namespace)}` : '';
      return `${shown(object['kind'])} ${shown(readPath(object, 'metadata.name'))}${place}`;
    });
}

function asWhom(as: Asker | undefined): string {
  if (!as) return '';
  return as.user === undefined ? ', with its own credentials' : `, as ${plainName(as.user)}`;
}

function stepInWords(step: Step): string {
  switch (step.do) {
    case 'apply':
      return `Creates or replaces: ${objectsIn(step.manifest).join('; ')}${asWhom(step.as)}.`;
    case 'request':
      return `Sends ${step.method} ${plainName(step.path)}${asWhom(step.as)}.`;
    case 'wait':
      return `Waits until this is true: ${step.for.says}`;
    case 'clock':
      return `Moves the cluster’s clock forward by ${step.seconds} seconds.`;
  }
}

function contentsOf(step: Step): string | undefined {
  if (step.do === 'apply') return step.manifest;
  return step.do === 'request' && step.body !== undefined ? JSON.stringify(step.body, null, 2) : undefined;
}

function summaryOf(step: Step): StepSummary {
  const contents = contentsOf(step);
  return { text: plainLine(stepInWords(step)), ...(contents !== undefined && { contents: plainText(contents) }) };
}

export async function summarize({ id, start, tasks }: Lesson): Promise<LessonSummary> {
  await loadYaml();
  const nodes = start.nodes ?? 0;
  return {
    cluster: `Creates the cluster lesson-${id} with ${nodes} simulated ${nodes === 1 ? 'node' : 'nodes'}.`,
    start: start.steps.map(summaryOf),
    solutions: tasks.map(({ solution }) => solution.map(summaryOf)),
    commands: tasks.flatMap(({ commands = [], talk = [] }) =>
      [...commands, ...talk].map((command) => ({ text: plainText(command) })),
    ),
  };
}
