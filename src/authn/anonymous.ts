import { accepted, userInfo } from './attempts.ts';
import { ANONYMOUS, UNAUTHENTICATED } from './groups.ts';
import type { Authenticator } from './types.ts';

/** The user of a request that no other method accepted or refused is `system:anonymous` (`--anonymous-auth`). */
export const anonymous: Authenticator = {
  name: 'anonymous',
  authenticate: () => accepted('no other method claimed the request', userInfo(ANONYMOUS, [UNAUTHENTICATED])),
};
