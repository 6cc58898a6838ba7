/** Requests that are gathered by their sort, because many of one sort may be answered together. */
import type { Transport } from '../client/index.ts';
import { inBackground, Part, type Gathered, type JsonRequestInit } from '../std/index.ts';
import { sendInTurns, type GatheredRequest, type GatheringOptions, type WaitingRequest } from './waitingRequests.ts';

/** From so many waiting requests of a sort on they are answered together. Fewer are sent one by one, so that people can follow them. */
const MANY = 32;
/** The same for events, and in a crowd for bindings and statuses of pods. */
const MANY_IN_CROWD = 8;

/** Loaded when many requests wait for the first time. */
export const gatheredMany = new Part(() => import('./gatheredMany.ts'));

/** The requests of one sort that wait. */
class Gathering {
  readonly #options: GatheringOptions;
  readonly #sort: Gathered;
  /** Whether those that wait are part of a crowd. Events give way to it, and new pods come from one controller at a time. */
  readonly #crowds: boolean;
  #waiting: WaitingRequest[] = [];
  #isRunning = false;

  constructor(options: GatheringOptions, sort: Gathered) {
    this.#options = options;
    this.#sort = sort;
    this.#crowds = sort === 'bindings' || sort === 'statuses';
  }

  add(request: GatheredRequest): Promise<Response> {
    return new Promise((answered) => {
      this.#waiting.push({ ...request, answered });
      this.#count(1);
      if (this.#isRunning) return;
      this.#isRunning = true;
      inBackground(this.#run(), () => (this.#isRunning = false));
    });
  }

  #count(more: number): void {
    if (this.#crowds) this.#options.turns.gathered += more;
  }

  async #run(): Promise<void> {
    const { turns, clock } = this.#options;
    const sort = this.#sort;
    while (this.#waiting.length > 0) {
      // Otherwise in order of arrival, so that an event exists before the status that its controller writes after it.
      await turns.wait(sort === 'events' && turns.areCrowded ? 'background' : undefined);
      const many = sort === 'events' || (this.#crowds && turns.areCrowded) ? MANY_IN_CROWD : MANY;
      // All that wait now take turns with others, because more of them would come than one turn in the background takes.
      const due = this.#waiting;
      this.#waiting = [];
      this.#count(-due.length);
      const loading = due.length < many ? undefined : clock.during(gatheredMany.load(), 'task');
      const part = await loading?.catch(() => undefined);
      await (part?.answerMany(due, many, sort, this.#options) ?? sendInTurns(turns, due));
    }
    this.#isRunning = false;
  }
}

/** Returns a transport of which those requests are gathered that may be, while all others go through `transport`. */
export function gathering(options: GatheringOptions): (identity: string, transport: Transport) => Transport {
  const gatherings = new Map<Gathered, Gathering>();
  return (identity, transport) =>
    (path, init: JsonRequestInit = {}) => {
      const sort = init.gathered;
      if (!sort) return transport(path, init);
      const gathering = gatherings.get(sort) ?? new Gathering(options, sort);
      gatherings.set(sort, gathering);
      return gathering.add({ identity, path, init, send: async () => transport(path, init) });
    };
}
