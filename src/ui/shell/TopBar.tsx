import { CircleHelp, FilePlus2, Search } from 'lucide-preact';
import { openEditor } from '../editor/drafts.ts';
import { IconButton, KeyHint } from '../parts/index.ts';
import { hrefOf } from '../stores/address.ts';
import { AppearanceMenu } from './AppearanceMenu.tsx';
import { ClockControls } from './ClockControls.tsx';
import { ClusterMenu } from './ClusterMenu.tsx';
import { IdentitySwitch } from './IdentitySwitch.tsx';
import { NamespaceSwitch } from './NamespaceSwitch.tsx';
import { Mark } from './Mark.tsx';
import { showOverlay } from './overlay.ts';
import styles from './TopBar.module.css';

/** Always answers four questions: which cluster, which namespace, as whom, and what time it is there. */
export function TopBar() {
  return (
    <header className={styles.bar}>
      <a className={styles.brand} href={hrefOf({ panel: 'glass' })} aria-label="Vitrine">
        <Mark />
      </a>
      <div className={styles.questions}>
        <ClusterMenu />
        <NamespaceSwitch />
        <IdentitySwitch />
        <ClockControls />
      </div>
      <div className={styles.end}>
        <button type="button" className={styles.search} onClick={() => showOverlay('palette')}>
          <Search className={styles.searchIcon} aria-hidden />
          <span className={styles.searchWords}>Find</span>
          <KeyHint keys="ctrl k" />
        </button>
        <IconButton icon={FilePlus2} label="Write YAML" keys="c" onClick={() => openEditor({ kind: 'new' })} />
        <AppearanceMenu />
        <IconButton
          icon={CircleHelp}
          label="Keys"
          keys="?"
          className={styles.wideOnly}
          onClick={() => showOverlay('keys')}
        />
      </div>
    </header>
  );
}
