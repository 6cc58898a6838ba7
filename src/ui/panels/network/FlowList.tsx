import { ArrowRight, Ban, Check, CircleSlash, Download, Eraser, Pause, Play, ShieldCheck } from 'lucide-preact';
import { useMemo, useState } from 'preact/compat';
import type { NetworkView } from '../../../network/index.ts';
import { Button, cx, Empty, Segmented } from '../../parts/index.ts';
import { go, useAddress } from '../../stores/address.ts';
import { clearFlows, pauseFlows, useFlows, type SeenFlow } from '../../stores/flows.ts';
import { theCluster } from '../../stores/session.ts';
import { KindLink } from '../object/ObjectLink.tsx';
import { exportFlows, writeSuggestion } from './flowActions.ts';
import { endName, lookOf, matchesFlow, verdictText } from './flowText.ts';
import type { Workload } from './workloads.ts';
import styles from './FlowList.module.css';

const icons = { delivered: Check, denied: Ban, failed: CircleSlash } as const;

/** Connections as they are made, the newest first. Choosing one explains its way beside the list. */
export function FlowList({ workloads, view }: { readonly workloads: readonly Workload[]; readonly view: NetworkView }) {
  const { ns = '', q = '', show = 'all' } = useAddress(({ query }) => query);
  const rows = useFlows((flows) => flows.rows);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const choose = (id: number, on: boolean): void =>
    setChosen((before) => new Set(on ? [...before, id] : [...before].filter((each) => each !== id)));
  const shown = useMemo(
    () => rows.filter((flow) => matchesFlow(flow, ns, q) && (show === 'all' || lookOf(flow) !== 'delivered')),
    [rows, ns, q, show],
  );
  return (
    <section className={styles.flows} aria-label="Flows">
      <Controls show={show} shown={shown} chosen={shown.filter(({ id }) => chosen.has(id))} view={view} />
      {shown.length === 0 ? (
        <Empty icon={ArrowRight} title="No connections yet">
          When a program in a pod connects to something, the connection appears here with its result.
        </Empty>
      ) : (
        <div className={styles.scroller}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">
                  <input
                    type="checkbox"
                    aria-label="Choose all connections"
                    checked={shown.every(({ id }) => chosen.has(id))}
                    onChange={({ currentTarget: target }) =>
                      setChosen(new Set(target.checked ? shown.map(({ id }) => id) : []))
                    }
                  />
                </th>
                <th scope="col">Time</th>
                <th scope="col">From</th>
                <th scope="col">Asked for</th>
                <th scope="col">To</th>
                <th scope="col">Result</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((flow) => (
                <Row
                  key={flow.id}
                  flow={flow}
                  workloads={workloads}
                  chosen={chosen.has(flow.id)}
                  onChoose={(on) => choose(flow.id, on)}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

interface ControlsProps {
  readonly show: string;
  readonly shown: readonly SeenFlow[];
  readonly chosen: readonly SeenFlow[];
  readonly view: NetworkView;
}

function Controls({ show, shown, chosen, view }: ControlsProps) {
  const paused = useFlows((flows) => flows.paused);
  return (
    <div className={styles.controls}>
      <Segmented
        label="Flows"
        value={show === 'all' ? 'all' : 'failed'}
        choices={[
          { value: 'all', label: 'All' },
          { value: 'failed', label: 'Not delivered' },
        ]}
        onValue={(value) => go({ query: { show: value === 'all' ? undefined : value } }, true)}
      />
      <Button icon={paused ? Play : Pause} aria-pressed={paused} onClick={() => pauseFlows(!paused)}>
        {paused ? 'Go on' : 'Pause'}
      </Button>
      <Button icon={Eraser} onClick={clearFlows}>
        Clear
      </Button>
      <Button
        icon={Download}
        onClick={() => exportFlows(shown)}
        unavailable={shown.length === 0 && 'There is no connection to export.'}
      >
        Export
      </Button>
      <Button
        icon={ShieldCheck}
        look="primary"
        unavailable={chosen.length === 0 && 'Choose connections: the policies will allow just these.'}
        onClick={() => writeSuggestion(chosen, view)}
      >
        Suggest policies{chosen.length > 0 ? ` for ${chosen.length}` : ''}
      </Button>
    </div>
  );
}

interface RowProps {
  readonly flow: SeenFlow;
  readonly workloads: readonly Workload[];
  readonly chosen: boolean;
  readonly onChoose: (on: boolean) => void;
}

function Row({ flow, workloads, chosen, onChoose }: RowProps) {
  const { from, to, asked, port, protocol, service, count, at } = flow;
  const look = lookOf(flow);
  const Icon = icons[look];
  return (
    <tr className={styles[look]}>
      <td>
        <input
          type="checkbox"
          aria-label={`Choose ${endName(from)} to ${asked}:${port}`}
          checked={chosen}
          onChange={({ currentTarget: target }) => onChoose(target.checked)}
        />
      </td>
      <td className={styles.time}>{new Date(at).toISOString().slice(11, 23)}</td>
      <td>{endName(from)}</td>
      <td>
        <button type="button" className={styles.explain} title="Explain" onClick={() => explain(flow, workloads)}>
          {asked}:{port} {protocol}
        </button>
      </td>
      <td>
        {to ? endName(to) : ''}
        {service !== undefined && <span className={styles.via}> through {service}</span>}
      </td>
      <td>
        <span className={styles.verdict}>
          <Icon className={cx(styles.icon)} aria-hidden />
          {verdictText(flow)}
          {count > 1 && ` (${count} times)`}
        </span>
        {flow.denied?.policies.map((key) => (
          <PolicyLink key={key} policy={key} />
        ))}
      </td>
    </tr>
  );
}

function PolicyLink({ policy }: { readonly policy: string }) {
  const [namespace = '', name = ''] = policy.split('/');
  const apiVersion = theCluster().names.fill('networking.{domain}/v1');
  return (
    <span className={styles.policy}>
      <KindLink {...{ apiVersion, namespace, name }} kind="NetworkPolicy" />
    </span>
  );
}

/** Asks the pane beside the list about the same connection. */
function explain({ from, asked, port, protocol }: SeenFlow, workloads: readonly Workload[]): void {
  const sender = workloads.find(({ pods }) =>
    pods.some(({ metadata }) => `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}` === from.pod),
  );
  const source = sender?.key ?? (from.node === undefined ? 'outside' : `node/${from.node}`);
  go({ query: { from: source, to: asked, toPort: `${protocol}/${port}` } }, true);
}
