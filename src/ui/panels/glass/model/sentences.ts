/** What happened, in words. */
import { kindOfActor, nameOfActor } from './actors.ts';
import type { RecordedRequest } from './recording.ts';
import { likeliest, type Reaction } from './reactions.ts';
import { stages } from './stages.ts';
import type { Subject } from './subjects.ts';

/** The kind of a resource as people write it; what is not known keeps its plural. */
export type KindOf = (subject: Subject) => string;

/** Who sent a request. */
export function senderText(recorded: RecordedRequest): string {
  const { actor, causes, subject } = recorded;
  if (kindOfActor(actor) === 'node') return `agent of ${nameOfActor(actor)}`;
  const loop = kindOfActor(actor) === 'controllers' ? likeliest(causes, subject)?.controller : undefined;
  return loop === undefined ? nameOfActor(actor) : loopText(loop);
}

/** `deployment controller`. */
export const loopText = (loop: string): string => (loop.includes('controller') ? loop : `${loop} controller`);

/** `Deployment default/web`. */
export function subjectText(subject: Subject, kindOf: KindOf): string {
  const { resource, namespace, name } = subject;
  if (resource === '') return 'the server';
  if (name === '') return namespace === '' ? resource : `${resource} in ${namespace}`;
  return `${kindOf(subject)} ${namespace === '' ? name : `${namespace}/${name}`}`;
}

const bySubresource: Readonly<Record<string, readonly [done: string, wanted: string]>> = {
  binding: ['bound', 'bind'],
  eviction: ['evicted', 'evict'],
  scale: ['scaled', 'scale'],
  status: ['updated the status of', 'update the status of'],
  finalize: ['finalized', 'finalize'],
  token: ['issued a token for', 'issue a token for'],
  exec: ['opened a command in', 'open a command in'],
  log: ['read the log of', 'read the log of'],
};

const byMethod: Readonly<Record<string, readonly [done: string, wanted: string]>> = {
  POST: ['created', 'create'],
  PUT: ['updated', 'update'],
  PATCH: ['patched', 'patch'],
  DELETE: ['deleted', 'delete'],
  GET: ['read', 'read'],
  HEAD: ['read', 'read'],
};

const table = new Map([...Object.entries(byMethod), ...Object.entries(bySubresource)]);

function verbs({ method, subject }: RecordedRequest): readonly [done: string, wanted: string] {
  const isWrite = method !== 'GET' && method !== 'HEAD';
  const special = isWrite || subject.subresource === 'log' ? table.get(subject.subresource) : undefined;
  return special ?? table.get(method) ?? [method, method];
}

const titles = new Map(stages.map(({ stage, title }) => [stage, title.toLowerCase()]));

/** `administrator created Deployment default/web`; of what was stopped: what was wanted. */
export const sentence = (recorded: RecordedRequest, kindOf: KindOf): string =>
  told(recorded, subjectText(recorded.subject, kindOf));

/** The same of many requests of one kind: `administrator created configmaps in default`. */
export const sentenceOfMany = (recorded: RecordedRequest, kindOf: KindOf): string =>
  told(recorded, subjectText({ ...recorded.subject, name: '' }, kindOf));

function told(recorded: RecordedRequest, what: string): string {
  const [done, wanted] = verbs(recorded);
  const who = senderText(recorded);
  return recorded.stop ? `${who} wanted to ${wanted} ${what}` : `${who} ${done} ${what}`;
}

/** A short name for what moves through the picture: `create Deployment web`. */
export function label(recorded: RecordedRequest, kindOf: KindOf): string {
  const { subject } = recorded;
  const [, wanted] = verbs(recorded);
  return `${wanted} ${subject.resource === '' ? 'the server' : kindOf(subject)} ${subject.name}`.trim();
}

/** Result: its revision (of a pod, with its phase), or where it was stopped. */
export function outcome({ stop, revision, status }: RecordedRequest, phase?: string): string {
  if (stop)
    return `stopped at ${titles.get(stop.stage)}${status ? ` (${status})` : ''}: ${stop.message ?? stop.reason}`;
  if (revision !== undefined) return `revision ${revision}${phase === undefined ? '' : `, ${phase}`}`;
  return status === undefined ? 'under way' : `answered ${status}`;
}

/** `because ReplicaSet default/web-7f was added`, or `follows revision 12`. */
export function because({ why }: Pick<Reaction, 'why'>): string {
  const plain = why.replace(/ (added|changed|deleted)$/, ' was $1');
  return plain.startsWith('follows ') ? plain : `because ${plain}`;
}
