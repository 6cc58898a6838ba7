/** Tables as the server makes them, with each row's object. */
import { pathOf, type Client, type Query } from '../../client/index.ts';
import { StatusError, type ApiObject } from '../../schema/index.ts';
import type { Target } from './targets.ts';

export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly priority: number;
}

export interface TableRow {
  readonly cells: readonly unknown[];
  readonly object: ApiObject;
}

export interface ServerTable {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
}

interface WireTable {
  readonly kind?: string;
  readonly metadata: { readonly continue?: string; readonly resourceVersion?: string };
  readonly columnDefinitions?: readonly TableColumn[] | null;
  readonly rows?: readonly TableRow[] | null;
}

export interface Selectors {
  readonly labelSelector: string;
  readonly fieldSelector: string;
}

/** How many objects are asked for at a time. */
const CHUNK = 500;

/** What a request for a table accepts. */
export const TABLE =
  'application/json;as=Table;v=v1;g=meta.{domain},application/json;as=Table;v=v1beta1;g=meta.{domain},application/json';

/** Fetches a target as a table; in chunks unless `chunkSize` is 0. `whole` brings whole objects with the rows, not their metadata alone. */
export async function fetchTable(
  client: Client,
  target: Target,
  {
    chunkSize = CHUNK,
    whole = false,
    ...selectors
  }: Selectors & { readonly chunkSize?: number; readonly whole?: boolean },
): Promise<ServerTable> {
  let columns: readonly TableColumn[] = [];
  const rows: TableRow[] = [];
  for await (const page of pages(
    client,
    target,
    { ...selectors, includeObject: whole ? 'Object' : undefined },
    chunkSize,
    TABLE,
  )) {
    const table = page as WireTable;
    if (table.columnDefinitions?.length) columns = table.columnDefinitions;
    rows.push(...(table.rows ?? []));
  }
  return { columns, rows };
}

/** Fetches a target's objects. Items of a list say their kind each. */
export async function fetchObjects(
  client: Client,
  target: Target,
  { chunkSize = CHUNK, ...selectors }: Selectors & { readonly chunkSize?: number },
): Promise<readonly ApiObject[]> {
  const objects: ApiObject[] = [];
  for await (const page of pages(client, target, { ...selectors }, chunkSize, 'application/json')) {
    if (target.name !== undefined) return [page as ApiObject];
    const list = page as {
      readonly apiVersion: string;
      readonly kind: string;
      readonly items?: readonly ApiObject[] | null;
    };
    const kind = list.kind.replace(/List$/, '');
    objects.push(...(list.items ?? []).map((item) => ({ ...item, apiVersion: list.apiVersion, kind })));
  }
  return objects;
}

async function* pages(
  client: Client,
  { resource, namespace, name }: Target,
  query: Query,
  chunkSize: number,
  accept: string,
): AsyncGenerator {
  const path = pathOf(resource, client.names, namespace, name ?? '');
  const options = { accept: client.names.fill(accept) };
  if (name !== undefined) {
    const { includeObject } = query;
    yield await client.json(path, { ...options, query: { includeObject } });
    return;
  }
  let from = '';
  do {
    const limit = chunkSize > 0 ? chunkSize : undefined;
    const asked = client.json(path, { ...options, query: { ...query, limit, continue: from } });
    const page = (await asked.catch((error: unknown) => {
      throw unlisted(error, resource, query);
    })) as WireTable;
    yield page;
    from = page.metadata.continue ?? '';
  } while (from !== '');
}

/** A list that can't be had says of what it would have been one. */
function unlisted(error: unknown, { group, version, resource }: Target['resource'], query: Query): unknown {
  if (!(error instanceof StatusError) || ![400, 404].includes(error.status.code ?? 0)) return error;
  const what = JSON.stringify(`${group}/${version}, Resource=${resource}`);
  const [labels, fields] = [String(query['labelSelector'] ?? ''), String(query['fieldSelector'] ?? '')];
  const verb =
    labels === '' && fields === ''
      ? `Unable to list ${what}`
      : `Unable to find ${what} that match label selector ${JSON.stringify(labels)}, field selector ${JSON.stringify(fields)}`;
  return new StatusError({ ...error.status, message: `${verb}: ${error.status.message ?? ''}` });
}
