/** The columns of a kind's Table: its own, or name and age. */
import type { ApiObject, Column } from '../define/kind.ts';
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

/** The columns of a resource's Table, in order. Cells are computed from the hub version. */
export function columnsOf(resource: Resource): readonly Column<ApiObject>[] {
  return (resource.declaration.columns as readonly Column<ApiObject>[] | undefined) ?? DEFAULT;
}
