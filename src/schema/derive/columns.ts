/** The columns of a kind's Table: its own, or name and age. */
import type { ApiObject, Column, KindDeclaration } from '../define/kind.ts';
import type { Resource } from './scheme.ts';

const DEFAULT: readonly Column<ApiObject>[] = [
  {
    name: 'Name',
    type: 'string',
    format: 'name',
    doc: 'Unique within a namespace.',
    cell: (object) => object.metadata.name ?? '',
  },
  {
    name: 'Created At',
    type: 'date',
    doc: 'When the object was created.',
    cell: (object) => object.metadata.creationTimestamp,
  },
];

/** The columns of a resource's Table, in order; the part that brings them has been loaded. Cells are computed from the hub version. */
export function columnsOf(resource: Resource): readonly Column<ApiObject>[] {
  const columns = resource.declaration.columns as KindDeclaration<ApiObject>['columns'];
  if (!columns) return DEFAULT;
  return 'part' in columns ? columns.get() : columns;
}
