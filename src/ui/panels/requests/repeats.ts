/** Requests that say the same again and again, as one row. */
import type { LoggedRequest } from '../../stores/requests.ts';

export interface RequestRow {
  /** The latest of them. */
  readonly request: LoggedRequest;
  readonly times: number;
}

/** Between two that are the same, so many others may stand: components take turns. */
const WINDOW = 12;

/** What a person changed is never a repeat: each has its own effect. */
const changesSomething = ({ sender, revision }: LoggedRequest): boolean =>
  sender === 'person' && revision !== undefined;

const keyOf = ({ verb, user, status, url }: LoggedRequest): string => `${verb} ${status} ${user} ${url}`;

/** Rows, the latest first, of requests in the order in which they came. */
export function collapsed(requests: readonly LoggedRequest[]): readonly RequestRow[] {
  const rows: { request: LoggedRequest; times: number }[] = [];
  const places = new Map<string, number>();
  for (let at = requests.length - 1; at >= 0; at -= 1) {
    const request = requests[at] as LoggedRequest;
    const key = keyOf(request);
    const place = places.get(key);
    const row = place === undefined || rows.length - place > WINDOW ? undefined : rows[place];
    if (row && request.status !== undefined && !changesSomething(request)) row.times += 1;
    else places.set(key, rows.push({ request, times: 1 }) - 1);
  }
  return rows;
}
