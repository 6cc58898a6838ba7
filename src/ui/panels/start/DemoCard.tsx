import { Play } from 'lucide-react';
import { Button, toast } from '../../parts/index.ts';
import { useGuided } from '../../demo/guided.ts';
import { messageOf } from '../../stores/actions.ts';
import { go } from '../../stores/address.ts';
import { openCluster, useSession } from '../../stores/session.ts';
import { freeName, usualOptions } from './defaults.ts';
import { ShopPicture } from './ShopPicture.tsx';
import styles from './Card.module.css';

/** The demo that this browser has already, or a new one. */
async function openTheDemo(): Promise<void> {
  const { known } = useSession.getState();
  const { clusters } = useGuided.getState();
  const kept = known?.find((each) => clusters.includes(each.name));
  const name = kept?.name ?? freeName('demo', known);
  go({ cluster: name, panel: 'network', path: ['map'] });
  if (kept) return openCluster(kept.options);
  const { openDemo } = await import('../../demo/openDemo.ts');
  await openDemo({ ...usualOptions(name), naming: 'k8s.io' });
}

/** One press, and a cluster is at work. */
export function DemoCard() {
  const open = (): void =>
    void openTheDemo().catch((error: unknown) => toast('failed', 'The demo could not be opened.', messageOf(error)));
  return (
    <section className={styles.card} aria-label="Demo">
      <ShopPicture />
      <p className={styles.about}>
        Three nodes run a small shop: services, a network policy, two users with roles, a pod that nothing can run. See
        who can reach the database, scale, break and repair it.
      </p>
      <Button look="primary" icon={Play} onClick={open} className={styles.main}>
        Open the demo cluster
      </Button>
    </section>
  );
}
