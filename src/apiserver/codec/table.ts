/** The Table representation: columns from the kind's declaration, or from the definition of a custom resource. */
import type { Names } from '../../names/index.ts';
import { columnsOf, inDeclaredOrder, status, type ApiObject, type Resource } from '../../schema/index.ts';
import type { View } from './views.ts';

export type IncludeObject = 'None' | 'Metadata' | 'Object';

/** Parses `includeObject`; throws 400 for an invalid value. */
export function includeObject(query: URLSearchParams): IncludeObject {
  const value = query.get('includeObject') ?? '';
  if (value === '' || value === 'Metadata') return 'Metadata';
  if (value === 'None' || value === 'Object') return value;
  throw status.badRequest(`unrecognized includeObject value: ${JSON.stringify(value)}`);
}

export interface TableRequest {
  readonly resource: Resource;
  readonly version: 'v1' | 'v1beta1';
  readonly include: IncludeObject;
  readonly names: Names;
  readonly now: number;
}

/** A Table of `views`; `headers` says whether it includes the columns (a watch sends them once). */
export function tableOf(
  request: TableRequest,
  views: readonly View[],
  hubViews: readonly View[],
  metadata: object,
  headers = true,
): object {
  const { resource, version, names, now, include } = request;
  const columns = columnsOf(resource);
  return {
    kind: 'Table',
    apiVersion: `meta.${names.domain}/${version}`,
    metadata,
    columnDefinitions: headers
      ? columns.map(({ name, type, format = '', doc, priority = 0 }) => ({
          name,
          type,
          format,
          description: doc,
          priority,
        }))
      : null,
    rows: rowsOf(resource, views, hubViews).map(({ view, hub }) => {
      const conditions = resource.declaration.rowConditions?.(hub);
      return {
        cells: columns.map((column) => column.cell(hub, { now, names }) ?? null),
        ...(conditions ? { conditions } : {}),
        object: include === 'Object' ? view.object : rowMetadata(request, hub),
      };
    }),
  };
}

interface Row {
  readonly view: View;
  readonly hub: ApiObject;
}

function rowsOf({ declaration: { rowOrder } }: Resource, views: readonly View[], hubViews: readonly View[]): Row[] {
  const rows = views.map((view, i) => ({ view, hub: (hubViews[i] ?? view).object }));
  return rowOrder ? rows.sort((a, b) => rowOrder(a.hub, b.hub)) : rows;
}

function rowMetadata({ resource, include, names, version }: TableRequest, hub: ApiObject): object | null {
  return include === 'None' ? null : partialMetadata(resource, hub, names, version);
}

/** The object's metadata. It has the group and version of the hub, whichever version was requested. */
export function partialMetadata(
  { custom, declaration }: Resource,
  hub: ApiObject,
  names: Names,
  version: 'v1' | 'v1beta1',
): object {
  const metadata = declaration.hubMetadata?.(hub) ?? (custom ? inDeclaredOrder(hub.metadata) : hub.metadata);
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.${names.domain}/${version}`, metadata };
}
