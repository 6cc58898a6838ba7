/** Resources that may be used only with a quota: the configuration of ResourceQuota. */
import { getOwn } from '../../../std/index.ts';
import type { Evaluator, Scope } from '../../../schema/index.ts';
import { scopesOf, status } from '../../../schema/index.ts';
import type { AdmissionAttributes, PluginDeps } from '../../types.ts';
import { configOf, objectsIn, textsIn } from '../config.ts';
import { refuse } from '../refuse.ts';
import type { Amounts, Quota } from './quotas.ts';

/** A resource whose use is limited by default. */
export interface LimitedResource {
  readonly group: string;
  readonly resource: string;
  /** Resources whose name contains one of these need a quota. */
  readonly matchContains: readonly string[];
  /** Objects in one of these scopes need a quota with the scope. */
  readonly matchScopes: readonly Scope[];
}

/** Throws PluginConfigError for an invalid configuration. */
export function readLimitedResources({ config, names }: PluginDeps): readonly LimitedResource[] {
  const found =
    (config as { readonly kind?: unknown } | undefined)?.kind === 'Configuration'
      ? configOf(
          config,
          'Configuration',
          ['v1alpha1', 'v1beta1'].map((v) => names.fill(`resourcequota.admission.{domain}/${v}`)),
        )
      : configOf(config, 'ResourceQuotaConfiguration', [names.fill('apiserver.config.{domain}/v1')]);
  return objectsIn(found ?? {}, 'limitedResources').map((limited) => ({
    group: String(limited['apiGroup'] ?? ''),
    resource: String(limited['resource'] ?? ''),
    matchContains: textsIn(limited, 'matchContains'),
    matchScopes: objectsIn(limited, 'matchScopes').map((scope) => ({
      scopeName: String(scope['scopeName'] ?? ''),
      operator: String(scope['operator'] ?? ''),
      values: textsIn(scope, 'values'),
    })),
  }));
}

/** Refuses limited resources without a quota. `covering` are the quotas that count the object. */
export function requireCovered(
  attributes: AdmissionAttributes,
  evaluator: Evaluator,
  usage: Amounts,
  limited: readonly LimitedResource[],
  quotas: { readonly all: readonly Quota[]; readonly covering: readonly Quota[] },
): void {
  const { group, resource } = attributes.resource;
  const own = limited.filter((one) => one.group === group && one.resource === resource);
  const covered = (name: string): boolean =>
    quotas.covering.some((quota) => getOwn(quota.status?.hard, name) !== undefined);
  const bare = [...usage]
    .filter(
      ([name, amount]) => amount.sign > 0 && own.some((one) => one.matchContains.some((part) => name.includes(part))),
    )
    .map(([name]) => name)
    .filter((name) => !covered(name))
    .sort();
  if (bare.length > 0) throw refuse(attributes, `insufficient quota to consume: ${bare.join(',')}`);
  requireScopes(attributes, evaluator, limited, quotas.all);
}

function requireScopes(
  { object }: AdmissionAttributes,
  evaluator: Evaluator,
  limited: readonly LimitedResource[],
  quotas: readonly Quota[],
): void {
  if (!object) return;
  const isIn = (scope: Scope): boolean => evaluator.isInScope(scope, object);
  const covered = new Set(quotas.flatMap((quota) => scopesOf(quota).filter(isIn)).map(({ scopeName }) => scopeName));
  const bare = limited
    .flatMap(({ matchScopes }) => matchScopes.filter(isIn))
    .filter(({ scopeName }) => !covered.has(scopeName));
  if (bare.length === 0) return;
  const shown = bare.map(({ scopeName, operator, values }) => `{${scopeName} ${operator} [${values.join(' ')}]}`);
  throw status.unexpected(`insufficient quota to match these scopes: [${shown.join(' ')}]`);
}
