/** The revisions of a daemon set: pure functions that number them and choose which ones go. */
import type { ControllerRevision, DaemonSet } from '../../client/index.ts';
import { byRevision, holdsTemplate, type RevisionStep } from '../history/revisions.ts';

type Template = DaemonSet['spec']['template'];

/** How a revision comes to hold the set's template. It is numbered after all that hold others, and keeps a higher number that it has. */
export function planRevision(template: Template, revisions: readonly ControllerRevision[]): RevisionStep {
  const { newest, old } = sortRevisions(template, revisions);
  const number = 1 + Math.max(0, ...old.map(({ revision }) => revision));
  if (!newest) return { do: 'create', number };
  return newest.revision < number ? { do: 'renumber', revision: newest, number } : { do: 'keep', revision: newest };
}

interface Sorted {
  readonly newest: ControllerRevision | undefined;
  /** Others that hold the template as well. */
  readonly duplicates: readonly ControllerRevision[];
  readonly old: readonly ControllerRevision[];
}

/** Tells the revisions that hold the set's template from those that hold earlier ones, the oldest of these first. */
export function sortRevisions(template: Template, revisions: readonly ControllerRevision[]): Sorted {
  const sorted = [...revisions].sort(byRevision);
  const same = sorted.filter((revision) => holdsTemplate(revision, template));
  return { newest: same.at(-1), duplicates: same.slice(0, -1), old: sorted.filter((each) => !same.includes(each)) };
}

/** Of earlier revisions, the ones beyond the history that is kept. Those in use count towards the limit, but stay. */
export function surplusRevisions(
  old: readonly ControllerRevision[],
  isUsed: (revision: ControllerRevision) => boolean,
  limit: number,
): readonly ControllerRevision[] {
  return old.filter((revision) => !isUsed(revision)).slice(0, Math.max(0, old.length - limit));
}
