/** The answer to "why 409?": a sentence, and the smallest write that makes the change after all. */
import type { Client } from '../../../../client/index.ts';
import { StatusError } from '../../../../schema/index.ts';
import { isObject } from '../../../../std/index.ts';
import type { PastState } from '../../../stores/history.ts';
import { administrator, identityOf, type Identity } from '../../../stores/identity.ts';
import { asText, asTexts, at } from '../../../stores/jsonValues.ts';
import type { OpenedRequest } from '../../../stores/requests.ts';
import type { ObjectRef } from '../../../stores/resources.ts';
import type { Write } from '../../../stores/writes.ts';
import type { FieldChange } from '../../watch/changes.ts';
import { intended, overwritten, sentBody, stateAt, undone, type Conflict } from './conflict.ts';

export interface Retry {
  readonly write: Write;
  /** The fields of others that it overwrites, with the values now and then. */
  readonly overwrites: readonly FieldChange[];
  /** What else it does. */
  readonly also?: string;
}

/** A conflict with what was read about it. */
export interface Case {
  readonly request: OpenedRequest;
  readonly conflict: Conflict;
  readonly target: ObjectRef;
  readonly kind: string;
  /** The states of the object that storage still has, oldest first. */
  readonly states: readonly PastState[];
}

/** Who sent a request, as the page can act. */
export function senderOf({ user, stages }: OpenedRequest): Identity {
  const attributes = stages.findLast((stage) => stage.stage === 'authorization')?.attributes;
  const groups = asTexts(at(attributes, 'user', 'groups')).filter((group) => group !== 'system:authenticated');
  return groups.includes('system:masters') ? administrator : identityOf(user, groups);
}

const nameOf = ({ target, kind }: Case): string =>
  `${kind} ${target.namespace ? `${target.namespace}/` : ''}${target.name}`;

/** The answer's sentence. */
export function sentenceOf(given: Case): string {
  const { conflict, states } = given;
  switch (conflict.is) {
    case 'overtaken': {
      const now = states.at(-1);
      if (now?.type === 'DELETED') return `${nameOf(given)} was deleted after revision ${conflict.revision}.`;
      return `The request is based on revision ${conflict.revision} of ${nameOf(given)}. The object was written after that${now ? ` and is at revision ${now.revision}` : ''}.`;
    }
    case 'replaced':
      return `The request means an earlier ${nameOf(given)}. That object was deleted, and another one with its name was created.`;
    case 'owned':
      return `Another manager owns ${conflict.fields.length === 1 ? 'a field' : `${conflict.fields.length} fields`} of ${nameOf(given)} that the request changes. Server-side apply does not change such fields unless it is forced.`;
    case 'exists':
      return `${nameOf(given)} exists already. A create never changes an existing object.`;
  }
}

/** The write that would succeed, if one can be told from what the log and storage have. */
export function retryOf(given: Case): Retry | undefined {
  const { conflict, request, states } = given;
  const now = states.at(-1);
  if (request.sender !== 'person' || !now || now.type === 'DELETED') return undefined;
  if (conflict.is === 'owned') return forcedApply(given);
  if (conflict.is !== 'overtaken') return undefined;
  if (request.method === 'DELETE') return deletion(given, now);
  if (request.method === 'PATCH') return samePatch(given);
  return request.method === 'PUT' ? sameChange(given, conflict.revision, now) : undefined;
}

const writeOf = ({ request }: Case, label: string, send: Write['send']): Write => ({
  label,
  done: 'The change was written.',
  failed: 'The change was not written.',
  as: senderOf(request),
  send,
});

const subresourceOf = ({ stages }: OpenedRequest): string =>
  asText(at(stages.findLast((stage) => stage.stage === 'authorization')?.attributes, 'subresource'));

const queryOf = ({ url }: OpenedRequest): URLSearchParams => new URL(url, 'http://cluster').searchParams;

const placeOf = ({ target: { namespace, name } }: Case) => ({ metadata: { name, namespace } });

/** The body of what was sent without the revision that it expected. */
function withoutRevision(body: unknown): unknown {
  if (!isObject(body) || !isObject(body['metadata'])) return body;
  const { resourceVersion: _, ...metadata } = body['metadata'];
  return { ...body, metadata };
}

function options({ request }: Case) {
  const manager = queryOf(request).get('fieldManager');
  const subresource = subresourceOf(request);
  return { ...(manager !== null && { fieldManager: manager }), ...(subresource !== '' && { subresource }) };
}

function forcedApply(given: Case): Retry | undefined {
  const body = sentBody(given.request);
  if (!isObject(body)) return undefined;
  const send = (client: Client) =>
    client.of(given.target.resource).patch(placeOf(given), 'apply', body, { ...options(given), force: true });
  return {
    write: writeOf(given, 'Apply with force', send),
    overwrites: [],
    also: 'The manager of this request then owns these fields. The other manager gets this conflict if it applies other values.',
  };
}

function deletion(given: Case, now: PastState): Retry {
  const resourceVersion = now.revision;
  const send = (client: Client) =>
    client.of(given.target.resource).delete(placeOf(given), { preconditions: { resourceVersion } });
  return { write: writeOf(given, `Delete revision ${now.revision}`, send), overwrites: [] };
}

const forms = { 'json-patch': 'json', 'merge-patch': 'merge', 'strategic-merge-patch': 'strategic' } as const;

function samePatch(given: Case): Retry | undefined {
  const sent = given.request.bodies.findLast(({ of }) => of === 'request');
  const form = Object.entries(forms).find(([word]) => sent?.contentType.includes(`/${word}+`))?.[1];
  const body = withoutRevision(sentBody(given.request));
  if (!form || body === undefined) return undefined;
  const send = (client: Client) => client.of(given.target.resource).patch(placeOf(given), form, body, options(given));
  return { write: writeOf(given, 'Send the patch for the current revision', send), overwrites: [] };
}

const UNSUPPORTED_MEDIA_TYPE = 415;

/** What an update meant to change, as a patch; where what it had read is no longer kept, the whole update. */
function sameChange(given: Case, revision: string, now: PastState): Retry | undefined {
  const body = sentBody(given.request);
  if (!isObject(body)) return undefined;
  const resource = given.target.resource;
  const read = stateAt(given.states, revision);
  if (!read) {
    const metadata = { ...(isObject(body['metadata']) ? body['metadata'] : {}), resourceVersion: now.revision };
    const send = (client: Client) => client.of(resource).update({ ...body, metadata } as never, options(given));
    return { write: writeOf(given, 'Replace the current revision', send), overwrites: undone(body, now.object) };
  }
  const send = async (client: Client): Promise<unknown> => {
    const patch = (form: 'strategic' | 'merge') =>
      client.of(resource).patch(placeOf(given), form, intended(read.object, body, form), options(given));
    try {
      return await patch('strategic');
    } catch (error) {
      // Custom resources have no strategic merge.
      if (error instanceof StatusError && error.status.code === UNSUPPORTED_MEDIA_TYPE) return patch('merge');
      throw error;
    }
  };
  const overwrites = overwritten(read.object, body, now.object);
  if (Object.keys(intended(read.object, body, 'merge')).length === 0) return undefined;
  return { write: writeOf(given, 'Make the same change again', send), overwrites };
}
