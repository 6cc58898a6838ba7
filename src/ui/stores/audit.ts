/** Audit events: each as the trace tells it, and those that the server's log files were found to hold. */
import { create } from '../store.ts';
import { carriesSecrets } from '../../schema/index.ts';
import { isObject, getOwn } from '../../std/index.ts';
import type { TraceEvent } from '../../trace/index.ts';
import { asNumber, asText, at } from './jsonValues.ts';

/** An audit event as the page lists it. */
export interface AuditEntry {
  /** The request's audit id and the stage: what tells an event from all others. */
  readonly key: string;
  readonly auditId: string;
  readonly at: number;
  readonly stage: string;
  readonly level: string;
  readonly verb: string;
  readonly user: string;
  /** `pods/log default/web`, or the path of what is no resource. */
  readonly target: string;
  readonly code: number | undefined;
  readonly event: Readonly<Record<string, unknown>>;
}

interface Audit {
  /** Oldest first. */
  readonly entries: readonly AuditEntry[];
  /** Lines of the log that are no events, such as those of its old text format. */
  readonly unread: number;
}

const KEPT = 5000;
const nothing: Audit = { entries: [], unread: 0 };

export const useAudit = create<Audit>()(() => nothing);

const HIDDEN = '(hidden)';

/** The log keeps what its policy asks for; the page shows no secrets. */
function withoutSecrets(event: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const asked = {
    resource: asText(at(event, 'objectRef', 'resource')),
    subresource: asText(at(event, 'objectRef', 'subresource')),
  };
  if (!carriesSecrets(asked)) return event;
  const bodies = ['requestObject', 'responseObject'].filter((field) => getOwn(event, field) !== undefined);
  const annotations = event['annotations'];
  const shown = isObject(annotations)
    ? Object.fromEntries(
        Object.entries(annotations).map(([key, value]) => [key, key.startsWith('patch.') ? HIDDEN : value]),
      )
    : annotations;
  return {
    ...event,
    ...Object.fromEntries(bodies.map((field) => [field, HIDDEN])),
    ...(shown !== undefined && { annotations: shown }),
  };
}

function targetOf(event: unknown): string {
  const get = (field: string): string => asText(at(event, 'objectRef', field));
  if (at(event, 'objectRef') === undefined) return asText(at(event, 'requestURI'));
  const resource = get('resource') + (get('subresource') && `/${get('subresource')}`);
  return `${resource} ${[get('namespace'), get('name')].filter(Boolean).join('/')}`.trim();
}

/** The entry of an event; undefined for what is none. */
export function entryOf(event: unknown): AuditEntry | undefined {
  if (!isObject(event) || event['kind'] !== 'Event') return undefined;
  const get = (...path: readonly string[]): string => asText(at(event, ...path));
  const [auditId, stage] = [get('auditID'), get('stage')];
  return {
    key: `${auditId}/${stage}`,
    auditId,
    at: Date.parse(get('stageTimestamp')),
    stage,
    level: get('level'),
    verb: get('verb'),
    user: get('impersonatedUser', 'username') || get('user', 'username'),
    target: targetOf(event),
    code: asNumber(at(event, 'responseStatus', 'code')),
    event: withoutSecrets(event),
  };
}

/** Both together, each event once, by time. */
export function merged(known: readonly AuditEntry[], more: readonly AuditEntry[]): readonly AuditEntry[] {
  const all = new Map([...known, ...more].map((entry) => [entry.key, entry]));
  return [...all.values()].sort((a, b) => a.at - b.at).slice(-KEPT);
}

/** Feeds the store from the trace. */
export function noteAuditEvents(events: readonly TraceEvent[]): void {
  const more = events.flatMap((event) => (event.topic === 'audit' ? (entryOf(event.event) ?? []) : []));
  if (more.length > 0) useAudit.setState(({ entries }) => ({ entries: merged(entries, more) }));
}

/** Adds the entries of log files to those that are known; `unread` as in `Audit`. */
export function noteAuditLogs(found: readonly AuditEntry[], unread: number): void {
  useAudit.setState(({ entries }) => ({ entries: merged(found, entries), unread }));
}

export function forgetAudit(): void {
  useAudit.setState(nothing, true);
}
