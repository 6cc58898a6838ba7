/** The world outside of the cluster, as far as programs can reach it: web servers that say that they are simulated. */
import { HttpError, Killed, readRequest, SystemError, writeResponse, type Connection } from '../../programs/index.ts';
import { encodeText, inBackground, throwToHost } from '../../std/index.ts';
import type { NetworkSettings } from '../view.ts';
import type { Ports } from './ports.ts';

const HTTP_PORT = 80;

/** Starts a web server at each address outside of the cluster. */
export function startOutside({ outside }: NetworkSettings, portsAt: (address: string) => Ports): void {
  for (const [name, address] of Object.entries(outside))
    portsAt(address).listen(HTTP_PORT, (connection) => inBackground(serve(connection, name), throwToHost));
}

/** Answers each request of a connection alike. */
async function serve({ stream, remote }: Connection, name: string): Promise<void> {
  const text = `This is ${name}, a simulated server outside of the cluster. You come from ${remote.address}.\n`;
  try {
    for (let request = await readRequest(stream); request; request = await readRequest(stream)) {
      const headers = [['Content-Type', 'text/plain; charset=utf-8']] as const;
      await stream.write(writeResponse(200, headers, encodeText(text), request.method === 'HEAD'));
    }
  } catch (problem) {
    // A client that goes, or that doesn't speak HTTP, ends its own connection only.
    if (!(problem instanceof HttpError || problem instanceof SystemError || problem instanceof Killed)) throw problem;
  } finally {
    stream.release();
  }
}
