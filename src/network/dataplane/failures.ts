import { Killed, SystemError, type ConnectOptions } from '../../programs/index.ts';
import { delay, type Clock } from '../../std/index.ts';
import type { PacketTrace } from '../packet/types.ts';

/** The default connect timeout: six unanswered retransmissions. */
export const CONNECT_TIMEOUT = 127_000;
/** The number of DNS attempts and the timeout of each in milliseconds. */
export const LOOKUP_TRIES = 2;
export const LOOKUP_WAIT = 5_000;

/**
 * Fails as the client sees an undelivered packet: immediately if something answers, else after its timeout. If no name
 * server was reached, the wait of the last query has already passed.
 */
export async function failConnect(trace: PacketTrace, clock: Clock, options: ConnectOptions): Promise<never> {
  const { to } = trace.question;
  if (trace.outcome === 'no such name') throw new SystemError('ENOTFOUND', to);
  if (trace.outcome !== 'timed out') throw new SystemError('ECONNREFUSED', to);
  const isLookup = trace.reason === 'name server not reached';
  return timeOut(isLookup ? LOOKUP_WAIT : CONNECT_TIMEOUT, isLookup ? 'ENOTFOUND' : 'ETIMEDOUT', to, clock, options);
}

/** Waits for the timeout of a silent failure, or for the client's own timeout, which is ETIMEDOUT. */
async function timeOut(
  most: number,
  code: SystemError['code'],
  host: string,
  clock: Clock,
  { timeout = Infinity, signal }: ConnectOptions,
): Promise<never> {
  await delay(clock, Math.min(timeout, most), signal);
  if (signal?.aborted) throw new Killed();
  throw new SystemError(timeout < most ? 'ETIMEDOUT' : code, host);
}

/** The number of name servers that did not answer for a packet. */
export const silentServers = ({ hops }: PacketTrace): number =>
  hops[0]?.kind === 'lookup' ? hops[0].lookup.silent.length : 0;

/** Waits for the timeouts of several name servers in sequence; see `waitForAnswer`. */
export async function waitForAnswers(
  servers: number,
  name: string,
  clock: Clock,
  options: ConnectOptions,
): Promise<ConnectOptions> {
  let left = options;
  for (let i = 0; i < servers; i++) left = await waitForAnswer(name, clock, left);
  return left;
}

/**
 * Waits for the timeout of a DNS query, and returns what remains of the client's timeout. Rejects when that has passed.
 */
async function waitForAnswer(name: string, clock: Clock, options: ConnectOptions): Promise<ConnectOptions> {
  const { timeout = Infinity, signal } = options;
  if (timeout < LOOKUP_WAIT) return timeOut(LOOKUP_WAIT, 'ETIMEDOUT', name, clock, options);
  await delay(clock, LOOKUP_WAIT, signal);
  if (signal?.aborted) throw new Killed();
  return { ...options, timeout: timeout - LOOKUP_WAIT };
}
