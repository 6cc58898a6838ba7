import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button, Dialog, IconButton, Ident } from '../../parts/index.ts';
import type { KnownCluster } from '../../host.ts';
import { go } from '../../stores/address.ts';
import { dateAndTime } from '../../stores/clock.ts';
import { openCluster, removeCluster } from '../../stores/session.ts';
import styles from './KnownClusters.module.css';

const MEGABYTE = 1_048_576;

/** What tells a cluster from the others, in a line. */
function summaryOf({ options, lastOpened, bytes }: KnownCluster): string {
  const nodes = options.nodes ?? 0;
  return [
    `${nodes} ${nodes === 1 ? 'node' : 'nodes'}`,
    options.naming ?? 'cluster.io',
    bytes === undefined ? '' : `${(bytes / MEGABYTE).toFixed(1)} MB`,
    lastOpened === undefined ? '' : `opened ${dateAndTime(lastOpened)}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

function open({ name, options }: KnownCluster): void {
  go({ cluster: name, panel: 'explore' });
  void openCluster(options);
}

/** The clusters that this browser keeps. */
export default function KnownClusters({ known }: { readonly known: readonly KnownCluster[] }) {
  const [leaving, setLeaving] = useState<KnownCluster>();
  return (
    <section aria-label="Kept in this browser">
      <h2 className={styles.title}>Kept in this browser</h2>
      <ul>
        {known.map((each) => (
          <li key={each.name} className={styles.row}>
            <button type="button" className={styles.open} onClick={() => open(each)}>
              <span className={styles.name}>{each.name}</span>
              <span className={styles.summary}>{summaryOf(each)}</span>
            </button>
            <IconButton icon={Trash2} label={`Remove ${each.name}`} onClick={() => setLeaving(each)} />
          </li>
        ))}
      </ul>
      {leaving && <RemoveDialog cluster={leaving} onClose={() => setLeaving(undefined)} />}
    </section>
  );
}

function RemoveDialog({ cluster, onClose }: { readonly cluster: KnownCluster; readonly onClose: () => void }) {
  const [busy, setBusy] = useState(false);
  const remove = async (): Promise<void> => {
    setBusy(true);
    await removeCluster(cluster.name);
    const { dropKeysOf } = await import('../../stores/keyring.ts');
    await dropKeysOf(cluster.name);
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Remove this cluster?"
      about={
        <>
          Everything in <Ident>{cluster.name}</Ident> is deleted from this browser. There is no way back.
        </>
      }
      actions={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button look="danger" busy={busy} onClick={() => void remove()}>
            Remove {cluster.name}
          </Button>
        </>
      }
    />
  );
}
