/**
 * Some defaults replaced older ones. If only the older object exists, its customizations are copied before the defaults
 * are applied: added rules are kept, and protected bindings stay protected.
 */
import type { Client } from '../../../client/index.ts';
import { isReason } from '../../../schema/index.ts';
import type { ApiObject } from '../../../schema/index.ts';
import { draft } from './reconcile.ts';
import type { DefaultPolicy, PolicyBinding } from './defaultPolicy.ts';
import { find, resourceOf } from './stored.ts';

/** The user-facing roles once contained their rules directly, before aggregation. */
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

/** The metadata that is copied from the source. */
function carried({ metadata: { labels, annotations } }: ApiObject, name: string): ApiObject['metadata'] {
  return { creationTimestamp: null, name, ...(labels && { labels }), ...(annotations && { annotations }) };
}

/** A concurrent create is fine. */
async function create(client: Client, object: ApiObject): Promise<void> {
  const kind = object.roleRef === undefined ? 'ClusterRole' : 'ClusterRoleBinding';
  try {
    await resourceOf(client, kind).create(object);
  } catch (problem) {
    if (!isReason(problem, 'AlreadyExists')) throw problem;
  }
}
