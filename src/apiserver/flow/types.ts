/** Whether there is room for a request: what the pipeline asks, whichever way it is answered. */
import type { UserInfo } from '../../authn/index.ts';
import type { FlowDetail } from '../../trace/index.ts';
import type { RequestInfo } from '../stages/requestInfo.ts';

export interface FlowRequest {
  readonly user: UserInfo;
  readonly info: RequestInfo;
  /** Whether the request may change something; reads and writes are counted apart. */
  readonly mutating: boolean;
  /** Calls back when nobody waits for the answer any more. */
  onAbandoned(call: () => void): void;
  /** Told when the request begins to wait, and when that is over. */
  onWaiting(by: 1 | -1): void;
}

/** What was decided, for the trace. */
export interface FlowDecision {
  readonly flowSchema: string;
  readonly priorityLevel: string;
  /** `executed`, `exempt` or the reason of a refusal. */
  readonly outcome: string;
  readonly detail: FlowDetail;
}

export interface FlowAnswer extends FlowDecision {
  readonly admitted: boolean;
  /** Response headers that say how the request was classified. */
  readonly headers: readonly (readonly [string, string])[];
  /** Called once, when the request has ended; only where it was admitted. */
  release(): void;
}

export interface Flow {
  /** An answer at once where nothing has to be waited for. */
  enter(request: FlowRequest): FlowAnswer | Promise<FlowAnswer>;
  /** Turns away all that waits. */
  stop(): void;
}
