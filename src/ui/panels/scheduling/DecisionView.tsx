import { useState } from 'preact/compat';
import { ErrorNote, Section, Segmented, StateMark, Toolbar, Waiting } from '../../parts/index.ts';
import { hrefOf, useAddress } from '../../stores/address.ts';
import { timeOfDay } from '../../stores/clock.ts';
import type { Placement, SchedulingAsked, SchedulingDraft, SchedulingOverview } from '../../scheduling.ts';
import { CommandsButton } from '../commands/CommandsButton.tsx';
import { decisionView } from '../commands/views.ts';
import { FilterGrid } from './FilterGrid.tsx';
import { turnOf, useAnswer, useScheduling } from './questions.ts';
import { ScoreGrid } from './ScoreGrid.tsx';
import { useSubject, type Subject } from './subject.ts';
import { Preemption } from './Preemption.tsx';
import { WhatIf } from './WhatIf.tsx';
import { extendersText, listed, placementText, pluginText, refusals, wakingText } from './words.ts';
import styles from './SchedulingPanel.module.css';

interface DecisionProps {
  readonly kind: Subject['kind'];
  /** `namespace/name`. */
  readonly name: string;
  readonly overview: SchedulingOverview;
}

/** Where one pod goes and why: sentences, then every node and filter, every score, and what would be otherwise. */
export function DecisionView({ kind, name, overview }: DecisionProps) {
  const scheduling = useScheduling();
  const subject = useSubject(kind, name);
  const [then, setThen] = useState<SchedulingAsked['then']>();
  const [draft, setDraft] = useState<SchedulingDraft>({});
  const pod = kind === 'pod' ? name : subject.pod;
  const asked: SchedulingAsked | undefined = pod ? { pod, ...(then && { then }) } : undefined;
  const ask = async (): Promise<Placement> => {
    if (!asked || !scheduling) throw new Error('The scheduler can’t be asked.');
    return scheduling.explain(asked);
  };
  // While a draft is open, what it is compared with goes on following the cluster.
  const { answer, problem } = useAnswer(asked && JSON.stringify([asked, then ? 0 : turnOf(overview)]), ask);
  const moments = momentsOf(answer?.taken);
  const address = useAddress();
  return (
    <div className={styles.panel}>
      <Toolbar
        title={
          <>
            <a className={styles.back} href={hrefOf({ path: [] }, address)}>
              Scheduling
            </a>{' '}
            / {name}
          </>
        }
        note={kind === 'deployment' ? 'pods of this Deployment' : undefined}
      >
        {moments.length > 1 && (
          <Segmented
            label="Looked at"
            value={then ?? 'now'}
            choices={moments}
            onValue={(value) => setThen(value === 'now' ? undefined : value)}
          />
        )}
        <CommandsButton of={decisionView(kind, name)} />
      </Toolbar>
      {(problem ?? (subject.isMissing && `There is no ${kind} ${name}.`)) && (
        <ErrorNote title="The scheduler has no answer.">{problem ?? `There is no ${kind} ${name}.`}</ErrorNote>
      )}
      {!answer && !problem && !subject.isMissing && <Waiting what="Asking the scheduler" />}
      {answer && asked && (
        <div className={styles.body}>
          <div className={styles.main}>
            <Decision placement={answer} asked={asked} overview={overview} />
          </div>
          <WhatIf {...{ asked, subject, overview, draft }} now={answer} onDraft={setDraft} />
        </div>
      )}
    </div>
  );
}

type Moment = NonNullable<SchedulingAsked['then']> | 'now';

/** The moments at which nodes can be looked at. */
function momentsOf(taken: Placement['taken']): readonly { readonly value: Moment; readonly label: string }[] {
  return [
    ...(taken?.room ? [{ value: 'room', label: 'When room was made' } as const] : []),
    ...(taken?.node ? [{ value: 'decided', label: 'As decided' } as const] : []),
    { value: 'now', label: 'As it is now' },
  ];
}

interface AnsweredProps {
  readonly placement: Placement;
  readonly asked: SchedulingAsked;
  readonly overview: SchedulingOverview;
}

function Decision({ placement, asked, overview }: AnsweredProps) {
  return (
    <>
      <Story placement={placement} />
      {overview.extenders.length > 0 && (
        <Section title="Extenders">
          <p>{extendersText(overview, asked.then)}</p>
        </Section>
      )}
      {placement.nodes.length > 0 && !placement.refusedEverywhere && (
        <FilterGrid placement={placement} asked={asked} profiles={overview.profiles} />
      )}
      <ScoreGrid placement={placement} />
      {placement.preemption && <Preemption story={placement.preemption} />}
    </>
  );
}

/** The decision in plain sentences. */
function Story({ placement }: { readonly placement: Placement }) {
  const { winners, taken, nodes, wakes, profile } = placement;
  const refused = refusals(nodes);
  return (
    <Section title="Decision">
      <p className={styles.sentence}>
        <StateMark state={winners.length > 0 ? 'ready' : 'pending'} text="" /> {placementText(placement)}
      </p>
      {taken && <p>{takenText(placement)}</p>}
      {refused.length > 0 && (
        <ul className={styles.refusals} aria-label="Why nodes were refused">
          {refused.slice(0, 8).map(({ plugin, reason, nodes: names }) => (
            <li key={`${plugin} ${reason}`}>
              <strong>{reason}</strong> on {listed(names, 4)}{' '}
              <span className={styles.faint}>({pluginText(plugin)})</span>
            </li>
          ))}
        </ul>
      )}
      {refused.length === 0 && placement.why && <p>{placement.why}</p>}
      {wakes.length > 0 && <p>It is tried again when {listed(wakes.map(wakingText), 8, 'or')}.</p>}
      <p className={styles.about}>
        Profile {profile}, as nodes stood at {timeOfDay(placement.at)}. Pods that have their node are looked at as if
        they had none yet.
      </p>
    </Section>
  );
}

function takenText({ taken, winners }: Placement): string {
  if (!taken) return '';
  const when = timeOfDay(taken.at);
  const { node, room } = taken;
  const made = room ? `Room was made for it on ${room.node} at ${timeOfDay(room.at)}. ` : '';
  if (node === undefined) return `${made}The scheduler last tried it at ${when}.`;
  const tie =
    winners.length > 1 && winners.includes(node) ? ' It was chosen at random among nodes with the same score.' : '';
  const differs = winners.length > 0 && !winners.includes(node) ? ' It would go elsewhere now.' : '';
  return `${made}The scheduler bound it to ${node} at ${when}.${tie}${differs}`;
}
