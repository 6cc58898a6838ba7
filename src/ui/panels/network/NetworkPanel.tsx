import { ArrowLeftRight, FilePlus2, Grid3x3, Network } from 'lucide-preact';
import { useEffect, useMemo, useRef } from 'preact/compat';
import type { NetworkView } from '../../../network/index.ts';
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
import { useNetwork } from '../../stores/network.ts';
import { CommandsButton } from '../commands/CommandsButton.tsx';
import { networkView } from '../commands/views.ts';
import { builders } from './builders.ts';
import { useNetworkDraft } from './draft.ts';
import { DraftBar } from './DraftBar.tsx';
import { FlowList } from './FlowList.tsx';
import { NetworkMap } from './NetworkMap.tsx';
import { ReachabilityMatrix } from './ReachabilityMatrix.tsx';
import { SidePane } from './SidePane.tsx';
import { countReach, type Picture } from './picture.ts';
import { usePicture } from './usePicture.ts';
import type { Workload } from './workloads.ts';
import styles from './NetworkPanel.module.css';

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
      <Head picture={picture} view={network.view} look={look} />
      {draft && <DraftBar picture={picture} />}
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

interface HeadProps {
  readonly picture: Picture;
  readonly view: NetworkView;
  readonly look: Look;
}

function Head({ picture, view, look }: HeadProps) {
  const query = useAddress((address) => address.query);
  const { workloads, now } = picture;
  const { allowed, partly, denied } = useMemo(() => countReach({ workloads, now }), [workloads, now]);
  const note = `${allowed} allowed, ${denied} denied${partly > 0 ? `, ${partly} in part` : ''}`;
  const choices = picture.ports.some(({ value }) => value === picture.port)
    ? picture.ports
    : [{ value: picture.port, label: picture.port.replace('/', ' ') }, ...picture.ports];
  return (
    <>
      <Toolbar title="Network" note={picture.workloads.length > 0 && note}>
        <NewPolicy picture={picture} view={view} />
        <CommandsButton of={networkView} />
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

/** The cluster's own pods are there before anybody runs something; policies are meant for the others. */
const firstOfPeople = (workloads: readonly Workload[], { settings }: NetworkView): Workload | undefined =>
  workloads.find(({ namespace }) => namespace !== settings.names.systemNamespace) ?? workloads[0];

/** Begins a policy in the editor, beside the picture. */
function NewPolicy({ picture: { workloads }, view }: Pick<HeadProps, 'picture' | 'view'>) {
  const { ns = '', to = '', from = '' } = useAddress(({ query }) => query);
  const chosen =
    workloads.find(({ key }) => key === to) ??
    workloads.find(({ key }) => key === from) ??
    firstOfPeople(workloads, view);
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
            offer(build(view, namespace));
            openEditor({ kind: 'new' });
          }}
        />
      ))}
    </Menu>
  );
}
