/** What a trace never shows: the data of secrets, and tokens. */
const HIDDEN = '(hidden)';

type Fields = Readonly<Record<string, unknown>>;

/** A copy of an object for people to look at, with what is secret hidden. Other objects come back as they are. */
export function withoutSecrets(object: unknown): unknown {
  if (typeof object !== 'object' || object === null) return object;
  const hide = HIDERS[String((object as Fields)['kind'])];
  return hide ? hide(object as Fields) : object;
}

const HIDERS: Readonly<Record<string, (object: Fields) => Fields>> = {
  Secret: (object) => hideIn(hideIn(withoutCopies(object), 'data'), 'stringData'),
  TokenReview: (object) => hideField(object, 'spec', 'token'),
  TokenRequest: (object) => hideField(object, 'status', 'token'),
};

function hideIn(object: Fields, field: string): Fields {
  const values = object[field];
  if (typeof values !== 'object' || values === null) return object;
  return { ...object, [field]: Object.fromEntries(Object.keys(values).map((key) => [key, HIDDEN])) };
}

function hideField(object: Fields, part: string, field: string): Fields {
  const values = object[part] as Fields | undefined;
  return values?.[field] === undefined ? object : { ...object, [part]: { ...values, [field]: HIDDEN } };
}

/** Clients keep what they last applied in an annotation. */
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
