import { Play } from 'lucide-preact';
import { Button, orToast } from '../../parts/index.ts';
import { ShopPicture } from './ShopPicture.tsx';
import styles from './Card.module.css';

/** What opens it comes with the press. */
function open(): Promise<boolean> {
  return orToast('The demo could not be opened.', async () =>
    (await import('../../scenarios/openScenario.ts')).openScenario('shop', 'demo'),
  );
}

/** One press, and a cluster is at work. */
export function DemoCard() {
  return (
    <section className={styles.card} aria-label="Demo">
      <ShopPicture />
      <p className={styles.about}>
        Three nodes run a small shop: services, a network policy, two users, a pod that fits no node. See who reaches
        the database; scale it, break it, repair it.
      </p>
      <Button look="primary" icon={Play} onClick={() => void open()} className={styles.main}>
        Open the demo cluster
      </Button>
    </section>
  );
}
