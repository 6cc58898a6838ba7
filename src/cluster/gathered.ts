/**
 * Requests that are gathered, because many of them may be answered together: those that create events, which may also
 * be sent after all others, and those that create pods from one draft.
 */
import type { Transport } from '../client/index.ts';
import { inBackground, Part, type JsonRequestInit } from '../std/index.ts';
import { sendInTurns, type GatheredRequest, type GatheringOptions, type WaitingRequest } from './waitingRequests.ts';

/** The least number of events that are created together. Fewer are requests, which people can follow one by one. */
const MANY_EVENTS = 8;
/** The same for pods, of which people want to follow more. */
const MANY_PODS = 32;

/** Loaded when many requests wait for the first time. */
export const gatheredMany = new Part(() => import('./gatheredMany.ts'));

/** The requests of one sort that wait: those that create events, or those that create pods. */
class Gathering {
  readonly #options: GatheringOptions;
  readonly #areEvents: boolean;
  #waiting: WaitingRequest[] = [];
  #isRunning = false;

  constructor(options: GatheringOptions, areEvents: boolean) {
    this.#options = options;
    this.#areEvents = areEvents;
  }

  add(request: GatheredRequest): Promise<Response> {
    return new Promise((answered) => {
      this.#waiting.push({ ...request, answered });
      if (this.#isRunning) return;
      this.#isRunning = true;
      inBackground(this.#run(), () => (this.#isRunning = false));
    });
  }

  async #run(): Promise<void> {
    const { turns, clock } = this.#options;
    const areEvents = this.#areEvents;
    while (this.#waiting.length > 0) {
      // Otherwise in order of arrival, so that an event exists before the status that its controller writes after it.
      await turns.wait(areEvents && turns.areCrowded ? 'background' : undefined);
      // All that wait now take turns with others, because more of them would come than one turn in the background takes.
      const due = this.#waiting;
      this.#waiting = [];
      const many = areEvents ? MANY_EVENTS : MANY_PODS;
      const loading = due.length < many ? undefined : clock.during(gatheredMany.load(), 'task');
      const part = await loading?.catch(() => undefined);
      await (part?.answerMany(due, many, areEvents, this.#options) ?? sendInTurns(turns, due));
    }
    this.#isRunning = false;
  }
}

/** Returns a transport of which those requests are gathered that may be, while all others go through `transport`. */
export function gathering(options: GatheringOptions): (identity: string, transport: Transport) => Transport {
  const gatherings = { later: new Gathering(options, true), alike: new Gathering(options, false) };
  return (identity, transport) =>
    (path, init: JsonRequestInit = {}) => {
      const gathering = init.gathered && gatherings[init.gathered];
      return gathering?.add({ identity, path, init, send: async () => transport(path, init) }) ?? transport(path, init);
    };
}
