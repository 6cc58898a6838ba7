import { History } from 'lucide-preact';
import { useState } from 'preact/compat';
import type { ApiObject } from '../../../schema/index.ts';
import { cx, Diff, Empty, ErrorNote, StateMark } from '../../parts/index.ts';
import { Waiting } from '../../parts/Waiting.tsx';
import { hrefOf, useAddress } from '../../stores/address.ts';
import { useObserver } from '../../stores/clients.ts';
import type { PastState } from '../../stores/history.ts';
import type { ObjectRef } from '../../stores/resources.ts';
import { stateOfEvent } from '../../theme/states.ts';
import { WrittenBy } from './WrittenBy.tsx';
import { usePast } from './past.ts';
import { printObject } from './yaml.ts';
import styles from './HistoryTab.module.css';

/** Every kept revision of an object, latest first; the chosen one against the one before it. */
export function HistoryTab({ target, object }: { readonly target: ObjectRef; readonly object: ApiObject }) {
  // A new revision of the object is a new line of its history.
  const { past, problem } = usePast(useObserver(), target, object.metadata.resourceVersion ?? '');
  const asked = useAddress((address) => address.query['rev']);
  const [chosen, setChosen] = useState(asked);
  if (problem) return <ErrorNote title="Its history could not be read.">{problem}</ErrorNote>;
  if (!past) return <Waiting what="Reading its history" />;
  const { states, oldest } = past;
  if (states.length === 0) {
    return (
      <Empty icon={History} title="There is no history of it">
        Storage was compacted at revision {oldest}; what changes from now on appears here.
      </Empty>
    );
  }
  const found = states.findIndex((state) => state.revision === chosen);
  const place = found < 0 ? states.length - 1 : found;
  return (
    <>
      <ol className={styles.states}>
        {[...states].reverse().map((state) => (
          <StateItem
            key={state.revision}
            state={state}
            target={target}
            current={state === states[place]}
            onChoose={() => setChosen(state.revision)}
          />
        ))}
      </ol>
      <Compared before={states[place - 1]} after={states[place]} />
      {oldest > 0 && <p className={styles.end}>What came before revision {oldest} was compacted away.</p>}
    </>
  );
}

const plain = { managedFields: false, secrets: false };

function Compared({
  before,
  after,
}: {
  readonly before: PastState | undefined;
  readonly after: PastState | undefined;
}) {
  if (!after) return null;
  const print = (state: PastState | undefined): string => (state ? printObject(state.object, plain) : '');
  return (
    <div className={styles.compared}>
      <Diff before={after.type === 'KEPT' ? print(after) : print(before)} after={print(after)} />
    </div>
  );
}

const words = { KEPT: 'was there', ADDED: 'created', MODIFIED: 'changed', DELETED: 'deleted' } as const;

function StateItem({
  state,
  target: { namespace, name },
  current,
  onChoose,
}: {
  readonly state: PastState;
  readonly target: ObjectRef;
  readonly current: boolean;
  readonly onChoose: () => void;
}) {
  const { revision, type } = state;
  const address = useAddress();
  return (
    <li className={cx(styles.state, current && styles.current)}>
      <button type="button" className={styles.choose} aria-pressed={current} onClick={onChoose}>
        <span className={styles.revision}>@{revision}</span>
        <StateMark state={stateOfEvent(type) ?? 'completed'} text={words[type]} />
      </button>
      <a
        className={styles.writer}
        href={hrefOf({ query: { at: revision } }, address)}
        title={`Show the whole cluster at revision ${revision}`}
      >
        rewind to here
      </a>
      <span className={styles.by}>
        <WrittenBy namespace={namespace} name={name} revision={Number(revision)} />
      </span>
    </li>
  );
}
