/** Connects the API server and containers: how containers reach it, and how it reaches them. */
import type { Names } from '../names/index.ts';
import type { NodesOptions, RunningNodes } from '../node/index.ts';
import { addressIn, formatAddress, parseBlock } from '../schema/index.ts';
import type { ServiceFetch } from '../webhooks/index.ts';
import { advertisedAddress } from './bootstrap.ts';
import type { FlagSet } from './flags/index.ts';
import type { ServingFiles } from './serving.ts';

/** The port of the reference's API server, the target port of its service. */
const PORT = 6443;

export interface InsideDeps {
  readonly names: Names;
  readonly flags: FlagSet;
  readonly serving: (hosts: readonly string[]) => Promise<ServingFiles>;
  readonly fetch: (request: Request) => Promise<Response>;
}

/** The API server as containers reach it. */
export function apiServerPort({ names, flags, serving, fetch }: InsideDeps): NodesOptions['apiServer'] {
  const address = advertisedAddress(flags);
  const service = `${names.product}.default`;
  const hosts = [names.product, service, `${service}.svc`, `${service}.svc.cluster.local`, address, 'localhost'];
  const block = parseBlock((flags.get('service-cluster-ip-range') ?? '').split(',')[0]?.trim() ?? '');
  if (block) hosts.push(formatAddress(addressIn(block, 1n)));
  return { address, port: PORT, certificate: async () => (await serving(hosts)).certificate, fetch };
}

/** How the API server reaches services: over the simulated network, once pods run. */
export function fetchInside(nodes: () => RunningNodes | undefined): ServiceFetch {
  return async (request, { host, port }, { insecure = false, authorities = '', serverName }) => {
    const found = nodes();
    const address = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
    const answer = found?.fetch(request, {
      ...{ host, port },
      ...(!insecure && { authorities }),
      ...(serverName !== undefined && { serverName }),
    });
    if (!answer) throw new Error(`dial tcp ${address}: connect: connection refused`);
    return answer;
  };
}
