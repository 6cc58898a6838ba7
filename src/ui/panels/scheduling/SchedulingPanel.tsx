import { ErrorNote, Segmented, Toolbar, Waiting } from '../../parts/index.ts';
import { go, useAddress } from '../../stores/address.ts';
import { CommandsButton } from '../commands/CommandsButton.tsx';
import { nodesView } from '../commands/views.ts';
import { DecisionView } from './DecisionView.tsx';
import { DrainView } from './DrainView.tsx';
import { Lanes } from './Lanes.tsx';
import { NodeTiles, resourcesOf } from './NodeTiles.tsx';
import { useOverview, useScheduling } from './questions.ts';
import styles from './SchedulingPanel.module.css';

/** Where pods go and why: nodes and how full they are, who waits for what, one pod's decision, and what would be otherwise. */
export default function SchedulingPanel() {
  const scheduling = useScheduling();
  const overview = useOverview();
  const [look = '', ...of] = useAddress(({ path }) => path);
  const asked = useAddress(({ query }) => query['of']);
  if (!scheduling) return <ErrorNote title="This host can’t ask the scheduler." />;
  if (!overview) return <Waiting what="Asking the scheduler" />;
  const name = of.join('/');
  if (look === 'pod' || look === 'deployment')
    return <DecisionView key={`${look} ${name}`} kind={look} name={name} overview={overview} />;
  if (look === 'drain') return <DrainView key={name} node={name} overview={overview} />;
  const { active, backoff, unschedulable } = overview.lanes;
  const waiting = active.count + backoff.count + unschedulable.count;
  const resources = resourcesOf(overview.nodes);
  const resource = asked !== undefined && resources.includes(asked) ? asked : 'cpu';
  return (
    <div className={styles.panel}>
      <Toolbar
        title="Scheduling"
        note={`${overview.nodes.length} ${overview.nodes.length === 1 ? 'node' : 'nodes'}, ${waiting === 0 ? 'nobody waits' : `${waiting} waiting`}`}
      >
        <Segmented
          label="Filled by"
          value={resource}
          choices={resources.map((value) => ({ value, label: value }))}
          onValue={(value) => go({ query: { of: value } }, true)}
        />
        <CommandsButton of={nodesView} />
      </Toolbar>
      <div className={styles.body}>
        <div className={styles.main}>
          <NodeTiles nodes={overview.nodes} resource={resource} />
        </div>
        <Lanes lanes={overview.lanes} />
      </div>
    </div>
  );
}
