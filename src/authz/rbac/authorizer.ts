import type { Allowance } from './allowance.ts';
import type { UserInfo } from '../../authn/index.ts';
import type { Attributes, Authorizer, RuleSummary, Verdict } from '../types.ts';
import { missingRole } from './policyIndex.ts';
import type { Grant, PolicyIndex } from './policyIndex.ts';
import type { RbacProof } from './proof.ts';
import { refusalProofs } from './refusals.ts';
import { ruleAllows } from './rules.ts';
import { describeSubject, keysOfUser } from './subjects.ts';
import type { PolicyRule } from './types.ts';

/** The module RBAC: allows what a rule of a bound role allows and has no opinion otherwise. */
export function rbacAuthorizer(index: PolicyIndex): Authorizer {
  return {
    name: 'RBAC',
    authorize: (request) => decide(index, request),
    rules: (user, namespace) => summarize(index, user, namespace),
  };
}

/** The first grant that allows a request: cluster role bindings before role bindings. */
export function findAllowance(
  index: PolicyIndex,
  request: Attributes,
  keys = keysOfUser(request.user),
): Allowance | undefined {
  return (
    findInScope(index, request, keys, '') ??
    (request.namespace === '' ? undefined : findInScope(index, request, keys, request.namespace))
  );
}

function findInScope(
  index: PolicyIndex,
  request: Attributes,
  keys: readonly string[],
  scope: string,
): Allowance | undefined {
  for (const key of keys) {
    const grants = index.grantsOfKey(key, scope);
    if (!grants) continue;
    for (const grant of grants) {
      const rules = grant.role.rules;
      const ruleIndex = rules?.findIndex((rule) => ruleAllows(rule, request)) ?? -1;
      const rule = rules?.[ruleIndex];
      if (rule) return { grant: firstNamed(index, grant, keys), rule, ruleIndex };
    }
  }
  return undefined;
}

/** The user's first subject in a binding, in the binding's order. */
function firstNamed(index: PolicyIndex, grant: Grant, keys: readonly string[]): Grant {
  let first = grant;
  for (const key of grant.position === 0 ? [] : keys) {
    for (const other of index.grantsOfKey(key, grant.binding.namespace) ?? [])
      if (other.binding === grant.binding && other.position < first.position) first = other;
  }
  return first;
}

function decide(index: PolicyIndex, request: Attributes): Verdict {
  const keys = keysOfUser(request.user);
  const allowance = findAllowance(index, request, keys);
  if (allowance) {
    const reason = `RBAC: allowed by ${describeGrant(allowance.grant)}`;
    return { decision: 'allow', reason, proof: () => proofOf(allowance) };
  }
  const proof = (): RbacProof | undefined =>
    refusalProofs.loaded ? refusalProofs.get().proofOfRefusal(index, request) : undefined;
  const errors = evaluationErrors(index, keys, request.namespace);
  if (errors.length === 0) return { decision: 'no-opinion', reason: '', proof };
  const error = errors.length === 1 ? String(errors[0]) : `[${errors.join(', ')}]`;
  return { decision: 'no-opinion', reason: `RBAC: ${error}`, error, proof };
}

const proofOf = ({ grant, rule, ruleIndex }: Allowance): RbacProof => ({
  decision: 'allow',
  binding: grant.binding,
  subject: grant.subject,
  role: grant.role.id,
  ruleIndex,
  rule,
});

/** Evaluation errors for this user: missing roles, invalid subjects. */
function evaluationErrors(index: PolicyIndex, keys: readonly string[], namespace: string): readonly string[] {
  const errors = new Set<string>();
  for (const scope of namespace === '' ? [''] : ['', namespace]) {
    for (const key of keys) {
      for (const grant of index.grantsOfKey(key, scope) ?? [])
        if (!grant.role.rules) errors.add(missingRole(grant.roleRef));
    }
  }
  for (const problem of index.problems(namespace)) errors.add(problem.message);
  return [...errors];
}

/** A grant in the wording of the reference's reasons. */
function describeGrant(grant: Grant): string {
  const { binding, roleRef, subject } = grant;
  const name = binding.namespace === '' ? binding.name : `${binding.name}/${binding.namespace}`;
  return `${binding.kind} ${JSON.stringify(name)} of ${roleRef.kind} ${JSON.stringify(roleRef.name)} to ${describeSubject(subject, binding.namespace)}`;
}

function summarize(index: PolicyIndex, user: UserInfo, namespace: string): RuleSummary {
  const { rules, errors } = index.rulesFor(user, namespace);
  return {
    resourceRules: rules.filter((rule) => rule.resources?.length).map(resourceRule),
    nonResourceRules: rules.filter((rule) => rule.nonResourceURLs?.length).map(pathRule),
    incomplete: false,
    ...(errors.length > 0 ? { error: errors.length === 1 ? String(errors[0]) : `[${errors.join(', ')}]` } : {}),
  };
}

function resourceRule(rule: PolicyRule): RuleSummary['resourceRules'][number] {
  return {
    verbs: rule.verbs,
    ...(rule.apiGroups?.length ? { apiGroups: rule.apiGroups } : {}),
    ...(rule.resources?.length ? { resources: rule.resources } : {}),
    ...(rule.resourceNames?.length ? { resourceNames: rule.resourceNames } : {}),
  };
}

function pathRule(rule: PolicyRule): RuleSummary['nonResourceRules'][number] {
  return { verbs: rule.verbs, ...(rule.nonResourceURLs?.length ? { nonResourceURLs: rule.nonResourceURLs } : {}) };
}
