/** Container logs as texts that survive a reload: of the current and the previous run of each container. */
import type { Pod } from '../../client/index.ts';
import { LogBuffer, type LogEntry } from '../pod/logBuffer.ts';
import type { Keeper } from './keeper.ts';

/** The maximum size of a log in characters; the oldest lines are dropped. */
const MOST_KEPT = 16 * 1024;
/** How much of a last line is kept if it exceeds the maximum. */
const END_OF_LINE = 2048;

/** One run of a container. */
export interface RunOfContainer {
  readonly node: string;
  readonly podUid: string;
  readonly container: string;
  /** The id of the run. */
  readonly id: string;
}

/** The keys of all logs. */
export const LOGS = 'logs/';

/** The keys of all logs of a node. */
export const logsOfNode = (node: string): string => `${LOGS}${node}/`;

/** The node in a log's key. */
export const nodeOf = (key: string): string => key.split('/')[1] ?? '';

/** The keys of a container's logs: consecutive runs alternate between them. */
const slotsOf = (node: string, podUid: string, container: string): readonly [string, string] => [
  `${logsOfNode(node)}${podUid}/${container}/0`,
  `${logsOfNode(node)}${podUid}/${container}/1`,
];

/** The keys of all logs of a pod. */
export function logsOfPod(node: string, { metadata, spec }: Pod): string[] {
  const all = [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])];
  return all.flatMap(({ name }) => slotsOf(node, metadata.uid, name));
}

/** The pod uid in a log's key. */
export const podUidOf = (key: string): string => key.split('/')[2] ?? '';

/** The saved log of a run; undefined if there is none. */
export function keptLog(keeper: Keeper, run: RunOfContainer, now: () => number): LogBuffer | undefined {
  for (const slot of slotsOf(run.node, run.podUid, run.container)) {
    const entries = entriesOf(keeper.read(slot) ?? '', run.id);
    if (entries) return new LogBuffer(now, entries);
  }
  return undefined;
}

/** Saves a log from now on, replacing that of the run before the last. `restarts` counts the runs. */
export function keepLog(keeper: Keeper, run: RunOfContainer, restarts: number, log: LogBuffer): void {
  if (!keeper.isOn) return;
  const slot = slotsOf(run.node, run.podUid, run.container)[restarts % 2 === 0 ? 0 : 1];
  const text = (): string => textOf(run.id, log);
  log.onLine = () => keeper.changed(slot, text);
}

function textOf(id: string, log: LogBuffer): string {
  const lines: string[] = [];
  let size = JSON.stringify([id, []]).length;
  for (const { at, text } of log.from(0).toReversed()) {
    const line = JSON.stringify([at, text]);
    const fits = size + line.length + 1 <= MOST_KEPT;
    if (!fits && lines.length > 0) break;
    lines.push(fits ? line : JSON.stringify([at, text.slice(-END_OF_LINE)]));
    size += line.length + 1;
  }
  return `[${JSON.stringify(id)},[${lines.reverse().join(',')}]]`;
}

function entriesOf(text: string, id: string): LogEntry[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const [owner, entries] = Array.isArray(value) ? (value as unknown[]) : [];
    if (owner !== id || !Array.isArray(entries)) return undefined;
    return entries.flatMap((entry: unknown) => {
      const [at, line] = Array.isArray(entry) ? (entry as unknown[]) : [];
      return typeof at === 'number' && typeof line === 'string' ? [{ at, text: line }] : [];
    });
  } catch {
    // An exported cluster has a placeholder text instead.
    return undefined;
  }
}
