/** Requests that create events. They are sent after all others while these are crowded, and many are created together. */
import type { EventCreation } from '../apiserver/index.ts';
import type { Transport } from '../client/index.ts';
import type { Names } from '../names/index.ts';
import { inBackground, PlainHeaders, WholeResponse, type Clock, type JsonRequestInit } from '../std/index.ts';
import { userOf } from './identities.ts';
import type { Turns } from './turns.ts';

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
  readonly turns: Pick<Turns, 'wait' | 'areCrowded'>;
  /** Creates the first ones, up to one that has to be a request. Returns their number. */
  readonly createEvents: (creations: readonly EventCreation[]) => Promise<number>;
}

/** So many are created together. Fewer are sent as requests, which people can follow one by one. */
const MANY = 8;
/** The maximum that is created in one turn of the event loop: some two milliseconds, in which nobody else is answered. */
const SLICE = 64;

/** Nobody reads its content, so all share it. */
const CREATED = new WholeResponse(null, { status: 201 });

export class LaterRequests {
  readonly #options: LaterOptions;
  #waiting: Waiting[] = [];
  #isRunning = false;

  constructor(options: LaterOptions) {
    this.#options = options;
  }

  /** A transport of which those requests go here that may be sent later, and all others through `transport`. */
  over(identity: string, transport: Transport): Transport {
    return (path, init: JsonRequestInit = {}) =>
      init.later ? this.#add({ identity, path, init, send: async () => transport(path, init) }) : transport(path, init);
  }

  #add(request: LaterRequest): Promise<Response> {
    return new Promise((answered) => {
      this.#waiting.push({ ...request, answered });
      if (this.#isRunning) return;
      this.#isRunning = true;
      inBackground(this.#run(), () => (this.#isRunning = false));
    });
  }

  async #run(): Promise<void> {
    const { turns } = this.#options;
    while (this.#waiting.length > 0) {
      // Otherwise in order of arrival, so that an event exists before the status that its controller writes after it.
      await turns.wait(turns.areCrowded ? 'background' : undefined);
      // All that wait now take turns with others, because more of them would come than one turn in the background takes.
      const due = this.#waiting;
      this.#waiting = [];
      for (let at = 0; at < due.length; at += SLICE) {
        if (at > 0) await turns.wait();
        await this.#sendAll(due.slice(at, at + SLICE));
      }
    }
    this.#isRunning = false;
  }

  async #sendAll(requests: readonly Waiting[]): Promise<void> {
    const created = requests.length < MANY ? 0 : await this.#create(requests);
    for (const [i, { answered, send }] of requests.entries()) {
      if (i < created) answered(CREATED);
      else {
        if (i > 0) await this.#options.turns.wait();
        answered(send());
      }
    }
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
