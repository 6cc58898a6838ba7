/** The OpenAPI document as text or Protobuf. The text is not served with a JSON media type, as in the reference. */
import { encodeOpenApi, OPENAPI_PROTOBUF, openApiDocument, type OpenApiDocument } from '../schema/index.ts';
import { encodeText, inOneTurn, toHex, WholeResponse } from '../std/index.ts';
import type { Answer } from './codec/answer.ts';
import type { RequestContext } from './context.ts';
import type { AggregationServer } from './extensions/aggregation.ts';
import { availableServices, remoteOpenApi } from './extensions/remoteServices.ts';

interface Form {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The hash of the bytes, used as the ETag. */
  readonly tag: string;
}

/** The encodings of a document, each created on first use. */
class Forms {
  readonly #document: OpenApiDocument;
  #text: Promise<Form> | undefined;
  #protobuf: Promise<Form> | undefined;

  constructor(document: OpenApiDocument) {
    this.#document = document;
  }

  get text(): Promise<Form> {
    this.#text ??= formOf('text/plain; charset=utf-8', encodeText(JSON.stringify(this.#document)));
    return this.#text;
  }

  get protobuf(): Promise<Form> {
    this.#protobuf ??= Promise.resolve().then(() => formOf('application/octet-stream', encodeOpenApi(this.#document)));
    return this.#protobuf;
  }
}

async function formOf(type: string, bytes: Uint8Array<ArrayBuffer>): Promise<Form> {
  const hash = toHex(new Uint8Array(await inOneTurn(() => crypto.subtle.digest('SHA-512', bytes))));
  return { type, bytes, tag: `"${hash.toUpperCase()}"` };
}

const known = new WeakMap<OpenApiDocument, Forms>();

function formsOf(document: OpenApiDocument): Forms {
  let forms = known.get(document);
  if (!forms) known.set(document, (forms = new Forms(document)));
  return forms;
}

const isProtobuf = (type: string): boolean => type === OPENAPI_PROTOBUF || type === OPENAPI_PROTOBUF.replace('@', '.');
const isText = (type: string): boolean => ['application/json', 'application/*', '*/*', '*', ''].includes(type);

export async function openApi(context: RequestContext<AggregationServer>): Promise<Answer> {
  const { request, server } = context;
  const accepted = (request.headers.get('accept') ?? '').split(',').map((range) => range.split(';')[0]?.trim() ?? '');
  const wanted = accepted.find((type) => isProtobuf(type) || isText(type));
  if (wanted === undefined) return answer(406, null, { vary: 'Accept' });
  const own = openApiDocument(server.scheme);
  const document = await withOthers(context, own).catch(() => own);
  const wantedOf = ({ protobuf, text }: Forms): Promise<Form> => (isProtobuf(wanted) ? protobuf : text);
  // A remote document may be invalid; then only the own document is served.
  const { type, bytes, tag } = await wantedOf(formsOf(document)).catch(() => wantedOf(formsOf(own)));
  const headers = { etag: tag, vary: 'Accept' };
  if (hasTag(request.headers.get('if-none-match'), tag)) return answer(304, null, headers);
  return answer(200, bytes, { ...headers, 'content-type': type });
}

/** The document merged with those of other servers. */
async function withOthers(context: RequestContext<AggregationServer>, own: OpenApiDocument): Promise<OpenApiDocument> {
  const services = availableServices(context.server);
  return services.length > 0 ? (await remoteOpenApi.load()).withRemote(context, own, services) : own;
}

function answer(
  status: number,
  body: Uint8Array<ArrayBuffer> | null,
  headers: Readonly<Record<string, string>>,
): Answer {
  // A reader may keep the bytes of a response.
  return { type: 'response', response: new WholeResponse(body && body.slice(), { status, headers }) };
}

/** Whether the client has the document with this tag, whatever the validator's strength. */
const hasTag = (header: string | null, tag: string): boolean =>
  (header ?? '')
    .split(',')
    .map((one) => one.trim().replace(/^W\//, ''))
    .some((one) => one === '*' || one === tag);
