/** States of containers and their probes, in sentences. */
import { getOwn } from '../../../../std/index.ts';
import { asList, asNumber, asRecord, asText, at } from '../../../stores/jsonValues.ts';
import { age } from '../../../stores/clock.ts';

const SIGNALS: Readonly<Record<number, string>> = { 130: 'SIGINT', 137: 'SIGKILL', 139: 'SIGSEGV', 143: 'SIGTERM' };

/** How a container ended: its code, what that means, when. */
function endOf(terminated: unknown, now: number): string {
  const code = asNumber(at(terminated, 'exitCode')) ?? 0;
  const reason = asText(at(terminated, 'reason'));
  const signal = SIGNALS[code];
  const meaning =
    reason === 'OOMKilled'
      ? ': it used more memory than its limit'
      : signal !== undefined
        ? `: it was ended by ${signal}`
        : '';
  const finished = asText(at(terminated, 'finishedAt'));
  return `with exit code ${code}${meaning}${finished && `, ${age(finished, now)} ago`}`;
}

const WAITS: Readonly<Record<string, string>> = {
  ContainerCreating: 'Its volumes, network and image are being prepared.',
  PodInitializing: 'The init containers have to end first.',
  ErrImagePull: 'Its image could not be pulled.',
  ImagePullBackOff: 'Its image could not be pulled; the node waits before it tries again.',
  ErrImageNeverPull: 'Its image is not on the node, and may not be pulled.',
  InvalidImageName: 'Its image name is not valid.',
  CreateContainerConfigError: 'Something that its configuration refers to is missing.',
};

/** When a container that crashed is started again, in milliseconds since the epoch; undefined where its status does not tell. */
export function backOffEnd(status: unknown): number | undefined {
  const message = asText(at(status, 'state', 'waiting', 'message'));
  const [, text] = /back-off (\S+) restarting/.exec(message) ?? [];
  const finished = Date.parse(asText(at(status, 'lastState', 'terminated', 'finishedAt')));
  if (text === undefined || Number.isNaN(finished)) return undefined;
  const parts = [...text.matchAll(/(?<!\d)(\d+(?:\.\d+)?)(h|ms|m|s)/g)];
  const units: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };
  return finished + parts.reduce((sum, [, number, unit = '']) => sum + Number(number) * (getOwn(units, unit) ?? 0), 0);
}

/** What a container does at the moment and why, as one would say it; empty where the state's word says all. */
export function sentenceOf(status: unknown, now: number): string {
  const state = asRecord(at(status, 'state'));
  const last = at(status, 'lastState', 'terminated');
  if (state['running'] !== undefined) {
    const since = asText(at(state['running'], 'startedAt'));
    return `It has run for ${age(since, now)}.${last === undefined ? '' : ` Before, it ended ${endOf(last, now)}.`}`;
  }
  if (state['terminated'] !== undefined) return `It ended ${endOf(state['terminated'], now)}.`;
  const reason = asText(at(state['waiting'], 'reason'));
  if (reason !== 'CrashLoopBackOff') return getOwn(WAITS, reason) ?? '';
  const due = backOffEnd(status);
  const wait =
    due === undefined
      ? ''
      : due > now
        ? ` It is started again in ${Math.ceil((due - now) / 1000)} s.`
        : ' It is about to be started again.';
  return `It ended ${endOf(last, now)}.${wait} Each crash doubles the wait, up to five minutes.`;
}

export interface ProbeText {
  readonly kind: 'startup' | 'liveness' | 'readiness';
  /** What is asked, how often, and what follows. */
  readonly rule: string;
}

const FOLLOWS = {
  startup: 'the container is restarted; until it succeeds the other probes wait',
  liveness: 'the container is restarted',
  readiness: 'the pod leaves its services',
} as const;

/** The probes that a container declares, as sentences. */
export function probesOf(container: unknown): readonly ProbeText[] {
  return (['startup', 'liveness', 'readiness'] as const).flatMap((kind): ProbeText[] => {
    const probe = at(container, `${kind}Probe`);
    if (probe === undefined) return [];
    const period = asNumber(at(probe, 'periodSeconds')) ?? 10;
    const failures = asNumber(at(probe, 'failureThreshold')) ?? 3;
    const count = failures === 1 ? 'one failure' : `${failures} failures in a row`;
    return [{ kind, rule: `${handlerText(probe)} every ${period} s; after ${count} ${FOLLOWS[kind]}.` }];
  });
}

function handlerText(probe: unknown): string {
  const http = at(probe, 'httpGet');
  if (http !== undefined) return `GET ${asText(at(http, 'path')) || '/'} on port ${asText(at(http, 'port'))}`;
  const tcp = at(probe, 'tcpSocket');
  if (tcp !== undefined) return `A connection to port ${asText(at(tcp, 'port'))}`;
  const command = asList(at(probe, 'exec', 'command'))
    .map(asText)
    .join(' ');
  return `The command “${command}”`;
}

/** What a probe answered when it failed last, from the node's event. */
export function lastFailure(
  kind: ProbeText['kind'],
  container: string,
  events: readonly unknown[],
  now: number,
): string {
  const begin = `${kind} probe failed: `;
  const failures = events.filter(
    (event) =>
      at(event, 'reason') === 'Unhealthy' &&
      asText(at(event, 'involvedObject', 'fieldPath')).endsWith(`{${container}}`) &&
      asText(at(event, 'message')).toLowerCase().startsWith(begin),
  );
  const timeOf = (event: unknown): string => asText(at(event, 'lastTimestamp')) || asText(at(event, 'eventTime'));
  const [last] = failures.sort((a, b) => (timeOf(a) < timeOf(b) ? 1 : -1));
  if (last === undefined) return '';
  const count = asNumber(at(last, 'count')) ?? 1;
  return `failed ${age(timeOf(last), now)} ago${count > 1 ? `, ${count} times in all` : ''}: ${asText(at(last, 'message')).slice(begin.length)}`;
}
