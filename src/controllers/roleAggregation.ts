/**
 * A cluster role with an aggregation rule has the rules of all cluster roles that its selectors match, ordered by name,
 * each rule once, and no others.
 *
 * Watches cluster roles.
 */
import { clusterRoles, nameOf, type ClusterRole } from '../client/index.ts';
import { selectorOfObject } from '../schema/index.ts';
import { deepEqual } from '../std/index.ts';
import type { Controller, ControllerContext, Run } from './runtime/index.ts';

type Rules = NonNullable<ClusterRole['rules']>;

/** The desired rules of an aggregating role; undefined if it has them. */
export function planAggregation(role: ClusterRole, all: readonly ClusterRole[]): Rules | undefined {
  const rules: Rules = [];
  for (const object of role.aggregationRule?.clusterRoleSelectors ?? []) {
    const selector = selectorOfObject(object);
    const chosen = all.filter(
      (other) => nameOf(other) !== nameOf(role) && selector.matches(other.metadata.labels ?? {}),
    );
    for (const other of chosen.sort(byName)) {
      for (const rule of other.rules ?? []) if (!rules.some((known) => deepEqual(known, rule))) rules.push(rule);
    }
  }
  return deepEqual(rules, role.rules ?? []) ? undefined : rules;
}

function byName(a: ClusterRole, b: ClusterRole): number {
  return nameOf(a) < nameOf(b) ? -1 : 1;
}

/** The aggregating roles, those first which others select, so that each has to be written once. */
export function inOrder(all: readonly ClusterRole[]): ClusterRole[] {
  const aggregating = all.filter(({ aggregationRule }) => aggregationRule);
  const ordered = new Set<ClusterRole>();
  const visited = new Set<ClusterRole>();
  const visit = (role: ClusterRole): void => {
    if (visited.has(role)) return;
    visited.add(role);
    for (const object of role.aggregationRule?.clusterRoleSelectors ?? []) {
      const selector = selectorOfObject(object);
      for (const other of aggregating) if (selector.matches(other.metadata.labels ?? {})) visit(other);
    }
    ordered.add(role);
  };
  for (const role of aggregating) visit(role);
  return [...ordered];
}

async function aggregate(context: ControllerContext, key: string, run: Run): Promise<void> {
  const informer = context.informers.of(clusterRoles);
  const role = informer.get(key);
  if (!role?.aggregationRule) return;
  const rules = planAggregation(role, informer.list());
  if (!rules) return;
  run.plan([{ update: key, rules: rules.length }]);
  await context.client.of(clusterRoles).update({ ...role, rules });
}

export const roleAggregation: Controller = {
  name: 'clusterrole-aggregation',
  account: 'clusterrole-aggregation-controller',
  start(context) {
    const informer = context.informers.of(clusterRoles);
    const keys = (): string[] => inOrder(informer.list()).map(nameOf);
    const loop = context.loop({ first: keys, reconcile: (key, run) => aggregate(context, key, run) });
    // Any role may match now, or no longer.
    const wakeAll = (): void => {
      for (const key of keys()) loop.add(key);
    };
    informer.on({ added: wakeAll, changed: wakeAll, deleted: wakeAll });
  },
};
