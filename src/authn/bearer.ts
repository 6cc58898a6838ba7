/**
 * Bearer tokens: all token methods in order; a token that none of them accepts is refused (specification, Credential
 * kinds).
 */
import { guarded, noteOf, passed, refused } from './attempts.ts';
import type { Attempt, AttemptNote, Authenticator, TokenAuthenticator } from './types.ts';

/** Calls the methods one after another until one accepts. */
export async function authenticateToken(
  methods: readonly TokenAuthenticator[],
  token: string,
  audiences: readonly string[],
): Promise<Attempt> {
  const within: AttemptNote[] = [];
  const problems: Attempt[] = [];
  for (const method of methods) {
    const asked = guarded(() => method.authenticateToken(token, audiences));
    const attempt = asked instanceof Promise ? await asked : asked;
    within.push(noteOf(method.name, attempt));
    if (attempt.outcome === 'accepted') return { ...attempt, within };
    if (attempt.outcome === 'refused') problems.push(attempt);
  }
  if (problems.length === 0) return { ...passed('no method knows the token'), within };
  const errors = problems.map(({ why, error }) => error ?? why);
  return { ...refused(together(problems.map(({ why }) => why)), together(errors)), within };
}

/** Joins several errors as the reference does: without duplicates, in brackets if there is more than one. */
export function together(problems: readonly string[]): string {
  const different = [...new Set(problems)];
  return different.length === 1 ? String(different[0]) : `[${different.join(', ')}]`;
}

/** Reads the token from the Authorization header. */
export function bearerToken(request: Request): string | undefined {
  return tokenIn(request.headers.get('authorization') ?? '');
}

/** The token in an Authorization header's value. */
export function tokenIn(authorization: string): string | undefined {
  const [scheme = '', token = ''] = authorization.trim().split(' ');
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined;
}

/** The token in the subprotocols of a WebSocket, because browsers can't set headers on one. */
export function webSocketToken(request: Request, protocolPrefix: string): string | undefined {
  const protocols = (request.headers.get('sec-websocket-protocol') ?? '').split(',').map((protocol) => protocol.trim());
  const found = protocols.filter((protocol) => protocol.startsWith(protocolPrefix));
  if (found.length !== 1 || protocols.length < 2) return undefined;
  return decodeBase64Url(String(found[0]).slice(protocolPrefix.length));
}

function decodeBase64Url(text: string): string | undefined {
  try {
    return atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return undefined;
  }
}

const knownOrRefused = (attempt: Attempt): Attempt =>
  attempt.outcome === 'passed' ? { ...refused('invalid bearer token'), within: attempt.within ?? [] } : attempt;

/** The method that reads a token with `read` and calls the token methods. */
export function tokenMethod(
  name: string,
  read: (request: Request) => string | undefined,
  methods: readonly TokenAuthenticator[],
  audiences: readonly string[],
): Authenticator {
  return {
    name,
    authenticate: (request) => {
      const token = read(request);
      return token === undefined
        ? passed('the request carries no token')
        : authenticateToken(methods, token, audiences).then(knownOrRefused);
    },
  };
}
