/** Access to a load balancer: `loadBalancerSourceRanges` of a service, and its older annotation. */
import { contains, parseAddress, parseBlock, type objects } from '../../schema/index.ts';
import { getOwn } from '../../std/index.ts';
import { canonicalAddress, type NetworkView } from '../view.ts';

interface Client {
  readonly address: string;
  readonly fromOutside: boolean;
}

/**
 * The source ranges of a service's load balancer; empty if everybody may use it. The balancer and the node proxies
 * enforce the field; only the balancer enforces the annotation, and pods bypass it.
 */
function sourceRangesOf(
  { metadata, spec }: objects.Service,
  { fromOutside }: Client,
  { settings: { names } }: NetworkView,
): readonly string[] {
  const stated = spec?.loadBalancerSourceRanges ?? [];
  if (stated.length > 0 || !fromOutside) return stated;
  const key = names.fill('service.beta.{label}/load-balancer-source-ranges');
  return (getOwn(metadata?.annotations ?? {}, key) ?? '').split(',').filter((range) => range.trim() !== '');
}

/** The verdict of the ranges for a packet to a service address; undefined if they do not apply. */
export function judgeSourceRanges(
  service: objects.Service,
  to: string,
  client: Client,
  view: NetworkView,
): { readonly ranges: readonly string[]; readonly admitted: boolean } | undefined {
  const isBalancer = (service.status?.loadBalancer?.ingress ?? []).some(({ ip = '' }) => canonicalAddress(ip) === to);
  const ranges = isBalancer ? sourceRangesOf(service, client, view) : [];
  if (ranges.length === 0) return undefined;
  const address = parseAddress(client.address);
  const admitted = ranges.some((range) => {
    const block = parseBlock(range.trim());
    return address !== undefined && block !== undefined && contains(block, address);
  });
  return { ranges, admitted };
}
