import { useRequests } from '../../stores/requests.ts';
import { readableUrl } from './RequestTable.tsx';
import styles from './requests.module.css';

/** The latest request of the person, in a line. */
export function DockSummary() {
  const last = useRequests((log) => log.requests.findLast((request) => request.sender === 'person'));
  if (!last) return null;
  return (
    <span className={styles.summary}>
      <span>
        {last.status ?? 'open'} {last.verb} {readableUrl(last.url)}
      </span>
    </span>
  );
}
