/** The tab's end of the bridge, in its worker: a WebSocket to the server that the page came from. */
import { encodeText, WholeResponse } from '../../std/index.ts';
import type { ServingFiles } from '../../cluster/index.ts';
import { createWireServer, type Handler } from '../wire/index.ts';
import { encodeFrames } from '../wire/frames.ts';
import { decodeToTab } from './frames.ts';
import type { FromTab, ToTab } from './messages.ts';

/** A page's request to its worker. */
export interface BridgeWish {
  /** Where the bridge is: `ws:` and on. */
  readonly url: string;
  readonly cluster: string;
  readonly secret: string;
  readonly port: number;
}

/** The state of a bridge for its page. `again` says whether retrying may help. */
export type BridgeNews =
  | { readonly is: 'open'; readonly port: number }
  | { readonly is: 'ended'; readonly why: string; readonly again: boolean };

const origin = 'http://vitrine.invalid';

/**
 * Opens the bridge for as long as the answer is read, which is lines of `BridgeNews`. Whatever comes over it is a request of
 * the bridge's own realm: it has no more rights than its credentials give.
 */
export async function openBridge(request: Request, handle: Handler): Promise<Response> {
  const { url, ...wish } = (await request.json()) as BridgeWish;
  const asked = await handle(new Request(`${origin}/bridge/serving`, { method: 'POST' }), 'host');
  const { certificate, key, clientAuthorities = '' } = (await asked.json()) as ServingFiles;
  const socket = new WebSocket(url);
  const offer = { type: 'offer', ...wish, certificate, key, clientAuthorities } as const;
  let isRead = true;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => {
      const tell = (news: BridgeNews): void => {
        if (isRead) controller.enqueue(encodeText(`${JSON.stringify(news)}\n`));
        if (isRead && news.is === 'ended') controller.close();
      };
      serveOver(socket, offer, handle, tell);
    },
    cancel: () => {
      isRead = false;
      leave(socket);
    },
  });
  return new Response(body, { headers: { 'content-type': 'application/x-ndjson', 'transfer-encoding': 'chunked' } });
}

const send = (socket: WebSocket, message: FromTab): void => {
  if (socket.readyState === WebSocket.OPEN) socket.send(encodeFrames(message));
};

/** Nobody is allowed in any more. */
function leave(socket: WebSocket): void {
  send(socket, { type: 'close' });
  socket.close();
}

function serveOver(socket: WebSocket, offer: FromTab, handle: Handler, tell: (news: BridgeNews) => void): void {
  const wire = createWireServer(
    async (request) => inPieces(await handle(request, 'bridge')),
    (answer) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(encodeFrames(answer));
    },
  );
  let ended: BridgeNews = { is: 'ended', why: 'the server of the page can’t be reached', again: true };
  const take = (message: ToTab): void => {
    if (message.type === 'listening') tell({ is: 'open', port: message.port });
    else if (message.type === 'ended') ended = { is: 'ended', why: message.why, again: false };
    else if (message.type === 'ping') send(socket, { type: 'pong' });
    else wire.receive(message);
  };
  socket.binaryType = 'arraybuffer';
  socket.onopen = () => send(socket, offer);
  socket.onmessage = ({ data }: MessageEvent<ArrayBuffer | string>) => {
    try {
      decodeToTab(typeof data === 'string' ? encodeText(data) : new Uint8Array(data)).forEach(take);
    } catch (error) {
      ended = { is: 'ended', why: error instanceof Error ? error.message : String(error), again: false };
      socket.close();
    }
  };
  socket.onclose = () => {
    wire.disconnect();
    tell(ended);
  };
}

/** The maximum size of an answer that is sent in one piece; longer ones are streamed as fast as the client reads. */
const ONE_PIECE = 256 * 1024;

/** The same response; a long one as a stream, so that none holds up the others for long. */
function inPieces(response: Response): Response {
  if (!(response instanceof WholeResponse) || response.isBodyless) return response;
  const { content } = response;
  if (content.length <= ONE_PIECE) return response;
  const bytes = typeof content === 'string' ? encodeText(content) : content;
  let at = 0;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => {
      controller.enqueue(bytes.slice(at, (at += ONE_PIECE / 4)));
      if (at >= bytes.length) controller.close();
    },
  });
  const headers = [...response.headers, ['transfer-encoding', 'chunked']] as [string, string][];
  return new Response(body, { status: response.status, headers });
}
