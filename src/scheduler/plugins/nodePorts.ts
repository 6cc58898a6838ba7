import { plugin, refuse } from '../framework/plugin.ts';
import type { HostPort } from '../framework/nodeInfo.ts';

const ANY = '0.0.0.0';

/** Whether two ports of one node can't both be listened on; the wildcard address takes the port on every address. */
function clash(a: HostPort, b: HostPort): boolean {
  return a.port === b.port && a.protocol === b.protocol && (a.ip === b.ip || a.ip === ANY || b.ip === ANY);
}

/** Leaves out nodes on which a host port that the pod asks for is taken. */
export const nodePorts = plugin({
  name: 'NodePorts',
  filter({ info }, node) {
    const taken = info.ports.some((wanted) => node.ports.some((used) => clash(wanted, used)));
    return taken ? refuse("node(s) didn't have free ports for the requested pod ports") : undefined;
  },
});
