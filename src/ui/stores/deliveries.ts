/** Who was notified of each revision: the watches to which a write went, read where the cluster runs. */
import { useEffect, useState } from 'preact/compat';
import type { Delivery } from '../../trace/index.ts';
import { useCluster } from './session.ts';

/** The watches that were notified of a revision; undefined until that was read. */
export function useDeliveriesOf(revision: number): readonly Delivery[] | undefined {
  const { requests } = useCluster().cluster;
  const [deliveries, setDeliveries] = useState<readonly Delivery[]>();
  useEffect(() => {
    setDeliveries(undefined);
    return requests?.notified(revision, setDeliveries);
  }, [requests, revision]);
  return deliveries;
}
