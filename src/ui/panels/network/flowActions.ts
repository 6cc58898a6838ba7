/** What can be done with connections that were seen. */
import { stringify } from 'yaml';
import { suggestPolicies, type Wanted } from '../../../explain/index.ts';
import { tracePacket, type NetworkView, type Source } from '../../../network/index.ts';
import { offer, openEditor } from '../../editor/drafts.ts';
import { save } from '../../parts/index.ts';
import type { SeenFlow } from '../../stores/flows.ts';

/** Writes the smallest policies that allow the connections into the editor; the picture marks what they would change. */
export function writeSuggestion(flows: readonly SeenFlow[], view: NetworkView): void {
  const policies = suggestPolicies(wantedOf(flows, view), view);
  if (policies.length === 0) return;
  offer(policies.map((policy) => stringify(withoutEmpty(policy))).join('---\n'));
  openEditor({ kind: 'new' });
}

/** The connections of flows as policies see them: after names and services were replaced by an endpoint. */
export function wantedOf(flows: readonly SeenFlow[], view: NetworkView): Wanted[] {
  return flows.flatMap(({ from, to, asked, port, protocol }): Wanted[] => {
    const source = sourceOf(from, view);
    if (!source) return [];
    const { delivered, hops } = tracePacket({ from: source, to: asked, port, protocol }, view);
    const judged = hops.flatMap((hop) => (hop.kind === 'policy' ? [hop.flow] : [])).at(-1);
    const receiver = view.get('pods', to?.pod ?? '') ?? delivered?.to.pod ?? judged?.to.pod;
    const end = delivered?.to ?? judged?.to;
    if (!end) return [];
    const pod = 'pod' in source ? source.pod : undefined;
    const sender = { address: from.address, ...(pod && { pod }) };
    const number = delivered?.port ?? judged?.port ?? port;
    return [{ from: sender, to: { ...end, ...(receiver && { pod: receiver }) }, port: number, protocol }];
  });
}

function sourceOf({ pod, node, address }: SeenFlow['from'], view: NetworkView): Source | undefined {
  if (pod !== undefined) {
    const found = view.get('pods', pod);
    return found && { pod: found };
  }
  const found = node === undefined ? undefined : view.get('nodes', node);
  return found ? { node: found } : { outside: address };
}

/** Policies as people write them: without what is empty. */
export const withoutEmpty = (object: object): unknown =>
  JSON.parse(JSON.stringify(object, (_, value: unknown) => (value === null ? undefined : value)));

/** Saves flows as lines of JSON. */
export function exportFlows(flows: readonly SeenFlow[]): void {
  const lines = flows.map(({ id: _, ...flow }) => JSON.stringify(flow));
  save(new Blob([`${lines.join('\n')}\n`]), 'flows.jsonl');
}
