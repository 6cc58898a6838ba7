/** The state of flow control as text tables: one row for each level, queue or waiting request. */
import type { Level } from './levels.ts';
import type { FlowRequest } from './types.ts';

type Row = readonly string[];

export function dumpLevels(levels: readonly Level[]): string {
  const rows = levels.map(({ name, queues, quiescing }): Row => {
    if (!queues) return without(name, 5);
    const active = queues.queues.filter(({ requests }) => requests.length > 0).length;
    return [name, active, queues.idle, quiescing, queues.waiting, queues.executing].map(String);
  });
  const heads = ['ActiveQueues', 'IsIdle', 'IsQuiescing', 'WaitingRequests', 'ExecutingRequests'];
  return tableText([['PriorityLevelName', ...heads], ...rows]);
}

export function dumpQueues(levels: readonly Level[]): string {
  const rows = levels.flatMap(({ name, queues }): Row[] => {
    if (!queues) return [without(name, 4)];
    return queues.queues.map(({ index, requests, executing, virtualStart }) => [
      ...[name, String(index), String(requests.length), String(executing)],
      virtualStart.toFixed(4),
    ]);
  });
  const heads = ['Index', 'PendingRequests', 'ExecutingRequests', 'VirtualStart'];
  return tableText([['PriorityLevelName', ...heads], ...rows]);
}

/** `details` adds the request and its user. */
export function dumpRequests(levels: readonly Level[], details: boolean): string {
  const heads = ['FlowSchemaName', 'QueueIndex', 'RequestIndexInQueue', 'FlowDistingsher', 'ArriveTime'];
  const more = ['UserName', 'Verb', 'APIPath', 'Namespace', 'Name', 'APIVersion', 'Resource', 'SubResource'];
  const rows = levels.flatMap((level) => requestRows(level, details));
  return tableText([['PriorityLevelName', ...heads, ...(details ? more : [])], ...rows]);
}

function requestRows({ name, queues }: Level, details: boolean): Row[] {
  if (!queues) return [];
  return queues.queues.flatMap(({ index, requests }) =>
    requests.map((request, place) => [
      ...[name, request.flowSchema, String(index), String(place), request.distinguisher],
      new Date(request.arrived).toISOString(),
      ...(details ? detailsOf(request.details) : []),
    ]),
  );
}

function detailsOf({ user, info }: FlowRequest): Row {
  const { verb, path, namespace, name, group, version, resource, subresource } = info;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  return [user.name, verb, path, namespace, name, apiVersion, resource, subresource];
}

const without = (name: string, cells: number): Row => [name, ...new Array<string>(cells).fill('<none>')];

/** Cells are separated by commas; columns are aligned. */
function tableText(rows: readonly Row[]): string {
  const cells = rows.map((row) => row.map((cell, i) => (i < row.length - 1 ? `${cell},` : cell)));
  const widths = (cells[0] ?? []).map((_, i) => Math.max(8, ...cells.map((row) => (row[i] ?? '').length + 1)));
  const padded = (row: Row): Row => row.map((cell, i) => (i < row.length - 1 ? cell.padEnd(widths[i] ?? 0) : cell));
  return cells.map((row) => `${padded(row).join('')}\n`).join('');
}
