import { useState } from 'preact/compat';
import type { Node } from '../../../client/index.ts';
import { Button, Section } from '../../parts/index.ts';
import type { Fit, Placement, Remedy, SchedulingAsked, SchedulingDraft, SchedulingOverview } from '../../scheduling.ts';
import { useLiveObjects } from '../../stores/liveObjects.ts';
import { findResource, useResources } from '../../stores/resources.ts';
import { CommandsButton } from '../commands/CommandsButton.tsx';
import { whatIfView } from '../commands/views.ts';
import { WriteButton } from '../commands/WriteButton.tsx';
import { applyingDraft, obstacleTo } from './apply.ts';
import { NodeFields, PodFields, ProfileFields } from './DraftFields.tsx';
import { turnOf, useAnswer, useScheduling } from './questions.ts';
import type { Subject } from './subject.ts';
import { differenceText, listed, nodeDifferences } from './words.ts';
import styles from './SchedulingPanel.module.css';

export interface WhatIfProps {
  readonly asked: SchedulingAsked;
  readonly subject: Subject;
  readonly overview: SchedulingOverview;
  readonly draft: SchedulingDraft;
  /** The decision that the draft is compared with. */
  readonly now: Placement;
  readonly onDraft: (draft: SchedulingDraft) => void;
}

const isEmpty = (draft: SchedulingDraft): boolean => Object.keys(draft).length === 0;

/** A draft beside the decision: nothing of it happens until it is applied. */
export function WhatIf(props: WhatIfProps) {
  const { asked, subject, overview, draft, now, onDraft } = props;
  const resource = useResources((state) => findResource(state.resources, 'core', 'nodes'));
  const nodes = useLiveObjects(resource && { resource }).objects as readonly Node[];
  const [turn, setTurn] = useState(0);
  const reset = (): void => {
    onDraft({});
    setTurn(turn + 1);
  };
  return (
    <aside className={styles.pane} aria-label="What if">
      {now.winners.length === 0 && <Remedies {...{ asked, now, onDraft }} />}
      <Section
        title="What if"
        end={
          <>
            {!isEmpty(draft) && (
              <Button look="quiet" onClick={reset}>
                Start over
              </Button>
            )}
            <CommandsButton of={whatIfView} />
          </>
        }
      >
        <p className={styles.about}>Change anything here. Nothing happens until you apply it.</p>
        {!isEmpty(draft) && <Outcome {...{ asked, subject, overview, draft, now, nodes }} onApplied={reset} />}
        {subject.pod && (
          <PodFields key={`pod ${turn}`} {...{ asked, draft, onDraft, overview }} pod={subject.pod} at={turnOf(now)} />
        )}
        <NodeFields key={`nodes ${turn}`} {...{ draft, onDraft, nodes }} />
        <ProfileFields
          key={`profile ${turn}`}
          {...{ asked, draft, onDraft, overview }}
          at={turnOf(now)}
          profile={now.profile}
        />
      </Section>
      <HowMany key={JSON.stringify(draft)} asked={{ ...asked, draft }} />
    </aside>
  );
}

/** Small changes that were tried and help. */
function Remedies({ asked, now, onDraft }: Pick<WhatIfProps, 'asked' | 'now' | 'onDraft'>) {
  const scheduling = useScheduling();
  const ask = async (): Promise<readonly Remedy[]> => (await scheduling?.remedies(asked)) ?? [];
  const { answer } = useAnswer(JSON.stringify([asked, turnOf(now)]), ask);
  return (
    <Section title="What would help">
      {answer?.length === 0 && <p className={styles.about}>No small change was found that helps.</p>}
      <ul className={styles.remedies}>
        {(answer ?? []).map(({ title, draft, winners }) => (
          <li key={title}>
            <span>
              <strong>{title}</strong>
              <span className={styles.about}> then it goes to {listed(winners, 3, 'or')}</span>
            </span>
            <Button onClick={() => onDraft(draft)} aria-label={`Try: ${title}`}>
              Try
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  );
}

interface OutcomeProps extends Omit<WhatIfProps, 'onDraft'> {
  readonly nodes: Parameters<typeof applyingDraft>[2];
  readonly onApplied: () => void;
}

/** Who would win with the draft, what differs, and the button that makes it true. */
function Outcome({ asked, subject, overview, draft, now, nodes, onApplied }: OutcomeProps) {
  const scheduling = useScheduling();
  const ask = async (): Promise<Placement | undefined> => scheduling?.explain({ ...asked, draft });
  const { answer, problem } = useAnswer(JSON.stringify([asked, draft, asked.then ? 0 : turnOf(overview)]), ask);
  const differences = answer ? nodeDifferences(now, answer) : [];
  return (
    <div className={styles.outcome} role="status">
      {problem && <p className={styles.wrong}>{problem}</p>}
      {answer && <p className={styles.sentence}>{differenceText(now, answer)}</p>}
      {answer?.why && <p>{answer.why}</p>}
      <ul className={styles.differences}>
        {differences.slice(0, 6).map(({ node, change }) => (
          <li key={node}>
            <strong>{node}</strong> {change}
          </li>
        ))}
        {differences.length > 6 && <li>and {differences.length - 6} more nodes</li>}
      </ul>
      {answer && (
        <WriteButton
          look="primary"
          unavailable={obstacleTo(draft, subject)}
          write={applyingDraft(draft, subject, nodes)}
          onDone={onApplied}
        />
      )}
    </div>
  );
}

/** How many pods like this one fit, asked on demand: they are placed one after the other. */
function HowMany({ asked }: { readonly asked: SchedulingAsked }) {
  const scheduling = useScheduling();
  const [isAsked, setAsked] = useState(false);
  const ask = async (): Promise<Fit | undefined> => scheduling?.fit(asked, 500);
  const { answer, problem } = useAnswer(isAsked ? JSON.stringify(asked) : undefined, ask);
  const nodes = Object.entries(answer?.byNode ?? {}).sort(([, a], [, b]) => b - a);
  return (
    <Section title="How many fit">
      <p className={styles.about}>Places more pods like this one, one after the other, on a copy of the cluster.</p>
      {!answer && (
        <Button busy={isAsked && !problem} onClick={() => setAsked(true)}>
          Count them
        </Button>
      )}
      {problem && <p className={styles.wrong}>{problem}</p>}
      {answer && (
        <>
          <p className={styles.sentence}>
            {answer.bottleneck === undefined ? `At least ${answer.count} more fit.` : `${answer.count} more fit.`}
          </p>
          {answer.bottleneck && <p>The next one fits nowhere: {answer.bottleneck}</p>}
          <p className={styles.about}>
            {nodes
              .slice(0, 12)
              .map(([node, count]) => `${node}: ${count}`)
              .join(', ')}
          </p>
        </>
      )}
    </Section>
  );
}
