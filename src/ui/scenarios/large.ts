/** A cluster that becomes large: how a control plane takes it. */
import { showDock } from '../shell/overlay.ts';
import { endLoad, startLoad } from '../load/load.ts';
import { NAMESPACE, presets } from '../load/plan.ts';
import { go } from '../stores/address.ts';
import { asAdministrator, showList, type Scenario } from './scenario.ts';

const [some, many] = presets;

function start(plan: typeof some): void {
  showDock('load');
  if (plan) void startLoad(plan);
}

export const large: Scenario = {
  manifests: '',
  start: { panel: 'explore', path: ['core', 'nodes'] },
  about: 'Three nodes, and nothing on them. Make it large, and see how requests, the scheduler and the tables keep up.',
  tries: [
    {
      title: '100 nodes, 1,000 pods',
      look: 'Nodes register one by one; Deployments follow as fast as their pods start. The dock shows the progress.',
      run: asAdministrator(() => start(some)),
    },
    {
      title: '1,000 nodes, 10,000 pods',
      look: 'This takes some minutes. You can go on working: requests of people come first.',
      run: asAdministrator(() => start(many)),
    },
    {
      title: 'Look at all pods',
      look: 'The table is live, and scrolls through all of them.',
      run: asAdministrator(() => showList('core/pods', NAMESPACE)),
    },
    {
      title: 'Where they went',
      look: 'Each tile is a node. The scheduler asks some of them for each pod, not all.',
      run: asAdministrator(() => go({ panel: 'scheduling', path: [], query: { sel: undefined } })),
    },
    {
      title: 'Remove it all',
      look: 'The namespace goes with all of its pods, then the nodes.',
      run: asAdministrator(() => {
        showDock('load');
        return endLoad();
      }),
    },
  ],
};
