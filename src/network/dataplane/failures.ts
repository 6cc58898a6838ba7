import { Killed, SystemError, type ConnectOptions } from '../../programs/index.ts';
import { delay, type Clock } from '../../std/index.ts';
import type { PacketTrace } from '../packet/types.ts';

/** How long a client without a timeout of its own waits: until six repeated first packets stayed without an answer. */
export const CONNECT_TIMEOUT = 127_000;
/** A resolver asks so often, and waits so long each time, in milliseconds. */
export const LOOKUP_TRIES = 2;
export const LOOKUP_WAIT = 5_000;

/**
 * Fails as a client sees that a packet didn't arrive: at once where somebody answers, else after its timeout. Where no name
 * server was reached it is the last question that waits.
 */
export async function failConnect(trace: PacketTrace, clock: Clock, options: ConnectOptions): Promise<never> {
  const { to } = trace.question;
  if (trace.outcome === 'no such name') throw new SystemError('ENOTFOUND', to);
  if (trace.outcome !== 'timed out') throw new SystemError('ECONNREFUSED', to);
  const isLookup = trace.reason === 'name server not reached';
  return timeOut(isLookup ? LOOKUP_WAIT : CONNECT_TIMEOUT, isLookup ? 'ENOTFOUND' : 'ETIMEDOUT', to, clock, options);
}

/** Waits until nothing more is expected, or until the client's own timeout, which is ETIMEDOUT. */
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

/** How many name servers did not answer on a packet's way. */
export const silentServers = ({ hops }: PacketTrace): number =>
  hops[0]?.kind === 'lookup' ? hops[0].lookup.silent.length : 0;

/** Waits for the answers of so many name servers, one after the other; see `waitForAnswer`. */
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
 * Waits for an answer to a question for a name until it is time to ask again, and tells what is left of the client's patience.
 * Rejects where that has come to an end.
 */
async function waitForAnswer(name: string, clock: Clock, options: ConnectOptions): Promise<ConnectOptions> {
  const { timeout = Infinity, signal } = options;
  if (timeout < LOOKUP_WAIT) return timeOut(LOOKUP_WAIT, 'ETIMEDOUT', name, clock, options);
  await delay(clock, LOOKUP_WAIT, signal);
  if (signal?.aborted) throw new Killed();
  return { ...options, timeout: timeout - LOOKUP_WAIT };
}
