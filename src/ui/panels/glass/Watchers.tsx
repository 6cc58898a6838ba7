import { useMemo } from 'preact/compat';
import { Boxes, CalendarClock, Eye, MonitorDot, RefreshCw, Server as ServerIcon, type LucideIcon } from 'lucide-preact';
import type { ReactNode } from 'preact/compat';
import { cx, StateMark } from '../../parts/index.ts';
import { useNodeNames } from '../../stores/following.ts';
import { useGlass } from './hooks.ts';
import { kindOfActor, nameOfActor, type ActorId } from './model/actors.ts';
import type { PodView } from './model/pods.ts';
import type { Recording } from './model/recording.ts';
import { loopText } from './model/sentences.ts';
import { Pods } from './Pods.tsx';
import styles from './Picture.module.css';

/** Nodes beyond so many share a box. */
const MOST_NODES = 6;

/** The watchers: they receive each revision that concerns them, and react. */
export function Watchers() {
  const glass = useGlass();
  const { recording, picture, behind } = glass.engine;
  const nodes = useNodeNames();
  const pods = glass.pods.at(behind === 0 || picture.revision === 0 ? undefined : picture.revision);
  const people = [...recording.watchers.keys()].filter((actor) => kindOfActor(actor) === 'person');
  return (
    <section className={styles.watchers} aria-label="Who watches and reacts">
      <h2 className={styles.heading}>Who watches and reacts</h2>
      <ul className={styles.boxes}>
        <Watcher actor="controllers" title="Controllers" icon={RefreshCw}>
          <Loops />
        </Watcher>
        <Watcher actor="scheduler" title="Scheduler" icon={CalendarClock}>
          <Unplaced pods={pods.get('') ?? []} />
        </Watcher>
        {nodes.length <= MOST_NODES ? (
          nodes.map((node) => (
            <Watcher key={node} actor={`node:${node}`} title={node} icon={ServerIcon}>
              <Pods pods={pods.get(node) ?? []} />
            </Watcher>
          ))
        ) : (
          <ManyNodes nodes={nodes} pods={pods} />
        )}
        <Watcher actor="page" title="This page" icon={MonitorDot} />
        {people.slice(-3).map((actor) => (
          <Watcher key={actor} actor={actor} title={`Watch of ${nameOfActor(actor)}`} icon={Eye} />
        ))}
      </ul>
    </section>
  );
}

interface WatcherProps {
  readonly actor: ActorId;
  readonly title: string;
  readonly icon: LucideIcon;
  readonly children?: ReactNode;
}

function Watcher({ actor, title, icon: Icon, children }: WatcherProps) {
  const { engine } = useGlass();
  const notified = engine.picture.notified.includes(actor);
  return (
    <li className={cx(styles.box, notified && styles.notified)} data-box={`to:${actor}`}>
      <span className={styles.name}>
        <Icon className={styles.icon} aria-hidden />
        <span className={styles.cut}>{title}</span>
        <Lag recording={engine.recording} actor={actor} />
      </span>
      {children}
    </li>
  );
}

/** By how many of its revisions a watcher is behind, over all of its watches. */
function Lag({ recording, actor }: { readonly recording: Recording; readonly actor: ActorId }) {
  const watcher = recording.watchers.get(actor);
  if (!watcher) return null;
  const behind = [...watcher.backlogs.values()].reduce((sum, each) => Math.max(sum, each), 0);
  const at = `Last notified of revision ${watcher.revision}. `;
  const lag = behind === 0 ? 'It has received everything that it watches.' : `${behind} more are waiting to be sent.`;
  return (
    <span className={cx(styles.lag, behind > 0 && styles.late)} title={at + lag}>
      {behind === 0 ? 'lag 0' : `lag ${behind}`}
    </span>
  );
}

const MOST_LOOPS = 8;
/** Where there is little room, only so many that wrote last are shown. */
const FEW_LOOPS = 5;

/** The control loops that wrote something, those of late last. */
function Loops() {
  const { engine, scene } = useGlass();
  const loops = new Set<string>();
  for (const { causes } of [...engine.recording.requests.values()].slice(-400).reverse())
    for (const { controller } of causes) if (loops.size < MOST_LOOPS) loops.add(controller);
  if (loops.size === 0) return <span className={styles.note}>A controller appears here when it writes</span>;
  const older = new Set([...loops].slice(FEW_LOOPS));
  const busy = new Set([...scene.sprites.values()].map(({ request }) => request));
  const isBusy = (loop: string): boolean =>
    [...busy].some((id) => engine.recording.requests.get(id)?.causes.some((cause) => cause.controller === loop));
  return (
    <span className={styles.chips}>
      {[...loops].sort().map((loop) => (
        <span
          key={loop}
          className={cx(styles.chip, isBusy(loop) && styles.busy, older.has(loop) && styles.older)}
          data-box={`loop:${loop}`}
          title={`${loopText(loop)}: compares the actual state with the desired state, and writes the difference`}
        >
          {loop}
        </span>
      ))}
    </span>
  );
}

function Unplaced({ pods }: { readonly pods: readonly PodView[] }) {
  if (pods.length === 0) return null;
  return (
    <span className={styles.waiting}>
      <StateMark state="pending" text={`${pods.length} ${pods.length === 1 ? 'pod' : 'pods'} without a node`} />
    </span>
  );
}

interface ManyNodesProps {
  readonly nodes: readonly string[];
  readonly pods: ReadonlyMap<string, readonly PodView[]>;
}

function ManyNodes({ nodes, pods }: ManyNodesProps) {
  const all = useMemo(() => nodes.flatMap((node) => pods.get(node) ?? []), [nodes, pods]);
  return (
    <li className={styles.box} data-box="to:nodes">
      <span className={styles.name}>
        <Boxes className={styles.icon} aria-hidden />
        {nodes.length} nodes
      </span>
      <Pods pods={all} />
    </li>
  );
}
