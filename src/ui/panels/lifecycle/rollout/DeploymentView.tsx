import { Pause, Play, Undo2 } from 'lucide-preact';
import { useMemo, useState } from 'preact/compat';
import type { KnownObject, World } from '../../../../explain/index.ts';
import { withoutHash, type ApiObject, type objects } from '../../../../schema/index.ts';
import { labelSelectorText, type LabelSelector } from '../../../../schema/index.ts';
import { Button, Diff, Dialog, Facts, Section, StateMark } from '../../../parts/index.ts';
import { age, useNow } from '../../../stores/clock.ts';
import { asList, asNumber, asText, at } from '../../../stores/jsonValues.ts';
import { useRefusal } from '../../../stores/permissions.ts';
import { usePodRecords } from '../../../stores/podStates.ts';
import type { ObjectRef } from '../../../stores/resources.ts';
import { useCluster } from '../../../stores/session.ts';
import { WriteButton } from '../../commands/WriteButton.tsx';
import { ObjectLink } from '../../object/ObjectLink.tsx';
import { toYaml } from '../../object/yaml.ts';
import { useRefs } from '../subject.ts';
import { Forgotten } from '../Forgotten.tsx';
import { Bands } from './Bands.tsx';
import { limitsOf, livesOf } from './lives.ts';
import { goingBack, pausing } from '../../object/actions/changes.ts';
import styles from './rollout.module.css';

interface DeploymentProps {
  readonly world: World;
  readonly deployment: KnownObject;
}

/** A Deployment's ReplicaSets over time, and the way back to any of them. */
export function DeploymentView({ world, deployment }: DeploymentProps) {
  const { names } = useCluster();
  const now = useNow();
  const { namespace = '', name = '' } = deployment.metadata;
  const labelSelector = labelSelectorText(at(deployment, 'spec', 'selector') as LabelSelector);
  const records = usePodRecords({ namespace, labelSelector });
  const lives = useMemo(() => livesOf(records ?? new Map()), [records]);
  const annotation = names.fill('deployment.{label}/revision');
  const sets = world
    .dependentsOf(deployment)
    .filter(({ kind }) => kind === 'ReplicaSet')
    .map((set) => ({ set, revision: Number(set.metadata.annotations?.[annotation] ?? 0) }))
    .sort((a, b) => a.revision - b.revision);
  return (
    <>
      <Section title={`Deployment ${name}`} end={<PauseButton deployment={deployment} />}>
        <Progress deployment={deployment} now={now} />
      </Section>
      <Section title="Ready pods by ReplicaSet">
        <Bands
          lives={lives}
          now={now}
          names={sets.map(({ set, revision }) => ({
            uid: set.metadata.uid ?? '',
            text: `revision ${revision}`,
          }))}
          limits={limitsOf(deployment)}
        />
        <Forgotten />
      </Section>
      <Section title="Revisions">
        <Revisions deployment={deployment} sets={sets} now={now} />
      </Section>
    </>
  );
}

function Progress({ deployment, now }: { readonly deployment: ApiObject; readonly now: number }) {
  const { most, least } = limitsOf(deployment);
  const condition = (type: string): unknown =>
    asList(at(deployment, 'status', 'conditions')).find((each) => at(each, 'type') === type);
  const progressing = condition('Progressing');
  const deadline = asNumber(at(deployment, 'spec', 'progressDeadlineSeconds'));
  const updated = Date.parse(asText(at(progressing, 'lastUpdateTime')));
  const reason = asText(at(progressing, 'reason'));
  const waits = reason === 'ReplicaSetUpdated' || reason === 'NewReplicaSetCreated';
  const left = deadline !== undefined && waits ? Math.ceil((updated + deadline * 1000 - now) / 1000) : undefined;
  return (
    <Facts
      facts={[
        [
          'Progress',
          progressing ? (
            <StateMark
              key="progress"
              state={at(progressing, 'status') === 'True' ? (waits ? 'pending' : 'ready') : 'failed'}
              text={`${reason}: ${asText(at(progressing, 'message'))}`}
            />
          ) : undefined,
        ],
        [
          'Deadline',
          left === undefined
            ? deadline === undefined
              ? undefined
              : `${deadline} s without progress`
            : `${left} s left without progress`,
        ],
        ['At most', `${most} pods (replicas and maxSurge)`],
        ['Available at least', `${least} pods (replicas without maxUnavailable)`],
        ['Strategy', asText(at(deployment, 'spec', 'strategy', 'type'))],
      ]}
    />
  );
}

function useTarget({ apiVersion, kind, metadata }: KnownObject): ObjectRef | undefined {
  return useRefs()({ apiVersion, kind, namespace: metadata.namespace, name: metadata.name });
}

function PauseButton({ deployment }: { readonly deployment: KnownObject }) {
  const target = useTarget(deployment);
  const refusal = useRefusal('patch', target);
  const paused = at(deployment, 'spec', 'paused') === true;
  if (!target) return null;
  return <WriteButton icon={paused ? Play : Pause} unavailable={refusal} write={pausing(target, paused)} />;
}

interface Revision {
  readonly set: KnownObject;
  readonly revision: number;
}

interface RevisionsProps {
  readonly deployment: KnownObject;
  readonly sets: readonly Revision[];
  readonly now: number;
}

function Revisions({ deployment, sets, now }: RevisionsProps) {
  const [asking, setAsking] = useState<Revision>();
  const target = useTarget(deployment);
  const refusal = useRefusal('patch', target);
  const current = sets.at(-1);
  const refOf = useRefs();
  return (
    <>
      <ul className={styles.list}>
        {[...sets].reverse().map((each) => {
          const { set, revision } = each;
          const { apiVersion, kind, metadata } = set;
          const ref = refOf({ apiVersion, kind, namespace: metadata.namespace, name: metadata.name });
          const images = asList(at(set, 'spec', 'template', 'spec', 'containers')).map((c) => asText(at(c, 'image')));
          return (
            <li key={metadata.uid} className={styles.row}>
              <strong>Revision {revision}</strong>
              {ref && <ObjectLink {...ref} />}
              <span className={styles.code}>{images.join(', ')}</span>
              <span className={styles.muted}>
                {asNumber(at(set, 'status', 'readyReplicas')) ?? 0} of {asNumber(at(set, 'spec', 'replicas')) ?? 0}{' '}
                ready, {age(metadata.creationTimestamp, now)} old
              </span>
              {each === current ? (
                <StateMark state="ready" text="current" />
              ) : (
                <Button icon={Undo2} unavailable={refusal} onClick={() => setAsking(each)}>
                  Go back to {revision}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      {asking && current && target && (
        <UndoDialog target={target} current={current} to={asking} onClose={() => setAsking(undefined)} />
      )}
    </>
  );
}

/** A ReplicaSet's template as the Deployment had it. */
function templateOf({ set }: Revision): unknown {
  return withoutHash(at(set, 'spec', 'template') as objects.PodTemplateSpec);
}

interface UndoProps {
  readonly target: ObjectRef;
  readonly current: Revision;
  readonly to: Revision;
  readonly onClose: () => void;
}

function UndoDialog({ target, current, to, onClose }: UndoProps) {
  const template = templateOf(to);
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Go back to revision ${to.revision}?`}
      about="The template of the pods becomes what it was then; a new roll-out begins."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <WriteButton
            look="primary"
            write={goingBack(target, to.revision, template)}
            onDone={onClose}
            onLeave={onClose}
          />
        </>
      }
    >
      <Diff before={toYaml(templateOf(current))} after={toYaml(template)} />
    </Dialog>
  );
}
