import { ChevronDown, ChevronUp } from 'lucide-preact';
import { IconButton, later, Sheet, sizeOf, Splitter, useHotkey } from '../parts/index.ts';
import { docks } from '../panels/index.ts';
import { isNarrow, useNarrow } from '../parts/narrow.ts';
import { useLayout } from './layout.ts';
import { hideOverlay, showDock, useOverlay } from './overlay.ts';
import styles from './Dock.module.css';

const DockTabs = later(() => import('./DockTabs.tsx'));

const toggle = (): void => void useLayout.setState(({ dockOpen }) => ({ dockOpen: !dockOpen }));

function toggleTerminal(): void {
  const { dockOpen, dockTab } = useLayout.getState();
  if (dockOpen && dockTab === 'terminal' && !isNarrow()) toggle();
  else showDock('terminal');
}

/** What goes on in the cluster, under the stage: closed it is one line, on a phone it is a sheet. */
export function Dock() {
  const narrow = useNarrow();
  const sheet = useOverlay((state) => state.overlay === 'dock');
  const { dockOpen, dock } = useLayout();
  useHotkey('`', toggle, 'Open or close the dock');
  useHotkey('ctrl+`', toggleTerminal, 'Open or close the terminal');
  if (narrow) {
    return (
      <Sheet open={sheet} onClose={hideOverlay} title="Dock">
        <DockTabs />
      </Sheet>
    );
  }
  return (
    <section className={styles.dock} style={dockOpen ? { height: sizeOf(dock) } : undefined} aria-label="Dock">
      {dockOpen ? <OpenDock size={dock} /> : <ClosedDock />}
    </section>
  );
}

function OpenDock({ size }: { readonly size: number }) {
  return (
    <>
      <Splitter
        label="Height of the dock"
        edge="top"
        size={size}
        min={120}
        max={720}
        onSize={(dock) => useLayout.setState({ dock })}
      />
      <DockTabs end={<IconButton icon={ChevronDown} label="Close the dock" keys="`" onClick={toggle} />} />
    </>
  );
}

function ClosedDock() {
  const first = docks[0];
  return (
    <button type="button" className={styles.closed} onClick={toggle}>
      <span className={styles.aloud}>Open the dock</span>
      <ChevronUp className={styles.icon} aria-hidden />
      <span>{first?.title}</span>
      {first?.Summary && <first.Summary />}
    </button>
  );
}
