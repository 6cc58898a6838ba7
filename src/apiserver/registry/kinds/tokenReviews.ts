/** Token reviews: the user of a token, according to this server's own authentication. */
import type { UserInfo } from '../../../authn/index.ts';
import { status, type ApiObject } from '../../../schema/index.ts';
import type { ResourceContext } from '../registry.ts';
import type { KindFile } from '../registry.ts';

export const tokenReviews: KindFile = {
  resource: 'tokenreviews.authentication.{domain}',
  behaviour: { create: review },
};

async function review(object: ApiObject, { server }: ResourceContext): Promise<ApiObject> {
  const { token = '', audiences = [] } = object.spec as { token?: string; audiences?: string[] | null };
  if (token === '') throw status.badRequest('token is required for TokenReview in authentication');
  const { user, audiences: shared, attempts } = await server.reviewToken(token, audiences ?? []);
  const refusals = attempts.filter(({ outcome }) => outcome === 'refused').map(({ why, error }) => error ?? why);
  object.status = user
    ? { authenticated: true, user: shown(user), ...(shared?.length ? { audiences: shared } : {}) }
    : { user: {}, ...refused(refusals) };
  return object;
}

function shown({ name, uid, groups, extra }: UserInfo): object {
  return { username: name, ...(uid ? { uid } : {}), groups, ...(Object.keys(extra).length > 0 ? { extra } : {}) };
}

/** The reference's server has a token of its own, so a token that is not that one has a first error. */
const NOT_OWN_TOKEN = 'invalid bearer token';

function refused(why: readonly string[]): object {
  const unique = [...new Set([NOT_OWN_TOKEN, ...why])];
  return why.length === 0 ? {} : { error: unique.length === 1 ? unique[0] : `[${unique.join(', ')}]` };
}
