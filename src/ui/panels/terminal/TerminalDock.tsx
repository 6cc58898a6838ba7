import { Activity } from 'lucide-react';
import { useRef } from 'react';
import { IconButton, later } from '../../parts/index.ts';
import { useAddress } from '../../stores/address.ts';
import { nameOfIdentity, useIdentity } from '../../stores/identity.ts';
import { useCluster } from '../../stores/session.ts';
import { useFrame } from '../shells/useFrame.ts';
import { useTerminal } from './opened.ts';
import styles from '../shells/shells.module.css';
import { showLastRequests, terminalOf } from './session.ts';

const EditDialog = later(() => import('./EditDialog.tsx'), null);

/** The cluster's command line. */
export default function TerminalDock() {
  const { cluster } = useCluster();
  const place = useRef<HTMLDivElement>(null);
  const { frame } = terminalOf(cluster.name);
  const editing = useTerminal((state) => state.editing);
  useFrame(frame, place);
  return (
    <section className={styles.shell} aria-label="Terminal">
      <Bar />
      <div ref={place} className={styles.frame} />
      {editing && <EditDialog editing={editing} />}
    </section>
  );
}

/** The identity and namespace of commands: those of the top bar, or of the context that somebody chose. */
function Bar() {
  const chosen = useTerminal((state) => state.chosen);
  const pageUser = useIdentity((state) => nameOfIdentity(state.current));
  const pageNamespace = useAddress((address) => address.query['ns']) ?? 'default';
  const { user, namespace } = chosen ?? { user: pageUser, namespace: pageNamespace };
  return (
    <div className={styles.bar}>
      <span className={styles.state}>
        As {user} in {namespace}. F6 leaves the terminal.
      </span>
      <IconButton
        icon={Activity}
        label="Requests of the last command"
        onClick={showLastRequests}
        data-leave="terminal"
      />
    </div>
  );
}
