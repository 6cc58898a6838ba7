/** Judges whether a connection would arrive, by the same rules as the simulated network. */
import { tracePacket, type NetworkView } from '../../network/index.ts';
import type { objects } from '../../schema/index.ts';
import { getOwn } from '../../std/index.ts';
import type { NetworkCheck, PodSelection, Verdict } from './lesson.ts';

function findPod(view: NetworkView, { namespace, labels }: PodSelection): objects.Pod | undefined {
  return view
    .podsIn(namespace)
    .find(
      ({ metadata, status }) =>
        status?.podIP !== undefined &&
        Object.entries(labels).every(([key, value]) => getOwn(metadata?.labels, key) === value),
    );
}

const inWords = ({ namespace, labels }: PodSelection): string =>
  `${Object.entries(labels)
    .map((pair) => pair.join('='))
    .join(',')} in ${namespace}`;

export function judgeConnection(check: NetworkCheck, view: NetworkView): Verdict {
  const pod = findPod(view, check.from);
  if (!pod) return { holds: false, seen: `no pod with ${inWords(check.from)} has an address yet` };
  const receiver = typeof check.to === 'string' ? undefined : findPod(view, check.to);
  const to = typeof check.to === 'string' ? check.to : receiver?.status?.podIP;
  if (to === undefined || (typeof check.to !== 'string' && !receiver))
    return { holds: false, seen: `the destination pod has no address yet` };
  const { port, protocol = 'TCP' } = check;
  const { outcome, reason } = tracePacket({ from: { pod }, to, port, protocol }, view);
  const arrives = outcome === 'delivered';
  return {
    holds: arrives === check.allowed,
    seen: arrives ? 'the connection succeeds' : `the connection fails: ${reason ?? outcome}`,
  };
}
