import { useEffect, useState } from 'preact/compat';
import type { ApiObject } from '../../../../schema/index.ts';
import { Badge, Ident, StateMark } from '../../../parts/index.ts';
import { useObserver } from '../../../stores/clients.ts';
import { useNow } from '../../../stores/clock.ts';
import { asList, asNumber, asRecord, asText, at } from '../../../stores/jsonValues.ts';
import { useLiveObjects } from '../../../stores/liveObjects.ts';
import { findResource, useResources } from '../../../stores/resources.ts';
import { stateOfPhase, type State } from '../../../theme/states.ts';
import { plainText } from '../../logs/ansi.ts';
import { lastFailure, probesOf, sentenceOf, type ProbeText } from './containerStates.ts';
import styles from './describe.module.css';

interface ContainerState {
  readonly word: string;
  readonly state: State;
  readonly message: string;
}

/** A container's state in a word: what it waits for, that it runs, or how it ended. */
export function stateOfContainer(status: unknown): ContainerState {
  const [name = 'waiting', detail] = Object.entries(asRecord(at(status, 'state')))[0] ?? [];
  const reason = asText(at(detail, 'reason'));
  const message = asText(at(detail, 'message'));
  if (name === 'running') {
    const ready = at(status, 'ready') === true;
    return { word: ready ? 'Running' : 'Running, not ready', state: ready ? 'ready' : 'pending', message };
  }
  if (name === 'terminated') {
    const code = asNumber(at(detail, 'exitCode')) ?? 0;
    return {
      word: `${reason || 'Terminated'}, exit code ${code}`,
      state: code === 0 ? 'completed' : 'failed',
      message,
    };
  }
  const word = reason || 'Waiting';
  return { word, state: stateOfPhase(word) ?? 'pending', message };
}

interface ContainersProps {
  readonly pod: ApiObject;
  readonly specs: readonly unknown[];
  readonly statuses: readonly unknown[];
}

/** The containers of a pod: how each does, in a word and in a sentence, and what its probes found. */
export function Containers({ pod, specs, statuses }: ContainersProps) {
  const probed = specs.some((spec) => probesOf(spec).length > 0);
  const events = useUnhealthy(probed ? pod : undefined);
  return (
    <ul className={styles.items}>
      {specs.map((spec) => {
        const name = asText(at(spec, 'name'));
        const status = statuses.find((each) => at(each, 'name') === name);
        return <Container key={name} pod={pod} spec={spec} status={status} events={events} />;
      })}
    </ul>
  );
}

function useUnhealthy(pod: ApiObject | undefined): readonly ApiObject[] {
  const resource = useResources((state) => findResource(state.resources, 'core', 'events'));
  const fieldSelector = `involvedObject.uid=${pod?.metadata.uid ?? ''},reason=Unhealthy`;
  const live = useLiveObjects(resource && pod && { resource, namespace: pod.metadata.namespace ?? '', fieldSelector });
  return live.objects;
}

interface ContainerProps {
  readonly pod: ApiObject;
  readonly spec: unknown;
  readonly status: unknown;
  readonly events: readonly unknown[];
}

function Container({ pod, spec, status, events }: ContainerProps) {
  const now = useNow();
  const name = asText(at(spec, 'name'));
  const { word, state, message } = stateOfContainer(status);
  const restarts = asNumber(at(status, 'restartCount')) ?? 0;
  const ports = asList(at(spec, 'ports')).map((port) => asText(at(port, 'containerPort')));
  const sentence = status === undefined ? '' : sentenceOf(status, now);
  return (
    <li className={styles.item}>
      <p className={styles.head}>
        <span className={styles.name}>{name}</span>
        <StateMark state={state} text={word} />
        {restarts > 0 && <Badge>{restarts === 1 ? '1 restart' : `${restarts} restarts`}</Badge>}
      </p>
      <p className={styles.note}>
        <Ident>{asText(at(spec, 'image'))}</Ident>
        {ports.length > 0 && ` · port ${ports.join(', ')}`}
      </p>
      {sentence && <p className={styles.note}>{sentence}</p>}
      {message && <p className={styles.note}>{message}</p>}
      {word === 'CrashLoopBackOff' && <LastLines pod={pod} container={name} start={restarts} />}
      {probesOf(spec).map((probe) => (
        <Probe key={probe.kind} probe={probe} container={name} status={status} events={events} now={now} />
      ))}
    </li>
  );
}

interface ProbeProps {
  readonly probe: ProbeText;
  readonly container: string;
  readonly status: unknown;
  readonly events: readonly unknown[];
  readonly now: number;
}

function Probe({ probe: { kind, rule }, container, status, events, now }: ProbeProps) {
  const failure = lastFailure(kind, container, events, now);
  const good = kind === 'readiness' ? at(status, 'ready') === true : at(status, 'started') === true;
  return (
    <p className={styles.note}>
      <StateMark state={good ? 'ready' : 'pending'} text={`${kind} probe`} /> {rule}{' '}
      {failure ? `It ${failure}` : good && 'It has not failed in the last hour.'}
    </p>
  );
}

/** Lines that tell why a container crashed. */
const LINES = 5;

function LastLines({
  pod,
  container,
  start,
}: {
  readonly pod: ApiObject;
  readonly container: string;
  readonly start: number;
}) {
  const client = useObserver();
  const [text, setText] = useState('');
  const { name = '', namespace = '' } = pod.metadata;
  useEffect(() => {
    const abort = new AbortController();
    const path = `/api/v1/namespaces/${namespace}/pods/${name}/log`;
    client
      .raw(path, { query: { container, tailLines: LINES }, signal: abort.signal })
      .then((response) => response.text())
      // Without its log the sentence above has to do.
      .then(setText, () => undefined);
    return () => abort.abort();
  }, [client, namespace, name, container, start]);
  if (text.trim() === '') return null;
  return (
    <pre className={styles.lines} aria-label={`Last lines of ${container}`}>
      {text.trimEnd().split('\n').map(plainText).join('\n')}
    </pre>
  );
}
