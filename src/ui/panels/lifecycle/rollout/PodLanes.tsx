import { Fragment, useMemo } from 'preact/compat';
import { getOwn } from '../../../../std/index.ts';
import type { KnownObject } from '../../../../explain/index.ts';
import { labelSelectorText, type ApiObject, type LabelSelector } from '../../../../schema/index.ts';
import { Empty, Facts, Section, Waiting } from '../../../parts/index.ts';
import { ChartGantt } from 'lucide-preact';
import { useNow } from '../../../stores/clock.ts';
import { asList, asNumber, asText, at } from '../../../stores/jsonValues.ts';
import { usePodRecords } from '../../../stores/podStates.ts';
import { Forgotten } from '../Forgotten.tsx';
import { Bar, Lane, TimeAxis } from '../TimeAxis.tsx';
import { stretchOf, type Stretch } from '../stretch.ts';
import { livesOf, type PodLife } from './lives.ts';
import styles from './rollout.module.css';

/** More lanes than this can't be read. */
const MOST_LANES = 60;

/** Which lane a pod stands in: a StatefulSet's ordinal, a DaemonSet's node, a Job's attempt. */
const laneOf: Readonly<Record<string, (life: PodLife) => string>> = {
  StatefulSet: ({ name }) => name,
  DaemonSet: ({ node }) => node || 'not placed yet',
  Job: ({ name }) => name,
};

/** The number at the end of a name, so that `web-10` comes after `web-9`. */
const ordinal = (name: string): number => Number(/\d+$/.exec(name)?.[0] ?? 0);

/** A workload's pods over time, a lane for each place that it fills. */
export function PodLanes({ workload }: { readonly workload: KnownObject }) {
  const now = useNow();
  const { namespace = '' } = workload.metadata;
  const labelSelector = labelSelectorText(at(workload, 'spec', 'selector') as LabelSelector);
  const records = usePodRecords({ namespace, labelSelector });
  const lives = useMemo(() => livesOf(records ?? new Map()), [records]);
  const lanes = useMemo(() => groupLanes(workload.kind, lives), [workload.kind, lives]);
  const stretch = stretchOf(
    lives.map(({ from }) => from),
    overSince(workload) ?? now,
  );
  return (
    <>
      <Section title={`${workload.kind} ${workload.metadata.name ?? ''}`}>
        <Facts facts={factsOf(workload)} />
      </Section>
      <Section title={getOwn(titles, workload.kind) ?? 'Pods'}>
        {!records && <Waiting what="Loading the history of its pods" />}
        {records && lanes.length === 0 && <Empty icon={ChartGantt} title="There is no history of its pods" />}
        {lanes.length > 0 && (
          <TimeAxis stretch={stretch}>
            {lanes.slice(0, MOST_LANES).map(([lane, inLane]) => (
              <Lane key={lane} name={<span className={styles.code}>{lane}</span>}>
                {inLane.map((life) => (
                  <Fragment key={life.uid}>
                    {workload.kind === 'Job' && <BackOff {...{ lives, life, stretch }} />}
                    <LifeBars life={life} stretch={stretch} />
                  </Fragment>
                ))}
              </Lane>
            ))}
          </TimeAxis>
        )}
        {records && <Forgotten />}
        {lanes.length > MOST_LANES && <p className={styles.muted}>and {lanes.length - MOST_LANES} more lanes</p>}
      </Section>
    </>
  );
}

const titles: Readonly<Record<string, string>> = {
  StatefulSet: 'Pods in their order',
  DaemonSet: 'Pods by node',
  Job: 'Attempts',
};

function groupLanes(kind: string, lives: readonly PodLife[]): readonly (readonly [string, readonly PodLife[]])[] {
  const lane = getOwn(laneOf, kind) ?? (({ name }: PodLife) => name);
  const lanes = new Map<string, PodLife[]>();
  for (const life of lives) lanes.set(lane(life), [...(lanes.get(lane(life)) ?? []), life]);
  const entries = [...lanes];
  if (kind === 'StatefulSet') entries.sort(([a], [b]) => ordinal(a) - ordinal(b));
  if (kind === 'DaemonSet') entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return entries;
}

