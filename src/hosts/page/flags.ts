import type { ClusterOptions, FlagsCheck, FlagsView } from '../../cluster/index.ts';
import type { Profile } from '../../names/index.ts';
import { deferred, type Deferred } from '../wire/index.ts';
import type { FlagsAnswer, FlagsQuestion } from '../worker/flags.ts';
import type { FromWorker, ToWorker } from '../worker/messages.ts';
import { BootError, startWorker } from './connection.ts';

/**
 * The declarations of flags are in the worker: the page queries what it displays. Rejects with BootError if the worker
 * fails.
 */
export interface FlagsControl {
  /** All flags and feature gates, in the words of a naming profile. */
  describe(naming: Profile): Promise<FlagsView>;
  /** The messages of a start with these options. */
  check(options: ClusterOptions): Promise<FlagsCheck>;
}

/** How long an unused worker is kept, in milliseconds. */
const IDLE = 60_000;

/** Uses a separate worker, which starts with the first query and ends when it is unused. */
export function createFlagsControl(): FlagsControl {
  const waiting = new Map<number, Deferred<FlagsAnswer>>();
  let worker: Worker | undefined;
  let last = 0;
  let idle: ReturnType<typeof setTimeout> | undefined;

  const rest = (): void => {
    worker?.terminate();
    worker = undefined;
  };
  /** Pending queries fail; the next query starts a new worker. */
  const fail = (why: string): void => {
    rest();
    for (const { reject } of waiting.values()) reject(new BootError('other', why));
    waiting.clear();
  };
  const start = (): Worker => {
    const started = startWorker('flags');
    started.onerror = (event) => fail(event.message || 'the worker could not be started');
    started.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data.type === 'refused') fail(data.failure.message);
      if (data.type !== 'flags') return;
      waiting.get(data.id)?.resolve(data.answer);
      waiting.delete(data.id);
    };
    return started;
  };
  const ask = (question: FlagsQuestion): Promise<FlagsAnswer> => {
    clearTimeout(idle);
    idle = setTimeout(rest, IDLE);
    worker ??= start();
    const answer = deferred<FlagsAnswer>();
    waiting.set(++last, answer);
    worker.postMessage({ type: 'flags', id: last, question } satisfies ToWorker);
    return answer.promise;
  };

  return {
    // The worker is of the same build and answers each question in its own form.
    describe: async (naming) => (await ask({ ask: 'describe', naming })) as FlagsView,
    check: async (options) => (await ask({ ask: 'check', options })) as FlagsCheck,
  };
}
