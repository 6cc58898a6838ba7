import { CornerDownRight } from 'lucide-preact';
import { Ident, StateMark } from '../../parts/index.ts';
import { hrefOf, useAddress } from '../../stores/address.ts';
import { useAudit } from '../../stores/audit.ts';
import type { Delivery } from '../../../trace/index.ts';
import { useDeliveriesOf } from '../../stores/deliveries.ts';
import type { OpenedRequest } from '../../stores/requests.ts';
import { formatRef } from '../../stores/resources.ts';
import { stateOfEvent } from '../../theme/states.ts';
import { useTarget } from './target.ts';
import styles from './Way.module.css';

/** What was stored: the key, and links to the object at that revision. */
export function StoredDetail({
  request,
  storageKey,
  revision,
}: {
  readonly request: OpenedRequest;
  readonly storageKey: string;
  readonly revision: number;
}) {
  const address = useAddress();
  const target = useTarget(request);
  const sel = target && `object:${formatRef(target)}`;
  return (
    <>
      <p>
        <Ident>{storageKey}</Ident> at revision <Ident>{String(revision)}</Ident>
      </p>
      {sel && (
        <p className={styles.links}>
          <a className={styles.field} href={hrefOf({ query: { sel, tab: undefined } }, address)}>
            The object
          </a>
          <a className={styles.field} href={hrefOf({ query: { sel, tab: 'history', rev: String(revision) } }, address)}>
            What changed with revision {revision}
          </a>
        </p>
      )}
    </>
  );
}

/** How many watchers stand in the list before the rest is counted. */
const SHOWN = 12;

/** The watches that were notified of a revision. */
export function DeliveryDetail({ revision }: { readonly revision: number }) {
  const notified = useDeliveriesOf(revision);
  if (!notified) return null;
  if (notified.length === 0) return <p className={styles.summary}>No watch of these objects was open.</p>;
  return (
    <ul className={styles.list} aria-label="Watches that were notified">
      {notified.slice(0, SHOWN).map((each, index) => (
        <WatcherItem key={index} delivery={each} />
      ))}
      {notified.length > SHOWN && <li className={styles.why}>and {notified.length - SHOWN} more</li>}
    </ul>
  );
}

function WatcherItem({ delivery: { request, user, userAgent, type } }: { readonly delivery: Delivery }) {
  const address = useAddress();
  return (
    <li className={styles.notified}>
      <StateMark state={stateOfEvent(type) ?? 'completed'} text={type} />
      <a className={styles.field} href={hrefOf({ query: { sel: `request:${request}`, tab: undefined } }, address)}>
        {user}
      </a>
      {userAgent !== '' && <span className={styles.why}>{userAgent.split(' ')[0]}</span>}
    </li>
  );
}

/** The audit events of a request: it goes by the id that its answer names. */
export function useAuditOf({ id, stages }: OpenedRequest): readonly string[] {
  const answered = stages.findLast((stage) => stage.stage === 'answered');
  const auditId = answered?.headers.find(([name]) => name.toLowerCase() === 'audit-id')?.[1] ?? id;
  const entries = useAudit((audit) => audit.entries);
  return entries.filter((entry) => entry.auditId === auditId).map(({ key }) => key);
}

export function AuditDetail({ keys }: { readonly keys: readonly string[] }) {
  const address = useAddress();
  return (
    <ul className={styles.list}>
      {keys.map((key) => (
        <li key={key} className={styles.notified}>
          <CornerDownRight className={styles.foldIcon} aria-hidden />
          <a className={styles.field} href={hrefOf({ query: { sel: `audit:${key}`, tab: undefined } }, address)}>
            {key.split('/').at(-1)}
          </a>
        </li>
      ))}
    </ul>
  );
}
