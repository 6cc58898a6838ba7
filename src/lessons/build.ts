/** Short forms for what lessons are written of. */
import type { Json } from '../std/index.ts';
import type {
  AccessCheck,
  Asker,
  FieldWant,
  ListCheck,
  NetworkCheck,
  ObjectCheck,
  RequestCheck,
  Step,
} from './engine/lesson.ts';

type RequestStep = Extract<Step, { do: 'request' }>;

export const apply = (manifest: string, as?: Asker): Step => ({ do: 'apply', manifest, ...(as && { as }) });

export const send = (
  method: RequestStep['method'],
  path: string,
  more: Omit<RequestStep, 'do' | 'method' | 'path'> = {},
): Step => ({ do: 'request', method, path, ...more });

/** The command line that applies a manifest. */
export const applyLine = (manifest: string): string => lineOf('apply', manifest);

/** The command line that replaces an object by a manifest. */
export const replaceLine = (manifest: string): string => lineOf('replace', manifest);

const lineOf = (verb: string, manifest: string): string =>
  `{ctl} ${verb} -f - <<'EOF'\n${manifest.replace(/^\s*(---\n)?/, '').trimEnd()}\nEOF`;

/** A merge patch. */
export const merge = (path: string, body: Json, more: Pick<RequestStep, 'as' | 'expect'> = {}): Step =>
  send('PATCH', path, { body, contentType: 'application/merge-patch+json', ...more });

/** A strategic merge patch. */
export const patch = (path: string, body: Json): Step =>
  send('PATCH', path, { body, contentType: 'application/strategic-merge-patch+json' });

export const wait = (check: Extract<Step, { do: 'wait' }>['for']): Step => ({ do: 'wait', for: check });

/** An object's namespace and name: `shop/ledger`, or `node-1` where it has no namespace. */
function placeOf(at: string): Pick<ObjectCheck, 'namespace' | 'name'> {
  const slash = at.indexOf('/');
  return slash < 0 ? { name: at } : { namespace: at.slice(0, slash), name: at.slice(slash + 1) };
}

/** A check of an object, by its place (`shop/ledger`); it is there, with these fields. */
export const object = (says: string, resource: string, at: string, ...fields: readonly FieldWant[]): ObjectCheck => ({
  ...{ look: 'object', says, resource, ...placeOf(at) },
  ...(fields.length > 0 && { fields }),
});

/** The same, and it must be the object that the start made. */
export const original = (...check: Parameters<typeof object>): ObjectCheck => ({ ...object(...check), original: true });

/** There is no such object. */
export const gone = (says: string, resource: string, at: string): ObjectCheck => ({
  ...{ look: 'object', says, resource, ...placeOf(at), gone: true },
});

/** How many objects of a namespace have these fields. */
export const some = (
  says: string,
  resource: string,
  what: Omit<ListCheck, 'look' | 'says' | 'resource'>,
): ListCheck => ({
  ...{ look: 'list', says, resource, ...what },
});

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
