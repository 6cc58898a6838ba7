import { Undo2, RefreshCw } from 'lucide-preact';
import { Button, cx, Empty, ErrorNote, Section, StateMark, Toolbar, Waiting } from '../../parts/index.ts';
import { go, hrefOf, useAddress } from '../../stores/address.ts';
import { useCluster } from '../../stores/session.ts';
import type { ControllersState, ControllerView } from '../../controllers.ts';
import type { State } from '../../theme/states.ts';
import { CommandsButton } from '../commands/CommandsButton.tsx';
import { controllersView } from '../commands/views.ts';
import { useControllers, useFights, useReconciles, type Reconcile } from './activity.ts';
import { ControllerDetail } from './ControllerDetail.tsx';
import { Informers } from './Informers.tsx';
import { RunList } from './RunList.tsx';
import styles from './ControllersPanel.module.css';

/** Control loops at work: their queues, what woke them, what they planned and wrote; and who fights over what. */
export default function ControllersPanel() {
  const { past } = useCluster();
  return past ? <NoneAtWork revision={past.moment.revision} /> : <AtWork />;
}

/** Queues and reconciles are not written down, unlike what came of them. */
function NoneAtWork({ revision }: { readonly revision: number }) {
  return (
    <Empty
      icon={RefreshCw}
      title={`No controller works at revision ${revision}`}
      action={
        <Button look="primary" icon={Undo2} onClick={() => go({ query: { at: undefined } })}>
          Back to now
        </Button>
      }
    >
      Their queues and plans are not kept, only what they wrote: “What happened next” above lists the writes after this
      revision, and an object’s History shows each of its states. Fork the cluster to see them work from here.
    </Empty>
  );
}

function AtWork() {
  const { controllers } = useCluster().cluster;
  const state = useControllers();
  const runs = useReconciles();
  const name = useAddress(({ path }) => path[0]);
  if (!controllers) return <ErrorNote title="This host can’t look at its controllers." />;
  if (!state) return <Waiting what="Loading the controllers" />;
  const chosen = state.controllers.find((each) => each.name === name);
  const idle = state.controllers.filter((each) => each.notStarted).length;
  return (
    <div className={styles.panel}>
      <Toolbar
        title="Controllers"
        note={`${state.controllers.length - idle} running, ${idle} not started: nothing to do yet`}
      >
        <CommandsButton of={controllersView} />
      </Toolbar>
      <div className={styles.body}>
        <List controllers={state.controllers} chosen={chosen?.name} runs={runs} />
        <div className={styles.main} tabIndex={0} role="region" aria-label="What it does">
          {chosen ? (
            <ControllerDetail key={chosen.name} controller={chosen} runs={runs} state={state} />
          ) : (
            <Everything state={state} runs={runs} />
          )}
        </div>
      </div>
    </div>
  );
}

/** How a controller stands, in a word. */
export function standOf({ notStarted, loops }: ControllerView): { readonly state: State; readonly text: string } {
  const sum = (of: (loop: ControllerView['loops'][number]) => number): number =>
    loops.reduce((total, loop) => total + of(loop), 0);
  const waiting = sum((loop) => loop.waiting);
  if (notStarted) return { state: 'completed', text: 'not started' };
  if (loops.some((loop) => loop.paused)) return { state: 'pending', text: `paused, ${waiting} waiting` };
  const failing = sum((loop) => loop.failing.length);
  if (failing > 0) return { state: 'failed', text: `${failing} failing` };
  const working = waiting + sum((loop) => loop.running.length);
  return working > 0 ? { state: 'changed', text: `${working} at work` } : { state: 'ready', text: 'idle' };
}

/** On a phone the list is one line, of which only a part is seen. */
const inSight = (item: HTMLElement | null): void => item?.scrollIntoView({ block: 'nearest', inline: 'nearest' });

interface ListProps {
  readonly controllers: readonly ControllerView[];
  readonly chosen: string | undefined;
  readonly runs: readonly Reconcile[];
}

function List({ controllers, chosen, runs }: ListProps) {
  const address = useAddress();
  const sorted = [...controllers].sort((a, b) => Number(a.notStarted) - Number(b.notStarted));
  return (
    <nav className={styles.list} aria-label="Controllers">
      <a
        className={cx(styles.item, chosen === undefined && styles.chosen)}
        aria-current={chosen === undefined || undefined}
        href={hrefOf({ path: [] }, address)}
      >
        <span className={styles.name}>All of them</span>
      </a>
      {sorted.map((each) => {
        const stand = standOf(each);
        const names = each.loops.map((loop) => loop.name);
        const seen = runs.filter(({ loop }) => names.includes(loop)).length;
        return (
          <a
            key={each.name}
            ref={chosen === each.name ? inSight : null}
            className={cx(styles.item, chosen === each.name && styles.chosen)}
            aria-current={chosen === each.name || undefined}
            href={hrefOf({ path: [each.name] }, address)}
          >
            <span className={styles.name}>{each.name}</span>
            <span className={styles.stand}>
              <StateMark state={stand.state} text={stand.text} />
              {seen > 0 && <span className={styles.faint}>{seen} seen</span>}
            </span>
          </a>
        );
      })}
    </nav>
  );
}

function Everything({ state, runs }: { readonly state: ControllersState; readonly runs: readonly Reconcile[] }) {
  return (
    <>
      <Section title="What controllers do">
        <p className={styles.about}>
          Each watches some kinds of objects. A change wakes it for a key; it compares what is with what is wanted,
          plans steps and writes them. Choose one to see its queue, pause it, and let it reconcile key by key.
        </p>
      </Section>
      <Fights />
      <Section title="Last reconciles">
        <RunList runs={runs.filter(({ outcome }) => outcome !== 'waiting').slice(0, 40)} />
      </Section>
      <Informers title={`Informers (${state.informers.length})`} state={state} informers={state.informers} />
    </>
  );
}

function Fights() {
  const fights = useFights();
  if (fights.length === 0) return null;
  return (
    <Section title="Fights">
      <ul className={styles.rows}>
        {fights.map(({ key, field, between, values, returns }) => (
          <li key={`${key} ${field}`}>
            <StateMark state="failed" text={`${field} of ${key.replace(/^\/registry\//, '')}`} />
            <p>
              {between.join(' and ')} keep overwriting each other: {values.join(' and then ')}, {returns} times.
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
