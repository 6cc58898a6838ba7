/** An OpenAPI v2 document in Protobuf: the messages of `openapi.v2` (gnostic), which older clients ask for. */
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import {
  METHODS,
  type ApiKey,
  type Document,
  type Method,
  type Operation,
  type Parameter,
  type PathItem,
  type Schema,
} from './json.ts';

/** The media type under which clients ask for it. */
export const OPENAPI_PROTOBUF = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';

export function encodeOpenApi(document: Document): Uint8Array<ArrayBuffer> {
  const { swagger, info, paths, definitions, security, securityDefinitions } = document;
  const message = new Message();
  message.text(1, swagger);
  message.inner(2, (m) => m.text(1, info.title).text(2, info.version));
  message.inner(8, (m) => named(m, 2, paths, pathItem));
  message.inner(9, (m) => named(m, 1, definitions, schema));
  for (const requirement of security)
    message.inner(12, (m) => named(m, 1, requirement, (inner, scopes) => inner.texts(1, scopes)));
  message.inner(13, (m) => named(m, 1, securityDefinitions, (inner, key) => inner.inner(2, apiKey(key))));
  return message.finish();
}

/** Writes fields of a message; what is absent, empty or false is left out, as in all messages of this format. */
class Message {
  readonly #writer: BinaryWriter;

  constructor(writer = new BinaryWriter()) {
    this.#writer = writer;
  }

  text(tag: number, value: unknown): this {
    if (typeof value === 'string' && value !== '') this.#writer.tag(tag, WireType.LengthDelimited).string(value);
    return this;
  }

  texts(tag: number, values: unknown): this {
    if (Array.isArray(values)) for (const value of values) this.text(tag, value);
    return this;
  }

  flag(tag: number, value: unknown): this {
    if (value === true) this.#writer.tag(tag, WireType.Varint).bool(true);
    return this;
  }

  integer(tag: number, value: unknown): this {
    if (typeof value === 'number' && value !== 0) this.#writer.tag(tag, WireType.Varint).int64(value);
    return this;
  }

  double(tag: number, value: unknown): this {
    if (typeof value === 'number' && value !== 0) this.#writer.tag(tag, WireType.Bit64).double(value);
    return this;
  }

  inner(tag: number, write: (message: Message) => void): this {
    this.#writer.tag(tag, WireType.LengthDelimited).fork();
    write(this);
    this.#writer.join();
    return this;
  }

  finish(): Uint8Array<ArrayBuffer> {
    return this.#writer.finish();
  }
}

const apiKey =
  ({ type, name, in: place, description }: ApiKey) =>
  (message: Message): void =>
    void message.text(1, type).text(2, name).text(3, place).text(4, description);

/** A map as the format has it: messages of a name and a value. */
function named<T>(
  message: Message,
  tag: number,
  values: Readonly<Record<string, T>>,
  write: (message: Message, value: T) => void,
): void {
  for (const [name, value] of Object.entries(values))
    message.inner(tag, (pair) => pair.text(1, name).inner(2, (inner) => write(inner, value)));
}

/** Extensions contain YAML, of which JSON is a subset. */
function extensions(message: Message, tag: number, values: object): void {
  for (const [name, value] of Object.entries(values))
    if (name.startsWith('x-'))
      message.inner(tag, (pair) => pair.text(1, name).inner(2, (any) => any.text(2, `${JSON.stringify(value)}\n`)));
}

const METHOD_TAGS: Readonly<Record<Method, number>> = {
  get: 2,
  put: 3,
  post: 4,
  delete: 5,
  options: 6,
  head: 7,
  patch: 8,
};

function pathItem(message: Message, item: PathItem): void {
  for (const method of METHODS) {
    const found = item[method];
    if (found) message.inner(METHOD_TAGS[method], (m) => operation(m, found));
  }
  for (const one of item.parameters ?? []) message.inner(9, (m) => parameter(m, one));
}

function operation(message: Message, value: Operation): void {
  message.texts(1, value.tags).text(3, value.description).text(5, value.operationId);
  message.texts(6, value.produces).texts(7, value.consumes);
  for (const one of value.parameters ?? []) message.inner(8, (m) => parameter(m, one));
  message.inner(9, (m) => named(m, 1, value.responses, response));
  message.texts(10, value.schemes);
  extensions(message, 13, value);
}

function response(message: Message, { description, schema: body }: Operation['responses'][string]): void {
  message.inner(1, (m) => {
    m.text(1, description);
    if (body) m.inner(2, (item) => item.inner(1, (inner) => schema(inner, body)));
  });
}

/** The tags of non-body parameter locations in their message. */
const PLACES = { query: 3, path: 4 } as const;

function parameter(message: Message, value: Parameter): void {
  const { in: place, name, description, required, schema: body, type, uniqueItems } = value;
  message.inner(1, (outer) => {
    if (place === 'body')
      outer.inner(1, (m) => {
        m.text(1, description).text(2, name).text(3, place).flag(4, required);
        if (body) m.inner(5, (inner) => schema(inner, body));
      });
    else
      outer.inner(2, (m) =>
        m.inner(PLACES[place], (inner) => {
          inner.flag(1, required).text(2, place).text(3, description).text(4, name);
          // Queries may be empty, paths not: what follows stands one number further in queries.
          const next = place === 'query' ? 1 : 0;
          inner.text(5 + next, type).flag(19 + next, uniqueItems);
        }),
      );
  });
}

function schema(message: Message, value: Schema): void {
  message.text(1, value.$ref).text(2, value.format).text(3, value['title']).text(4, value.description);
  message.double(6, value['multipleOf']).double(7, value['maximum']).flag(8, value['exclusiveMaximum']);
  message.double(9, value['minimum']).flag(10, value['exclusiveMinimum']).integer(11, value['maxLength']);
  message.integer(12, value['minLength']).text(13, value['pattern']).integer(14, value['maxItems']);
  message.integer(15, value['minItems']).flag(16, value['uniqueItems']).integer(17, value['maxProperties']);
  message.integer(18, value['minProperties']).texts(19, value.required);
  if (Array.isArray(value['enum']))
    for (const one of value['enum']) message.inner(20, (any) => any.text(2, `${JSON.stringify(one)}\n`));
  const { additionalProperties: more, items, properties, type } = value;
  if (typeof more === 'boolean') message.inner(21, (m) => m.flag(2, more));
  else if (more) message.inner(21, (m) => m.inner(1, (inner) => schema(inner, more)));
  if (type !== undefined) message.inner(22, (m) => m.text(1, type));
  if (items) message.inner(23, (m) => m.inner(1, (inner) => schema(inner, items)));
  if (properties) message.inner(25, (m) => named(m, 1, properties, schema));
  extensions(message, 31, value);
}
