/**
 * PodSecurityPolicy: a pod needs a policy that its creator or its account may use. Policies set missing fields. A
 * policy that changes nothing is preferred, then the first by name.
 */
import { accountGroups, accountUsername, type UserInfo } from '../../../authn/index.ts';
import type { ApiObject, FieldErrors } from '../../../schema/index.ts';
import { deepEqual } from '../../../std/index.ts';
import type { AdmissionAttributes, PluginDeclaration, PluginDeps } from '../../types.ts';
import { refusalOf } from '../allowed.ts';
import { annotate, isPod, podOf } from '../pods.ts';
import { refuse } from '../refuse.ts';
import { providerOf, type Provider } from './provider.ts';
import type { AdmittedPod, Policy } from './strategy.ts';

export const podSecurityPolicy: PluginDeclaration = {
  name: 'PodSecurityPolicy',
  on: false,
  create: (deps) => ({
    name: 'PodSecurityPolicy',
    handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
    admit: async (attributes) => {
      if (attributes.operation === 'CREATE' && isPod(attributes)) await admit(attributes, deps);
    },
    validate: async (attributes) => {
      if (isPod(attributes) && !isCollectorsWrite(attributes)) await validate(attributes, deps);
    },
  }),
};

const POLICIES = { group: 'policy', resource: 'podsecuritypolicies' } as const;
/** Policies came from the extensions group, which roles may still name. */
const GROUPS = ['policy', 'extensions'] as const;

interface Choice {
  /** The pod after the policy's changes; missing if no policy admits it. */
  readonly pod?: AdmittedPod;
  readonly policy: string;
  /** The errors of all usable policies. */
  readonly errors: FieldErrors;
}

async function admit(attributes: AdmissionAttributes, deps: PluginDeps): Promise<void> {
  const { pod, policy, errors } = await choose(attributes, deps, providers(deps), true);
  if (!pod) throw refuse(attributes, `PodSecurityPolicy: unable to admit pod: ${shown(errors)}`);
  annotate(pod, { [deps.names.fill('{label}/psp')]: policy });
  attributes.object = pod as ApiObject;
  attributes.addAuditAnnotation(deps.names.fill('podsecuritypolicy.policy.{domain}/admit-policy'), policy);
}

/** Later plugins may have changed the pod: it still has to be valid without further changes. */
async function validate(attributes: AdmissionAttributes, deps: PluginDeps): Promise<void> {
  const hint = podOf(attributes).metadata?.annotations?.[deps.names.fill('{label}/psp')];
  const all = providers(deps);
  const ordered = [...all.filter(({ name }) => name === hint), ...all.filter(({ name }) => name !== hint)];
  const { pod, policy, errors } = await choose(attributes, deps, ordered, false);
  if (!pod) throw refuse(attributes, `PodSecurityPolicy: unable to validate pod: ${shown(errors)}`);
  attributes.addAuditAnnotation(deps.names.fill('podsecuritypolicy.policy.{domain}/validate-policy'), policy);
}

const shown = (errors: FieldErrors): string => `[${errors.map((e) => `${e.field}: ${e.message}`).join(' ')}]`;

/** The valid policies, sorted by name. */
function providers({ list, names }: PluginDeps): readonly Provider[] {
  const policies = list(POLICIES, '') as readonly Policy[];
  return policies
    .flatMap((policy) => providerOf(policy, names) ?? [])
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

async function choose(
  attributes: AdmissionAttributes,
  deps: PluginDeps,
  all: readonly Provider[],
  mayChange: boolean,
): Promise<Choice> {
  if (all.length === 0) throw refuse(attributes, 'PodSecurityPolicy: no providers available to validate pod request');
  const original = podOf(attributes);
  let changed: Choice | undefined;
  const refused: { readonly name: string; readonly errors: FieldErrors }[] = [];
  for (const { name, apply } of all) {
    const { pod, errors } = apply(original);
    if (errors.length > 0) {
      refused.push({ name, errors });
      continue;
    }
    const same = deepEqual(pod, original);
    if ((!same && (!mayChange || changed)) || !(await mayUse(attributes, deps, name))) continue;
    if (same) return { pod, policy: name, errors: [] };
    changed = { pod, policy: name, errors: [] };
  }
  return changed ?? { policy: '', errors: await errorsToTell(attributes, deps, refused) };
}

/** Errors of policies that a user may not use are hidden. */
async function errorsToTell(
  attributes: AdmissionAttributes,
  deps: PluginDeps,
  refused: readonly { readonly name: string; readonly errors: FieldErrors }[],
): Promise<FieldErrors> {
  const told: FieldErrors[] = [];
  for (const { name, errors } of refused) if (await mayUse(attributes, deps, name)) told.push(errors);
  return told.flat();
}

/** Whether the pod's account, or else the user, may use a policy in the pod's namespace. */
async function mayUse(attributes: AdmissionAttributes, deps: PluginDeps, name: string): Promise<boolean> {
  const { namespace, user } = attributes;
  for (const who of [accountOf(attributes), user]) {
    if (!who) continue;
    for (const group of GROUPS) {
      const question = { user: who, verb: 'use', namespace, group, resource: POLICIES.resource, name };
      if ((await refusalOf(question, deps)) === undefined) return true;
    }
  }
  return false;
}

function accountOf(attributes: AdmissionAttributes): UserInfo | undefined {
  const name = podOf(attributes).spec.serviceAccountName;
  if (!name) return undefined;
  const { namespace } = attributes;
  return { name: accountUsername({ namespace, name }), groups: accountGroups(namespace), extra: {} };
}

/** The garbage collector may remove owners and finalizers from pods that no policy admits. */
function isCollectorsWrite({ operation, object, oldObject }: AdmissionAttributes): boolean {
  return operation === 'UPDATE' && deepEqual(withoutCollectorFields(object), withoutCollectorFields(oldObject));
}

function withoutCollectorFields(object: ApiObject | undefined): unknown {
  if (!object) return undefined;
  const { ownerReferences: _owners, finalizers: _finalizers, managedFields: _managers, ...metadata } = object.metadata;
  return { ...object, metadata };
}
