/** Why a pod does not do what it should, in one sentence: what is asked first of every pod that is not ready. */
import type { objects } from '../../schema/index.ts';

type Pod = objects.Pod;
type ContainerStatus = NonNullable<NonNullable<Pod['status']>['containerStatuses']>[number];

export interface PodTrouble {
  /** The word that stands in tables, such as `CrashLoopBackOff`. */
  readonly word: string;
  readonly sentence: string;
  /** Who can say more: the scheduler's decision, or a container's log. */
  readonly more?:
    { readonly is: 'scheduling' } | { readonly is: 'log'; readonly container: string; readonly previous: boolean };
}

const condition = ({ status }: Pod, type: string) => status?.conditions?.find((each) => each.type === type);

const withStop = (text: string): string => (text === '' || /[.!?]$/.test(text) ? text : `${text}.`);

/** Undefined where the pod does what it should, or has done it. A pod that is being deleted is another question. */
export function troubleOf(pod: Pod): PodTrouble | undefined {
  const { phase = 'Pending', reason = '', message = '' } = pod.status ?? {};
  if (phase === 'Succeeded') return undefined;
  if (phase === 'Failed')
    return {
      word: reason || 'Failed',
      sentence: withStop(message || 'All its containers have ended, one of them with an error'),
    };
  return notScheduled(pod) ?? containers(pod) ?? notReady(pod);
}

function notScheduled(pod: Pod): PodTrouble | undefined {
  if (pod.spec.nodeName) return undefined;
  const scheduled = condition(pod, 'PodScheduled');
  const more = { is: 'scheduling' } as const;
  if (scheduled?.status !== 'False')
    return {
      word: 'Pending',
      sentence: `The scheduler (${pod.spec.schedulerName ?? 'default-scheduler'}) has not looked at it yet.`,
      more,
    };
  return {
    word: 'Pending',
    sentence: `No node fits: ${withStop(scheduled.message ?? scheduled.reason ?? '')}`,
    more,
  };
}

function containers(pod: Pod): PodTrouble | undefined {
  const all = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])];
  const crashed = all.find(({ state }) => state?.waiting?.reason === 'CrashLoopBackOff');
  if (crashed) return crash(crashed);
  const failed = all.find(({ state }) => /^Err|BackOff|Error|Invalid/.test(state?.waiting?.reason ?? ''));
  if (failed) {
    const { reason = '', message = '' } = failed.state?.waiting ?? {};
    return { word: reason, sentence: `Container ${failed.name} can’t start: ${withStop(message || reason)}` };
  }
  return ended(all);
}

function crash({ name, lastState, restartCount }: ContainerStatus): PodTrouble {
  const { exitCode, reason = '' } = lastState?.terminated ?? {};
  const how =
    reason === 'OOMKilled' ? 'it used more memory than its limit' : `it ends with exit code ${exitCode ?? 'unknown'}`;
  const times = restartCount === 1 ? 'once' : `${restartCount} times`;
  return {
    word: 'CrashLoopBackOff',
    sentence: `Container ${name} was restarted ${times}: ${how}. Each time the node waits longer before it tries again.`,
    more: { is: 'log', container: name, previous: true },
  };
}

function ended(all: readonly ContainerStatus[]): PodTrouble | undefined {
  const one = all.find(({ state, ready }) => !ready && (state?.terminated?.exitCode ?? 0) !== 0);
  if (!one) return undefined;
  const { exitCode = 0, reason = 'Error' } = one.state?.terminated ?? {};
  return {
    word: reason || 'Error',
    sentence: `Container ${one.name} ended with exit code ${exitCode}.`,
    more: { is: 'log', container: one.name, previous: false },
  };
}

function notReady(pod: Pod): PodTrouble | undefined {
  if (condition(pod, 'Ready')?.status === 'True') return undefined;
  const waiting = (pod.status?.containerStatuses ?? []).find(({ ready }) => !ready);
  const creating = waiting?.state?.waiting?.reason;
  if (creating) return { word: creating, sentence: 'Its node prepares volumes, network and image.' };
  if (waiting?.state?.running)
    return {
      word: 'NotReady',
      sentence: `Container ${waiting.name} runs, but its readiness probe does not succeed: services send it no traffic.`,
    };
  const gate = pod.spec.readinessGates?.find(({ conditionType }) => condition(pod, conditionType)?.status !== 'True');
  if (gate)
    return {
      word: 'NotReady',
      sentence: `Its readiness gate ${gate.conditionType} is not True: its controller has to set it.`,
    };
  const on = pod.spec.nodeName ?? '';
  return { word: pod.status?.phase ?? 'Pending', sentence: `It waits for the agent of ${on} to start it.` };
}
