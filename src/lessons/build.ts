/** Short forms for what lessons are written of. */
import type { Json } from '../std/index.ts';
import type { AccessCheck, Asker, NetworkCheck, RequestCheck, Step } from './engine/lesson.ts';

type RequestStep = Extract<Step, { do: 'request' }>;

export const apply = (manifest: string, as?: Asker): Step => ({ do: 'apply', manifest, ...(as && { as }) });

export const send = (
  method: RequestStep['method'],
  path: string,
  more: Omit<RequestStep, 'do' | 'method' | 'path'> = {},
): Step => ({ do: 'request', method, path, ...more });

/** A merge patch. */
export const merge = (path: string, body: Json, more: Pick<RequestStep, 'as' | 'expect'> = {}): Step =>
  send('PATCH', path, { body, contentType: 'application/merge-patch+json', ...more });

export const wait = (check: Extract<Step, { do: 'wait' }>['for']): Step => ({ do: 'wait', for: check });

/** A check of what people asked; `says` comes first because it is what one reads. */
export const asked = (says: string, what: Omit<RequestCheck, 'look' | 'says'>): RequestCheck => ({
  look: 'requests',
  says,
  ...what,
});

type Access = Omit<AccessCheck, 'look' | 'says' | 'allowed'>;

export const may = (says: string, what: Access): AccessCheck => ({ look: 'access', says, allowed: true, ...what });
export const mayNot = (says: string, what: Access): AccessCheck => ({ look: 'access', says, allowed: false, ...what });

type Connection = Omit<NetworkCheck, 'look' | 'says' | 'allowed'>;

export const reaches = (says: string, what: Connection): NetworkCheck => ({
  look: 'network',
  says,
  allowed: true,
  ...what,
});
export const isCutOff = (says: string, what: Connection): NetworkCheck => ({
  look: 'network',
  says,
  allowed: false,
  ...what,
});
