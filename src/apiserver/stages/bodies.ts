/** Traces the request and response bodies of outside requests, without secrets. */
import { carriesSecrets, type RequestedResource } from '../../schema/index.ts';
import { decodeText, utf8Length, WholeResponse } from '../../std/index.ts';
import { shownBody } from '../../trace/index.ts';
import { parseYaml } from '../codec/body.ts';
import type { RequestContext, Core } from '../context.ts';

/** For larger bodies only the size is traced. */
const SHOWN_BYTES = 64 * 1024;

type Content = string | Uint8Array;

/** Traces a request's body. Bodies of the cluster's own components are not traced, because there are too many. */
export function tellRequestBody({ server, id, info, request, fromOutside }: RequestContext, bytes: Uint8Array): void {
  if (!fromOutside || bytes.length === 0) return;
  tell(server, id, 'request', request.headers.get('content-type') ?? 'application/json', bytes, info);
}

/** Traces the response body, unless it is a stream. */
export function tellAnswerBody(server: Core, id: string, response: Response, asked: RequestedResource): void {
  if (!(response instanceof WholeResponse) || !server.tracer.wants('body')) return;
  tell(server, id, 'answer', response.headers.get('content-type') ?? '', response.content, asked);
}

function tell(
  { tracer }: Core,
  request: string,
  of: 'request' | 'answer',
  contentType: string,
  content: Content,
  asked: RequestedResource,
): void {
  if (!tracer.wants('body')) return;
  const body = { topic: 'body', request, of, contentType } as const;
  tracer.emit(
    content.length > SHOWN_BYTES
      ? { ...body, bytes: bytesOf(content) }
      : {
          ...body,
          // Most bodies are never looked at, so they are laid out when somebody does.
          get bytes() {
            return bytesOf(content);
          },
          get text() {
            return shownText(content, contentType, asked);
          },
        },
  );
}

const bytesOf = (content: Content): number => (typeof content === 'string' ? utf8Length(content) : content.length);

const DOCUMENT = /json|yaml/;

/** A document as JSON with its secrets hidden; an unreadable text is shown only if it can't contain secrets. */
function shownText(content: Content, contentType: string, asked: RequestedResource): string | undefined {
  if (!DOCUMENT.test(contentType)) return undefined;
  const text = typeof content === 'string' ? content : decodeText(content);
  try {
    return shownBody(parseYaml(text), asked);
  } catch {
    return carriesSecrets(asked) || /secret|token/i.test(text) ? undefined : text;
  }
}
