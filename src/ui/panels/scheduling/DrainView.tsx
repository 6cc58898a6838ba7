import { Section, StateMark, Toolbar, Waiting, ErrorNote } from '../../parts/index.ts';
import { hrefOf, useAddress } from '../../stores/address.ts';
import type { DrainOutcome, SchedulingOverview } from '../../scheduling.ts';
import type { State } from '../../theme/states.ts';
import { useCluster } from '../../stores/session.ts';
import { CommandsButton } from '../commands/CommandsButton.tsx';
import { drainView } from '../commands/views.ts';
import { turnOf, useAnswer, useScheduling } from './questions.ts';
import { drainText } from './words.ts';
import styles from './SchedulingPanel.module.css';

const STATES: Readonly<Record<DrainOutcome['what'], State>> = {
  moves: 'changed',
  'has-no-place': 'failed',
  blocked: 'denied',
  stays: 'ready',
  'is-lost': 'deleted',
};

interface DrainProps {
  readonly node: string;
  readonly overview: SchedulingOverview;
}

/** A drain that is only rehearsed: who moves where, who can't, and which budget blocks. */
export function DrainView({ node, overview }: DrainProps) {
  const scheduling = useScheduling();
  const address = useAddress();
  const { names } = useCluster();
  const ask = async (): Promise<readonly DrainOutcome[]> => (await scheduling?.drain(node)) ?? [];
  const { answer, problem } = useAnswer(JSON.stringify([node, turnOf(overview)]), ask);
  const isThere = overview.nodes.some((each) => each.node === node);
  return (
    <div className={styles.panel}>
      <Toolbar
        title={
          <>
            <a className={styles.back} href={hrefOf({ path: [] }, address)}>
              Scheduling
            </a>{' '}
            / drain {node}
          </>
        }
        note="only rehearsed: nothing is evicted"
      >
        <CommandsButton of={drainView(node)} />
      </Toolbar>
      {problem && <ErrorNote title="The drain can’t be rehearsed.">{problem}</ErrorNote>}
      {!isThere && <ErrorNote title={`There is no node ${node}.`} />}
      {isThere && !answer && !problem && <Waiting what="Rehearsing" />}
      {isThere && answer && (
        <div className={styles.main}>
          <Section title="If it were drained">
            <p className={styles.sentence}>{summary(node, answer)}</p>
            {answer.length > 0 && (
              <p className={styles.about}>
                To do it:{' '}
                <code>
                  {names.ctl} drain {node} --ignore-daemonsets --delete-emptydir-data
                </code>
                {answer.some(({ what }) => what === 'is-lost') && (
                  <>
                    , with <code>--force</code> for pods that nothing makes again
                  </>
                )}
              </p>
            )}
            <ul className={styles.outcomes}>
              {answer.map((outcome) => (
                <li key={outcome.pod}>
                  <StateMark state={STATES[outcome.what]} text="" />
                  <a className={styles.podName} href={hrefOf({ path: ['pod', ...outcome.pod.split('/')] }, address)}>
                    {outcome.pod}
                  </a>
                  <span>{drainText(outcome)}</span>
                </li>
              ))}
            </ul>
          </Section>
        </div>
      )}
    </div>
  );
}

function summary(node: string, outcomes: readonly DrainOutcome[]): string {
  const of = (what: DrainOutcome['what']): number => outcomes.filter((outcome) => outcome.what === what).length;
  const parts = [
    [of('moves'), 'would move'],
    [of('has-no-place'), 'would find no place'],
    [of('blocked'), 'would be held back by a budget'],
    [of('is-lost'), 'would be lost'],
    [of('stays'), 'would stay'],
  ] as const;
  const said = parts.filter(([n]) => n > 0).map(([n, what]) => `${n} ${what}`);
  if (said.length === 0) return `${node} has no pods: it could go at once.`;
  return `Of ${outcomes.length} ${outcomes.length === 1 ? 'pod' : 'pods'} ${said.join(', ')}.`;
}
