/**
 * Some defaults took over what another had said before them. Where only the other is there, what somebody made of it is
 * carried over before the defaults are filled in: nobody loses a rule that was added, or gets a binding back that was kept
 * from updates.
 */
import type { Client } from '../../../client/index.ts';
import { isReason } from '../../../schema/index.ts';
import type { ApiObject } from '../../../schema/index.ts';
import { draft } from './reconcile.ts';
import type { DefaultPolicy, PolicyBinding } from './defaultPolicy.ts';
import { find, resourceOf } from './stored.ts';

/** The rules of the roles for people stood in the roles themselves, before they were gathered from others. */
const GATHERED = ['admin', 'edit', 'view'];
const SPLIT = { from: 'system:discovery', to: 'system:public-info-viewer' };

export async function inheritPolicy(client: Client, policy: DefaultPolicy): Promise<void> {
  const split = policy.bindings.find((binding) => binding.metadata.name === SPLIT.to);
  await Promise.all([
    ...GATHERED.map((name) => inheritRules(client, name, `system:aggregate-to-${name}`)),
    ...(split ? [inheritSubjects(client, SPLIT.from, split)] : []),
  ]);
}

async function inheritRules(client: Client, from: string, to: string): Promise<void> {
  const roles = resourceOf(client, 'ClusterRole');
  if (await find(roles, to)) return;
  const source = await find(roles, from);
  if (!source || source.aggregationRule) return;
  await create(client, { ...source, metadata: carried(source, to) });
}

async function inheritSubjects(client: Client, from: string, to: PolicyBinding): Promise<void> {
  const bindings = resourceOf(client, 'ClusterRoleBinding');
  if (await find(bindings, to.metadata.name)) return;
  const source = await find(bindings, from);
  if (!source) return;
  const { subjects: _subjects, ...rest } = draft(to);
  const { subjects } = source;
  await create(client, { ...rest, metadata: carried(source, to.metadata.name), ...(subjects ? { subjects } : {}) });
}

/** What of the source's metadata goes along. */
function carried({ metadata: { labels, annotations } }: ApiObject, name: string): ApiObject['metadata'] {
  return { creationTimestamp: null, name, ...(labels && { labels }), ...(annotations && { annotations }) };
}

/** Somebody else may have been faster. */
async function create(client: Client, object: ApiObject): Promise<void> {
  const kind = object.roleRef === undefined ? 'ClusterRole' : 'ClusterRoleBinding';
  try {
    await resourceOf(client, kind).create(object);
  } catch (problem) {
    if (!isReason(problem, 'AlreadyExists')) throw problem;
  }
}
