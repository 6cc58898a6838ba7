/** Creates the default roles and bindings when the API server starts (specification, Authorization 7). */
import type { Client, ResourceClient } from '../../../client/index.ts';
import { isReason } from '../../../schema/index.ts';
import type { ApiObject } from '../../../schema/index.ts';
import { autoUpdateAnnotation, defaultPolicy } from './defaultPolicy.ts';
import type { Gate, PolicyBinding, PolicyObject, PolicyRole } from './defaultPolicy.ts';
import { inheritPolicy } from './inherit.ts';
import { draft, reconcileBinding, reconcileRole } from './reconcile.ts';
import type { Reconciliation } from './reconcile.ts';
import { find, resourceOf } from './stored.ts';

const ROUNDS = 5;

/**
 * `client` has the identity of a member of system:masters, because nobody else may create roles with arbitrary rules.
 * In a new cluster (`isNew`), objects are created without reading them first.
 */
export async function ensureDefaultPolicy(client: Client, gate: Gate, isNew = false): Promise<void> {
  const { names } = client;
  const policy = defaultPolicy(names, gate);
  const protection = autoUpdateAnnotation(names);
  if (!isNew) await inheritPolicy(client, policy);
  await Promise.all(
    policy.roles.map((role: PolicyRole) =>
      ensure(client, role, isNew, (stored) => reconcileRole(stored, role, protection)),
    ),
  );
  await Promise.all(
    policy.bindings.map((binding: PolicyBinding) =>
      ensure(client, binding, isNew, (stored) => reconcileBinding(stored, binding, protection)),
    ),
  );
}

/** Reconciles one object; retries after a concurrent write. */
async function ensure(
  client: Client,
  expected: PolicyObject,
  isNew: boolean,
  reconcile: (stored: ApiObject) => Reconciliation,
): Promise<void> {
  const resource = resourceOf(client, expected.kind);
  for (let round = 1; ; round++) {
    try {
      return await attempt(resource, expected, isNew && round === 1, reconcile);
    } catch (problem) {
      const again =
        isReason(problem, 'Conflict') || isReason(problem, 'AlreadyExists') || isReason(problem, 'NotFound');
      if (!again || round === ROUNDS) throw problem;
    }
  }
}

async function attempt(
  resource: ResourceClient<ApiObject>,
  expected: PolicyObject,
  isNew: boolean,
  reconcile: (stored: ApiObject) => Reconciliation,
): Promise<void> {
  const stored = isNew ? undefined : await find(resource, expected.metadata.name, expected.metadata.namespace);
  if (!stored) {
    await resource.create(draft(expected));
    return;
  }
  const plan = reconcile(stored);
  if (plan.step === 'update') await resource.update(plan.object);
  if (plan.step !== 'recreate') return;
  await resource.delete(stored);
  await resource.create(plan.object);
}
