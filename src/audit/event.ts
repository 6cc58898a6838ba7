/** The serialization of audit events: fields in the reference's order, in each version of the group. */
import type { UserInfo } from '../authn/index.ts';
import type { Names } from '../names/index.ts';
import type { Level, Stage } from './levels.ts';

/** One stage of one request. Times are milliseconds since the epoch. */
export interface AuditEvent {
  readonly level: Level;
  readonly auditID: string;
  readonly stage: Stage;
  readonly requestURI: string;
  readonly verb: string;
  /** Empty if authentication failed. */
  readonly user: Partial<UserInfo>;
  readonly impersonatedUser?: UserInfo | undefined;
  readonly sourceIPs: readonly string[];
  readonly userAgent: string;
  readonly objectRef?: ObjectReference | undefined;
  readonly responseStatus?: ResponseStatus | undefined;
  /** As JSON text, serialized once. */
  readonly requestObject?: string | undefined;
  readonly responseObject?: string | undefined;
  readonly received: number;
  readonly at: number;
  readonly annotations: Readonly<Record<string, string>>;
}

export interface ObjectReference {
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly apiGroup?: string;
  readonly apiVersion?: string;
  readonly resourceVersion?: string;
  readonly subresource?: string;
}

/** What is recorded of a response's Status; only the code if the response was an object. */
export interface ResponseStatus {
  readonly status?: string;
  /** Only of a request that was not authenticated: what was tried. */
  readonly message?: string;
  readonly reason?: string;
  readonly code?: number;
}

export type AuditVersion = 'v1' | 'v1beta1' | 'v1alpha1';

/** The event as one line of JSON, without a line end. */
export function eventText(event: AuditEvent, names: Names, version: AuditVersion = 'v1'): string {
  const head = {
    kind: 'Event',
    apiVersion: names.fill(`audit.{domain}/${version}`),
    ...(version === 'v1' ? {} : older(event)),
    level: event.level,
    auditID: event.auditID,
    stage: event.stage,
    requestURI: event.requestURI,
    verb: event.verb,
    user: userOf(event.user),
    ...(event.impersonatedUser && { impersonatedUser: userOf(event.impersonatedUser) }),
    ...(event.sourceIPs.length > 0 && { sourceIPs: event.sourceIPs }),
    ...(event.userAgent !== '' && { userAgent: event.userAgent }),
    ...(event.objectRef && { objectRef: event.objectRef }),
    ...(event.responseStatus && { responseStatus: { metadata: {}, ...event.responseStatus } }),
  };
  const tail = {
    requestReceivedTimestamp: microTime(event.received),
    stageTimestamp: microTime(event.at),
    ...(Object.keys(event.annotations).length > 0 && { annotations: event.annotations }),
  };
  // The objects are serialized already and inserted unchanged.
  const objects = [
    event.requestObject === undefined ? '' : `"requestObject":${event.requestObject},`,
    event.responseObject === undefined ? '' : `"responseObject":${event.responseObject},`,
  ].join('');
  return `${JSON.stringify(head).slice(0, -1)},${objects}${JSON.stringify(tail).slice(1)}`;
}

/** Older versions repeat the time of the request in two more fields. */
function older({ received }: AuditEvent): object {
  const timestamp = new Date(received).toISOString().replace(/\.\d+/, '');
  return { metadata: { creationTimestamp: timestamp }, timestamp };
}

function userOf({ name, uid, groups, extra }: Partial<UserInfo>): object {
  return {
    ...(name && { username: name }),
    ...(uid && { uid }),
    ...(groups && groups.length > 0 && { groups }),
    ...(extra && Object.keys(extra).length > 0 && { extra }),
  };
}

const microTime = (ms: number): string => new Date(ms).toISOString().replace('Z', '000Z');

/** The event in the old text format: no objects, one line for each stage. */
export function legacyText(event: AuditEvent): string {
  const { objectRef, impersonatedUser, user, responseStatus } = event;
  const quoted = (text: string | undefined, absent: string): string => JSON.stringify(text || absent);
  const groups = (list: readonly string[] | undefined, absent: string): string =>
    list && list.length > 0 ? list.map((group) => JSON.stringify(group)).join(',') : absent;
  return [
    `${new Date(event.at).toISOString()} AUDIT:`,
    `id=${quoted(event.auditID, '')}`,
    `stage=${quoted(event.stage, '')}`,
    `ip=${quoted(event.sourceIPs[0], '<unknown>')}`,
    `method=${quoted(event.verb, '')}`,
    `user=${quoted(user.name, '<none>')}`,
    `groups=${quoted(groups(user.groups, '<none>'), '')}`,
    `as=${quoted(impersonatedUser?.name, '<self>')}`,
    `asgroups=${quoted(groups(impersonatedUser?.groups, '<lookup>'), '')}`,
    `namespace=${quoted(objectRef?.namespace, '<none>')}`,
    `uri=${quoted(event.requestURI, '')}`,
    `response="${responseStatus?.code ?? '<deferred>'}"`,
  ].join(' ');
}
