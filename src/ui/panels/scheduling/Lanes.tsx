import { Section, StateMark } from '../../parts/index.ts';
import { hrefOf, useAddress } from '../../stores/address.ts';
import { useNow } from '../../stores/clock.ts';
import type { LaneView, QueuedPod, SchedulingOverview } from '../../scheduling.ts';
import { listed, wakingText } from './words.ts';
import styles from './SchedulingPanel.module.css';

/** The queue: who is tried next, who waits for a moment, who waits for something to happen. */
export function Lanes({ lanes }: { readonly lanes: SchedulingOverview['lanes'] }) {
  return (
    <aside className={styles.pane} aria-label="Scheduling queue">
      <Lane
        title="Active"
        about="tried next, the most important first"
        lane={lanes.active}
        empty="No pod is waiting."
      />
      <Lane
        title="Backing off"
        about="retried when the time is up"
        lane={lanes.backoff}
        empty="No pod is backing off."
      />
      <Lane
        title="Unschedulable"
        about="retried when something changes that could help"
        lane={lanes.unschedulable}
        empty="Every pod that could be placed has its node."
      />
    </aside>
  );
}

interface LaneProps {
  readonly title: string;
  readonly about: string;
  readonly lane: LaneView;
  readonly empty: string;
}

function Lane({ title, about, lane, empty }: LaneProps) {
  const more = lane.count - lane.first.length;
  return (
    <Section title={`${title} (${lane.count})`}>
      <p className={styles.about}>{lane.count === 0 ? empty : `${about[0]?.toUpperCase() ?? ''}${about.slice(1)}.`}</p>
      {lane.reasons.length > 0 && lane.count > 3 && (
        <ul className={styles.reasons}>
          {lane.reasons.slice(0, 5).map(({ reason, count }) => (
            <li key={reason}>
              <strong>{count}</strong> {reason}
            </li>
          ))}
        </ul>
      )}
      <ul className={styles.queue}>
        {lane.first.map((pod) => (
          <Waits key={pod.uid} pod={pod} />
        ))}
      </ul>
      {more > 0 && <p className={styles.about}>and {more} more</p>}
    </Section>
  );
}

/** How often it was tried; of the past only the last refusal is known. */
function attemptsText({ attempts, reason }: QueuedPod): readonly string[] {
  if (attempts === 0) return reason === undefined ? ['not tried yet'] : [];
  return [attempts === 1 ? '1 attempt' : `${attempts} attempts`];
}

function Waits({ pod }: { readonly pod: QueuedPod }) {
  const address = useAddress();
  const now = useNow();
  const left = pod.until === undefined ? undefined : Math.max(0, Math.ceil((pod.until - now) / 1000));
  return (
    <li>
      <a className={styles.waits} href={hrefOf({ path: ['pod', ...pod.pod.split('/')] }, address)}>
        <span className={styles.podName}>{pod.pod}</span>
        <span className={styles.about}>
          {[...attemptsText(pod), ...(pod.priority === 0 ? [] : [`priority ${pod.priority}`])].join(', ')}
        </span>
        {left !== undefined && <StateMark state="pending" text={left === 0 ? 'any moment' : `in ${left} s`} />}
        {pod.reason && <span className={styles.why}>{pod.reason}</span>}
        {pod.wakes && left === undefined && (
          <span className={styles.about}>Waits until {listed(pod.wakes.map(wakingText), 4, 'or')}.</span>
        )}
      </a>
    </li>
  );
}
