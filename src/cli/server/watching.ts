/** What is there, and then every change of it, until somebody stops it. */
import { pathOf, readWatch, type Client } from '../../client/index.ts';
import type { ApiObject } from '../../schema/index.ts';
import { TABLE, type Selectors, type ServerTable, type TableColumn, type TableRow } from './tables.ts';
import type { Target } from './targets.ts';

export interface Watching extends Selectors {
  readonly signal: AbortSignal;
  /** Whether what is there already comes first. */
  readonly listFirst: boolean;
}

interface WireTable extends ApiObject {
  readonly columnDefinitions?: readonly TableColumn[] | null;
  readonly rows?: readonly TableRow[] | null;
}

interface WireList extends ApiObject {
  readonly items?: readonly ApiObject[] | null;
}

/** Tables of one row or more. Throws StatusError where the server refuses or ends the watch with an error. */
export async function* watchTables(
  client: Client,
  target: Target,
  options: Watching,
): AsyncGenerator<ServerTable & { readonly event: string }> {
  let columns: readonly TableColumn[] = [];
  for await (const { value, event = 'ADDED' } of follow(client, target, TABLE, options)) {
    const { columnDefinitions, rows } = value as WireTable;
    // Only the first table of a watch says its columns.
    if (columnDefinitions?.length) columns = columnDefinitions;
    if (rows?.length) yield { columns, rows, event };
  }
}

/** Objects after a change, each with what happened to it. */
export async function* watchObjects(
  client: Client,
  target: Target,
  options: Watching,
): AsyncGenerator<{ readonly object: ApiObject; readonly event: string }> {
  for await (const { value, event } of follow(client, target, 'application/json', options)) {
    if (event !== undefined) yield { object: value, event };
    else for (const object of itemsOf(value as WireList)) yield { object, event: 'ADDED' };
  }
}

/** Items of a list leave out what the list says of them all. */
const itemsOf = ({ apiVersion = '', kind = '', items }: WireList): readonly ApiObject[] =>
  (items ?? []).map((item) => ({ ...item, apiVersion, kind: kind.replace(/List$/, '') }));

/** The list, which has no event, and the object of each event after it. */
async function* follow(
  client: Client,
  { resource, namespace, name }: Target,
  accept: string,
  { labelSelector, fieldSelector, signal, listFirst }: Watching,
): AsyncGenerator<{ readonly value: ApiObject; readonly event?: string }> {
  const path = pathOf(resource, client.names, namespace);
  const byName = name === undefined ? [] : [`metadata.name=${name}`];
  const query = { labelSelector, fieldSelector: [fieldSelector, ...byName].filter(Boolean).join() };
  const asked = { accept: client.names.fill(accept), signal };
  const list = (await client.json(path, { ...asked, query })) as ApiObject;
  if (listFirst) yield { value: list };
  const { resourceVersion } = list.metadata;
  const answer = await client.raw(path, { ...asked, query: { ...query, watch: true, resourceVersion } });
  for await (const events of readWatch(answer))
    for (const { type, object } of events) if (type !== 'BOOKMARK') yield { value: object, event: type };
}
