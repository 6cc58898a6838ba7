/** One request, sent as several people. */
import type { Transport } from '../../../../client/index.ts';
import { OBSERVER_AGENT } from '../../../stores/clients.ts';
import { messageOf } from '../../../stores/actions.ts';
import { transportAs, type Identity } from '../../../stores/identity.ts';
import { asText, at } from '../../../stores/jsonValues.ts';

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

export interface Asked {
  readonly method: Method;
  readonly path: string;
  readonly body: string;
}

export interface Answered {
  /** Undefined where no answer came. */
  readonly status: number | undefined;
  /** The server's words, or how much there is to see. */
  readonly words: string;
}

/** The path as it is sent: what would change something is only tried. */
export function triedPath({ method, path }: Asked): string {
  const full = path.startsWith('/') ? path : `/${path}`;
  if (method === 'GET') return full;
  return `${full}${full.includes('?') ? '&' : '?'}dryRun=All`;
}

/** Sends the request as `identity`. Nothing is stored by it. */
export async function askAs(transport: Transport, identity: Identity, asked: Asked): Promise<Answered> {
  const { method, body } = asked;
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/yaml';
  const init: RequestInit = {
    method,
    headers: { 'user-agent': OBSERVER_AGENT, ...(method === 'GET' ? {} : { 'content-type': type }) },
    ...(method !== 'GET' && body !== '' ? { body } : {}),
  };
  try {
    const response = await transportAs(transport, identity)(triedPath(asked), init);
    return { status: response.status, words: wordsOf(await response.text()) };
  } catch (problem) {
    return { status: undefined, words: messageOf(problem) };
  }
}

function wordsOf(text: string): string {
  try {
    const answer: unknown = JSON.parse(text);
    const kind = asText(at(answer, 'kind'));
    if (kind === 'Status') return asText(at(answer, 'message')) || asText(at(answer, 'status'));
    const items = at(answer, 'items');
    if (Array.isArray(items)) return `${kind}: ${items.length} ${items.length === 1 ? 'item' : 'items'}`;
    return `${kind} ${asText(at(answer, 'metadata', 'name'))}`.trim();
  } catch {
    return text.slice(0, 200);
  }
}
