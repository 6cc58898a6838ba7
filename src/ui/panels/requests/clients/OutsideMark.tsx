import { Cable } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { BridgeState } from '../../../bridge.ts';
import { hrefOf } from '../../../stores/address.ts';
import { useCluster } from '../../../stores/session.ts';
import { Tooltip } from '../../../parts/index.ts';
import styles from './clients.module.css';

const LABEL = 'Programs on this machine are let in';

/** Says in every room that programs outside of the browser reach this cluster, and leads to where that is ended. */
export default function OutsideMark() {
  const { cluster } = useCluster();
  const [state, setState] = useState<BridgeState>({ is: 'off' });
  useEffect(() => {
    let end: (() => void) | undefined;
    let gone = false;
    cluster.bridge?.().then(
      (bridge) => gone || (end = bridge.follow(setState)),
      () => undefined,
    );
    return () => {
      gone = true;
      end?.();
    };
  }, [cluster]);
  if (state.is === 'off') return null;
  return (
    <Tooltip text={LABEL}>
      <a className={styles.mark} href={hrefOf({ panel: 'requests', path: ['clients'] })} aria-label={LABEL}>
        <Cable className={styles.icon} aria-hidden />
      </a>
    </Tooltip>
  );
}
