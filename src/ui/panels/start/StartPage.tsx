import { useEffect } from 'preact/compat';
import { later } from '../../parts/index.ts';
import { AppearanceMenu } from '../../shell/AppearanceMenu.tsx';
import { Mark } from '../../shell/Mark.tsx';
import { useAddress } from '../../stores/address.ts';
import { useOffer } from '../../share/offer.ts';
import { loadKnown, theHost, useSession } from '../../stores/session.ts';
import { BootProgress } from './BootProgress.tsx';
import { DemoCard } from './DemoCard.tsx';
import { Fold } from './Fold.tsx';
import { ManifestsCard } from './ManifestsCard.tsx';
import styles from './StartPage.module.css';

// A first visitor has no clusters, and does not need the form.
const KnownClusters = later(() => import('./KnownClusters.tsx'), null);
const NewCluster = later(() => import('./NewCluster.tsx'));
const OfferCard = later(() => import('./OfferCard.tsx'));
const Gallery = later(() => import('./Gallery.tsx'), null);
const OriginNote = later(() => import('./OriginNote.tsx'), null);
const MissingCluster = later(() => import('./MissingCluster.tsx'), null);

/** Before a cluster is open: open the demo, bring manifests, make a cluster, open or remove one. */
export function StartPage() {
  const session = useSession((state) => state.session);
  useEffect(() => void loadKnown(), []);
  const { secure, lacking } = theHost().origin;
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
            Compatible with the Kubernetes v1.20 API: manifests written for kubectl work. API server, RBAC, controllers
            and scheduler work as in a data centre; nodes, containers and the network are simulated.
          </p>
        </header>
        {(!secure || lacking.length > 0) && <OriginNote />}
        {busy ? <BootProgress session={session} /> : <Choices />}
      </div>
    </main>
  );
}

function Choices() {
  const known = useSession((state) => state.known);
  const asked = useAddress((address) => address.cluster);
  const linked = useAddress((address) => address.shared !== undefined);
  const offered = useOffer(({ offer }) => offer !== undefined) || linked;
  const missing = asked !== '' && known !== undefined && !known.some((each) => each.name === asked);
  return (
    <>
      {offered && <OfferCard />}
      {missing && <MissingCluster name={asked} />}
      <div className={styles.cards}>
        <DemoCard />
        <ManifestsCard />
      </div>
      {known && known.length > 0 && <KnownClusters known={known} />}
      <Gallery>
        <Fold title="New cluster with your own settings" open={missing}>
          <NewCluster />
        </Fold>
      </Gallery>
    </>
  );
}