/** A pod's time: waiting, ready, leaving; of one that is over, until it ended. */
function LifeBars({ life, stretch }: { readonly life: PodLife; readonly stretch: Stretch }) {
  const { name, from, to, ready, leaving, phase, ended } = life;
  const failed = phase === 'Failed';
  const done = phase === 'Succeeded';
  const look = failed ? 'failed' : done ? 'completed' : 'pending';
  const over = failed || done ? ended : undefined;
  const after = over === undefined ? '' : ` after ${Math.round((over - from) / 1000)} s`;
  const word = failed ? 'failed' : done ? 'succeeded' : 'not ready';
  return (
    <>
      <Bar stretch={stretch} from={from} to={over ?? leaving ?? to} look={look} text={`${name}: ${word}${after}`} />
      {ready.map((span) => (
        <Bar key={span.from} stretch={stretch} from={span.from} to={span.to} look="ready" text={`${name}: ready`} />
      ))}
      {leaving !== undefined && (
        <Bar stretch={stretch} from={leaving} to={to} look="deleted" text={`${name}: being deleted`} />
      )}
    </>
  );
}

/** The time between a failed attempt and the next one. */
function BackOff({
  lives,
  life,
  stretch,
}: {
  readonly lives: readonly PodLife[];
  readonly life: PodLife;
  readonly stretch: Stretch;
}) {
  const before = lives[lives.indexOf(life) - 1];
  if (before?.phase !== 'Failed' || before.ended === undefined || before.ended >= life.from) return null;
  const seconds = Math.round((life.from - before.ended) / 1000);
  return (
    <Bar stretch={stretch} from={before.ended} to={life.from} look="deleted" text={`backs off for ${seconds} s`} />
  );
}

function factsOf(workload: ApiObject): readonly (readonly [string, string | undefined])[] {
  const text = (...path: string[]): string | undefined => asText(at(workload, ...path)) || undefined;
  if (workload.kind === 'StatefulSet')
    return [
      ['Ready', `${asNumber(at(workload, 'status', 'readyReplicas')) ?? 0} of ${text('spec', 'replicas') ?? '1'}`],
      ['Order', text('spec', 'podManagementPolicy') === 'Parallel' ? 'all at once' : 'one after the other'],
      ['Update', text('spec', 'updateStrategy', 'type')],
      ['Partition', partitionText(at(workload, 'spec', 'updateStrategy', 'rollingUpdate', 'partition'))],
      ['Current revision', text('status', 'currentRevision')],
      ['Update revision', text('status', 'updateRevision')],
    ];
  if (workload.kind === 'DaemonSet')
    return [
      [
        'Ready',
        `${asNumber(at(workload, 'status', 'numberReady')) ?? 0} of ${asNumber(at(workload, 'status', 'desiredNumberScheduled')) ?? 0} nodes`,
      ],
      ['Updated', text('status', 'updatedNumberScheduled')],
      ['Unavailable at most', text('spec', 'updateStrategy', 'rollingUpdate', 'maxUnavailable')],
    ];
  return [
    ['State', jobState(workload)],
    ['Succeeded', `${text('status', 'succeeded') ?? '0'} of ${text('spec', 'completions') ?? '1'}`],
    ['Failed', `${text('status', 'failed') ?? '0'}; it gives up beyond ${text('spec', 'backoffLimit') ?? '6'}`],
    ['At once', text('spec', 'parallelism')],
    ['Ends after', text('spec', 'activeDeadlineSeconds') && `${text('spec', 'activeDeadlineSeconds') ?? ''} s`],
  ];
}

const metCondition = (object: ApiObject): unknown =>
  asList(at(object, 'status', 'conditions')).find((each) => at(each, 'status') === 'True');

/** When a Job ended: its attempts are drawn until then. Other workloads never end. */
function overSince(workload: ApiObject): number | undefined {
  const ended = workload.kind === 'Job' ? Date.parse(asText(at(metCondition(workload), 'lastTransitionTime'))) : NaN;
  return Number.isNaN(ended) ? undefined : ended;
}

/** What became of a Job, by its conditions. */
function jobState(job: ApiObject): string {
  const met = metCondition(job);
  if (!met) return 'running';
  const message = asText(at(met, 'message'));
  return `${asText(at(met, 'type'))}${message && `: ${message}`}`;
}

function partitionText(partition: unknown): string | undefined {
  const from = asNumber(partition) ?? 0;
  return from === 0 ? undefined : `pods below ordinal ${from} keep their revision`;
}
