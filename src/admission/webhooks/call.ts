/** One call of an admission webhook (specification, Events 5). */
import type { AdmissionAttributes, PluginDeps } from '../types.ts';
import type { Invocation } from './match.ts';
import { post } from './post.ts';
import { createReview, readAnswer, type Verdict } from './review.ts';

/** The review and answer of a call, as far as it got. */
export interface Exchange {
  review?: object;
  answer?: unknown;
}

/** Calls a webhook and records the data in `exchange`; throws CallError if it is unreachable, invalid or too late. */
export async function call(
  invocation: Invocation,
  attributes: AdmissionAttributes,
  deps: PluginDeps,
  mutating: boolean,
  exchange: Exchange,
): Promise<Verdict> {
  const review = await createReview(invocation, attributes, deps);
  exchange.review = review.body;
  const answer = await post(invocation.webhook, review.body, deps);
  exchange.answer = answer;
  return readAnswer(answer, review, mutating, deps.names);
}
