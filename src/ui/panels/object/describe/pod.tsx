import type { ApiObject } from '../../../../schema/index.ts';
import { Badge, Facts, Ident, StateMark } from '../../../parts/index.ts';
import { asList, asNumber, asRecord, asText, at } from '../../../stores/jsonValues.ts';
import { hrefOf, useAddress } from '../../../stores/address.ts';
import { stateOfPhase, type State } from '../../../theme/states.ts';
import { KindLink } from '../ObjectLink.tsx';
import type { Description } from './index.ts';
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

function Containers({
  specs,
  statuses,
}: {
  readonly specs: readonly unknown[];
  readonly statuses: readonly unknown[];
}) {
  return (
    <ul className={styles.items}>
      {specs.map((spec) => {
        const name = asText(at(spec, 'name'));
        const status = statuses.find((each) => at(each, 'name') === name);
        const { word, state, message } = stateOfContainer(status);
        const restarts = asNumber(at(status, 'restartCount')) ?? 0;
        const ports = asList(at(spec, 'ports')).map((port) => asText(at(port, 'containerPort')));
        return (
          <li key={name} className={styles.item}>
            <p className={styles.head}>
              <span className={styles.name}>{name}</span>
              <StateMark state={state} text={word} />
              {restarts > 0 && <Badge>{restarts === 1 ? '1 restart' : `${restarts} restarts`}</Badge>}
            </p>
            <p className={styles.note}>
              <Ident>{asText(at(spec, 'image'))}</Ident>
              {ports.length > 0 && ` · port ${ports.join(', ')}`}
            </p>
            {message && <p className={styles.note}>{message}</p>}
          </li>
        );
      })}
    </ul>
  );
}

const phaseOf = (object: ApiObject): string => {
  if (object.metadata.deletionTimestamp) return 'Terminating';
  return asText(at(object, 'status', 'reason')) || asText(at(object, 'status', 'phase'));
};

/** Leads to the scheduler's decision about the pod. */
function DecisionLink({ object: { metadata, spec } }: { readonly object: ApiObject & { readonly spec?: unknown } }) {
  const address = useAddress();
  const path = ['pod', metadata.namespace ?? '', metadata.name ?? ''];
  const words = asText(at(spec, 'nodeName')) ? 'Why there?' : 'Why no node?';
  return <a href={hrefOf({ panel: 'scheduling', path }, address)}>{words}</a>;
}

/** A pod: where it runs, what it is reached by, how its containers do. */
export function describePod(object: ApiObject): readonly Description[] {
  const phase = phaseOf(object);
  const node = asText(at(object, 'spec', 'nodeName'));
  const account = asText(at(object, 'spec', 'serviceAccountName'));
  const facts = (
    <Facts
      facts={[
        ['Status', phase && <StateMark state={stateOfPhase(phase) ?? 'pending'} text={phase} />],
        ['Message', asText(at(object, 'status', 'message'))],
        ['Node', node ? <KindLink apiVersion="v1" kind="Node" name={node} /> : 'none yet'],
        ['Scheduling', <DecisionLink key="d" object={object} />],
        ['IP', <Ident key="ip">{asText(at(object, 'status', 'podIP'))}</Ident>],
        [
          'Service account',
          account && (
            <KindLink apiVersion="v1" kind="ServiceAccount" namespace={object.metadata.namespace} name={account} />
          ),
        ],
        ['Quality of service', asText(at(object, 'status', 'qosClass'))],
        ['Priority', asText(at(object, 'spec', 'priority'))],
        ['Restart policy', asText(at(object, 'spec', 'restartPolicy'))],
      ]}
    />
  );
  const init = asList(at(object, 'spec', 'initContainers'));
  const containers = {
    title: 'Containers',
    content: (
      <Containers
        specs={asList(at(object, 'spec', 'containers'))}
        statuses={asList(at(object, 'status', 'containerStatuses'))}
      />
    ),
  };
  const initial = {
    title: 'Init containers',
    content: <Containers specs={init} statuses={asList(at(object, 'status', 'initContainerStatuses'))} />,
  };
  return [{ title: 'Pod', content: facts }, ...(init.length > 0 ? [initial] : []), containers];
}
