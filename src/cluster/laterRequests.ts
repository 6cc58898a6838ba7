/** Requests that give way to all others, and are written together when many wait: those that create events. */
import type { EventCreation } from '../apiserver/index.ts';
import type { Names } from '../names/index.ts';
import { inBackground, PlainHeaders, WholeResponse, type Clock, type JsonRequestInit } from '../std/index.ts';
import { userOf } from './identities.ts';

interface LaterRequest {
  readonly identity: string;
  readonly path: string;
  readonly init: JsonRequestInit;
  readonly send: () => Promise<Response>;
}

interface Waiting extends LaterRequest {
  readonly answered: (response: Response | Promise<Response>) => void;
}

export interface LaterOptions {
  readonly clock: Clock;
  readonly names: Names;
  /** Waits for a turn; undefined if it is there. */
  readonly turn: (inBackground: boolean) => Promise<void> | undefined;
  /** Creates the first ones, up to one that has to be a request. Returns their number. */
  readonly createEvents: (creations: readonly EventCreation[]) => Promise<number>;
}

/** Fewer are requests, each of which can be followed. */
const MANY = 8;
/** In one turn of the event loop, in which nobody else is answered: some two milliseconds. */
const SLICE = 64;

export class LaterRequests {
  readonly #options: LaterOptions;
  #waiting: Waiting[] = [];
  #isRunning = false;

  constructor(options: LaterOptions) {
    this.#options = options;
  }

  send(request: LaterRequest): Promise<Response> {
    return new Promise((answered) => {
      this.#waiting.push({ ...request, answered });
      if (this.#isRunning) return;
      this.#isRunning = true;
      inBackground(this.#run(), () => (this.#isRunning = false));
    });
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#options.turn(true);
      const areMany = this.#waiting.length >= MANY;
      const requests = this.#waiting.splice(0, areMany ? SLICE : 1);
      const created = areMany ? await this.#create(requests) : 0;
      for (const { answered } of requests.slice(0, created)) answered(new WholeResponse(null, { status: 201 }));
      for (const { answered, send } of requests.slice(created)) {
        if (areMany) await this.#options.turn(true);
        answered(send());
      }
    }
    this.#isRunning = false;
  }

  /** Creates the first ones together, up to one that has to be sent. Returns their number. */
  #create(requests: readonly LaterRequest[]): Promise<number> {
    const { clock, createEvents } = this.#options;
    const creations: EventCreation[] = [];
    for (const request of requests) {
      const creation = this.#creation(request);
      if (!creation) break;
      creations.push(creation);
    }
    return clock.during(
      createEvents(creations).catch(() => 0),
      'task',
    );
  }

  #creation({ identity, path, init: { json, headers } }: LaterRequest): EventCreation | undefined {
    if (!json || path.includes('?')) return undefined;
    const userAgent = new PlainHeaders(headers).get('user-agent') ?? '';
    return { as: userOf(identity, this.#options.names), userAgent, path, body: json };
  }
}
