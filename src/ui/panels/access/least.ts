/** The smallest roles for what somebody was seen to do. */
import type { AccessRule } from '../../host.ts';
import { asText, at } from '../../stores/jsonValues.ts';
import type { LoggedRequest } from '../../stores/requests.ts';

/** What one role has to allow: in a namespace, or empty in the whole cluster. */
export interface Need {
  readonly scope: string;
  readonly rules: readonly AccessRule[];
}

interface Seen {
  readonly scope: string;
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly path: string;
}

/** What a request asked for, as its authorization told it; undefined where it was refused, or asked nothing. */
function seenIn({ stages }: LoggedRequest): Seen | undefined {
  const decision = stages.find((stage) => stage.stage === 'authorization');
  if (!decision?.allowed) return undefined;
  const get = (key: string): string => asText(at(decision.attributes, key));
  const subresource = get('subresource');
  const isResource = at(decision.attributes, 'isResource') === true;
  return {
    scope: isResource ? get('namespace') : '',
    verb: get('verb'),
    group: get('group'),
    resource: isResource ? `${get('resource')}${subresource && `/${subresource}`}` : '',
    path: isResource ? '' : get('path'),
  };
}

/** Values by key, each once. */
function gather<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  valueOf: (item: T) => string,
): Map<string, string[]> {
  const found = new Map<string, Set<string>>();
  for (const item of items) found.set(keyOf(item), (found.get(keyOf(item)) ?? new Set()).add(valueOf(item)));
  return new Map([...found].map(([key, values]) => [key, [...values].sort()]));
}

/** Rules for these: one for all resources of a group that need the same verbs. */
function rulesFor(seen: readonly Seen[]): readonly AccessRule[] {
  const verbs = gather(
    seen,
    ({ group, resource, path }) => JSON.stringify([group, resource, path]),
    ({ verb }) => verb,
  );
  const alike = gather(
    [...verbs],
    ([key, list]) => JSON.stringify([(JSON.parse(key) as string[])[0], (JSON.parse(key) as string[])[2] !== '', list]),
    ([key]) => key,
  );
  return [...alike].map(([key, members]): AccessRule => {
    const [group, isPath, list] = JSON.parse(key) as [string, boolean, string[]];
    const named = members.map((member) => JSON.parse(member) as [string, string, string]);
    if (isPath) return { verbs: list, nonResourceURLs: named.map(([, , path]) => path) };
    return { verbs: list, apiGroups: [group], resources: named.map(([, resource]) => resource) };
  });
}

/** One role for each namespace in which something was done, and one for what belongs to none. Refused requests ask for nothing. */
export function leastFor(requests: readonly LoggedRequest[], user: string): readonly Need[] {
  const seen = requests.flatMap((request) => {
    const found = request.user === user ? seenIn(request) : undefined;
    return found ? [found] : [];
  });
  const scopes = [...new Set(seen.map(({ scope }) => scope))].sort();
  return scopes.map((scope) => ({ scope, rules: rulesFor(seen.filter((each) => each.scope === scope)) }));
}
