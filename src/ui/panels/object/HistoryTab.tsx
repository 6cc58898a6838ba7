import { History } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ApiObject } from '../../../schema/index.ts';
import { cx, Diff, Empty, ErrorNote, StateMark } from '../../parts/index.ts';
import { Waiting } from '../../parts/Waiting.tsx';
import { messageOf } from '../../stores/actions.ts';
import { hrefOf, useAddress } from '../../stores/address.ts';
import { useObserver } from '../../stores/clients.ts';
import { readHistory, type PastState } from '../../stores/history.ts';
import type { ObjectRef } from '../../stores/resources.ts';
import { useCluster } from '../../stores/session.ts';
import { stateOfEvent } from '../../theme/states.ts';
import { WrittenBy } from './WrittenBy.tsx';
import { printObject } from './yaml.ts';
import styles from './HistoryTab.module.css';

interface Past {
  readonly states: readonly PastState[];
  readonly oldest: number;
}

function usePast(
  target: ObjectRef,
  revision: string,
): { readonly past: Past | undefined; readonly problem: string | undefined } {
  const { cluster } = useCluster();
  const client = useObserver();
  const [past, setPast] = useState<Past>();
  const [problem, setProblem] = useState<string>();
  const { resource, namespace, name } = target;
  useEffect(() => {
    let gone = false;
    const read = async (): Promise<void> => {
      const oldest = (await cluster.storage?.report())?.compacted ?? 0;
      const states = await readHistory(client, { resource, namespace, name }, oldest);
      if (!gone) setPast({ states, oldest });
    };
    read().catch((error: unknown) => !gone && setProblem(messageOf(error)));
    return () => {
      gone = true;
    };
    // A new revision of the object is a new line of its history.
  }, [cluster, client, resource, namespace, name, revision]);
  return { past, problem };
}

/** Every kept revision of an object, latest first; the chosen one against the one before it. */
export function HistoryTab({ target, object }: { readonly target: ObjectRef; readonly object: ApiObject }) {
  const { past, problem } = usePast(target, object.metadata.resourceVersion ?? '');
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
