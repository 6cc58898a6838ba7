import { HeartPulse } from 'lucide-preact';
import { useMemo } from 'preact/compat';
import { events as eventsRef } from '../../../../client/index.ts';
import type { KnownObject, World } from '../../../../explain/index.ts';
import { Button, Empty, Section, StateMark, Waiting } from '../../../parts/index.ts';
import { timeOfDay, useNow } from '../../../stores/clock.ts';
import { useLiveObjects } from '../../../stores/liveObjects.ts';
import { usePodRecords } from '../../../stores/podStates.ts';
import { ObjectLink } from '../../object/ObjectLink.tsx';
import Why from '../../object/Why.tsx';
import { stateOfObject } from '../objectState.ts';
import { lifeOf } from '../rollout/lives.ts';
import { choose, useRefs, type Subject } from '../subject.ts';
import { Forgotten } from '../Forgotten.tsx';
import { stretchOf } from '../stretch.ts';
import { Bar, Lane, Moment, TimeAxis } from '../TimeAxis.tsx';
import { lanesOfPod } from './containerLanes.ts';
import styles from '../rollout/rollout.module.css';

/** A pod's life: a lane for each container and probe on one axis of time. */
export default function PodLifeTab({
  world,
  subject,
}: {
  readonly world: World;
  readonly subject: Subject | undefined;
}) {
  if (subject?.target.resource.kind !== 'Pod') return <Pods world={world} subject={subject} />;
  const { namespace, name } = subject.target;
  return (
    <div className={styles.page}>
      {subject.object && <Why object={subject.object} />}
      <Life key={`${namespace}/${name}`} namespace={namespace} name={name} />
    </div>
  );
}

function Life({ namespace, name }: { readonly namespace: string; readonly name: string }) {
  const now = useNow();
  const records = usePodRecords({ namespace, fieldSelector: `metadata.name=${name}` });
  const { objects: events } = useLiveObjects({
    resource: eventsRef,
    namespace,
    fieldSelector: `involvedObject.name=${name}`,
  });
  // A name may have been used before: the last pod of it is meant.
  const record = useMemo(() => [...(records?.values() ?? [])].at(-1), [records]);
  const lanes = useMemo(() => (record ? lanesOfPod(record.states, events, lifeOf(record)?.to) : []), [record, events]);
  if (!records) return <Waiting what="Loading its history" />;
  if (!record)
    return (
      <Empty icon={HeartPulse} title="There is no history of this pod">
        Storage keeps recent revisions only.
      </Empty>
    );
  const moments = lanes.flatMap(({ phases }) => phases.map(({ from }) => from));
  const stretch = stretchOf(moments, lifeOf(record)?.to ?? now);
  return (
    <Section title={`Pod ${name}`}>
      <TimeAxis stretch={stretch}>
        {lanes.map(({ name: lane, phases, happenings }) => (
          <Lane key={lane} name={lane}>
            {phases.map((phase) => (
              <Bar
                key={`${phase.from} ${phase.text}`}
                stretch={stretch}
                {...phase}
                text={`${phase.text}, from ${timeOfDay(phase.from)}`}
              />
            ))}
            {happenings.map((each) => (
              <Moment
                key={`${each.at} ${each.text}`}
                stretch={stretch}
                {...each}
                text={`${timeOfDay(each.at)} ${each.text}`}
              />
            ))}
          </Lane>
        ))}
      </TimeAxis>
      <Forgotten />
    </Section>
  );
}

const MOST_PODS = 200;

/** The pods among which one is chosen: those of the subject, or all. */
function Pods({ world, subject }: { readonly world: World; readonly subject: Subject | undefined }) {
  const refOf = useRefs();
  const center = subject?.object;
  const own = center ? podsOf(center, world) : [];
  const pods = own.length > 0 ? own : world.ofKind('', 'Pod');
  if (pods.length === 0)
    return (
      <Empty icon={HeartPulse} title="No pods yet">
        Run something: each pod’s containers, probes and events appear here on one axis of time.
      </Empty>
    );
  return (
    <div className={styles.page}>
      <Section title={own.length > 0 && center ? `Pods of ${center.kind} ${center.metadata.name ?? ''}` : 'Pods'}>
        <ul className={styles.list}>
          {pods.slice(0, MOST_PODS).map((pod) => {
            const { apiVersion, kind, metadata } = pod;
            const ref = refOf({ apiVersion, kind, namespace: metadata.namespace, name: metadata.name });
            const { state, text } = stateOfObject(pod);
            return (
              <li key={metadata.uid} className={styles.row}>
                {ref && <ObjectLink {...ref} />}
                <span className={styles.muted}>{metadata.namespace}</span>
                <StateMark state={state} text={text} />
                <Button onClick={() => ref && choose(ref)}>See its life</Button>
              </li>
            );
          })}
        </ul>
        {pods.length > MOST_PODS && <p className={styles.muted}>and {pods.length - MOST_PODS} more pods</p>}
      </Section>
    </div>
  );
}

/** The pods that an object made, or that were made by what it made. */
function podsOf(object: KnownObject, world: World, above: readonly KnownObject[] = []): readonly KnownObject[] {
  if (above.includes(object)) return [];
  return world
    .dependentsOf(object)
    .flatMap((each) => (each.kind === 'Pod' ? [each] : podsOf(each, world, [...above, object])));
}
