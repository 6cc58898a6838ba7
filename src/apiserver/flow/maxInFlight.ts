/**
 * The simple limits on concurrent read and write requests; requests above them are refused (`--max-requests-inflight`).
 */
import type { FlowDetail } from '../../trace/index.ts';
import type { Flow, FlowAnswer, FlowRequest } from './types.ts';

export interface MaxInFlightLimits {
  /** 0 means no limit. */
  readonly readOnly: number;
  readonly mutating: number;
}

export function maxInFlight(limits: MaxInFlightLimits): Flow {
  const inFlight = { readOnly: 0, mutating: 0 };
  const enter = ({ mutating, user }: FlowRequest): FlowAnswer => {
    const kind = mutating ? 'mutating' : 'readOnly';
    const limit = limits[kind];
    const full = limit > 0 && inFlight[kind] >= limit;
    // Members of `system:masters` are admitted even then, without a seat of their own.
    const seats = { limit, executing: inFlight[kind], waiting: 0 };
    if (full && user.groups.includes('system:masters')) return answer('exempt', seats, () => undefined);
    if (full) return answer('too many in flight', seats, () => undefined, false);
    inFlight[kind] += 1;
    return answer('executed', { ...seats, executing: inFlight[kind] }, () => void (inFlight[kind] -= 1));
  };
  return { enter, stop: () => undefined };
}

function answer(outcome: string, seats: FlowDetail['seats'], release: () => void, admitted = true): FlowAnswer {
  return { admitted, flowSchema: '', priorityLevel: '', outcome, detail: { seats }, headers: [], release };
}
