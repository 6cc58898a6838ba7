/** The subsets of an Endpoints object: addresses with the same ports are grouped. */
import type { Names } from '../names/index.ts';
import type { objects } from '../schema/index.ts';
import { encodeText, md5, toHex } from '../std/index.ts';
import { hostnameIn, isReady, mayBecomeReady, portsOf, referenceTo } from './endpoints.ts';

type Pod = objects.Pod;
type Service = objects.Service;
type Subset = NonNullable<objects.Endpoints['subsets']>[number];
type Address = NonNullable<Subset['addresses']>[number];
type Port = NonNullable<Subset['ports']>[number];

interface Listed {
  readonly address: Address;
  readonly ready: boolean;
}

/** The desired subsets of a service's Endpoints for its selected pods. */
export function subsetsOf(service: Service, pods: readonly Pod[], names: Names): Subset[] {
  const publishAll = publishesNotReady(service, names);
  const byPort = new Map<string, { readonly port: Port | undefined; readonly listed: Listed[] }>();
  for (const pod of pods) {
    const listed = listingOf(service, pod, publishAll);
    if (!listed) continue;
    for (const port of offeredPorts(service, pod)) {
      const key = JSON.stringify(port ?? null);
      const entry = byPort.get(key) ?? { port, listed: [] };
      byPort.set(key, entry);
      entry.listed.push(listed);
    }
  }
  return mergePorts([...byPort.values()]);
}

/** The older annotation precedes the field of the spec if it is a boolean. */
function publishesNotReady(service: Service, names: Names): boolean {
  const annotation = service.metadata?.annotations?.[names.fill('service.alpha.{label}/tolerate-unready-endpoints')];
  if (annotation !== undefined && /^(1|t|T|true|TRUE|True)$/.test(annotation)) return true;
  if (annotation !== undefined && /^(0|f|F|false|FALSE|False)$/.test(annotation)) return false;
  return service.spec?.publishNotReadyAddresses ?? false;
}

function listingOf(service: Service, pod: Pod, publishAll: boolean): Listed | undefined {
  const ip = pod.status?.podIP;
  if (!ip || (pod.metadata?.deletionTimestamp !== undefined && !publishAll)) return undefined;
  const ready = publishAll || isReady(pod);
  if (!ready && !mayBecomeReady(pod)) return undefined;
  const hostname = hostnameIn(service, pod);
  // A pod without a node gets an empty node name, which the API server refuses, as in the reference.
  const nodeName = pod.spec?.nodeName ?? '';
  const address = { ip, ...(hostname ? { hostname } : {}), nodeName, targetRef: referenceTo(pod) };
  return { address, ready };
}

/** A headless service may have no ports: then its pods are listed without ports. */
function offeredPorts(service: Service, pod: Pod): readonly (Port | undefined)[] {
  if ((service.spec?.ports ?? []).length > 0) return portsOf(service, pod);
  return service.spec?.clusterIP === 'None' ? [undefined] : [];
}

/** Groups ports with the same ready and unready addresses into one subset. */
function mergePorts(
  entries: readonly { readonly port: Port | undefined; readonly listed: readonly Listed[] }[],
): Subset[] {
  const groups = new Map<string, { readonly ports: Port[]; readonly listed: readonly Listed[] }>();
  for (const { port, listed } of entries) {
    const key = listed.map(({ address, ready }) => `${keyOf(address)} ${ready}`).join();
    const group = groups.get(key) ?? { ports: [], listed };
    groups.set(key, group);
    if (port) group.ports.push(port);
  }
  const subsets = Array.from(groups.values(), ({ ports, listed }) => subsetOf(ports, listed));
  return subsets.sort((a, b) => compareTexts(JSON.stringify(a.ports), JSON.stringify(b.ports)));
}

function subsetOf(ports: readonly Port[], listed: readonly Listed[]): Subset {
  const addresses = (ready: boolean): Address[] =>
    listed
      .filter((entry) => entry.ready === ready)
      .map(({ address }) => address)
      .sort((a, b) => compareTexts(keyOf(a), keyOf(b)));
  const [ready, notReady] = [addresses(true), addresses(false)];
  return {
    ...(ready.length > 0 ? { addresses: ready } : {}),
    ...(notReady.length > 0 ? { notReadyAddresses: notReady } : {}),
    ...(ports.length > 0 ? { ports: sortByDigest(ports, printed) } : {}),
  };
}

/** Sorts ports by the MD5 of their Go representation, as in the reference. */
export function sortByDigest<P>(ports: readonly P[], print: (port: P) => string): P[] {
  const hashed = ports.map((port) => ({ port, hash: toHex(md5(encodeText(print(port)))) }));
  return hashed.sort((a, b) => compareTexts(a.hash, b.hash)).map(({ port }) => port);
}

function printed({ name = '', port, protocol = 'TCP', appProtocol = '<nil>' }: Port): string {
  return `(v1.EndpointPort){Name:(string)${name} Port:(int32)${port} Protocol:(v1.Protocol)${protocol} AppProtocol:(*string)${appProtocol}}`;
}

const keyOf = ({ ip, targetRef }: Address): string => `${ip} ${targetRef?.uid ?? ''}`;

const compareTexts = (a = '', b = ''): number => (a < b ? -1 : a > b ? 1 : 0);
