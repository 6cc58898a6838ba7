/** Requests that wait for others with which they may be answered together. */
import type { Together } from '../apiserver/index.ts';
import type { Precedence } from '../client/index.ts';
import type { Names } from '../names/index.ts';
import type { Clock, JsonRequestInit } from '../std/index.ts';

export interface GatheredRequest {
  readonly identity: string;
  readonly path: string;
  readonly init: JsonRequestInit;
  readonly send: () => Promise<Response>;
}

export interface WaitingRequest extends GatheredRequest {
  readonly answered: (response: Response | Promise<Response>) => void;
}

/** What `Turns` gives. */
interface Turns {
  wait(precedence?: Precedence): Promise<void> | undefined;
  /** Requests that wait for others of their sort, and count as part of a crowd. */
  gathered: number;
  readonly areCrowded: boolean;
}

export interface GatheringOptions {
  readonly clock: Clock;
  readonly names: Names;
  readonly turns: Turns;
  readonly together: () => Promise<Pick<Together, 'events' | 'pods' | 'podUpdates'>>;
}

/** Sends requests, each in a turn of its own, of which the first one is there. */
export function sendInTurns(turns: Turns, requests: readonly WaitingRequest[]): void {
  for (const [i, { answered, send }] of requests.entries())
    answered((i > 0 ? turns.wait()?.then(send) : undefined) ?? send());
}
