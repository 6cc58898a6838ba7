/** One call of an admission webhook (specification, Events 5). */
import type { AdmissionAttributes, PluginDeps } from '../types.ts';
import type { Invocation } from './match.ts';
import { post } from './post.ts';
import { createReview, readAnswer, type Verdict } from './review.ts';

/** What went to a webhook and came back, as far as it got. */
export interface Exchange {
  review?: object;
  answer?: unknown;
}

/** Asks a webhook and keeps in `exchange` what was said; throws CallError where it can't be reached or understood in time. */
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
