import { Webhook } from 'lucide-preact';
import { hrefOf, useAddress } from '../../stores/address.ts';
import styles from './WebhookNodes.module.css';

const MOST = 3;

/** Webhooks as boxes at the foot of admission, the latest last; each leads to where webhooks are written. */
export default function WebhookNodes({ names }: { readonly names: readonly string[] }) {
  const address = useAddress();
  return (
    <span className={styles.webhooks}>
      {names.slice(-MOST).map((name) => (
        <a
          key={name}
          className={styles.webhook}
          data-box={`webhook:${name}`}
          title={`Webhook ${name} is asked here. Open the webhooks`}
          href={hrefOf({ panel: 'webhooks' }, address)}
          onClick={(event) => event.stopPropagation()}
        >
          <Webhook className={styles.icon} aria-hidden />
          <span>{name}</span>
        </a>
      ))}
    </span>
  );
}
