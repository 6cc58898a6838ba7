import { decodeText } from '../../std/index.ts';
import { serveHttp, urlOf } from '../network/index.ts';
import type { Program } from '../process.ts';
import { fail, out, readOptions } from '../tools/tool.ts';

/** Answers with the request. */
export const echoServer: Program = async (process) => {
  const port = Number(process.env.get('PORT') ?? process.system.ports[0]?.port ?? 8080);
  serveHttp(process, port, (request, { remote }) => {
    const { pathname, search } = urlOf(request);
    const headers = Array.from(request.headers, ([name, value]) => `\t${name}=${value}\n`).sort();
    const body = request.body.length > 0 ? decodeText(request.body) : '-no body in request-';
    return {
      body: `\n\nHostname: ${process.system.hostname}\n\nRequest Information:\n\tclient_address=${remote.address}\n\tmethod=${request.method}\n\treal path=${pathname}\n\tquery=${search.slice(1)}\n\trequest_version=${request.version}\n\nRequest Headers:\n${headers.join('')}\nRequest Body:\n\t${body}\n\n`,
      headers: { 'Content-Type': 'text/plain', Server: 'echoserver' },
    };
  });
  return process.stay();
};

/** `http-echo -text=hello -listen=:5678` */
export const httpEcho: Program = async (process) => {
  const words = process.args.slice(1).map((word) => word.replace(/^-(?=\w{2,})/, '--'));
  const options = readOptions(words, '', '', ['text=', 'listen=']);
  const text = options.value('text');
  if (text === undefined) return fail(process, 'Missing -text option!', 127);
  const listen = options.value('listen') ?? ':5678';
  serveHttp(process, Number(listen.slice(listen.lastIndexOf(':') + 1)), async (request, { remote }) => {
    await out(
      process,
      `${new Date(process.system.clock.now()).toISOString()} ${process.system.hostname} ${remote.address} "${request.method} ${request.target} HTTP/${request.version}" 200 ${text.length + 1}\n`,
    );
    return { body: `${text}\n` };
  });
  await out(process, `Server is listening on ${listen}\n`);
  return process.stay();
};

/** The server of the update demo: a picture by name. */
export const nautilus =
  (name: string): Program =>
  async (process) => {
    serveHttp(process, 80, (request) => {
      const { pathname } = urlOf(request);
      if (pathname === '/data.json')
        return { body: `{\n    "image": "${name}.jpg"\n}\n`, headers: { 'Content-Type': 'application/json' } };
      if (pathname === '/')
        return {
          body: `<html><body><img src="${name}.jpg"/></body></html>\n`,
          headers: { 'Content-Type': 'text/html' },
        };
      return { status: 404, body: 'Not Found' };
    });
    return process.stay();
  };

/** The work of a request to the server for autoscaling lessons, in steps: fifty milliseconds of a core. */
const STEPS_OF_BUSY_REQUEST = 1000;

/** Computes for a while at each request. */
export const busyServer: Program = async (process) => {
  serveHttp(process, 80, () => {
    process.system.count(STEPS_OF_BUSY_REQUEST);
    return { body: 'OK!' };
  });
  return process.stay();
};

/** The program of an unknown image: serves on the ports that its container declares, and prints what it is. */
export const simulated: Program = async (process) => {
  const { ports, image, hostname } = process.system;
  const body = `This is ${hostname}. The image ${image} is simulated: it answers on its declared ports and does nothing else.\n`;
  await out(
    process,
    `${image} is simulated: ${ports.length === 0 ? 'it declares no ports and waits' : `it serves on ${ports.map(({ port, protocol }) => `${port}/${protocol}`).join(', ')}`}\n`,
  );
  for (const { port, protocol } of ports) {
    if (protocol !== 'UDP') serveHttp(process, port, () => ({ body }));
    else {
      const socket = process.system.network.bind(
        port,
        ({ data, from }) => void socket.send(data, { host: from.address, port: from.port }).catch(() => undefined),
      );
      process.killed.addEventListener('abort', () => socket.close(), { once: true });
    }
  }
  return process.stay();
};

/**
 * A server that only prints that it is ready and keeps its ports open. `needs`: one of these variables has to be set.
 */
export const quiet =
  (port: number, ready: string, needs: readonly string[] = [], complaint = ''): Program =>
  async (process) => {
    if (needs.length > 0 && !needs.some((name) => process.env.has(name))) {
      await out(process, `${complaint}\n`);
      return 1;
    }
    const listener = process.system.network.listen(port, ({ stream }) => stream.release());
    process.killed.addEventListener('abort', () => listener.close(), { once: true });
    await out(process, `${ready}\n`);
    return process.stay();
  };
