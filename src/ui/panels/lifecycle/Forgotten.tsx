import { useEffect, useState } from 'preact/compat';
import { inBackground } from '../../../std/index.ts';
import { useCluster } from '../../stores/session.ts';
import styles from './lifecycle.module.css';

/** Says from where on states are kept, where storage has forgotten some. */
export function Forgotten() {
  const { cluster } = useCluster();
  const [oldest, setOldest] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    const read = async (): Promise<void> => {
      const report = await cluster.storage?.report();
      if (isCurrent) setOldest(report?.compacted ?? 0);
    };
    inBackground(read(), () => undefined);
    return () => {
      isCurrent = false;
    };
  }, [cluster]);
  if (oldest === 0) return null;
  return <p className={styles.lead}>What came before revision {oldest} was compacted away: it is not drawn.</p>;
}
