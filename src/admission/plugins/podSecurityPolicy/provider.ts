/** Applies a policy to a pod: sets defaults, then validates. */
import type { Names } from '../../../names/index.ts';
import type { FieldErrors } from '../../../schema/index.ts';
import { clone } from '../../../std/index.ts';
import { containersWithPaths } from '../pods.ts';
import { hostNamespaces, hostPorts, runtimeClassName, sysctls } from './host.ts';
import { fsGroup, runAsGroup, runAsUser, supplementalGroups } from './ids.ts';
import { capabilities, privileged, privilegeEscalation, procMount, readOnlyRootFilesystem } from './privileges.ts';
import { appArmor, seccomp } from './profiles.ts';
import { seLinux } from './seLinux.ts';
import {
  effectiveContext,
  PolicyError,
  type AdmittedPod,
  type Contained,
  type Policy,
  type Strategy,
  type StrategyMaker,
} from './strategy.ts';
import { volumes } from './volumes.ts';

/** All strategies, in the order of their defaults and errors. */
const STRATEGIES: readonly StrategyMaker[] = [
  fsGroup,
  supplementalGroups,
  runAsUser,
  runAsGroup,
  seccomp,
  seLinux,
  hostNamespaces,
  sysctls,
  volumes,
  runtimeClassName,
  appArmor,
  privileged,
  procMount,
  capabilities,
  hostPorts,
  readOnlyRootFilesystem,
  privilegeEscalation,
];

export interface Provider {
  /** The policy's name. */
  readonly name: string;
  /** The pod with the policy's defaults, and its remaining errors. */
  apply(pod: AdmittedPod): { readonly pod: AdmittedPod; readonly errors: FieldErrors };
}

/** The provider of a policy; undefined for an invalid policy. */
export function providerOf(policy: Policy, names: Names): Provider | undefined {
  const strategies = strategiesOf(policy, names);
  if (!strategies) return undefined;
  return {
    name: policy.metadata?.name ?? '',
    apply: (original) => {
      const pod = clone(original);
      for (const strategy of strategies) strategy.fillPod?.(pod);
      for (const contained of containedIn(pod)) fillContainer(contained, strategies);
      const errors = [
        ...strategies.flatMap((strategy) => strategy.checkPod?.(pod) ?? []),
        ...containedIn(pod).flatMap((c) => strategies.flatMap((strategy) => strategy.checkContainer?.(c) ?? [])),
      ];
      return { pod, errors };
    },
  };
}

function strategiesOf(policy: Policy, names: Names): readonly Strategy[] | undefined {
  try {
    return STRATEGIES.map((make) => make(policy, names));
  } catch (problem) {
    if (problem instanceof PolicyError) return undefined;
    throw problem;
  }
}

const containedIn = (pod: AdmittedPod): Contained[] =>
  containersWithPaths(pod.spec).map(({ container, path }) => ({
    pod,
    container,
    path,
    context: effectiveContext(pod, container),
  }));

/** Each strategy sees the defaults of the earlier ones. */
function fillContainer({ pod, container, path }: Contained, strategies: readonly Strategy[]): void {
  for (const strategy of strategies)
    strategy.fillContainer?.({ pod, container, path, context: effectiveContext(pod, container) }, (fields) => {
      container.securityContext = { ...container.securityContext, ...fields };
    });
}
