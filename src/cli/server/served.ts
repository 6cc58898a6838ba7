/** Which resource a person means: by plural, singular, short name or kind, with or without version and group. */
import { discover, type Client, type DiscoveredResource, type Discovery } from '../../client/index.ts';
import { complaint } from '../command/errors.ts';
import type { Session } from '../command/session.ts';

const known = new WeakMap<object, Promise<Discovery>>();

/** The resources that the server serves. Read once for a session or a terminal; `again` reads them anew, since a new definition adds to them. */
export function served(session: Pick<Session, 'memory'>, client: Client, again = false): Promise<Discovery> {
  const key = session.memory ?? session;
  const before = known.get(key);
  if (before && !again) return before;
  const asked = discover(client);
  known.set(key, asked);
  // What could not be had is asked for again.
  asked.catch(() => known.delete(key));
  return asked;
}

/** Finds the resource of a name such as `po`, `deployments.apps`, `deployments.v1.apps`, `Pod`. Throws CommandError. */
export async function findResource(session: Session, client: Client, name: string): Promise<DiscoveredResource> {
  for (const again of [false, true]) {
    const found = matching(await served(session, client, again), name);
    if (found) return found;
  }
  throw complaint(`the server doesn't have a resource type ${JSON.stringify(name.split('.')[0])}`);
}

/** The resource of an object. Undefined where the server does not serve it. */
export async function resourceOfKind(
  session: Session,
  client: Client,
  apiVersion: string,
  kind: string,
): Promise<DiscoveredResource | undefined> {
  for (const again of [false, true]) {
    const { resources } = await served(session, client, again);
    const found = resources.find((each) => each.kind === kind && groupVersionOf(each) === apiVersion);
    if (found) return found;
  }
  return undefined;
}

/** The resources of a category such as `all`, in the server's order; empty where there is none. */
export async function inCategory(
  session: Session,
  client: Client,
  name: string,
): Promise<readonly DiscoveredResource[]> {
  const { preferred } = await served(session, client);
  return preferred.filter(({ categories }) => categories.includes(name));
}

/** `apps/v1`. */
export const groupVersionOf = ({ group, version }: DiscoveredResource): string =>
  group === '' ? version : `${group}/${version}`;

/** `deployments.apps`; the plain name in the core group. */
export const qualifiedName = ({ group, resource }: DiscoveredResource): string =>
  group === '' ? resource : `${resource}.${group}`;

function matching({ resources, preferred }: Discovery, name: string): DiscoveredResource | undefined {
  const [typed = '', ...rest] = name.split('.');
  if (typed === '') return undefined;
  // Only the kind or resource ignores case; groups and versions don't.
  const first = typed.toLowerCase();
  const answersTo = (each: DiscoveredResource): boolean =>
    each.resource === first || each.singularName === first || each.kind.toLowerCase() === first;
  const isShort = (each: DiscoveredResource): boolean => each.shortNames.includes(first);
  if (rest.length === 0) return preferred.find(answersTo) ?? preferred.find(isShort);
  const [version = '', ...group] = rest;
  const among = (each: DiscoveredResource): boolean => answersTo(each) || isShort(each);
  return (
    resources.find(
      (each) => among(each) && each.version === version && rest.length > 1 && each.group === group.join('.'),
    ) ??
    preferred.find((each) => among(each) && each.group === rest.join('.')) ??
    preferred.find((each) => among(each) && each.group.startsWith(`${rest.join('.')}.`))
  );
}
