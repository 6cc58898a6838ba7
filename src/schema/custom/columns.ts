/** The columns of a custom resource's Table: the name, and what the definition adds. */
import type { CustomResourceColumnDefinition } from '../apiextensions/customResourceDefinition.ts';
import type { ApiObject, Column } from '../define/kind.ts';
import { name, since } from '../meta/columns.ts';
import { canonicalTime } from '../values/time.ts';
import { parseJsonPath } from './jsonPath.ts';

const AGE: CustomResourceColumnDefinition = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

/** A definition without columns shows the age; one with a path that can't be read shows only the name. */
export function customColumns(definitions: readonly CustomResourceColumnDefinition[] = []): Column<ApiObject>[] {
  const shown = definitions.length === 0 ? [AGE] : definitions;
  const columns = shown.map(toColumn);
  return columns.every((column) => column !== undefined) ? [name, ...columns] : [name];
}

type ColumnType = Column<ApiObject>['type'];

function toColumn(definition: CustomResourceColumnDefinition): Column<ApiObject> | undefined {
  const { jsonPath, format = '', description = '', priority = 0 } = definition;
  const path = parseJsonPath(jsonPath);
  // The rules for definitions let no other type through.
  const type = definition.type as ColumnType;
  return (
    path && {
      name: definition.name,
      type,
      format,
      priority,
      doc: description === '' ? `The value at ${jsonPath}.` : description,
      cell: (object, { now }) => {
        const [value] = path(object);
        return value === undefined || value === null ? null : cell(type, value, now);
      },
    }
  );
}

function cell(type: ColumnType, value: unknown, now: number): unknown {
  switch (type) {
    case 'string':
      return typeof value === 'object' ? JSON.stringify(value) : String(value);
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? age(value, now) : null;
  }
}

function age(text: string, now: number): string {
  const time = canonicalTime(text);
  return time === undefined ? '<invalid>' : since(time, now);
}
