import { controllerOf } from '../../../../schema/index.ts';
import { ChartGantt } from 'lucide-preact';
import type { KnownObject, World } from '../../../../explain/index.ts';
import { Empty, Section } from '../../../parts/index.ts';
import { KindLink } from '../../object/ObjectLink.tsx';
import Why from '../../object/Why.tsx';
import type { Subject } from '../subject.ts';
import { choose, useRefs } from '../subject.ts';
import { AutoscalerView } from './AutoscalerView.tsx';
import { CronJobView } from './CronJobView.tsx';
import { DeploymentView } from './DeploymentView.tsx';
import { stateOfObject } from '../objectState.ts';
import { PodLanes } from './PodLanes.tsx';
import { Button, StateMark } from '../../../parts/index.ts';
import styles from './rollout.module.css';

const ROLLS_OUT = ['Deployment', 'StatefulSet', 'DaemonSet'];
/** The kinds that are shown here, with their groups. */
const GROUPS: Readonly<Record<string, string>> = {
  Deployment: 'apps',
  StatefulSet: 'apps',
  DaemonSet: 'apps',
  CronJob: 'batch',
  Job: 'batch',
  HorizontalPodAutoscaler: 'autoscaling',
};

/** More workloads than this are counted: the object picker finds any of them. */
const MOST_WORKLOADS = 200;

/** The workload that an object belongs to: itself, or its first owner of a kind that rolls out. */
function workloadOf(object: KnownObject, world: World): KnownObject | undefined {
  if (Object.hasOwn(GROUPS, object.kind)) return object;
  for (const reference of object.metadata.ownerReferences ?? []) {
    const owner = world.ownerOf(object, reference);
    const found = owner && workloadOf(owner, world);
    if (found) return found;
  }
  return undefined;
}

/** How a workload becomes what it should be. */
export default function RolloutTab({
  world,
  subject,
}: {
  readonly world: World;
  readonly subject: Subject | undefined;
}) {
  const workload = subject?.object && workloadOf(subject.object, world);
  if (!workload) return <Workloads world={world} />;
  return (
    <div className={styles.page}>
      {ROLLS_OUT.includes(workload.kind) && <Why object={workload} />}
      <View key={workload.metadata.uid} world={world} workload={workload} />
    </div>
  );
}

function View({ world, workload }: { readonly world: World; readonly workload: KnownObject }) {
  switch (workload.kind) {
    case 'Deployment':
      return <DeploymentView world={world} deployment={workload} />;
    case 'CronJob':
      return <CronJobView world={world} cronJob={workload} />;
    case 'HorizontalPodAutoscaler':
      return <AutoscalerView autoscaler={workload} />;
    default:
      return <PodLanes workload={workload} />;
  }
}

function Workloads({ world }: { readonly world: World }) {
  const refOf = useRefs();
  const workloads = Object.entries(GROUPS)
    .flatMap(([kind, group]) => world.ofKind(group, kind))
    .filter((object) => !controllerOf(object));
  if (workloads.length === 0)
    return (
      <Empty icon={ChartGantt} title="Nothing rolls out yet">
        Create a Deployment, a StatefulSet, a DaemonSet, a Job or a CronJob: its progress over time appears here.
      </Empty>
    );
  return (
    <div className={styles.page}>
      <Section title="Workloads">
        <ul className={styles.list}>
          {workloads.slice(0, MOST_WORKLOADS).map((workload) => {
            const { apiVersion, kind, metadata } = workload;
            const { namespace, name = '' } = metadata;
            const ref = refOf({ apiVersion, kind, namespace, name });
            const { state, text } = stateOfObject(workload);
            return (
              <li key={metadata.uid} className={styles.row}>
                <KindLink full apiVersion={apiVersion} kind={kind} namespace={namespace} name={name} />
                <span className={styles.muted}>{namespace}</span>
                <StateMark state={state} text={text} />
                <Button onClick={() => ref && choose(ref)}>Watch its roll-out</Button>
              </li>
            );
          })}
        </ul>
        {workloads.length > MOST_WORKLOADS && (
          <p className={styles.muted}>and {workloads.length - MOST_WORKLOADS} more workloads</p>
        )}
      </Section>
    </div>
  );
}
