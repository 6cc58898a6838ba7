import type { Pod } from '../../client/index.ts';

/** A port of the node that a container takes. */
export interface HostPort {
  readonly ip: string;
  readonly protocol: string;
  readonly port: number;
}

const NONE: readonly HostPort[] = [];

/** Host ports of a pod's containers, without init containers. */
export function hostPortsOf({ spec }: Pod): readonly HostPort[] {
  const found = (spec.containers ?? []).flatMap(({ ports }) =>
    (ports ?? []).flatMap(({ hostPort, hostIP, protocol }) =>
      hostPort ? [{ ip: hostIP || '0.0.0.0', protocol: protocol ?? 'TCP', port: hostPort }] : [],
    ),
  );
  return found.length > 0 ? found : NONE;
}
