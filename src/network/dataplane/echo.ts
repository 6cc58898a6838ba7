import { senderOf } from '../packet/trace.ts';
import type { Source } from '../packet/types.ts';
import { judge } from '../policy/judge.ts';
import { isBuiltIn } from '../dns/nameServer.ts';
import { canonicalAddress, type NetworkView } from '../view.ts';

/**
 * Whether an echo request is answered. Service addresses do not answer. An echo has no port or transport protocol, so
 * only rules without ports allow it.
 */
export function echoReaches(source: Source, address: string, view: NetworkView): boolean {
  const pod = view.podAt(address);
  const node = view.nodeAt(address);
  const { outside } = view.settings;
  const known = isBuiltIn(address, view) || Object.values(outside).some((each) => canonicalAddress(each) === address);
  if (!pod && !node && !known) return false;
  const flow = { from: senderOf(source, view), to: { address, pod, node }, port: 0, protocol: 'ICMP' } as const;
  return judge(flow, view).allowed;
}
