/** All methods, in the reference's order: the first that accepts says who asks; a refusal is remembered, and ends in 401. */
import { guarded } from './attempts.ts';
import type { AttemptNote, Authentication, Authenticator, Connection } from './types.ts';

export function union(methods: readonly Authenticator[]): (request: Request, connection: Connection) => Promise<Authentication> {
  return async (request, connection) => {
    const attempts: AttemptNote[] = [];
    let refused = false;
    for (const method of methods) {
      if (refused && method.name === 'anonymous') break;
      const attempt = await guarded(() => method.authenticate(request, connection));
      attempts.push(...(attempt.within ?? []), { method: method.name, outcome: attempt.outcome, why: attempt.why });
      if (attempt.outcome === 'refused') refused = true;
      if (attempt.outcome === 'accepted') return { user: attempt.user, attempts, ...(attempt.audiences ? { audiences: attempt.audiences } : {}) };
    }
    return { user: undefined, attempts };
  };
}
