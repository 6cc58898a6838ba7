/** Creates flow control from the flags and the gate. */
import { parseDuration } from '../../schema/index.ts';
import type { Clock, Metrics } from '../../std/index.ts';
import type { Names } from '../../names/index.ts';
import type { Settings } from '../context.ts';
import { Levels } from './levels.ts';
import { maxInFlight } from './maxInFlight.ts';
import { priorityAndFairness } from './priorityAndFairness.ts';
import type { Flow } from './types.ts';

export interface FlowOptions extends Settings {
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly names: Names;
}

/**
 * `levels` is undefined if only the simple limits are used. Throws if priority and fairness would have no seats to
 * share.
 */
export function createFlow(options: FlowOptions): { flow: Flow; levels: Levels | undefined } {
  const { clock, names, flag, gate } = options;
  const readOnly = Number(flag('max-requests-inflight'));
  const mutating = Number(flag('max-mutating-requests-inflight'));
  if (!gate('APIPriorityAndFairness') || flag('enable-priority-and-fairness') === 'false')
    return { flow: maxInFlight({ readOnly, mutating }), levels: undefined };
  const concurrency = readOnly + mutating;
  if (concurrency <= 0)
    throw new RangeError(
      `--max-requests-inflight (${readOnly}) and --max-mutating-requests-inflight (${mutating}) must add up to something positive while priority and fairness is on`,
    );
  const requestTimeout = parseDuration(flag('request-timeout') ?? '') ?? 0;
  const levels = new Levels({ clock, metrics: options.metrics, concurrency, waitLimit: requestTimeout / 4 });
  return { flow: priorityAndFairness(levels, clock, names), levels };
}
