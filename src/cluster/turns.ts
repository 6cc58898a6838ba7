/** In which turns of the event loop components send their requests. */
import type { ApiServer } from '../apiserver/index.ts';
import type { Lease } from '../client/index.ts';
import type { Names } from '../names/index.ts';
import type { NodesOptions } from '../node/index.ts';
import { Turnstile, type Clock, type JsonRequestInit } from '../std/index.ts';
import { identityOf } from './identities.ts';
import type { TransportFor } from './work.ts';

/** Waits for a turn; undefined if it is there. */
export type Turns = (inBackground?: boolean) => Promise<void> | undefined;

/**
 * Only one request of the components starts in each turn of the event loop, so that requests of people are answered in
 * between. Stepped time waits for queued ones.
 */
export function turns(clock: Clock): Turns {
  const turnstile = new Turnstile();
  return (inBackground) => {
    const turn = turnstile.pass(inBackground);
    return turn && clock.during(turn, 'io');
  };
}

/** Gives requests their turns, unless they may be sent later and so take turns there. */
export function inTurn(transportFor: TransportFor, turn: Turns): TransportFor {
  return (identity, causes, inBackground) => {
    const send = transportFor(identity, causes);
    return async (path, init: JsonRequestInit = {}) => {
      const waiting = init.later ? undefined : turn(inBackground);
      if (waiting) await waiting;
      return send(path, init);
    };
  };
}

/** Renews leases with the identities of their nodes. */
export function renewer(server: ApiServer, names: Names, turn: Turns): NonNullable<NodesOptions['renew']> {
  return async (leases) => {
    const waiting = turn();
    if (waiting) await waiting;
    // The server's answer has the type of the request, as in clients.
    return server.renew(
      leases.map(({ node, ...rest }) => ({ as: identityOf(`system:node:${node}`, names), ...rest })),
    ) as Promise<Lease[] | undefined>;
  };
}
