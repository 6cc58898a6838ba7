/** How an object is doing, in a word. */
import type { ApiObject } from '../../../schema/index.ts';
import { asList, asNumber, asText, at } from '../../stores/jsonValues.ts';
import { stateOfPhase, type State } from '../../theme/states.ts';

export interface ObjectState {
  readonly state: State;
  readonly text: string;
}

const workloads = new Set(['Deployment', 'ReplicaSet', 'StatefulSet', 'ReplicationController']);

/** The state of an object of any kind; one that has no state of its own is there. */
export function stateOfObject(object: ApiObject): ObjectState {
  const { deletionTimestamp, finalizers = [] } = object.metadata;
  if (deletionTimestamp !== undefined) {
    const held = finalizers.length > 0 ? `, ${finalizers.length} finalizer${finalizers.length > 1 ? 's' : ''}` : '';
    return { state: 'deleted', text: `Being deleted${held}` };
  }
  if (object.kind === 'Pod') return stateOfPod(object);
  if (workloads.has(object.kind ?? '')) return stateOfReplicas(object);
  if (object.kind === 'DaemonSet')
    return counted(at(object, 'status', 'numberReady'), at(object, 'status', 'desiredNumberScheduled'));
  const phase = asText(at(object, 'status', 'phase'));
  const condition = asList(at(object, 'status', 'conditions')).find((each) => at(each, 'status') === 'True');
  const word = phase || (object.kind === 'Job' ? asText(at(condition, 'type')) : '');
  return { state: stateOfPhase(word) ?? 'completed', text: word || 'There' };
}

function counted(ready: unknown, wanted: unknown): ObjectState {
  const [have, want] = [asNumber(ready) ?? 0, asNumber(wanted) ?? 0];
  if (want === 0 && have === 0) return { state: 'completed', text: 'Scaled to 0' };
  return { state: have >= want ? 'ready' : 'pending', text: `${have} of ${want} ready` };
}

function stateOfReplicas(object: ApiObject): ObjectState {
  return counted(at(object, 'status', 'readyReplicas'), at(object, 'spec', 'replicas') ?? 1);
}

function stateOfPod(pod: ApiObject): ObjectState {
  const phase = asText(at(pod, 'status', 'phase')) || 'Pending';
  const statuses = [
    ...asList(at(pod, 'status', 'initContainerStatuses')),
    ...asList(at(pod, 'status', 'containerStatuses')),
  ];
  const waiting = statuses.map((each) => asText(at(each, 'state', 'waiting', 'reason'))).find(Boolean);
  if (waiting) return { state: stateOfPhase(waiting) ?? 'pending', text: waiting };
  const ready = asList(at(pod, 'status', 'conditions')).some(
    (each) => at(each, 'type') === 'Ready' && at(each, 'status') === 'True',
  );
  if (phase === 'Running' && !ready) return { state: 'pending', text: 'Running, not ready' };
  return { state: stateOfPhase(phase) ?? 'pending', text: phase };
}
