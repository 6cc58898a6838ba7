import { delay, firstOf, type StopSignal } from '../../../std/index.ts';
import { Killed, SystemError } from '../../errors.ts';
import type { Connection } from '../../network/index.ts';
import type { Process, Program } from '../../process.ts';
import type { Stream } from '../../streams/index.ts';
import { fail, out, parseTime, readOptions, type Options } from '../tool.ts';
import { encodeText } from '../../../std/index.ts';

/** Connects its input and output to a port, listens on one, or only looks whether something does (`-z`). */
export const nc: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'lukvznNtC46', 'wpqsi', ['port=']);
  const [host = '', port = options.value('p') ?? ''] = options.rest;
  try {
    if (options.has('l'))
      return await listen(
        process,
        options,
        Number(options.value('p', 'port') ?? (options.rest.length > 1 ? port : host)),
      );
    if (options.has('u')) return await sendDatagrams(process, options, host, Number(port));
    return await connect(process, options, host, Number(port));
  } catch (problem) {
    if (!(problem instanceof SystemError)) throw problem;
    if (problem.code === 'ENOTFOUND') return fail(process, `bad address '${host}'`);
    const quiet = options.has('z') && !options.has('v');
    return quiet ? 1 : fail(process, `${host} (${host}:${port}): ${problem.message}`);
  }
};

async function connect(process: Process, options: Options, host: string, port: number): Promise<number> {
  const seconds = options.value('w');
  const timeout = seconds === undefined ? undefined : parseTime(seconds);
  const connection = await process.system.network.connect(
    { host, port },
    { signal: process.killed, ...(timeout === undefined ? {} : { timeout }) },
  );
  if (options.has('v')) await process.stderr.write(encodeText(`${host} (${connection.remote.address}:${port}) open\n`));
  if (!options.has('z')) await relay(process, connection);
  connection.stream.release();
  return 0;
}

async function listen(process: Process, options: Options, port: number): Promise<number> {
  if (options.has('u')) return listenDatagrams(process, port);
  for (;;) {
    const connection = await accept(process, port);
    await relay(process, connection);
    connection.stream.release();
    if (!options.has('k')) return 0;
  }
}

/** The next connection to a port. */
function accept(process: Process, port: number): Promise<Connection> {
  let close = (): void => undefined;
  const next = new Promise<Connection>((resolve) => {
    const listener = process.system.network.listen(port, (connection) => {
      listener.close();
      resolve(connection);
    });
    close = () => listener.close();
  });
  return process.wait(next).finally(() => close());
}

/** Copies in both directions until the other side has ended. */
async function relay(process: Process, connection: Connection): Promise<void> {
  const ended = new AbortController();
  const sent = copy(process.stdin, connection.stream, firstOf(process.killed, ended.signal)).then(() =>
    connection.end(),
  );
  sent.catch(() => undefined);
  await copy(connection.stream, process.stdout, process.killed);
  ended.abort();
}

async function copy(from: Stream, to: Stream, signal: StopSignal): Promise<void> {
  for (let bytes = await from.read(signal); bytes; bytes = await from.read(signal)) await to.write(bytes, signal);
}

async function listenDatagrams(process: Process, port: number): Promise<number> {
  const socket = process.system.network.bind(port, ({ data }) => void out(process, data).catch(() => undefined));
  process.killed.addEventListener('abort', () => socket.close(), { once: true });
  return process.wait(new Promise<number>(() => undefined));
}

/** Sends each piece of the input as a datagram, and prints answers for the time of `-w`. */
async function sendDatagrams(process: Process, options: Options, host: string, port: number): Promise<number> {
  const { network, clock } = process.system;
  const socket = network.bind(0, ({ data }) => void out(process, data).catch(() => undefined));
  try {
    for (let bytes = await process.stdin.read(process.killed); bytes; bytes = await process.stdin.read(process.killed))
      await socket.send(bytes, { host, port });
    await delay(clock, parseTime(options.value('w') ?? options.value('q') ?? '1') ?? 1000, process.killed);
    if (process.killed.aborted) throw new Killed();
    return 0;
  } finally {
    socket.close();
  }
}
