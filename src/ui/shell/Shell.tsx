import { useEffect, useState, type MouseEvent } from 'preact/compat';
import { getOwn } from '../../std/index.ts';
import type { ServerState } from '../bridge.ts';
import type { StorageCondition } from '../host.ts';
import { openEditor } from '../editor/drafts.ts';
import { useOrigins } from '../scenarios/origins.ts';
import { Boundary, later, useHotkey, ROW } from '../parts/index.ts';
import { findPanel } from '../panels/index.ts';
import { go, useAddress } from '../stores/address.ts';
import { follow } from '../stores/following.ts';
import { useCluster } from '../stores/session.ts';
import { Dock } from './Dock.tsx';
import { embedding } from './embedding.ts';
import { Inspector } from './Inspector.tsx';
import { hideOverlay, showOverlay, useOverlay } from './overlay.ts';
import { Palette } from './Palette.tsx';
import { Rail } from './Rail.tsx';
import { TopBar } from './TopBar.tsx';
import styles from './Shell.module.css';

/** The page around an open cluster: rail, top bar, stage, inspector, dock. */
export default function Shell() {
  const open = useCluster();
  const panel = findPanel(useAddress((address) => address.panel));
  useEffect(() => follow(open), [open]);
  useShellKeys();
  return (
    <div className={styles.shell}>
      <a href="#stage" className={styles.skip} onClick={skipToStage}>
        Skip to the content
      </a>
      <TopBar />
      <Rail />
      {!open.past && <LessonBeside cluster={open.cluster.name} />}
      <main id="stage" tabIndex={-1} className={styles.stage} aria-label={panel.title}>
        <h1 className={styles.title}>{panel.title}</h1>
        {open.past && <PastBanner />}
        <Served />
        <Storage />
        <Guide cluster={open.cluster.name} />
        <Boundary key={panel.id} what={panel.title}>
          <panel.Component />
        </Boundary>
      </main>
      <Inspector />
      {!embedding && <Dock />}
      <Overlays />
    </div>
  );
}

/** The hash is an address here, so the link moves the focus by itself: into the list where there is one. */
function skipToStage(event: MouseEvent<HTMLElement>): void {
  event.preventDefault();
  const stage = document.getElementById('stage');
  (stage?.querySelector<HTMLElement>(ROW) ?? stage)?.focus();
}

const LessonSide = later(() => import('../panels/lesson/LessonSide.tsx'), null);

const LESSON = 'lesson-';

/** The lesson of a cluster that was made for one. */
function LessonBeside({ cluster }: { readonly cluster: string }) {
  return cluster.startsWith(LESSON) && <LessonSide id={cluster.slice(LESSON.length)} />;
}

const PastBanner = later(() => import('./PastBanner.tsx'), null);

const StorageNotice = later(() => import('./StorageNotice.tsx'), null);

/** Most disks never fill up. */
function Storage() {
  const { cluster } = useCluster();
  const [condition, setCondition] = useState<StorageCondition>({ is: 'sound' });
  useEffect(() => cluster.storage?.follow?.(setCondition), [cluster]);
  return condition.is !== 'sound' && <StorageNotice condition={condition} />;
}

const AwayNotice = later(() => import('./AwayNotice.tsx'), null);

/** Its code is fetched while the server is there. */
function Served() {
  const { served } = useCluster().cluster;
  const [state, setState] = useState<ServerState>({ is: 'open' });
  useEffect(() => {
    if (served) AwayNotice.fetch();
    return served?.follow(setState);
  }, [served]);
  return state.is !== 'open' && <AwayNotice state={state} />;
}

const ShareDialog = later(() => import('../share/ShareDialog.tsx'), null);
const SnapshotDialog = later(() => import('../share/SnapshotDialog.tsx'), null);
const ResetOpen = later(() => import('./ResetOpen.tsx'), null);
const KeysSheet = later(() => import('./KeysSheet.tsx'), null);

/** What lies over everything, whose code comes when it is first asked for. */
function Overlays() {
  const overlay = useOverlay((state) => state.overlay);
  if (overlay === 'palette') return <Palette />;
  if (overlay === 'share') return <ShareDialog />;
  if (overlay === 'snapshot') return <SnapshotDialog />;
  if (overlay === 'reset') return <ResetOpen />;
  return overlay === 'keys' && <KeysSheet />;
}

const TryThis = later(() => import('../scenarios/TryThis.tsx'), null);

/** What to try in a scenario. */
function Guide({ cluster }: { readonly cluster: string }) {
  return useOrigins(({ origins }) => getOwn(origins, cluster)?.guided) && <TryThis />;
}

function useShellKeys(): void {
  useHotkey('ctrl+k', () => showOverlay('palette'), 'Find anything, do anything');
  useHotkey(':', () => showOverlay('palette', ':'), 'Go to a resource, as in :pod or :deploy NAMESPACE');
  useHotkey('c', () => openEditor({ kind: 'new' }), 'Write YAML');
  useHotkey('?', () => showOverlay('keys'), 'Show the keys');
  useHotkey('escape', closeInspector, 'Close what is open');
  useEffect(() => hideOverlay, []);
}

function closeInspector(): void {
  if (useAddress.getState().query['sel']) go({ query: { sel: undefined, tab: undefined } });
}
