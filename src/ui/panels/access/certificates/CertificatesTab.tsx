import { FileBadge, Trash2 } from 'lucide-preact';
import { Button, Empty, ErrorNote, Ident, Section } from '../../../parts/index.ts';
import { useNow } from '../../../stores/clock.ts';
import { dropKey, useHeldKeys, type HeldKey } from '../../../stores/keyring.ts';
import { useLiveObjects } from '../../../stores/liveObjects.ts';
import { RequestForm } from './RequestForm.tsx';
import { RequestItem, UseButton } from './RequestItem.tsx';
import { requests } from './signing.ts';
import { Until } from './Until.tsx';
import styles from './CertificatesTab.module.css';

/** Requests for certificates: make one, approve or deny it, see what was signed, use it. */
export default function CertificatesTab() {
  const live = useLiveObjects({ resource: requests });
  const held = useHeldKeys();
  const sorted = [...live.objects].sort((a, b) =>
    (a.metadata.creationTimestamp ?? '') < (b.metadata.creationTimestamp ?? '') ? 1 : -1,
  );
  return (
    <div className={styles.tab}>
      <RequestForm />
      {live.phase === 'refused' && (
        <ErrorNote title="You may not list signing requests." denied={live.problem?.code === 403}>
          {live.problem?.message}
        </ErrorNote>
      )}
      {live.phase === 'live' && sorted.length === 0 && (
        <Empty icon={FileBadge} title="No signing requests">
          Make one above. The key is made in the page and never leaves it; the request travels, and once it is approved
          the cluster’s own authority signs it.
        </Empty>
      )}
      <ul>
        {sorted.map((request) => (
          <RequestItem
            key={request.metadata.uid}
            request={request}
            held={held.find(({ id }) => id === request.metadata.uid)}
          />
        ))}
      </ul>
      <Keyring held={held.filter(({ certificate }) => certificate !== undefined)} />
    </div>
  );
}

/** Certificates outlive their requests, which the cluster forgets after an hour. */
function Keyring({ held }: { readonly held: readonly HeldKey[] }) {
  const now = useNow();
  if (held.length === 0) return null;
  return (
    <div className={styles.keyring}>
      <Section title="Certificates of this page">
        <ul>
          {held.map((each) => (
            <li key={each.id} className={styles.heldKey}>
              <Ident>{each.user}</Ident>
              <span className={styles.note}>
                {each.groups.length > 0 && `${each.groups.join(', ')} · `}until{' '}
                <Until notAfter={each.notAfter ?? 0} now={now} />
              </span>
              <span className={styles.actions}>
                <UseButton held={each} />
                <Button icon={Trash2} onClick={() => void dropKey(each.id)}>
                  Forget the key
                </Button>
              </span>
            </li>
          ))}
        </ul>
        <p className={styles.note}>
          How long a certificate lasts is the controller manager’s flag --cluster-signing-duration; move the clock to
          see one end.
        </p>
      </Section>
    </div>
  );
}
