/** The revisions of a daemon set: pure functions that number them and choose which to delete. */
import type { ControllerRevision, DaemonSet } from '../../client/index.ts';
import { byRevision, holdsTemplate, type RevisionStep } from '../history/revisions.ts';

type Template = DaemonSet['spec']['template'];

/**
 * How a revision with the set's template is created or chosen. Its number is higher than those of all other templates;
 * an existing higher number stays.
 */
export function planRevision(template: Template, revisions: readonly ControllerRevision[]): RevisionStep {
  const { newest, old } = sortRevisions(template, revisions);
  const number = 1 + Math.max(0, ...old.map(({ revision }) => revision));
  if (!newest) return { do: 'create', number };
  return newest.revision < number ? { do: 'renumber', revision: newest, number } : { do: 'keep', revision: newest };
}

interface Sorted {
  readonly newest: ControllerRevision | undefined;
  /** Other revisions with the same template. */
  readonly duplicates: readonly ControllerRevision[];
  readonly old: readonly ControllerRevision[];
}

/** Separates the revisions with the set's template from earlier ones, oldest first. */
export function sortRevisions(template: Template, revisions: readonly ControllerRevision[]): Sorted {
  const sorted = [...revisions].sort(byRevision);
  const same = sorted.filter((revision) => holdsTemplate(revision, template));
  return { newest: same.at(-1), duplicates: same.slice(0, -1), old: sorted.filter((each) => !same.includes(each)) };
}

/** Earlier revisions beyond the history limit. Those in use count towards the limit but stay. */
export function surplusRevisions(
  old: readonly ControllerRevision[],
  isUsed: (revision: ControllerRevision) => boolean,
  limit: number,
): readonly ControllerRevision[] {
  return old.filter((revision) => !isUsed(revision)).slice(0, Math.max(0, old.length - limit));
}
