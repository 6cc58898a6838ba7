/** What a lesson would do, in sentences, for whoever is asked whether it may. */
import { loadYaml, isObject, yaml } from '../../std/index.ts';
import type { Asker, Lesson, Step } from './lesson.ts';
import { readPath } from './fields.ts';

/** Everything that a lesson does: to the cluster at its start, and when a solution is shown. */
export interface LessonSummary {
  readonly cluster: string;
  readonly start: readonly string[];
  readonly solutions: readonly string[];
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : '?');

function objectsIn(manifest: string): string[] {
  return yaml()
    .parseAllDocuments(manifest)
    .map((document): unknown => document.toJS())
    .filter(isObject)
    .map((object) => {
      const namespace = readPath(object, 'metadata.namespace');
      const place = typeof namespace === 'string' ? ` in ${namespace}` : '';
      return `${shown(object['kind'])} ${shown(readPath(object, 'metadata.name'))}${place}`;
    });
}

function asWhom(as: Asker | undefined): string {
  if (!as) return '';
  return as.user === undefined ? ', with a credential of its own' : `, as ${as.user}`;
}

function stepInWords(step: Step): string {
  switch (step.do) {
    case 'apply':
      return `Creates or replaces: ${objectsIn(step.manifest).join('; ')}${asWhom(step.as)}.`;
    case 'request':
      return `Sends ${step.method} ${step.path}${asWhom(step.as)}.`;
    case 'wait':
      return `Waits: ${step.for.says}`;
    case 'clock':
      return `Moves the cluster’s clock ${step.seconds} seconds ahead.`;
  }
}

export async function summarize({ id, start, tasks }: Lesson): Promise<LessonSummary> {
  await loadYaml();
  const nodes = start.nodes ?? 0;
  return {
    cluster: `Makes a cluster lesson-${id} with ${nodes} simulated ${nodes === 1 ? 'node' : 'nodes'}.`,
    start: start.steps.map(stepInWords),
    solutions: tasks.flatMap(({ solution }) => solution.map(stepInWords)),
  };
}
