/** The latest calls of user-written webhooks, with requests, answers and errors, for inspection. */
import { isObject, type Clock } from '../std/index.ts';
import { shownAnswer, shownReview, type Tracer, type WebhookCall } from '../trace/index.ts';
import type { WrittenWebhook } from './written.ts';

export type Call = WebhookCall;

/** The number of stored calls. */
const KEPT = 50;
/** For larger reviews only the size is shown. */
const LONGEST_SHOWN = 256 * 1024;

/** A call in progress. `answered` returns the response, so that it can be used in a return statement. */
export interface OpenCall {
  asked(review: unknown): void;
  wrote(logs: readonly string[]): void;
  answered(response: Response): Promise<Response>;
  failed(error: unknown): void;
}

export interface CallLog {
  begin(webhook: WrittenWebhook, url: URL): OpenCall;
  recent(): readonly Call[];
}

export function createCallLog({ clock, tracer }: { readonly clock: Clock; readonly tracer: Tracer }): CallLog {
  const calls: Call[] = [];
  const keep = (call: Call): void => {
    calls.push(call);
    if (calls.length > KEPT) calls.shift();
    if (tracer.wants('webhook')) tracer.emit({ topic: 'webhook', ...call });
  };
  let last = 0;
  return { begin: (webhook, url) => openCall(++last, webhook, url, clock, keep), recent: () => [...calls] };
}

function openCall(
  id: number,
  { namespace, name }: WrittenWebhook,
  url: URL,
  clock: Clock,
  keep: (call: Call) => void,
): OpenCall {
  const began = clock.now();
  const state = { review: undefined as unknown, kind: '', hidden: false, logs: [] as readonly string[] };
  const end = (outcome: Pick<Call, 'outcome'> & Partial<Call>): void => {
    const { review, kind, logs } = state;
    keep({
      id,
      began,
      ms: clock.now() - began,
      webhook: { namespace, name },
      url: url.href,
      kind,
      review,
      logs,
      ...outcome,
    });
  };
  return {
    asked: (body) => {
      const { review, hidden } = shownReview(body);
      Object.assign(state, { review: limited(review), hidden, kind: isObject(body) ? String(body.kind ?? '') : '' });
    },
    wrote: (logs) => {
      state.logs = state.hidden && logs.length > 0 ? ['(not shown: the request carries secrets)'] : logs;
    },
    answered: async (response) => {
      const content = await response.clone().text();
      const answer = limited(shownAnswer(parsed(content), state.hidden));
      end({ outcome: response.ok ? 'answered' : 'failed', status: response.status, answer });
      return response;
    },
    failed: (error) => end({ outcome: 'failed', why: error instanceof Error ? error.message : String(error) }),
  };
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return content;
  }
}

function limited(value: unknown): unknown {
  const { length } = JSON.stringify(value) ?? '';
  return length > LONGEST_SHOWN ? `(${Math.round(length / 1024)} KiB)` : value;
}
