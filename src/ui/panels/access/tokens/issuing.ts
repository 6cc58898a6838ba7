/** Where tokens come from: an account's, by TokenRequest, and those of the issuer that lives in the cluster. */
import { attempt } from '../../../stores/actions.ts';
import { theClient } from '../../../stores/clients.ts';
import { asList, asText, asTexts, at } from '../../../stores/jsonValues.ts';
import { theCluster } from '../../../stores/session.ts';
import type { Write } from '../../../stores/writes.ts';

export interface IssuedToken {
  readonly token: string;
  /** Whom it names, as far as the page can tell. */
  readonly label: string;
}

export interface AccountWish {
  readonly namespace: string;
  readonly name: string;
  readonly audiences: readonly string[];
  readonly seconds: number;
}

/** Asks the server for a token of a service account, as whoever the page acts as. */
export const accountToken = ({ namespace, name, audiences, seconds }: AccountWish): Write<IssuedToken> => ({
  label: 'Issue a token',
  done: `A token of ${namespace}/${name} was issued.`,
  failed: `A token of ${namespace}/${name} was not issued.`,
  send: async (client) => {
    const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/serviceaccounts/${encodeURIComponent(name)}/token`;
    const body = {
      apiVersion: client.names.fill('authentication.{domain}/v1'),
      kind: 'TokenRequest',
      spec: { audiences, expirationSeconds: seconds },
    };
    const answer = await client.json(path, { method: 'POST', body });
    return { token: asText(at(answer, 'status', 'token')), label: `system:serviceaccount:${namespace}:${name}` };
  },
});

export interface PersonWish {
  readonly subject: string;
  readonly groups: readonly string[];
  readonly audience: string;
  readonly seconds: number;
}

/** Has the simulated issuer sign an ID token. */
export async function issueIdToken(wish: PersonWish): Promise<IssuedToken | undefined> {
  const { subject, groups, audience, seconds } = wish;
  const got: IssuedToken[] = [];
  await attempt(`A token for ${subject} was issued.`, `A token for ${subject} was not issued.`, async () => {
    const { issuer } = theCluster().cluster;
    if (!issuer) throw new Error('This host has no issuer.');
    const claims = groups.length > 0 ? { groups } : {};
    got.push({ token: await issuer.issue({ subject, audience, lifetimeSeconds: seconds, claims }), label: subject });
  });
  return got[0];
}

/** Whom the server takes a token's bearer for. */
export interface Review {
  readonly user: string;
  readonly groups: readonly string[];
  readonly audiences: readonly string[];
  readonly error: string;
}

/** Asks the server by TokenReview, as whoever the page acts as. */
export async function reviewToken(token: string): Promise<Review> {
  const client = theClient();
  const apiVersion = client.names.fill('authentication.{domain}/v1');
  const body = { apiVersion, kind: 'TokenReview', spec: { token } };
  const answer = await client.json(`/apis/${apiVersion}/tokenreviews`, { method: 'POST', body });
  const status = at(answer, 'status');
  return {
    user: at(status, 'authenticated') === true ? asText(at(status, 'user', 'username')) : '',
    groups: asTexts(at(status, 'user', 'groups')),
    audiences: asTexts(asList(at(status, 'audiences'))),
    error: asText(at(status, 'error')),
  };
}

const ISSUER = '--oidc-issuer-url=';
const CLIENT = '--oidc-client-id=';

/** The audience for which the server takes ID tokens of the simulated issuer; undefined where it takes none. */
export function acceptedAudience(flags: readonly string[], issuer: string): string | undefined {
  if (!flags.includes(`${ISSUER}${issuer}`)) return undefined;
  return flags.find((flag) => flag.startsWith(CLIENT))?.slice(CLIENT.length);
}

/** The flags with which a server takes them. */
export const issuerFlags = (issuer: string): readonly string[] => [
  `${ISSUER}${issuer}`,
  `${CLIENT}vitrine`,
  '--oidc-groups-claim=groups',
];
