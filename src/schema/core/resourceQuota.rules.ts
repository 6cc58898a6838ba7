/** Resource quotas: what is prepared and checked before one is stored. */
import * as field from '../define/fieldErrors.ts';
import { Path, type FieldErrors } from '../define/fieldErrors.ts';
import type { RuleContext, Rules } from '../define/kind.ts';
import type { Names } from '../../names/index.ts';
import { keepSpec } from '../meta/keepSpec.ts';
import { clearStatus, type Errors } from '../meta/checks.ts';
import type { ResourceQuota, ResourceQuotaSpec, ScopedResourceSelectorRequirement } from './resourceQuota.ts';
import { isQuotaResource, validateAmount, validateResourceName, type Amounts } from './resources.rules.ts';

const SPEC = Path.of('spec');
const STATUS = Path.of('status');
const SCOPES = ['Terminating', 'NotTerminating', 'BestEffort', 'NotBestEffort', 'PriorityClass'];
/** Scopes that no pod can be in both of. */
const OPPOSITES = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const;
const POD_RESOURCES = ['cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory'];

function* validateAmounts(amounts: Amounts | undefined, path: Path, names: Names): Errors {
  for (const [name, amount] of Object.entries(amounts ?? {})) {
    const at = path.key(name);
    yield* validateResourceName(name, at);
    if (!name.includes('/') && !isQuotaResource(name))
      yield field.invalid(at, name, 'must be a standard resource for quota');
    yield* validateAmount(name, amount, at, names);
  }
}

/** Scopes are about pods: a quota in a scope can only limit what pods use. */
function appliesTo(scope: string, resource: string): boolean {
  if (!SCOPES.includes(scope) || resource === 'pods') return true;
  return scope !== 'BestEffort' && POD_RESOURCES.includes(resource);
}

function* validateScopes(spec: ResourceQuotaSpec): Errors {
  const scopes = spec.scopes ?? [];
  const path = SPEC.child('scopes');
  for (const scope of scopes) {
    if (!SCOPES.includes(scope)) yield field.invalid(path, scopes, 'unsupported scope');
    yield* validateApplies(spec, scope, path);
  }
  yield* validateOpposites(scopes, path);
}

function* validateApplies({ hard = {} }: ResourceQuotaSpec, scope: string, path: Path): Errors {
  for (const name of Object.keys(hard).sort()) {
    if (isQuotaResource(name) && !appliesTo(scope, name))
      yield field.invalid(path, scope, 'unsupported scope applied to resource');
  }
}

function* validateOpposites(scopes: readonly string[], path: Path): Errors {
  for (const pair of OPPOSITES)
    if (pair.every((scope) => scopes.includes(scope))) yield field.invalid(path, scopes, 'conflicting scopes');
}

function* validateScopeSelector(spec: ResourceQuotaSpec): Errors {
  if (!spec.scopeSelector) return;
  const path = SPEC.child('scopeSelector', 'matchExpressions');
  const expressions = spec.scopeSelector.matchExpressions ?? [];
  for (const expression of expressions) {
    if (!SCOPES.includes(expression.scopeName))
      yield field.invalid(path.child('scopeName'), expression.scopeName, 'unsupported scope');
    yield* validateApplies(spec, expression.scopeName, path);
    yield* validateExpression(expression, path);
  }
  yield* validateOpposites(
    expressions.map(({ scopeName }) => scopeName),
    path,
  );
}

function* validateExpression(
  { scopeName, operator, values = [] }: ScopedResourceSelectorRequirement,
  path: Path,
): Errors {
  if (scopeName !== 'PriorityClass' && SCOPES.includes(scopeName) && operator !== 'Exists') {
    yield field.invalid(
      path.child('operator'),
      operator,
      "must be 'Exist' only operator when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort and ResourceQuotaScopeNotBestEffort",
    );
  }
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0)
      yield field.required(
        path.child('values'),
        "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
      );
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0)
      yield field.invalid(
        path.child('values'),
        values,
        "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
      );
  } else yield field.invalid(path.child('operator'), operator, 'not a valid selector operator');
}

function* validateSpec(spec: ResourceQuotaSpec, { names }: RuleContext): Errors {
  yield* validateAmounts(spec.hard, SPEC.child('hard'), names);
  yield* validateScopes(spec);
  yield* validateScopeSelector(spec);
}

function validateStatus({ status }: Partial<Pick<ResourceQuota, 'status'>>, { names }: RuleContext): FieldErrors {
  return [
    ...validateAmounts(status?.hard, STATUS.child('hard'), names),
    ...validateAmounts(status?.used, STATUS.child('used'), names),
  ];
}

function validateScopesKept(spec: ResourceQuotaSpec, old: ResourceQuotaSpec): FieldErrors {
  const [now, before] = [new Set(spec.scopes), new Set(old.scopes)];
  const same = now.size === before.size && [...now].every((scope) => before.has(scope));
  return same ? [] : [field.invalid(SPEC.child('scopes'), spec.scopes ?? null, 'field is immutable')];
}

export const resourceQuotaRules: Rules<ResourceQuota> = {
  prepareCreate: clearStatus,
  prepareStatusUpdate: keepSpec,
  validate: (quota, context) => [...validateSpec(quota.spec, context), ...validateStatus(quota, context)],
  validateUpdate: ({ spec }, old, context) => [...validateSpec(spec, context), ...validateScopesKept(spec, old.spec)],
  validateStatusUpdate: (quota, _old, context) => validateStatus(quota, context),
};
