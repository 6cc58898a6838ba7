import { ArrowLeftRight, FilePlus2, Grid3x3, Network } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import { Matrix } from '../../../network/index.ts';
import { offer, openEditor } from '../../editor/drafts.ts';
import {
  Button,
  Empty,
  Filter,
  Menu,
  MenuItem,
  MenuLabel,
  Segmented,
  Select,
  Toolbar,
  Waiting,
} from '../../parts/index.ts';
import { go, useAddress } from '../../stores/address.ts';
import { useFlowFeed } from '../../stores/flows.ts';
import { useNetwork, type LiveNetwork } from '../../stores/network.ts';
import { theCluster } from '../../stores/session.ts';
import { builders } from './builders.ts';
import { useNetworkDraft, type NetworkDraft } from './draft.ts';
import { FlowList } from './FlowList.tsx';
import { NetworkMap } from './NetworkMap.tsx';
import { ReachabilityMatrix } from './ReachabilityMatrix.tsx';
import { SidePane } from './SidePane.tsx';
import { countReach, type Picture } from './picture.ts';
import { matchesFilter, parsePort, portsOf, WorkloadMatrix, workloadsOf } from './workloads.ts';
import styles from './NetworkPanel.module.css';

/** Beyond so many a picture shows nothing any more: the filter has to narrow it. */
const MOST_WORKLOADS = 500;

type Look = 'map' | 'matrix' | 'flows';
const lookOfPath = (path: string | undefined): Look => (path === 'matrix' || path === 'flows' ? path : 'map');

/** What can reach what: as a map or a matrix, and what connects as it happens; with what a draft would change, and the way of one packet. */
export default function NetworkPanel() {
  const network = useNetwork();
  const draft = useNetworkDraft(network);
  const picture = usePicture(network, draft);
  const look = useAddress(({ path }) => lookOfPath(path[0]));
  useFlowFeed();
  // On a phone all of it is one column: another picture begins at its top.
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // What a browser returns here (newer ones a promise) must not become the clean-up of the effect.
    void body.current?.scrollTo({ top: 0 });
  }, [look]);
  if (!network.ready) return <Waiting what="Reading pods, services and policies" />;
  return (
    <div className={styles.panel}>
      <Head picture={picture} look={look} />
      <div ref={body} className={styles.body}>
        <div className={styles.picture}>
          {look === 'flows' ? (
            <FlowList workloads={picture.workloads} view={network.view} />
          ) : picture.workloads.length === 0 ? (
            <Empty icon={Network} title="No pods to connect">
              Run something: each workload appears here with what it can reach, and what it cannot.
            </Empty>
          ) : look === 'matrix' ? (
            <ReachabilityMatrix picture={picture} />
          ) : (
            <NetworkMap picture={picture} view={network.view} />
          )}
        </div>
        <SidePane network={network} draft={draft} picture={picture} />
      </div>
    </div>
  );
}

function usePicture({ view, version }: LiveNetwork, draft: NetworkDraft | undefined): Picture {
  const namespace = useAddress(({ query }) => query['ns'] ?? '');
  const filter = useAddress(({ query }) => query['q'] ?? '');
  const folded = useAddress(({ query }) => query['by'] !== 'pod');
  const asked = useAddress(({ query }) => query['port'] ?? '');
  return useMemo(() => {
    const everything = workloadsOf(view, folded);
    const ports = portsOf(everything);
    const port = asked || (ports[0]?.value ?? 'TCP/80');
    const matching = everything.filter(
      (workload) => (namespace === '' || workload.namespace === namespace) && matchesFilter(workload, filter),
    );
    const workloads = matching.slice(0, MOST_WORKLOADS);
    const pods = workloads.flatMap((workload) => workload.pods);
    const question = parsePort(port);
    const now = new WorkloadMatrix(new Matrix(pods, question, view), workloads);
    const next = draft && new WorkloadMatrix(new Matrix(pods, question, draft.view), workloads);
    return { workloads, leftOut: matching.length - workloads.length, ports, port, now, next };
    // The view is the same object after each change; its version says that it has changed.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [view, version, draft, namespace, filter, folded, asked]);
}

function Head({ picture, look }: { readonly picture: Picture; readonly look: Look }) {
  const query = useAddress((address) => address.query);
  const { allowed, partly, denied } = useMemo(() => countReach(picture), [picture]);
  const note = `${allowed} allowed, ${denied} denied${partly > 0 ? `, ${partly} in part` : ''}`;
  const choices = picture.ports.some(({ value }) => value === picture.port)
    ? picture.ports
    : [{ value: picture.port, label: picture.port.replace('/', ' ') }, ...picture.ports];
  return (
    <>
      <Toolbar title="Network" note={picture.workloads.length > 0 && note}>
        <NewPolicy picture={picture} />
      </Toolbar>
      <div className={styles.controls}>
        <Segmented
          label="Picture"
          value={look}
          choices={[
            { value: 'map', label: 'Map', icon: Network },
            { value: 'matrix', label: 'Matrix', icon: Grid3x3 },
            { value: 'flows', label: 'Flows', icon: ArrowLeftRight },
          ]}
          onValue={(path) => go({ path: [path] })}
        />
        <Select
          aria-label="Port"
          value={picture.port}
          options={[...choices]}
          onValue={(port) => go({ query: { port } }, true)}
        />
        <Segmented
          label="Rows"
          value={query['by'] === 'pod' ? 'pod' : 'workload'}
          choices={[
            { value: 'workload', label: 'Workloads' },
            { value: 'pod', label: 'Pods' },
          ]}
          onValue={(by) => go({ query: { by: by === 'pod' ? by : undefined } }, true)}
        />
        <Filter label="Name or app=web" value={query['q'] ?? ''} onText={(q) => go({ query: { q } }, true)} />
      </div>
    </>
  );
}

/** Begins a policy in the editor, beside the picture. */
function NewPolicy({ picture: { workloads } }: { readonly picture: Picture }) {
  const { ns = '', to = '', from = '' } = useAddress(({ query }) => query);
  const chosen = workloads.find(({ key }) => key === to) ?? workloads.find(({ key }) => key === from) ?? workloads[0];
  const namespace = ns || (chosen?.namespace ?? 'default');
  return (
    <Menu
      align="end"
      trigger={
        <Button look="primary" icon={FilePlus2}>
          New policy
        </Button>
      }
    >
      <MenuLabel>What should the policy do?</MenuLabel>
      {builders.map(({ title, about, build }) => (
        <MenuItem
          key={title}
          label={title}
          note={about}
          onSelect={() => {
            offer(build(theCluster().names, namespace));
            openEditor({ kind: 'new' });
          }}
        />
      ))}
    </Menu>
  );
}
