import { useMemo } from 'preact/compat';
import { Matrix } from '../../../network/index.ts';
import { useAddress } from '../../stores/address.ts';
import type { LiveNetwork } from '../../stores/network.ts';
import type { NetworkDraft } from './draft.ts';
import type { Picture } from './picture.ts';
import { matchesFilter, parsePort, portsOf, WorkloadMatrix, workloadsOf } from './workloads.ts';

/** Beyond so many a picture shows nothing any more: the filter has to narrow it. */
const MOST_WORKLOADS = 500;

/** What is shown of the network: the namespace, filter and port that the address names, and what the draft would change. */
export function usePicture({ view, version }: LiveNetwork, draft: NetworkDraft | undefined): Picture {
  const namespace = useAddress(({ query }) => query['ns'] ?? '');
  const filter = useAddress(({ query }) => query['q'] ?? '');
  const folded = useAddress(({ query }) => query['by'] !== 'pod');
  const asked = useAddress(({ query }) => query['port'] ?? '');
  // A draft changes nothing of this: only the verdicts that follow are made anew with each key.
  const present = useMemo(() => {
    const everything = workloadsOf(view, folded);
    const ports = portsOf(everything, view.settings.names.systemNamespace);
    const port = asked || (ports[0]?.value ?? 'TCP/80');
    const matching = everything.filter(
      (workload) => (namespace === '' || workload.namespace === namespace) && matchesFilter(workload, filter),
    );
    const workloads = matching.slice(0, MOST_WORKLOADS);
    const pods = workloads.flatMap((workload) => workload.pods);
    const question = parsePort(port);
    const matrix = new Matrix(pods, question, view);
    const now = new WorkloadMatrix(matrix, workloads);
    return { workloads, leftOut: matching.length - workloads.length, ports, port, matrix, now };
    // The view is the same object after each change; its version says that it has changed.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [view, version, namespace, filter, folded, asked]);
  return useMemo(() => {
    const { matrix, ...picture } = present;
    return { ...picture, next: draft && new WorkloadMatrix(matrix.under(draft.view), present.workloads) };
  }, [present, draft]);
}
