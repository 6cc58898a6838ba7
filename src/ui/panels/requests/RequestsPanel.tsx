import { Toolbar } from '../../parts/index.ts';
import { Console } from './Console.tsx';
import RequestLog from './RequestLog.tsx';
import styles from './RequestsPanel.module.css';

/** Send any request, and look at all that were sent. */
export default function RequestsPanel() {
  return (
    <>
      <Toolbar title="Requests" note="Send any request as anyone; open one below to see its way through the server." />
      <Console />
      <div className={styles.log}>
        <RequestLog />
      </div>
    </>
  );
}
