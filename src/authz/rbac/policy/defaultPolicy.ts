/** The default roles and bindings as objects of one naming profile. */
import type { Names } from '../../../names/index.ts';
import type { BindingObject, RoleObject } from '../types.ts';
import { clusterBindings, clusterRoles } from './clusterRoles.ts';
import { controllerBindings, controllerRoles } from './controllerRoles.ts';
import { makeRule, makeSubjects } from './declare.ts';
import type { DeclaredBinding, DeclaredRole, DeclaredRule } from './declare.ts';
import { namespacePolicies } from './namespaceRoles.ts';
import { nodeRules } from './nodeRules.ts';
import type { PolicyRule } from '../types.ts';

export type Gate = (name: string) => boolean;

interface PolicyMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** A role or binding that is created if it is missing. */
export interface PolicyObject {
  readonly apiVersion: string;
  readonly kind: 'Role' | 'ClusterRole' | 'RoleBinding' | 'ClusterRoleBinding';
  readonly metadata: PolicyMeta;
}
export type PolicyRole = PolicyObject &
  RoleObject & { readonly metadata: PolicyMeta; readonly aggregationRule?: AggregationRule };
export type PolicyBinding = PolicyObject & BindingObject & { readonly metadata: PolicyMeta };

export interface AggregationRule {
  readonly clusterRoleSelectors: readonly { readonly matchLabels: Readonly<Record<string, string>> }[];
}

export interface DefaultPolicy {
  readonly roles: readonly PolicyRole[];
  readonly bindings: readonly PolicyBinding[];
}

/** The default policy in creation order. Rules and roles behind a feature gate are included only if it is on. */
export function defaultPolicy(names: Names, gate: Gate): DefaultPolicy {
  const make = new Maker(names, gate);
  const namespaced = namespacePolicies.map((policy) => ({ ...policy, namespace: names.fill(policy.namespace) }));
  return {
    roles: [
      ...make.roles([...clusterRoles, ...controllerRoles]),
      ...namespaced.flatMap((policy) => make.roles(policy.roles, policy.namespace)),
    ],
    bindings: [
      ...make.bindings([...clusterBindings, ...controllerBindings]),
      ...namespaced.flatMap((policy) => make.bindings(policy.bindings, policy.namespace)),
    ],
  };
}

/** The rules of every node agent, for the Node authorizer. */
export function makeNodeRules(names: Names, gate: Gate): readonly PolicyRule[] {
  return new Maker(names, gate).rules(nodeRules);
}

class Maker {
  readonly #names: Names;
  readonly #gate: Gate;

  constructor(names: Names, gate: Gate) {
    this.#names = names;
    this.#gate = gate;
  }

  roles(declared: readonly DeclaredRole[], namespace?: string): PolicyRole[] {
    return this.#on(declared).map((role) => this.#role(role, namespace));
  }

  bindings(declared: readonly DeclaredBinding[], namespace?: string): PolicyBinding[] {
    return this.#on(declared).map((binding) => this.#binding(binding, namespace));
  }

  rules(declared: readonly DeclaredRule[]): PolicyRule[] {
    return this.#on(declared).map((rule) => makeRule(rule, this.#names));
  }

  #on<T extends { readonly gate?: string }>(declared: readonly T[]): readonly T[] {
    return declared.filter((one) => one.gate === undefined || this.#gate(one.gate));
  }

  #role(role: DeclaredRole, namespace: string | undefined): PolicyRole {
    const labels = role.aggregatesTo === undefined ? {} : { [this.#aggregateLabel(role.aggregatesTo)]: 'true' };
    return {
      apiVersion: this.#apiVersion(),
      kind: namespace === undefined ? 'ClusterRole' : 'Role',
      metadata: this.#meta(role.name, namespace, labels),
      rules: role.rules ? this.rules(role.rules) : null,
      ...(role.gathers === undefined
        ? {}
        : {
            aggregationRule: {
              clusterRoleSelectors: [{ matchLabels: { [this.#aggregateLabel(role.gathers)]: 'true' } }],
            },
          }),
    };
  }

  #binding(binding: DeclaredBinding, namespace: string | undefined): PolicyBinding {
    const subjects = makeSubjects(binding, this.#names);
    const kind = namespace === undefined ? 'ClusterRole' : 'Role';
    return {
      apiVersion: this.#apiVersion(),
      kind: `${kind}Binding`,
      metadata: this.#meta(binding.name, namespace, {}),
      roleRef: {
        apiGroup: this.#names.fill('rbac.authorization.{domain}'),
        kind,
        name: this.#names.fill(binding.role),
      },
      ...(subjects.length > 0 ? { subjects } : {}),
    };
  }

  #meta(name: string, namespace: string | undefined, labels: Readonly<Record<string, string>>): PolicyMeta {
    return {
      name: this.#names.fill(name),
      ...(namespace === undefined ? {} : { namespace }),
      labels: { [this.#names.fill('{label}/bootstrapping')]: 'rbac-defaults', ...labels },
      annotations: { [autoUpdateAnnotation(this.#names)]: 'true' },
    };
  }

  #apiVersion(): string {
    return this.#names.fill('rbac.authorization.{domain}/v1');
  }

  #aggregateLabel(role: string): string {
    return this.#names.fill(`rbac.authorization.{domain}/aggregate-to-${role}`);
  }
}

/** `false` on a default role or binding disables its reconciliation. */
export function autoUpdateAnnotation(names: Names): string {
  return names.fill('rbac.authorization.{label}/autoupdate');
}
