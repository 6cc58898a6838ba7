/** ResourceQuota: charges what is created to the namespace's quotas, and refuses what does not fit. Runs last. */
import { evaluatorOf, Quantity, quantityOf, type ApiObject, type Evaluator, type objects } from '../../schema/index.ts';
import { clone } from '../../std/index.ts';
import type { AdmissionAttributes, PluginDeclaration, PluginDeps } from '../types.ts';
import { refuse } from './refuse.ts';

type Quota = objects.ResourceQuota;
type Amounts = Map<string, Quantity>;

export const resourceQuota: PluginDeclaration = {
  name: 'ResourceQuota',
  on: true,
  create: (deps) => ({
    name: 'ResourceQuota',
    handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
    validate: async (attributes) => {
      const { namespace, subresource, resource } = attributes;
      const isNamespace = resource.group === '' && resource.resource === 'namespaces';
      if (subresource === '' && namespace !== '' && !isNamespace) await charge(attributes, deps);
    },
  }),
};

const QUOTAS = { group: '', resource: 'resourcequotas' } as const;
const MAX_TRIES = 10;

/** Charges the request; begins again from newer quotas when somebody else charged meanwhile. */
async function charge(attributes: AdmissionAttributes, deps: PluginDeps): Promise<void> {
  const evaluator = evaluatorOf(attributes.resource, deps.names);
  if (attributes.operation === 'UPDATE' && !evaluator.onUpdate) return;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const quotas = deps.list(QUOTAS, attributes.namespace) as unknown as readonly Quota[];
    if (quotas.length === 0) return;
    const changed = charged(attributes, deps, evaluator, quotas);
    if (attributes.dryRun || changed.length === 0) return;
    const outcomes = await Promise.all(changed.map((quota) => store(deps, quota)));
    if (outcomes.every((ok) => ok)) return;
  }
  throw refuse(attributes, 'quota status could not be updated: other requests kept changing it');
}

/** The quotas that change, with what they say is used after this request. Throws 403 where one would be exceeded. */
function charged(
  attributes: AdmissionAttributes,
  deps: PluginDeps,
  evaluator: Evaluator,
  quotas: readonly Quota[],
): Quota[] {
  const object = attributes.object as ApiObject;
  const matching = quotas.filter((quota) => evaluator.matches(quota, object) && limited(quota, evaluator).length > 0);
  for (const quota of matching) requireKnown(attributes, quota, evaluator);
  const delta = deltaOf(attributes, evaluator, deps.clock.now());
  return matching.flatMap((quota) => {
    const requested = new Map([...delta].filter(([name]) => quota.status?.hard?.[name] !== undefined));
    if (requested.size === 0) return [];
    requireRoom(attributes, quota, requested);
    const used = { ...quota.status?.used };
    for (const [name, amount] of requested) used[name] = quantityOf(used[name]).add(amount).toString();
    return [{ ...clone(quota), status: { ...quota.status, used } }];
  });
}

const limited = (quota: Quota, evaluator: Evaluator): string[] =>
  Object.keys(quota.status?.hard ?? {}).filter((name) => evaluator.measures(name));

function requireKnown(attributes: AdmissionAttributes, quota: Quota, evaluator: Evaluator): void {
  const names = limited(quota, evaluator);
  const missing = evaluator.missing(names, attributes.object as ApiObject);
  const name = quota.metadata?.name ?? '';
  if (missing.length > 0) throw refuse(attributes, `failed quota: ${name}: must specify ${missing.join(',')}`);
  const unknown = names.filter((resource) => quota.status?.used?.[resource] === undefined);
  if (unknown.length > 0)
    throw refuse(attributes, `status unknown for quota: ${name}, resources: ${unknown.join(',')}`);
}

/** What the request adds; a change is charged by its difference, and only what grows. */
function deltaOf(attributes: AdmissionAttributes, evaluator: Evaluator, now: number): Amounts {
  const usage = evaluator.usage(attributes.object as ApiObject, now);
  const negative = [...usage].filter(([, amount]) => amount.sign < 0).map(([name]) => name);
  if (negative.length > 0)
    throw refuse(attributes, `quota usage is negative for resource(s): ${negative.sort().join(', ')}`);
  const before = attributes.oldObject ? evaluator.usage(attributes.oldObject, now) : new Map<string, Quantity>();
  const names = new Set([...usage.keys(), ...before.keys()]);
  const delta = [...names].map(
    (name) => [name, (usage.get(name) ?? Quantity.zero).sub(before.get(name) ?? Quantity.zero)] as const,
  );
  return new Map(delta.filter(([, amount]) => !amount.isZero));
}

function requireRoom(attributes: AdmissionAttributes, quota: Quota, requested: Amounts): void {
  const used = quota.status?.used ?? {};
  const hard = quota.status?.hard ?? {};
  const over = [...requested]
    .filter(([name, amount]) => quantityOf(used[name]).add(amount).compare(quantityOf(hard[name])) > 0)
    .map(([name]) => name)
    .sort();
  if (over.length === 0) return;
  const show = (value: (name: string) => string): string => over.map((name) => `${name}=${value(name)}`).join(',');
  const parts = [
    `requested: ${show((n) => requested.get(n)?.toString() ?? '0')}`,
    `used: ${show((n) => used[n] ?? '0')}`,
    `limited: ${show((n) => hard[n] ?? '0')}`,
  ];
  throw refuse(attributes, `exceeded quota: ${quota.metadata?.name ?? ''}, ${parts.join(', ')}`);
}

/** Writes a quota's status; false where it changed since it was read. */
async function store(deps: PluginDeps, quota: Quota): Promise<boolean> {
  const { name = '', namespace = '' } = quota.metadata ?? {};
  const body = JSON.stringify({ ...quota, kind: 'ResourceQuota', apiVersion: 'v1' });
  const response = await deps.transport(`/api/v1/namespaces/${namespace}/resourcequotas/${name}/status`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body,
  });
  await response.text();
  return response.ok;
}
