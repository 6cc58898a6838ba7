/** Fields of pod specs that a feature gate guards: where the gate is off they are dropped, unless they were in use before. */
import type { RuleContext } from '../define/kind.ts';
import type { Container } from './container.ts';
import type { PodSpec } from './podSpec.ts';

interface Guarded {
  readonly gate: string;
  readonly used: (spec: PodSpec) => boolean;
  readonly drop: (spec: PodSpec) => void;
}

const containersOf = (spec: PodSpec): readonly Container[] => [
  ...(spec.initContainers ?? []),
  ...(spec.containers ?? []),
  ...(spec.ephemeralContainers ?? []),
];

/** A field of the spec itself. */
function own<K extends keyof PodSpec>(gate: string, name: K): Guarded {
  return { gate, used: (spec) => spec[name] !== undefined, drop: (spec) => delete spec[name] };
}

const GUARDED: readonly Guarded[] = [
  own('EphemeralContainers', 'ephemeralContainers'),
  own('PodOverhead', 'overhead'),
  own('NonPreemptingPriority', 'preemptionPolicy'),
  own('SetHostnameAsFQDN', 'setHostnameAsFQDN'),
  {
    gate: 'Sysctls',
    used: (spec) => spec.securityContext?.sysctls !== undefined,
    drop: (spec) => delete spec.securityContext?.sysctls,
  },
  {
    gate: 'ConfigurableFSGroupPolicy',
    used: (spec) => spec.securityContext?.fsGroupChangePolicy !== undefined,
    drop: (spec) => delete spec.securityContext?.fsGroupChangePolicy,
  },
  {
    gate: 'LocalStorageCapacityIsolation',
    used: (spec) => (spec.volumes ?? []).some((volume) => volume.emptyDir?.sizeLimit !== undefined),
    drop: (spec) => (spec.volumes ?? []).forEach((volume) => delete volume.emptyDir?.sizeLimit),
  },
  {
    gate: 'CSIInlineVolume',
    used: (spec) => (spec.volumes ?? []).some((volume) => volume.csi !== undefined),
    drop: (spec) => (spec.volumes ?? []).forEach((volume) => delete volume.csi),
  },
  {
    gate: 'GenericEphemeralVolume',
    used: (spec) => (spec.volumes ?? []).some((volume) => volume.ephemeral !== undefined),
    drop: (spec) => (spec.volumes ?? []).forEach((volume) => delete volume.ephemeral),
  },
  {
    gate: 'ProcMountType',
    used: (spec) =>
      containersOf(spec).some(({ securityContext }) => (securityContext?.procMount ?? 'Default') !== 'Default'),
    drop: (spec) =>
      containersOf(spec).forEach(
        ({ securityContext }) => securityContext?.procMount !== undefined && (securityContext.procMount = 'Default'),
      ),
  },
];

/** Drops from `spec` what is guarded by a gate that is off, unless `old` has it too. */
export function dropDisabledPodFields(
  spec: PodSpec | undefined,
  old: PodSpec | undefined,
  { gate }: RuleContext,
): void {
  if (!spec) return;
  for (const guarded of GUARDED)
    if (guarded.used(spec) && !gate(guarded.gate) && !(old && guarded.used(old))) guarded.drop(spec);
}
