import { Workflow } from 'lucide-preact';
import type { World } from '../../../explain/index.ts';
import { Empty, later, Tabs, Toolbar, Waiting } from '../../parts/index.ts';
import { go, useAddress } from '../../stores/address.ts';
import { useWorld } from '../../stores/world.ts';
import { CommandsButton } from '../commands/CommandsButton.tsx';
import { lifecycleView } from '../commands/views.ts';
import { DeletingTab } from './DeletingTab.tsx';
import { ObjectGraph } from './ObjectGraph.tsx';
import { ObjectPicker } from './ObjectPicker.tsx';
import { useSubject, type Subject } from './subject.ts';
import { Suggestions } from './Suggestions.tsx';
import styles from './lifecycle.module.css';

const RolloutTab = later(() => import('./rollout/RolloutTab.tsx'));
const PodLifeTab = later(() => import('./podLife/PodLifeTab.tsx'));

const TABS = ['graph', 'deleting', 'rollout', 'pod'] as const;

/** Why something is still there, and what follows from it. */
export default function LifecyclePanel() {
  const world = useWorld();
  return world ? <Room world={world} /> : <Waiting what="Reading all objects" />;
}

function Room({ world }: { readonly world: World }) {
  const subject = useSubject(world);
  const asked = useAddress(({ path }) => path[0]);
  const tab = TABS.find((each) => each === asked) ?? (subject ? 'graph' : 'deleting');
  return (
    <div className={styles.panel}>
      <Toolbar title="Lifecycle">
        <ObjectPicker world={world} subject={subject} />
        <CommandsButton of={lifecycleView(tab, subject?.target)} />
      </Toolbar>
      <Tabs
        label="Lifecycle"
        value={tab}
        onValue={(next) => go({ path: [next] })}
        tabs={[
          { value: 'graph', label: 'What belongs to it', content: () => <Graph world={world} subject={subject} /> },
          { value: 'deleting', label: 'Deleting', content: () => <DeletingTab world={world} subject={subject} /> },
          { value: 'rollout', label: 'Roll-outs', content: () => <RolloutTab world={world} subject={subject} /> },
          { value: 'pod', label: 'A pod’s life', content: () => <PodLifeTab world={world} subject={subject} /> },
        ]}
      />
    </div>
  );
}

function Graph({ world, subject }: { readonly world: World; readonly subject: Subject | undefined }) {
  if (!subject?.object)
    return (
      <Empty
        icon={Workflow}
        title={subject ? 'This object does not exist' : 'What belongs to what'}
        action={<Suggestions world={world} />}
      >
        Choose an object: its owners, its dependants, and what selects and uses them appear here.
      </Empty>
    );
  return <ObjectGraph world={world} center={subject.object} />;
}
