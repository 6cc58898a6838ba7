/** Who is on the map without being a pod: the ingress controller, and hosts outside of the cluster that take part. */
import { isBuiltIn, isServed, type NetworkView } from '../../../network/index.ts';
import type { SeenFlow } from '../../stores/flows.ts';
import type { Workload } from './workloads.ts';

const AREA = 'outside of the cluster';

/** The addresses of flows that are no pod's and no node's, one a line, so that equal answers are equal texts. */
export function outsideAddresses(flows: readonly SeenFlow[]): string {
  const ends = flows.flatMap(({ from, to }) => (to ? [from, to] : [from]));
  const outside = ends.filter(({ pod, node }) => pod === undefined && node === undefined);
  return [...new Set(outside.map(({ address }) => address))].sort().join('\n');
}

/** Nodes of the map for addresses outside; the ingress controller is there as soon as it serves an Ingress. */
export function outsideWorkloads(addresses: string, view: NetworkView): Workload[] {
  const { ingressAddress, outside } = view.settings;
  const serves = view.all('ingresses').some((ingress) => isServed(ingress, view));
  const listed = addresses === '' ? [] : addresses.split('\n');
  const all = new Set([...(serves ? [ingressAddress] : []), ...listed]);
  const served = serviceAddresses(view);
  const shown = [...all].filter((address) => !isBuiltIn(address, view));
  return shown.map((address): Workload => {
    const host = Object.entries(outside).find(([, each]) => each === address)?.[0];
    const name = address === ingressAddress ? 'ingress controller' : (host ?? served.get(address) ?? address);
    return { key: address, namespace: AREA, kind: 'Outside', name, pods: [] };
  });
}

/** Whom addresses belong to that stand behind a service and are no pod's, such as the API server's. */
function serviceAddresses(view: NetworkView): ReadonlyMap<string, string> {
  const { product, fill } = view.settings.names;
  const label = fill('{label}/service-name');
  const pairs = view.all('endpointslices').flatMap(({ metadata, endpoints }) => {
    const service = metadata?.labels?.[label] ?? '';
    const bare = (endpoints ?? []).filter(({ targetRef }) => !targetRef).flatMap(({ addresses }) => addresses ?? []);
    return bare.map((address) => [address, service === product ? 'API server' : service] as const);
  });
  return new Map(pairs);
}

/** The services to which the controller sends, as `namespace/name`. */
export function ingressBackends(view: NetworkView): ReadonlySet<string> {
  const served = view.all('ingresses').filter((ingress) => isServed(ingress, view));
  const keys = served.flatMap(({ metadata, spec }) => {
    const paths = (spec?.rules ?? []).flatMap(({ http }) => http?.paths ?? []);
    const backends = [...paths.map(({ backend }) => backend), ...(spec?.defaultBackend ? [spec.defaultBackend] : [])];
    return backends.flatMap(({ service }) => (service ? [`${metadata?.namespace ?? ''}/${service.name}`] : []));
  });
  return new Set(keys);
}
