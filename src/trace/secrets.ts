import { getOwn } from '../std/index.ts';
import { carriesSecrets, type RequestedResource } from '../schema/index.ts';

/** What a trace never contains: the data of secrets, and tokens. */
const HIDDEN = '(hidden)';

type Fields = Readonly<Record<string, unknown>>;

/** A copy of an object for display, with hidden secrets. Other objects are returned unchanged. */
export function withoutSecrets(object: unknown): unknown {
  if (typeof object !== 'object' || object === null) return object;
  const hide = getOwn(HIDERS, String((object as Fields)['kind']));
  return hide ? hide(object as Fields) : object;
}

const HIDERS: Readonly<Record<string, (object: Fields) => Fields>> = {
  Secret: (object) => hideIn(hideIn(withoutCopies(object), 'data'), 'stringData'),
  TokenReview: (object) => hideField(object, 'spec', 'token'),
  TokenRequest: (object) => hideField(object, 'status', 'token'),
};

function hideIn(object: Fields, field: string): Fields {
  const values = getOwn(object, field);
  if (typeof values !== 'object' || values === null) return object;
  return { ...object, [field]: Object.fromEntries(Object.keys(values).map((key) => [key, HIDDEN])) };
}

function hideField(object: Fields, part: string, field: string): Fields {
  const values = getOwn(object, part) as Fields | undefined;
  return getOwn(values, field) === undefined ? object : { ...object, [part]: { ...values, [field]: HIDDEN } };
}

/** Clients store what they last applied in an annotation. */
function withoutCopies(object: Fields): Fields {
  const metadata = object['metadata'] as Fields | undefined;
  const annotations = metadata?.['annotations'];
  if (typeof annotations !== 'object' || annotations === null) return object;
  const shown = Object.entries(annotations).map(([key, value]) => [
    key,
    key.endsWith('/last-applied-configuration') ? HIDDEN : (value as unknown),
  ]);
  return { ...object, metadata: { ...metadata, annotations: Object.fromEntries(shown) as unknown } };
}

/** Fields that contain a secret anywhere in such a body: `value` is that of a JSON patch operation. */
const SECRET_FIELDS = new Set(['data', 'stringData', 'token', 'value']);

/**
 * A body for display. For a resource with secrets, every field that could contain one is hidden, because a patch, list
 * or table does not name the kinds of its parts. For other resources only objects of kind Secret are hidden.
 */
function bodyWithoutSecrets(body: unknown, asked: RequestedResource): unknown {
  if (Array.isArray(body)) return body.map((item) => bodyWithoutSecrets(item, asked));
  if (typeof body !== 'object' || body === null) return body;
  if (!carriesSecrets(asked) && saysSecret(body)) return bodyWithoutSecrets(body, { ...asked, resource: 'secrets' });
  const shown = carriesSecrets(asked) ? Object.entries(body).map(hideEntry) : Object.entries(body);
  return Object.fromEntries(shown.map(([key, value]) => [key, bodyWithoutSecrets(value, asked)]));
}

const SECRETS = new RegExp(`"(${Object.keys(HIDERS).join('|')})`);

/** A body as JSON for display; it is copied only if it could contain a secret. */
export function shownBody(body: unknown, asked: RequestedResource): string {
  const text = JSON.stringify(body);
  return carriesSecrets(asked) || SECRETS.test(text) ? JSON.stringify(bodyWithoutSecrets(body, asked)) : text;
}

function hideEntry([key, value]: readonly [string, unknown]): readonly [string, unknown] {
  if (key.endsWith('/last-applied-configuration')) return [key, HIDDEN];
  if (!SECRET_FIELDS.has(key)) return [key, value];
  const several = typeof value === 'object' && value !== null && !Array.isArray(value);
  return [key, several ? Object.fromEntries(Object.keys(value).map((each) => [each, HIDDEN])) : HIDDEN];
}

const saysSecret = (body: object): boolean => {
  const kind = String((body as Fields)['kind']).replace(/List$/, '');
  return Object.hasOwn(HIDERS, kind);
};
