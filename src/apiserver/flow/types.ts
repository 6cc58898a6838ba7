/** The interface of flow control: whether a request may run, whichever mechanism decides. */
import type { UserInfo } from '../../authn/index.ts';
import type { FlowDetail } from '../../trace/index.ts';
import type { RequestInfo } from '../stages/requestInfo.ts';

export interface FlowRequest {
  readonly user: UserInfo;
  readonly info: RequestInfo;
  /** Whether the request may change something; reads and writes are counted separately. */
  readonly mutating: boolean;
  /** Calls `call` when nobody waits for the answer any more. */
  onAbandoned(call: () => void): void;
  /** Called when the request starts and stops waiting. */
  onWaiting(by: 1 | -1): void;
}

/** The decision, for the trace. */
export interface FlowDecision {
  readonly flowSchema: string;
  readonly priorityLevel: string;
  /** `executed`, `exempt` or the reason of a refusal. */
  readonly outcome: string;
  readonly detail: FlowDetail;
}

export interface FlowAnswer extends FlowDecision {
  readonly admitted: boolean;
  /** Response headers with the classification of the request. */
  readonly headers: readonly (readonly [string, string])[];
  /** Called once when an admitted request has ended. */
  release(): void;
}

export interface Flow {
  /** Returns synchronously if there is nothing to wait for. */
  enter(request: FlowRequest): FlowAnswer | Promise<FlowAnswer>;
  /** Refuses all waiting requests. */
  stop(): void;
}
