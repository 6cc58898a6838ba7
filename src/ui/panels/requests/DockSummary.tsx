import { StateMark } from '../../parts/index.ts';
import { useBreakpoints } from '../../stores/breakpoints.ts';
import { useRequests } from '../../stores/requests.ts';
import { readableUrl } from './readableUrl.ts';
import styles from './requests.module.css';

/** The latest request of the person, in a line; and how many are held. */
export function DockSummary() {
  const last = useRequests((log) => log.requests.findLast((request) => request.sender === 'person'));
  const held = useBreakpoints((state) => state.held.length);
  return (
    <span className={styles.summary}>
      {held > 0 && <StateMark state="pending" text={`${held} held at a breakpoint`} />}
      {last && (
        <span>
          {last.status ?? 'open'} {last.verb} {readableUrl(last.url)}
        </span>
      )}
    </span>
  );
}
