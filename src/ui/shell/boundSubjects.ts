/** Whom bindings name: people worth acting as, though nobody has signed in as them yet. */
import type { Client } from '../../client/index.ts';
import type { ApiObject } from '../../schema/index.ts';
import { asList, asText, at } from '../stores/jsonValues.ts';
import type { Identity } from '../stores/identity.ts';
import { useResources } from '../stores/resources.ts';

const BINDINGS = ['clusterrolebindings', 'rolebindings'];

/** The users that bindings name, and somebody of each group; the system's own are left out. */
export function subjectsIn(bindings: readonly ApiObject[]): readonly Identity[] {
  const found = new Map<string, Identity>();
  for (const subject of bindings.flatMap((binding) => asList(binding['subjects']))) {
    const [kind, name] = [asText(at(subject, 'kind')), asText(at(subject, 'name'))];
    if (name === '' || name.startsWith('system:')) continue;
    if (kind === 'User') found.set(`${kind} ${name}`, { kind: 'user', name, groups: [] });
    if (kind === 'Group') found.set(`${kind} ${name}`, { kind: 'user', name: `somebody-of-${name}`, groups: [name] });
  }
  return [...found.values()];
}

/** Reads the bindings; those that may not be read name nobody. */
export async function readBoundSubjects(client: Client): Promise<readonly Identity[]> {
  const resources = useResources.getState().resources.filter(({ resource }) => BINDINGS.includes(resource));
  const lists = await Promise.allSettled(resources.map((resource) => client.of(resource).list({})));
  return subjectsIn(lists.flatMap((list) => (list.status === 'fulfilled' ? list.value.items : [])));
}
