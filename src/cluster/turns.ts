/** In which turns of the event loop components send their requests. */
import type { ApiServer } from '../apiserver/index.ts';
import type { UserInfo } from '../authn/index.ts';
import type { Lease, Node, Precedence } from '../client/index.ts';
import type { Names } from '../names/index.ts';
import type { NodesOptions } from '../node/index.ts';
import { Turnstile, type Clock, type JsonRequestInit } from '../std/index.ts';
import { identityOf } from './identities.ts';
import type { TransportFor } from './work.ts';

/** From so many waiting requests on there is a crowd: more than a few dozen pods that start make. */
const CROWD = 64;

/**
 * Only one request of the components starts in each turn of the event loop, so that requests of people are answered in
 * between. Requests that nodes depend on alternate with all others. These are one flow and not one for each component: while a
 * status waits to be written, further changes become part of it. Stepped time waits for queued requests.
 */
export class Turns {
  readonly #turnstile = new Turnstile();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Waits for a turn; undefined if it is there. */
  wait(precedence?: Precedence): Promise<void> | undefined {
    const turn = this.#turnstile.pass(precedence, precedence === 'background');
    return turn && this.#clock.during(turn, 'io');
  }

  /** Requests that wait for others of their sort before they wait for a turn. */
  gathered = 0;

  get areCrowded(): boolean {
    return this.#turnstile.waiting + this.gathered >= CROWD;
  }
}

/** Gives requests their turns, unless they are gathered and take turns there. */
export function inTurn(transportFor: TransportFor, turns: Turns): TransportFor {
  return (identity, causes, precedence) => {
    const send = transportFor(identity, causes);
    return async (path, init: JsonRequestInit = {}) => {
      const waiting = init.gathered ? undefined : turns.wait(precedence);
      if (waiting) await waiting;
      return send(path, init);
    };
  };
}

/** Renews leases and reports heartbeats with the identities of their nodes. */
export function beatsTo(
  server: ApiServer,
  names: Names,
  turns: Turns,
): Required<Pick<NodesOptions, 'renew' | 'report'>> {
  const asNode = (node: string): UserInfo => identityOf(`system:node:${node}`, names);
  // The server's answers have the types of what was sent, as in clients.
  return {
    renew: async (renewals) => {
      await turns.wait('health');
      const sent = renewals.map(({ node, lease, renewTime }) => ({ as: asNode(node), lease, renewTime }));
      return (await server.together()).renewals.renew(sent) as Promise<Lease[] | undefined>;
    },
    report: async (reports) => {
      await turns.wait('health');
      const sent = reports.map((report) => ({ as: asNode(report.node.metadata.name), ...report }));
      return (await server.together()).reports.report(sent) as Promise<Node[] | undefined>;
    },
  };
}
