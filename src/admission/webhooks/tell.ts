/** Traces a webhook's request, answer and result, without secrets. */
import { isObject } from '../../std/index.ts';
import { shownAnswer, shownReview } from '../../trace/index.ts';
import type { AdmissionAttributes, PluginDeps } from '../types.ts';
import type { Exchange } from './call.ts';
import type { Invocation } from './match.ts';

/** The result of a call. */
export interface Called {
  readonly exchange: Exchange;
  /** The thrown error; undefined if the webhook allowed the request. */
  readonly failure: unknown;
  /** The webhook refused the request. */
  readonly rejected: boolean;
  /** It failed, and its policy ignores that. */
  readonly ignored: boolean;
  /** Milliseconds since the epoch, by the cluster's clock. */
  readonly began: number;
}

export function tellOfCall(
  { configuration, webhook }: Invocation,
  { requestId }: AdmissionAttributes,
  { tracer, clock }: PluginDeps,
  { exchange, failure, rejected, ignored, began }: Called,
): void {
  if (!tracer.wants('request')) return;
  const { review, hidden } = shownReview(exchange.review);
  tracer.emit({
    topic: 'request',
    request: requestId,
    stage: 'webhook',
    configuration,
    webhook: webhook.name,
    outcome:
      failure === undefined ? (hasPatch(exchange.answer) ? 'changed' : 'allowed') : rejected ? 'refused' : 'failed',
    ...(review !== undefined && { review }),
    ...(exchange.answer !== undefined && { answer: shownAnswer(exchange.answer, hidden) }),
    ...(failure instanceof Error && { why: failure.message }),
    ...(ignored && { ignored }),
    ms: clock.now() - began,
  });
}

function hasPatch(answer: unknown): boolean {
  const response = isObject(answer) ? answer.response : undefined;
  return isObject(response) && typeof response.patch === 'string' && response.patch !== '';
}
