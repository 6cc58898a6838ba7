import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { cpuOf } from './cpu.ts';
import type { BenchServer } from './server.ts';

/**
 * A server behind an address, after whose `#` the ids of its processes may stand, by commas: then their CPU time is
 * told, too. Connections stay open, so that none is made while something is measured.
 */
export function httpServer(address: string, token: string): BenchServer & { stop(): Promise<void> } {
  const { hostname, port, protocol, hash } = new URL(address);
  const processes = hash.slice(1).split(',').filter(Boolean).map(Number);
  const { request, Agent } = protocol === 'https:' ? https : http;
  // Who a server says it is does not matter here: the bench sends it nothing but its own objects.
  const agent = new Agent({ keepAlive: true, maxSockets: 256, ...(protocol === 'https:' && TLS) });
  const send = (method: string, path: string, body?: string, type?: string, signal?: AbortSignal) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        'user-agent': 'bench',
        ...(body !== undefined && {
          'content-type': type ?? 'application/json',
          'content-length': Buffer.byteLength(body),
        }),
      };
      const sent = request({ hostname, port, agent, method, path, headers, ...(signal && { signal }) }, resolve);
      sent.on('error', reject);
      sent.end(body);
    });
  return {
    ...(processes.length > 0 && { cpu: () => cpuOf(processes) }),
    ask: async (method, path, body, type) => {
      const response = await send(method, path, body, type);
      const text = await textOf(response);
      if ((response.statusCode ?? 500) >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${text}`);
      return text;
    },
    watch: (path, signal) => send('GET', path, undefined, undefined, signal),
    stop: () => {
      agent.destroy();
      return Promise.resolve();
    },
  };
}

const TLS = { rejectUnauthorized: false };

function textOf(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () => resolve(Buffer.concat(chunks).toString()));
    response.on('error', reject);
  });
}
