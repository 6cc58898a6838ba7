import { useEffect } from 'react';
import { AppearanceMenu } from '../../shell/AppearanceMenu.tsx';
import { Mark } from '../../shell/Mark.tsx';
import { loadKnown, useSession } from '../../stores/session.ts';
import { BootProgress } from './BootProgress.tsx';
import { KnownClusters } from './KnownClusters.tsx';
import { NewCluster } from './NewCluster.tsx';
import { OriginNote } from './OriginNote.tsx';
import styles from './StartPage.module.css';

/** Before a cluster is open: make one, open one, remove one. */
export function StartPage() {
  const session = useSession((state) => state.session);
  useEffect(() => void loadKnown(), []);
  const busy = session.phase === 'opening' || session.phase === 'failed';
  return (
    <main className={styles.page}>
      <div className={styles.corner}>
        <AppearanceMenu />
      </div>
      <div className={styles.column}>
        <header className={styles.head}>
          <Mark />
          <h1 className={styles.name}>Vitrine</h1>
          <p className={styles.lead}>A complete cluster control plane, running in this tab.</p>
          <p className={styles.about}>
            API server, admission, RBAC, controllers and scheduler do here what they do in a data centre. Nodes,
            containers and the network are simulated.
          </p>
        </header>
        <OriginNote />
        {busy ? (
          <BootProgress session={session} />
        ) : (
          <div className={styles.choices}>
            <NewCluster />
            <KnownClusters />
          </div>
        )}
      </div>
    </main>
  );
}
