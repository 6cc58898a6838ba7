import { Tooltip } from '../../parts/index.ts';
import { hrefOf, useAddress } from '../../stores/address.ts';
import { useControllers } from './activity.ts';
import { behindIn, describeBehind } from './behind.ts';
import styles from './BehindNote.module.css';

/** “behind by N” beside a list, while controllers or the scheduler have not come to all that they were woken for. */
export function BehindNote() {
  const behind = behindIn(useControllers());
  const address = useAddress();
  if (behind.total === 0) return null;
  return (
    <Tooltip text={describeBehind(behind)}>
      <a className={styles.note} href={hrefOf({ panel: 'controllers', path: [] }, address)}>
        behind by {behind.total}
      </a>
    </Tooltip>
  );
}
