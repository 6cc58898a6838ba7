/** Who may reach a load balancer: `loadBalancerSourceRanges` of a service, and the annotation that was there before it. */
import { contains, parseAddress, parseBlock, type objects } from '../../schema/index.ts';
import { getOwn } from '../../std/index.ts';
import { canonicalAddress, type NetworkView } from '../view.ts';

interface Client {
  readonly address: string;
  readonly fromOutside: boolean;
}

/**
 * The ranges that a service admits at its load balancer; none where everybody may reach it. The field is kept by the balancer and by
 * the proxy of each node; the annotation by the balancer alone, which pods don't pass.
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

/** What the ranges say of a packet to one of a service's addresses: undefined where they don't concern it. */
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
