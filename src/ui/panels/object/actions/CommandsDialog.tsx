import { Dialog } from '../../../parts/index.ts';
import { useCluster } from '../../../stores/session.ts';
import { AsCommand } from './AsCommand.tsx';
import { actionsFor, type Doing } from './list.ts';
import styles from './actions.module.css';

/** Each action as the command lines that do the same, to copy or to put into the terminal. */
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
              <AsCommand key={command} command={command} action={action.label} onLeave={onClose} />
            ))}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
