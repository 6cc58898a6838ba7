import { troubleOf, type PodTrouble } from '../../../explain/index.ts';
import type { ApiObject, objects } from '../../../schema/index.ts';
import { Section, StateMark } from '../../parts/index.ts';
import { hrefOf, useAddress } from '../../stores/address.ts';
import { asList, asNumber, asText, at } from '../../stores/jsonValues.ts';
import { useLiveObjects } from '../../stores/liveObjects.ts';
import { findResource, formatRef, useResources } from '../../stores/resources.ts';
import { stateOfPhase } from '../../theme/states.ts';
import { logTargetOf } from '../logs/sources.ts';
import { ObjectLink } from './ObjectLink.tsx';
import styles from './Why.module.css';

const SHOWN = 3;

/** Why a pod, or the pods of a workload, do not do what they should: before anything else that is said of them. */
export default function Why({ object }: { readonly object: ApiObject }) {
  if (object.metadata.deletionTimestamp) return null;
  return object.kind === 'Pod' ? <WhyPod pod={object} /> : <WhyWorkload object={object} />;
}

const troubleIn = (pod: ApiObject): PodTrouble | undefined => troubleOf(pod as objects.Pod);

function WhyPod({ pod }: { readonly pod: ApiObject }) {
  const trouble = troubleIn(pod);
  return (
    trouble && (
      <Section title="Why it is not ready">
        <Trouble pod={pod} trouble={trouble} />
      </Section>
    )
  );
}

function Trouble({ pod, trouble }: { readonly pod: ApiObject; readonly trouble: PodTrouble }) {
  const { word, sentence, more } = trouble;
  return (
    <p className={styles.trouble}>
      <StateMark filled state={stateOfPhase(word) ?? 'pending'} text={word} /> {sentence}{' '}
      {more && <More pod={pod} more={more} />}
    </p>
  );
}

function More({ pod, more }: { readonly pod: ApiObject; readonly more: NonNullable<PodTrouble['more']> }) {
  const address = useAddress();
  const resources = useResources((state) => state.resources);
  const { namespace = '', name = '' } = pod.metadata;
  if (more.is === 'scheduling')
    return <a href={hrefOf({ panel: 'scheduling', path: ['pod', namespace, name] }, address)}>Why no node?</a>;
  const resource = findResource(resources, '', 'pods');
  if (!resource) return null;
  const sel = `object:${formatRef({ resource, namespace, name })}`;
  return <a href={hrefOf({ query: { sel, tab: 'logs' } }, address)}>See its log</a>;
}

/** What keeps a controller from making pods at all, as it says itself. */
function failureOf(object: ApiObject): string {
  const conditions = asList(at(object, 'status', 'conditions'));
  const failure = conditions.find((each) => at(each, 'type') === 'ReplicaFailure' && at(each, 'status') === 'True');
  return asText(at(failure, 'message'));
}

/** Whether it has fewer pods that are ready, or of its latest template, than it wants. */
function isWanting(object: ApiObject): boolean {
  const status = (field: string): number => asNumber(at(object, 'status', field)) ?? 0;
  const { kind } = object;
  if (kind === 'DaemonSet') {
    const wanted = status('desiredNumberScheduled');
    return status('numberReady') < wanted || status('updatedNumberScheduled') < wanted;
  }
  const wanted = asNumber(at(object, 'spec', 'replicas')) ?? 1;
  const rollsOut = kind === 'Deployment' || kind === 'StatefulSet';
  return status('readyReplicas') < wanted || (rollsOut && status('updatedReplicas') < wanted);
}

function WhyWorkload({ object }: { readonly object: ApiObject }) {
  const target = isWanting(object) ? logTargetOf(object) : undefined;
  const resource = useResources(({ resources }) => findResource(resources, '', 'pods'));
  const { namespace, labelSelector } = target ?? {};
  const selected = resource && namespace !== undefined && labelSelector !== undefined;
  const { objects: found } = useLiveObjects(selected ? { resource, namespace, labelSelector } : undefined);
  const failure = failureOf(object);
  const troubled = found.flatMap((pod) => {
    const trouble = pod.metadata.deletionTimestamp ? undefined : troubleIn(pod);
    return trouble ? [{ pod, trouble }] : [];
  });
  if (!selected || (troubled.length === 0 && failure === '')) return null;
  const more = troubled.length - SHOWN;
  return (
    <Section title="Why it is not ready">
      {failure !== '' && <p className={styles.trouble}>No pod can be created: {failure}</p>}
      <ul className={styles.pods}>
        {troubled.slice(0, SHOWN).map(({ pod, trouble }) => (
          <li key={pod.metadata.uid}>
            <ObjectLink resource={resource} namespace={namespace} name={pod.metadata.name ?? ''} />
            <Trouble pod={pod} trouble={trouble} />
          </li>
        ))}
      </ul>
      {more > 0 && <p className={styles.more}>{more} more pods are not ready.</p>}
    </Section>
  );
}
