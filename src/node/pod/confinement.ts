import type { Pod } from '../../client/index.ts';
import { capabilitiesOf, type Confinement } from '../../programs/index.ts';
import { qosClassOf, quantityOf, type objects } from '../../schema/index.ts';
import { sharing } from './sharing.ts';

/** A container's capabilities and OOM score from its security context and pod. */
export function confinementOf(container: objects.Container, { spec }: Pod, capacity: string | undefined): Confinement {
  const { securityContext: own } = container;
  const privileged = own?.privileged ?? false;
  const capability = (name: string): string => name.replace(/^CAP_/, '');
  return sharedConfinement({
    privileged,
    capabilities: capabilitiesOf(
      privileged,
      (own?.capabilities?.add ?? []).map(capability),
      (own?.capabilities?.drop ?? []).map(capability),
    ),
    noNewPrivileges: own?.allowPrivilegeEscalation === false,
    oomScore: oomScoreOf(container, spec, capacity),
    sysctls: sysctlsOf(spec),
  });
}

const sharedConfinement = sharing<Confinement>(({ capabilities, sysctls, ...rest }) =>
  JSON.stringify([rest, [...capabilities], [...sysctls]]),
);

const NONE: ReadonlyMap<string, string> = new Map();

function sysctlsOf({ securityContext }: objects.PodSpec): ReadonlyMap<string, string> {
  const given = securityContext?.sysctls ?? [];
  return given.length === 0 ? NONE : new Map(given.map(({ name, value }) => [name, value]));
}

const CRITICAL_SCORE = -997;

/** Critical and guaranteed pods are killed last, pods without requests first, the others by their share of the node. */
function oomScoreOf(container: objects.Container, spec: objects.PodSpec, capacity = '1'): number {
  if ((spec.priority ?? 0) >= 2_000_000_000) return CRITICAL_SCORE;
  const qos = qosClassOf(spec);
  if (qos !== 'Burstable') return qos === 'Guaranteed' ? CRITICAL_SCORE : 1000;
  const request = quantityOf(container.resources?.requests?.['memory']).value();
  const score = 1000 - Math.floor((1000 * request) / quantityOf(capacity).value());
  return Math.min(Math.max(score, 3), 999);
}
