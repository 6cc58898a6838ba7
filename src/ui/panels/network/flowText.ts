import type { FlowEvent } from '../../../trace/index.ts';

type FlowEnd = FlowEvent['from'];

/** A flow as people filter and read it. */
export const endName = ({ pod, node, address }: FlowEnd): string => pod ?? (node ? `node ${node}` : address);

/** Result, in words. */
export function verdictText({ outcome, reason, denied }: FlowEvent): string {
  if (denied) return denied.direction === 'Egress' ? 'egress denied' : 'ingress denied';
  return outcome === 'delivered' ? 'delivered' : (reason ?? outcome);
}

export type FlowLook = 'delivered' | 'denied' | 'failed';

/** Whether it arrived, a policy denied it, or it failed for another reason. */
export function lookOf({ outcome, denied }: FlowEvent): FlowLook {
  if (denied) return 'denied';
  return outcome === 'delivered' ? 'delivered' : 'failed';
}

/** Whether a flow has the text in one of its ends, its service, what was asked or its verdict. */
export function matchesFlow(flow: FlowEvent, namespace: string, text: string): boolean {
  const { from, to, asked, service = '' } = flow;
  const inNamespace = (end: FlowEnd | undefined): boolean => end?.pod?.startsWith(`${namespace}/`) === true;
  if (namespace !== '' && !inNamespace(from) && !inNamespace(to)) return false;
  const texts = [endName(from), to ? endName(to) : '', asked, service, verdictText(flow)];
  return texts.some((each) => each.includes(text));
}
