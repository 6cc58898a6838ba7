import { Killed, SystemError, type ConnectOptions } from '../../programs/index.ts';
import { delay, type Clock } from '../../std/index.ts';
import type { PacketTrace } from '../packet/types.ts';

/** How long a client without a timeout of its own waits: until six repeated first packets stayed without an answer. */
export const CONNECT_TIMEOUT = 127_000;
/** A resolver asks twice and waits five seconds each time. */
export const LOOKUP_TIMEOUT = 10_000;

/** Fails as a client sees that a packet didn't arrive: at once where somebody answers, else after its timeout. */
export async function failConnect(trace: PacketTrace, clock: Clock, options: ConnectOptions): Promise<never> {
  const { to } = trace.question;
  if (trace.outcome === 'no such name') throw new SystemError('ENOTFOUND', to);
  if (trace.outcome !== 'timed out') throw new SystemError('ECONNREFUSED', to);
  const isLookup = trace.reason === 'name server not reached';
  return timeOut(isLookup ? LOOKUP_TIMEOUT : CONNECT_TIMEOUT, isLookup ? 'ENOTFOUND' : 'ETIMEDOUT', to, clock, options);
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

/** Fails a lookup whose question got no answer. */
export const failLookup = (name: string, clock: Clock): Promise<never> =>
  timeOut(LOOKUP_TIMEOUT, 'ETIMEDOUT', name, clock, {});
