import type { RequestEvent } from './events.ts';

/** Who sent a request, as far as one can tell them apart: a person, the page for what it shows, a component. */
export type Sender = 'person' | 'page' | 'component';

/** Ways in from outside of the cluster; whatever else is said is the name of a component. */
const fromPeople = new Set(['page', 'fetch', 'http', 'bridge']);

/** Who sent a request that comes in by this way. */
export function senderOf({ headers, origin }: Extract<RequestEvent, { stage: 'received' }>): Sender {
  const agent = headers.find(([name]) => name.toLowerCase() === 'user-agent')?.[1] ?? '';
  if (agent.startsWith('vitrine-observer')) return 'page';
  return fromPeople.has(origin) ? 'person' : 'component';
}
