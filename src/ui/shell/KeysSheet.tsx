import { Dialog, KeyHint, listHotkeys } from '../parts/index.ts';
import { hideOverlay } from './overlay.ts';
import styles from './KeysSheet.module.css';

/** The keys that work here and now. */
export default function KeysSheet() {
  return (
    <Dialog open onClose={hideOverlay} title="Keys" about="They work while you are not typing text.">
      {/* It scrolls, and holds nothing else that takes the focus. */}
      <dl className={styles.keys} tabIndex={0}>
        {listHotkeys().map(({ keys, about }) => (
          <div key={keys} className={styles.key}>
            <dt>{about}</dt>
            <dd>
              <KeyHint keys={keys.replaceAll('+', ' ').replace(/^g (.)$/, 'g then $1')} />
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
