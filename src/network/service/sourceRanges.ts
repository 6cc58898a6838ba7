/** Who may reach a load balancer: `loadBalancerSourceRanges` of a service, as the node's proxy keeps them. */
import { contains, parseAddress, parseBlock, type objects } from '../../schema/index.ts';
import { getOwn } from '../../std/index.ts';
import { canonicalAddress, type NetworkView } from '../view.ts';

/** The ranges that a service admits at its load balancer; none where everybody may reach it. */
function sourceRangesOf({ metadata, spec }: objects.Service, { settings: { names } }: NetworkView): readonly string[] {
  const stated = spec?.loadBalancerSourceRanges ?? [];
  if (stated.length > 0) return stated;
  const annotation = getOwn(
    metadata?.annotations ?? {},
    names.fill('service.beta.{label}/load-balancer-source-ranges'),
  );
  return (annotation ?? '').split(',').filter((range) => range.trim() !== '');
}

/** What the ranges say of a packet to one of a service's addresses: undefined where they don't concern it. */
export function judgeSourceRanges(
  service: objects.Service,
  to: string,
  client: string,
  view: NetworkView,
): { readonly ranges: readonly string[]; readonly admitted: boolean } | undefined {
  const isBalancer = (service.status?.loadBalancer?.ingress ?? []).some(({ ip = '' }) => canonicalAddress(ip) === to);
  const ranges = isBalancer ? sourceRangesOf(service, view) : [];
  if (ranges.length === 0) return undefined;
  const address = parseAddress(client);
  const admitted = ranges.some((range) => {
    const block = parseBlock(range.trim());
    return address !== undefined && block !== undefined && contains(block, address);
  });
  return { ranges, admitted };
}
