import { ArrowRight, Ban, Check, CircleSlash, Eraser, Pause, Play } from 'lucide-react';
import { useMemo } from 'react';
import { Button, cx, Empty, Segmented } from '../../parts/index.ts';
import { go, useAddress } from '../../stores/address.ts';
import { clearFlows, pauseFlows, useFlows, type SeenFlow } from '../../stores/flows.ts';
import { theCluster } from '../../stores/session.ts';
import { KindLink } from '../object/ObjectLink.tsx';
import { endName, lookOf, matchesFlow, verdictText } from './flowText.ts';
import type { Workload } from './workloads.ts';
import styles from './FlowList.module.css';

const icons = { delivered: Check, denied: Ban, failed: CircleSlash } as const;

/** Connections as they are made, the newest first. Choosing one explains its way beside the list. */
export function FlowList({ workloads }: { readonly workloads: readonly Workload[] }) {
  const { ns = '', q = '', show = 'all' } = useAddress(({ query }) => query);
  const rows = useFlows((flows) => flows.rows);
  const shown = useMemo(
    () => rows.filter((flow) => matchesFlow(flow, ns, q) && (show === 'all' || lookOf(flow) !== 'delivered')),
    [rows, ns, q, show],
  );
  return (
    <section className={styles.flows} aria-label="Flows">
      <Controls show={show} />
      {shown.length === 0 ? (
        <Empty icon={ArrowRight} title="No connections yet">
          When a program in a pod connects to something, the connection appears here with what came of it.
        </Empty>
      ) : (
        <div className={styles.scroller}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">Time</th>
                <th scope="col">From</th>
                <th scope="col">Asked for</th>
                <th scope="col">To</th>
                <th scope="col">What came of it</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((flow) => (
                <Row key={flow.id} flow={flow} workloads={workloads} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Controls({ show }: { readonly show: string }) {
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
    </div>
  );
}

function Row({ flow, workloads }: { readonly flow: SeenFlow; readonly workloads: readonly Workload[] }) {
  const { from, to, asked, port, protocol, service, count, at } = flow;
  const look = lookOf(flow);
  const Icon = icons[look];
  return (
    <tr className={styles[look]}>
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
  go({ query: { from: source, to: asked, at: `${protocol}/${port}` } }, true);
}
