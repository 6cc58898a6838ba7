/** Why a write was answered with 409: what it expected, what was written since, and what sending it again would overwrite. */
import { threeWayPatch, type MergeForm } from '../../../../merge/index.ts';
import { isObject } from '../../../../std/index.ts';
import type { PastState } from '../../../stores/history.ts';
import { asList, asText, at, parseJson } from '../../../stores/jsonValues.ts';
import type { OpenedRequest } from '../../../stores/requests.ts';
import { changesBetween, type FieldChange } from '../../watch/changes.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A field that server-side apply does not change, because another manager owns it. */
export interface OwnedField {
  readonly field: string;
  /** The server's words, which name the manager. */
  readonly message: string;
}

/** What kind of conflict an answer reports. */
export type Conflict =
  /** The object was written after the revision that the request names. */
  | { readonly is: 'overtaken'; readonly revision: string }
  /** The object with this name is another one than the request means. */
  | { readonly is: 'replaced' }
  | { readonly is: 'owned'; readonly fields: readonly OwnedField[] }
  | { readonly is: 'exists' };

const bodyOf = ({ bodies }: OpenedRequest, of: 'request' | 'answer'): unknown =>
  parseJson(bodies.findLast((body) => body.of === of)?.text);

/** What was sent, where the log has it and it can be read. */
export const sentBody = (request: OpenedRequest): unknown => bodyOf(request, 'request');

/** Undefined for other answers, and for conflicts of which the answer says all there is. */
export function conflictOf(request: OpenedRequest): Conflict | undefined {
  if (request.status !== 409) return undefined;
  const answer = bodyOf(request, 'answer');
  const fields = asList(at(answer, 'details', 'causes')).filter((cause) => at(cause, 'reason') === OWNED);
  if (fields.length > 0)
    return {
      is: 'owned',
      fields: fields.map((cause) => ({ field: asText(at(cause, 'field')), message: asText(at(cause, 'message')) })),
    };
  if (at(answer, 'reason') === 'AlreadyExists') return { is: 'exists' };
  const sent = sentBody(request);
  if (/UID in precondition/.test(asText(at(answer, 'message')))) return { is: 'replaced' };
  const revision = asText(
    at(sent, ...(request.method === 'DELETE' ? ['preconditions'] : ['metadata']), 'resourceVersion'),
  );
  return revision === '' ? undefined : { is: 'overtaken', revision };
}

const OWNED = 'FieldManagerConflict';

/** One later write of the object. */
export interface Later {
  readonly state: PastState;
  /** What it changed; empty where the state before it is no longer kept. */
  readonly changes: readonly FieldChange[];
}

/** The writes after a revision, in order. */
export function writesAfter(states: readonly PastState[], revision: string): readonly Later[] {
  return states.flatMap((state, index) => {
    if (Number(state.revision) <= Number(revision)) return [];
    const before = states[index - 1];
    return [{ state, changes: before && state.type === 'MODIFIED' ? changesBetween(before.object, state.object) : [] }];
  });
}

/** The object as the request had read it; undefined where that revision is no longer kept. */
export const stateAt = (states: readonly PastState[], revision: string): PastState | undefined =>
  states.find((state) => state.revision === revision && state.type !== 'DELETED');

/** The fields of an object that a client means to write. */
function writable(object: unknown): Fields {
  if (!isObject(object)) return {};
  const { metadata, ...rest } = object;
  const own = Object.entries(isObject(metadata) ? metadata : {}).filter(([field]) => !OF_SERVER.has(field));
  return { ...rest, metadata: Object.fromEntries(own) };
}

const OF_SERVER = new Set([
  'resourceVersion',
  'managedFields',
  'generation',
  'creationTimestamp',
  'uid',
  'selfLink',
  'deletionTimestamp',
]);

/** The change that an update meant to make of what it had read, as a patch; empty if it meant none. */
export const intended = (read: object, sent: unknown, form: MergeForm): Fields =>
  threeWayPatch(writable(read), writable(sent), writable(read), form);

/** The fields that both an update and the writes since then changed: sending the update again overwrites them. */
export function overwritten(read: object, sent: unknown, now: object): readonly FieldChange[] {
  const mine = changesBetween(writable(read), writable(sent)).map(({ field }) => field);
  return changesBetween(writable(now), writable(sent))
    .filter(({ field }) => mine.includes(field))
    .filter(({ field }) => changesBetween(writable(read), writable(now)).some((change) => change.field === field));
}

/** The fields that a whole update would set back, if it were sent again without regard for what was written since. */
export const undone = (sent: unknown, now: object): readonly FieldChange[] =>
  changesBetween(writable(now), writable(sent));
