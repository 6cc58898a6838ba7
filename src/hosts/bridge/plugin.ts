import type { Server } from 'node:http';
import type { Connect, Plugin, PreviewServer, ViteDevServer } from 'vite';
import { inBackground } from '../../std/index.ts';
import { Gate } from './gate.ts';
import { BRIDGE_PATH, BRIDGE_VERSION } from './messages.ts';

/** Adds the bridge to the servers of `npm start` and `vite preview`; the page checks with GET whether it exists. */
export function bridge(): Plugin {
  const attach = ({ httpServer, middlewares }: ViteDevServer | PreviewServer): void => {
    if (!httpServer) return;
    // Servers of HTTP/2 have another type; they speak TLS, which the page's own server does not.
    const gate = new Gate(httpServer as Server);
    httpServer.once('close', () => inBackground(gate.close(), () => undefined));
    middlewares.use(`/${BRIDGE_PATH}`, tellVersion);
  };
  return { name: 'vitrine:bridge', configureServer: attach, configurePreviewServer: attach };
}

const tellVersion: Connect.NextHandleFunction = (_request, response) => {
  response.setHeader('content-type', 'application/json');
  response.setHeader('cache-control', 'no-store');
  response.end(JSON.stringify({ bridge: BRIDGE_VERSION }));
};
