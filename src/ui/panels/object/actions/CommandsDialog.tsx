import { SquareTerminal } from 'lucide-react';
import { CopyButton, Dialog, IconButton } from '../../../parts/index.ts';
import { openTerminal } from '../../terminal/opened.ts';
import { useCluster } from '../../../stores/session.ts';
import { actionsFor, type Doing } from './list.ts';
import styles from './actions.module.css';

/** Each action as the command lines that do the same, to copy. */
export default function CommandsDialog({ target, object, onClose }: Doing & { readonly onClose: () => void }) {
  const { names } = useCluster();
  const place = { ctl: names.ctl, namespace: target.namespace };
  return (
    <Dialog open wide onClose={onClose} title="Commands that do the same" about={target.name}>
      <ul className={styles.list}>
        {actionsFor({ target, object }).map((action) => (
          <li key={action.id} className={styles.item}>
            <p className={styles.title}>{action.label}</p>
            {action.commands(place, { target, object }).map((command) => (
              <p key={command} className={styles.command}>
                <code className={styles.code}>{command}</code>
                <CopyButton text={command} label={`Copy the command: ${action.label}`} />
                <IconButton
                  icon={SquareTerminal}
                  label={`Put into the terminal: ${action.label}`}
                  onClick={() => {
                    onClose();
                    openTerminal(command);
                  }}
                />
              </p>
            ))}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
