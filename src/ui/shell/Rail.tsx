import { Ellipsis, PanelBottom } from 'lucide-preact';
import { cx, Sheet } from '../parts/index.ts';
import { findPanel, panels, type Panel } from '../panels/index.ts';
import { hrefOf, useAddress } from '../stores/address.ts';
import { embedding } from './embedding.ts';
import { useNarrow } from '../parts/narrow.ts';
import { hideOverlay, showOverlay, useOverlay } from './overlay.ts';
import { PanelKeys } from './PanelKeys.tsx';
import styles from './Rail.module.css';

const FITS = 4;

const chosen = panels.filter(({ id }) => embedding?.panels.includes(id));
/** Embedded in another page, those that it chose. */
const offered = chosen.length > 0 ? chosen : panels;

/** Where one can go. On a phone the first few, the rest in a sheet. */
export function Rail() {
  const narrow = useNarrow();
  const shown = narrow ? offered.slice(0, FITS) : offered;
  return (
    <nav className={styles.rail} aria-label="Panels">
      <PanelKeys />
      {shown.map((panel) => (
        <RailLink key={panel.id} panel={panel} />
      ))}
      {narrow && offered.length > FITS && <More />}
    </nav>
  );
}

function RailLink({ panel, onGo }: { readonly panel: Panel; readonly onGo?: () => void }) {
  const address = useAddress();
  const current = findPanel(address.panel) === panel;
  const Icon = panel.icon;
  return (
    <a
      href={hrefOf({ panel: panel.id }, address)}
      className={cx(styles.link, current && styles.current)}
      aria-current={current ? 'page' : undefined}
      title={panel.about}
      onClick={onGo}
    >
      <Icon className={styles.icon} aria-hidden />
      {panel.title}
      {panel.Mark && <panel.Mark />}
    </a>
  );
}

function More() {
  const open = useOverlay((state) => state.overlay === 'more');
  return (
    <>
      <button type="button" className={styles.link} onClick={() => showOverlay('more')}>
        <Ellipsis className={styles.icon} aria-hidden />
        More
      </button>
      <Sheet open={open} onClose={hideOverlay} title="Go to">
        <div className={styles.more}>
          {offered.slice(FITS).map((panel) => (
            <RailLink key={panel.id} panel={panel} onGo={hideOverlay} />
          ))}
          <button type="button" className={styles.link} onClick={() => showOverlay('dock')}>
            <PanelBottom className={styles.icon} aria-hidden />
            Dock
          </button>
        </div>
      </Sheet>
    </>
  );
}
