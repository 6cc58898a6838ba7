/** Authentication metrics. */
import type { Authentication, UserInfo } from '../../authn/index.ts';
import { namesOf, profiles } from '../../names/index.ts';
import { counter, exponentialBuckets, histogram, type Metrics } from '../../std/index.ts';

export const attempts = counter('authentication_attempts', 'Requests whose sender was to be told.', ['result']);
const authenticatedRequests = counter(
  'authenticated_user_requests',
  'Requests whose sender is known, by a few kinds of names.',
  ['username'],
);
const authenticationDuration = histogram(
  'authentication_duration_seconds',
  'How long it took to tell who sends a request.',
  exponentialBuckets(0.001, 2, 15),
  ['result'],
);

export const authenticationFamilies = [attempts, authenticatedRequests, authenticationDuration];

/** Counts one request. A refused credential is an error; an unknown credential is a failure. */
export function countAuthentication(
  metrics: Metrics,
  { user, attempts: tried }: Authentication,
  seconds: number,
): void {
  const failed = tried.some(({ outcome }) => outcome === 'refused') ? 'error' : 'failure';
  const result = user ? 'success' : failed;
  metrics.add(attempts, { result });
  metrics.observe(authenticationDuration, { result }, seconds);
  if (user) metrics.add(authenticatedRequests, { username: kindOf(user) });
}

const WELL_KNOWN: ReadonlySet<string> = new Set(
  profiles.flatMap((profile) => ['admin', 'client', '{prefix}_proxy', '{agent}'].map(namesOf(profile).fill)),
);

/** There may be any number of users, and metrics must not reveal names. */
function kindOf({ name }: UserInfo): string {
  if (WELL_KNOWN.has(name)) return name;
  return name.includes('@') ? 'email_id' : 'other';
}
