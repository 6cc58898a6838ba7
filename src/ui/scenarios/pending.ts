/** Pods that no node takes, each for another reason. */
import { nodes } from '../../client/index.ts';
import { go } from '../stores/address.ts';
import { asAdministrator, showList, writing, type Scenario } from './scenario.ts';
import manifests from './pending.yaml?raw';

const QUEUE = 'queue';

const showDecision = (pod: string): void =>
  go({ panel: 'scheduling', path: ['pod', QUEUE, pod], query: { sel: undefined } });

export const pending: Scenario = {
  manifests,
  start: { panel: 'explore', path: ['core', 'pods'], query: { ns: QUEUE } },
  about: 'One pod runs; the others wait, each for another reason. The scheduler can say which.',
  tries: [
    {
      title: 'Too large for every node',
      look: 'It asks for 64 CPUs. Each node says how much it has left.',
      run: asAdministrator(() => showDecision('too-large')),
    },
    {
      title: 'No node has the label',
      look: 'Its node selector asks for disk=ssd, and no node has that label.',
      run: asAdministrator(() => showDecision('wants-ssd')),
    },
    writing(
      'Give node-1 the label',
      'The change of the node wakes the pod at once: it gets node-1 and starts.',
      () => showList('core/pods', QUEUE, 'wants-ssd'),
      {
        done: 'node-1 has the label disk=ssd now.',
        failed: 'node-1 got no label.',
        send: (client) =>
          client.of(nodes).patch({ metadata: { name: 'node-1' } }, 'merge', { metadata: { labels: { disk: 'ssd' } } }),
      },
    ),
    {
      title: 'A claim that is not there',
      look: 'Its volume names a claim that nobody has made, so no node is even asked.',
      run: asAdministrator(() => showDecision('wants-storage')),
    },
    {
      title: 'Four pods, three nodes',
      look: 'No two of them may share a node: the fourth waits until there is another node.',
      run: asAdministrator(() => go({ panel: 'scheduling', path: [], query: { sel: undefined } })),
    },
  ],
};
