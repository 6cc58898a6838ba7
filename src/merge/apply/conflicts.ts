/** Conflicts: fields that an applied configuration would change and others own. */
import { status } from '../../schema/index.ts';
import type { StatusError } from '../../schema/index.ts';
import { EMPTY } from './fieldSet.ts';
import type { FieldSet } from './fieldSet.ts';
import { UPDATE } from './owners.ts';
import type { Owner } from './owners.ts';
import { describeElement, sortElements } from './pathElement.ts';

/** The fields that one owner would lose. */
export interface Conflict {
  readonly owner: Owner;
  readonly fields: FieldSet;
}

/** 409 with a cause for each field. */
export function conflictError(conflicts: readonly Conflict[]): StatusError {
  const lines = conflicts.map(({ owner, fields }) => ({ who: describeOwner(owner), paths: pathsOf(fields) }));
  const causes = lines.flatMap(({ who, paths }) =>
    paths.map(({ path, shown }) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${who}${path === shown ? '' : `: ${path}`}`,
      field: shown,
    })),
  );
  return status.failure(409, 'Conflict', summary(lines), { causes });
}

interface ConflictLine {
  readonly who: string;
  readonly paths: readonly ConflictPath[];
}

function summary(lines: readonly ConflictLine[]): string {
  const [only, ...more] = lines.flatMap(({ who, paths }) => paths.map(({ path }) => ({ who, path })));
  if (only && more.length === 0) return `Apply failed with 1 conflict: conflict with ${only.who}: ${only.path}`;
  const blocks = lines.map(({ who, paths }) => [`conflicts with ${who}:`, ...paths.map(({ path }) => `- ${path}`)]);
  return `Apply failed with ${more.length + 1} conflicts: ${blocks.flat().join('\n')}`;
}

function describeOwner({ manager, operation, apiVersion, time }: Owner): string {
  const name = JSON.stringify(manager);
  if (operation !== UPDATE) return name;
  return `${name} using ${apiVersion}${time === undefined ? '' : ` at ${time}`}`;
}

interface ConflictPath {
  /** The path of the conflict. */
  readonly path: string;
  /** The path in a cause's `field`, as the reference prints it. */
  readonly shown: string;
}

/**
 * The paths of a set, each node's own fields before those below. While collecting paths the reference shares memory
 * between them, so fields at the same parent four or six to eight levels deep all show the last of their siblings.
 * Clients compare these, so a cause's `field` has the same text here; its message has the true path.
 */
function pathsOf(fields: FieldSet): readonly ConflictPath[] {
  const found: { path: string; cells: SharedPath }[] = [];
  collect(fields, '', { cells: [], length: 0, capacity: 0 }, found);
  return found.map(({ path, cells }) => ({
    path,
    shown: cells.cells.slice(0, cells.length).map(describeElement).join(''),
  }));
}

/** A growing list whose copies share memory until its capacity is exceeded and doubles. */
interface SharedPath {
  readonly cells: string[];
  readonly length: number;
  readonly capacity: number;
}

function append({ cells, length, capacity }: SharedPath, element: string): SharedPath {
  const grown = length < capacity ? cells : cells.slice(0, length);
  grown[length] = element;
  return { cells: grown, length: length + 1, capacity: length < capacity ? capacity : Math.max(1, capacity * 2) };
}

function collect(
  fields: FieldSet,
  path: string,
  shared: SharedPath,
  found: { path: string; cells: SharedPath }[],
): void {
  const children = sortElements(fields.children.keys()).map(
    (element) => [element, fields.children.get(element) ?? EMPTY] as const,
  );
  for (const [element, child] of children)
    if (child.self) found.push({ path: path + describeElement(element), cells: append(shared, element) });
  for (const [element, child] of children) {
    if (child.children.size > 0) collect(child, path + describeElement(element), append(shared, element), found);
  }
}
