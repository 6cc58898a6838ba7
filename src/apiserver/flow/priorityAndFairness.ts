/** Priority and fairness: a request's schema and level decide whether it runs, waits or is refused. */
import type { Names } from '../../names/index.ts';
import type { Clock } from '../../std/index.ts';
import type { FlowDetail } from '../../trace/index.ts';
import type { Level, Levels } from './levels.ts';
import { distinguisherOf, type FlowSchema } from './matching.ts';
import type { Verdict, Waiting } from './queueSet.ts';
import type { Flow, FlowAnswer, FlowRequest } from './types.ts';

export function priorityAndFairness(levels: Levels, clock: Clock, names: Names): Flow {
  const way = new Way(levels, clock, names);
  return {
    enter: (request) => way.enter(request),
    stop: () => levels.all().forEach(({ queues }) => queues?.clear()),
  };
}

interface Classified {
  readonly request: FlowRequest;
  readonly schema: FlowSchema;
  readonly level: Level;
}

class Way {
  readonly #levels: Levels;
  readonly #clock: Clock;
  readonly #headers: { readonly schema: string; readonly level: string };

  constructor(levels: Levels, clock: Clock, names: Names) {
    this.#levels = levels;
    this.#clock = clock;
    this.#headers = {
      schema: names.fill('X-{Product}-PF-FlowSchema-UID'),
      level: names.fill('X-{Product}-PF-PriorityLevel-UID'),
    };
  }

  enter(request: FlowRequest): FlowAnswer | Promise<FlowAnswer> {
    const { schema, level } = this.#levels.classify(request);
    const classified = { request, schema, level };
    const { queues } = level;
    if (!queues) return this.#admitted(classified, 'exempt', {}, () => undefined);
    const started = queues.start({
      flowSchema: schema.metadata.name ?? '',
      distinguisher: queues.hasQueues ? distinguisherOf(schema, request) : '',
      details: request,
    });
    return 'verdict' in started ? this.#wait(classified, started) : this.#decided(classified, started);
  }

  async #wait(classified: Classified, { verdict, cancel }: Waiting): Promise<FlowAnswer> {
    const { request } = classified;
    request.onAbandoned(cancel);
    request.onWaiting(1);
    const decided = await verdict;
    request.onWaiting(-1);
    return this.#decided(classified, decided);
  }

  #decided(classified: Classified, verdict: Verdict): FlowAnswer {
    const { level, schema } = classified;
    const series = level.metrics.of(schema.metadata.name ?? '');
    if (!verdict.admitted) {
      series.rejected(verdict.reason, verdict.waited / 1000);
      this.#levels.reap(level);
      return answerOf(classified, false, verdict.reason, { waited: verdict.waited });
    }
    series.dispatched.add();
    series.waited.observe(verdict.waited / 1000);
    const began = this.#clock.now();
    return this.#admitted(classified, 'executed', { queue: verdict.queue, waited: verdict.waited }, () => {
      verdict.release();
      series.ran.observe((this.#clock.now() - began) / 1000);
      this.#levels.reap(level);
    });
  }

  /** Clients see only uids; names are for administrators. */
  #admitted(classified: Classified, outcome: string, detail: FlowDetail, release: () => void): FlowAnswer {
    const { schema, level } = classified;
    const headers = [
      [this.#headers.schema, schema.metadata.uid ?? ''],
      [this.#headers.level, level.object.metadata.uid ?? ''],
    ] as const;
    return answerOf(classified, true, outcome, detail, headers, release);
  }
}

function answerOf(
  { schema, level }: Classified,
  admitted: boolean,
  outcome: string,
  { queue, waited }: FlowDetail,
  headers: FlowAnswer['headers'] = [],
  release: FlowAnswer['release'] = () => undefined,
): FlowAnswer {
  const { queues } = level;
  const seats = queues && { limit: queues.concurrencyLimit, executing: queues.executing, waiting: queues.waiting };
  const flowSchema = schema.metadata.name ?? '';
  const detail = { queue, waited, seats };
  return { admitted, flowSchema, priorityLevel: level.name, outcome, detail, headers, release };
}
