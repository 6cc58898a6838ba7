import { plugin, refuse } from '../framework/plugin.ts';
import type { HostPort } from '../framework/nodeInfo.ts';

const ANY = '0.0.0.0';

/** Whether two ports of one node conflict; the wildcard address conflicts with every address. */
function clash(a: HostPort, b: HostPort): boolean {
  return a.port === b.port && a.protocol === b.protocol && (a.ip === b.ip || a.ip === ANY || b.ip === ANY);
}

const isTaken = (wanted: HostPort, used: readonly HostPort[]): boolean => used.some((port) => clash(wanted, port));

/** Rejects nodes on which a host port of the pod is in use. */
export const nodePorts = plugin({
  name: 'NodePorts',
  isLocal: true,
  concerns: ({ info }) => info.ports.length > 0,
  filter: ({ info }, node) =>
    info.ports.some((wanted) => isTaken(wanted, node.ports))
      ? refuse("node(s) didn't have free ports for the requested pod ports")
      : undefined,
  facts: ({ info }, node) =>
    info.ports.map((wanted) => ({
      hostPort: wanted.port,
      protocol: wanted.protocol,
      address: wanted.ip,
      taken: isTaken(wanted, node.ports),
    })),
});
