import { decodeText, encodeText, firstOf } from '../../std/index.ts';
import { SystemError } from '../errors.ts';
import type { Process, Program } from '../process.ts';
import { readOptions } from '../tools/tool.ts';
import { parseDuration } from './duration.ts';
import { dialUdp } from './netexec.ts';

interface Attempt {
  readonly host: string;
  readonly port: number;
  /** Milliseconds; without an end where the option isn't given. */
  readonly timeout: number;
  /** What is sent over UDP and SCTP. */
  readonly data: string;
}

/** Returns one word for how the connection failed; undefined if it succeeded. */
type Try = (process: Process, attempt: Attempt) => Promise<string | undefined>;

/** Tries a connection and prints one word for how it failed. */
export const connect: Program = async (process) => {
  const options = readOptions(process.args.slice(2), '', '', ['timeout=', 'protocol=', 'udp-data=', 'sctp-data=']);
  const protocol = options.value('protocol') ?? 'tcp';
  const [, host = '', port = ''] = /^\[?(.*?)\]?:(\d+)$/.exec(options.rest[0] ?? '') ?? [];
  const attempts: Readonly<Record<string, Try>> = {
    '': connectTcp,
    tcp: connectTcp,
    udp: connectUdp,
    sctp: connectSctp,
  };
  const attempt = Object.hasOwn(attempts, protocol) ? attempts[protocol] : undefined;
  if (!attempt) return say(process, `Unsupported protocol\n${protocol}`);
  if (port === '') return say(process, `UNKNOWN: address ${options.rest[0] ?? ''}: missing port in address`);
  const timeout = parseDuration(options.value('timeout') ?? '0') || Infinity;
  const data = `${options.value(`${protocol}-data`) ?? 'hostname'}\n`;
  const failure = await attempt(process, { host, port: Number(port), timeout, data });
  return failure === undefined ? 0 : say(process, failure);
};

async function say(process: Process, text: string): Promise<number> {
  await process.stderr.write(encodeText(`${text}\n`));
  return 1;
}

/** Runs what may fail by a system call, and names the failure. */
async function named(work: () => Promise<void>, name: (problem: SystemError) => string): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (problem) {
    if (problem instanceof SystemError) return name(problem);
    throw problem;
  }
}

const timeoutOf = (timeout: number): { readonly timeout?: number } => (timeout === Infinity ? {} : { timeout });

const connectTcp: Try = (process, { host, port, timeout }) => {
  const work = async (): Promise<void> => {
    const connection = await process.system.network.connect(
      { host, port },
      { ...timeoutOf(timeout), signal: process.killed },
    );
    connection.stream.release();
  };
  return named(work, (problem) => {
    if (problem.code === 'ENOTFOUND') return unresolved(host);
    if (problem.code === 'ETIMEDOUT') return 'TIMEOUT';
    return problem.code === 'ECONNREFUSED' ? 'REFUSED' : `OTHER: ${problem.message}`;
  });
};

const unresolved = (host: string): string => `DNS: lookup ${host}: no such host`;

/** Only an answer shows that a datagram has arrived. */
const connectUdp: Try = (process, { host, port, timeout, data }) => {
  const work = async (): Promise<void> => {
    await dialUdp(process, host, port, data, timeout);
  };
  return named(work, (problem) => {
    const text = `read udp ${process.system.network.addresses[0] ?? ''}->${host}:${port}`;
    if (problem.code === 'ENOTFOUND') return unresolved(host);
    if (problem.code === 'ETIMEDOUT') return `TIMEOUT: ${text}: i/o timeout`;
    return problem.code === 'ECONNREFUSED' ? `REFUSED: ${text}: connection refused` : `UNKNOWN: ${problem.message}`;
  });
};

function unlessClosed(problem: unknown): void {
  if (!(problem instanceof SystemError && problem.code === 'EPIPE')) throw problem;
}

const connectSctp: Try = (process, { host, port, timeout, data }) => {
  const { network, clock } = process.system;
  const late = new AbortController();
  const signal = firstOf(process.killed, late.signal);
  const timer = timeout === Infinity ? undefined : clock.setTimeout(() => late.abort(), timeout);
  const work = async (): Promise<void> => {
    const target = { host, port, protocol: 'SCTP' } as const;
    const { stream } = await network.connect(target, { ...timeoutOf(timeout), signal: process.killed });
    try {
      // A server that greets and closes at once may be gone before the write: its greeting still counts.
      await stream.write(encodeText(data), signal).catch(unlessClosed);
      if (decodeText((await stream.read(signal)) ?? new Uint8Array(0)) === '') throw new SystemError('EPIPE', 'EOF');
    } catch (problem) {
      if (late.signal.aborted && !process.killed.aborted) throw new SystemError('ETIMEDOUT', host);
      throw problem;
    } finally {
      stream.release();
    }
  };
  const attempt = named(work, (problem) => {
    if (problem.code === 'ENOTFOUND') return unresolved(host);
    return problem.code === 'ETIMEDOUT' ? 'TIMEOUT' : `OTHER: ${problem.message.toLowerCase()}`;
  });
  return attempt.finally(() => clock.clearTimeout(timer));
};
