/** The cluster's DNS records by full name (the reference's DNS specification, version 1.1). */
import { parseAddress, type objects } from '../../schema/index.ts';
import { isIngressHost } from '../ingress.ts';
import { addressesOfService, canonicalAddress, keyOf, type NetworkView } from '../view.ts';

export type RecordType = 'A' | 'AAAA' | 'CNAME' | 'SRV' | 'PTR';

export type DnsRecord =
  | { readonly type: 'A' | 'AAAA'; readonly name: string; readonly address: string }
  | { readonly type: 'CNAME' | 'PTR'; readonly name: string; readonly target: string }
  | { readonly type: 'SRV'; readonly name: string; readonly target: string; readonly port: number };

/** The records of a full name without its final dot; empty if the name does not exist. */
export function recordsOf(name: string, view: NetworkView): DnsRecord[] {
  const full = name.toLowerCase();
  const { domain, outside, ingressAddress } = view.settings;
  if (full.endsWith('.in-addr.arpa') || full.endsWith('.ip6.arpa')) return reverse(full, view);
  if (full.endsWith(`.svc.${domain}`)) return serviceRecords(full, full.slice(0, -`.svc.${domain}`.length), view);
  if (full.endsWith(`.pod.${domain}`)) return podRecords(full, full.slice(0, -`.pod.${domain}`.length), view);
  const address = Object.hasOwn(outside, full) ? outside[full] : undefined;
  if (address !== undefined) return [addressRecord(full, address)];
  return isIngressHost(full, view) ? [addressRecord(full, ingressAddress)] : [];
}

const addressRecord = (name: string, address: string): DnsRecord => ({
  type: address.includes(':') ? 'AAAA' : 'A',
  name,
  address,
});

function serviceRecords(full: string, prefix: string, view: NetworkView): DnsRecord[] {
  const labels = prefix.split('.');
  const [namespace = '', name = ''] = labels.slice(-2).reverse();
  const service = view.get('services', `${namespace}/${name}`);
  const before = labels.slice(0, -2);
  if (!service || labels.length < 2) return [];
  if (service.spec?.type === 'ExternalName') return before.length === 0 ? [externalName(full, service)] : [];
  if (before.length === 2 && before.every((label) => label.startsWith('_')))
    return srvRecords(
      full,
      before.map((label) => label.slice(1)),
      service,
      view,
    );
  return before.length > 1 ? [] : addressRecords(full, before[0], service, view);
}

const externalName = (name: string, { spec }: objects.Service): DnsRecord => ({
  type: 'CNAME',
  name,
  target: (spec?.externalName ?? '').replace(/\.$/, ''),
});

/** Whether a service has no cluster IP, so that its name resolves to its endpoints. */
export const isHeadless = (service: objects.Service): boolean => service.spec?.clusterIP === 'None';

function addressRecords(
  full: string,
  host: string | undefined,
  service: objects.Service,
  view: NetworkView,
): DnsRecord[] {
  if (!isHeadless(service)) {
    const own = service.spec?.clusterIPs ?? [service.spec?.clusterIP ?? ''];
    return host === undefined ? own.filter((ip) => ip !== '').map((ip) => addressRecord(full, ip)) : [];
  }
  const members = membersOf(service, view).filter((member) => host === undefined || member.host === host);
  return members.map(({ address }) => addressRecord(full, address));
}

interface Member {
  /** The label of the endpoint below the service's name. */
  readonly host: string;
  readonly address: string;
  readonly ports: readonly { readonly name: string; readonly protocol: string; readonly port: number }[];
}

/** The ready endpoints of a headless service, by address. */
function membersOf(service: objects.Service, view: NetworkView): Member[] {
  const members = new Map<string, Member>();
  for (const slice of view.slicesOf(service)) {
    const ports = (slice.ports ?? []).map(({ name = '', protocol = 'TCP', port = 0 }) => ({ name, protocol, port }));
    for (const { addresses, hostname, conditions } of slice.endpoints ?? []) {
      if (conditions?.ready === false) continue;
      for (const address of addresses ?? []) {
        const before = members.get(address)?.ports ?? [];
        members.set(address, { address, host: hostname ?? dashed(address), ports: [...before, ...ports] });
      }
    }
  }
  return [...members.values()].sort((a, b) => (a.address < b.address ? -1 : 1));
}

const dashed = (address: string): string => address.replaceAll(/[.:]/g, '-');

function srvRecords(
  full: string,
  [port, protocol]: string[],
  service: objects.Service,
  view: NetworkView,
): DnsRecord[] {
  const { domain } = view.settings;
  const own = `${service.metadata?.name ?? ''}.${service.metadata?.namespace ?? ''}.svc.${domain}`;
  const wanted = (each: { name?: string; protocol?: string }): boolean =>
    (each.name ?? '') === port && (each.protocol ?? 'TCP').toLowerCase() === protocol;
  if (!isHeadless(service))
    return (service.spec?.ports ?? [])
      .filter(wanted)
      .map((each): DnsRecord => ({ type: 'SRV', name: full, target: own, port: each.port }));
  return membersOf(service, view).flatMap(({ host, ports }) =>
    ports
      .filter(wanted)
      .map((each): DnsRecord => ({ type: 'SRV', name: full, target: `${host}.${own}`, port: each.port })),
  );
}

/** `10-244-0-5.default.pod.cluster.local`: any address, as long as the namespace exists. */
function podRecords(full: string, prefix: string, view: NetworkView): DnsRecord[] {
  const [host = '', namespace = '', ...more] = prefix.split('.');
  const address = [host.replaceAll('-', '.'), host.replaceAll('-', ':')].find((text) => parseAddress(text));
  if (more.length > 0 || !address || !view.get('namespaces', namespace)) return [];
  return [addressRecord(full, address)];
}

/** `5.0.244.10.in-addr.arpa`: the name of the service or endpoint that has the address. */
function reverse(full: string, view: NetworkView): DnsRecord[] {
  const address = addressOfReverse(full);
  if (address === undefined) return [];
  return namesOfAddress(address, view).map((target): DnsRecord => ({ type: 'PTR', name: full, target }));
}

function addressOfReverse(full: string): string | undefined {
  if (full.endsWith('.in-addr.arpa')) return full.slice(0, -'.in-addr.arpa'.length).split('.').reverse().join('.');
  const digits = full.slice(0, -'.ip6.arpa'.length).split('.').reverse().join('');
  return digits.length === 32 ? digits.replaceAll(/(.{4})(?=.)/g, '$1:') : undefined;
}

function namesOfAddress(text: string, view: NetworkView): string[] {
  const address = canonicalAddress(text);
  const nameOf = (service: objects.Service): string => {
    const [namespace, name] = keyOf(service).split('/');
    return `${name}.${namespace}.svc.${view.settings.domain}`;
  };
  const direct = view.servicesAt(address).filter((service) => addressesOfService(service).includes(address));
  if (direct.length > 0) return direct.map(nameOf);
  return view.servicesBefore(address).flatMap((service) =>
    membersOf(service, view)
      .filter((member) => canonicalAddress(member.address) === address)
      .map(({ host }) => `${host}.${nameOf(service)}`),
  );
}
