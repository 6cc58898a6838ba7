/** The OpenAPI document, in text or in Protobuf. The text has no JSON type, because the reference's has none. */
import { encodeOpenApi, OPENAPI_PROTOBUF, openApiDocument, status, type OpenApiDocument } from '../schema/index.ts';
import { encodeText } from '../std/index.ts';
import type { Answer } from './codec/respond.ts';
import type { RequestContext } from './context.ts';

/** The bytes of a document, made when they are first asked for. */
class Forms {
  readonly #document: OpenApiDocument;
  #text: Uint8Array<ArrayBuffer> | undefined;
  #protobuf: Uint8Array<ArrayBuffer> | undefined;

  constructor(document: OpenApiDocument) {
    this.#document = document;
  }

  get text(): Uint8Array<ArrayBuffer> {
    this.#text ??= encodeText(JSON.stringify(this.#document));
    return this.#text;
  }

  get protobuf(): Uint8Array<ArrayBuffer> {
    this.#protobuf ??= encodeOpenApi(this.#document);
    return this.#protobuf;
  }
}

const known = new WeakMap<OpenApiDocument, Forms>();

function formsOf(document: OpenApiDocument): Forms {
  let forms = known.get(document);
  if (!forms) known.set(document, (forms = new Forms(document)));
  return forms;
}

const isProtobuf = (type: string): boolean => type === OPENAPI_PROTOBUF || type === OPENAPI_PROTOBUF.replace('@', '.');
const isText = (type: string): boolean => ['application/json', 'application/*', '*/*', ''].includes(type);

export function openApi({ request, server }: RequestContext): Answer {
  const accepted = (request.headers.get('accept') ?? '').split(',').map((range) => range.split(';')[0]?.trim() ?? '');
  const wanted = accepted.find((type) => isProtobuf(type) || isText(type));
  if (wanted === undefined) throw status.notAcceptable(['application/json', OPENAPI_PROTOBUF]);
  const forms = formsOf(openApiDocument(server.scheme));
  const [body, type] = isProtobuf(wanted)
    ? [forms.protobuf, 'application/octet-stream']
    : [forms.text, 'text/plain; charset=utf-8'];
  return { type: 'response', response: new Response(body, { headers: { 'content-type': type } }) };
}
