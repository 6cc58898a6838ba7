/** Static tokens: a file with a token, a user, a uid and groups on each line (`--token-auth-file`). */
import { accepted, passed, userInfo } from './attempts.ts';
import { parseCsv } from './csv.ts';
import type { TokenAuthenticator, UserInfo } from './types.ts';

/** An invalid token file; the server does not start with it. */
export class TokenFileError extends Error {
  override name = 'TokenFileError';
}

/**
 * Throws TokenFileError if a line has fewer than three fields. Lines without a token are skipped; later lines override
 * earlier ones.
 */
export function tokenFile(text: string): TokenAuthenticator {
  const users = new Map<string, UserInfo>();
  for (const [i, record] of parseCsv(text).entries()) {
    if (record.length < 3)
      throw new TokenFileError(
        `token file must have at least 3 columns (token, user name, user uid), found ${record.length} on line ${i + 1}`,
      );
    const [token = '', name = '', uid = '', groups = ''] = record;
    if (token !== '') users.set(token, userInfo(name, groups === '' ? [] : groups.split(','), uid));
  }
  return {
    name: 'token file',
    authenticateToken: (token) => {
      const user = users.get(token);
      return user ? accepted('the token is in the token file', user) : passed('the token is not in the token file');
    },
  };
}
