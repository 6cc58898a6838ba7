/** A node that fails: who notices, when, and where its pods go. */
import { nodes } from '../../client/index.ts';
import { attempt } from '../stores/actions.ts';
import { stepClock } from '../stores/clock.ts';
import { go } from '../stores/address.ts';
import type { Write } from '../stores/writes.ts';
import { asAdministrator, showList, writing, type Scenario } from './scenario.ts';
import manifests from './outage.yaml?raw';

const WEB = 'web';
const NODE = 'node-2';
const SECOND = 1000;

const showNode = (): void =>
  go({ panel: 'explore', path: ['core', 'nodes'], query: { sel: `object:core/nodes/-/${NODE}`, tab: undefined } });

const powering = (down: 'true' | null): Omit<Write, 'label'> => ({
  done: `${NODE} is ${down ? 'off' : 'on again'}.`,
  failed: `${NODE} was not changed.`,
  send: (client) => {
    const annotations = { 'simulation.vitrine.dev/down': down };
    return client.of(nodes).patch({ metadata: { name: NODE } }, 'merge', { metadata: { annotations } });
  },
});

const wait = (seconds: number): Promise<boolean> =>
  attempt(undefined, 'Time did not move.', () => stepClock(seconds * SECOND));

export const outage: Scenario = {
  manifests,
  start: { panel: 'explore', path: ['core', 'pods'], query: { ns: WEB } },
  about: 'Six pods run on three nodes. Switch one of the nodes off: nothing happens at first.',
  tries: [
    writing(
      `Switch ${NODE} off`,
      'It stops without notice. Nothing else has noticed yet: the node still counts as Ready.',
      showNode,
      powering('true'),
    ),
    {
      title: 'Let 50 seconds pass',
      look: 'Its lease was not renewed for 40 seconds: the node is NotReady, and gets a taint.',
      run: asAdministrator(() => {
        showNode();
        return wait(50);
      }),
    },
    {
      title: 'Let another minute pass',
      look: 'Its pods tolerated the taint for 30 seconds. They are being deleted, and new ones start on the other nodes.',
      run: asAdministrator(() => {
        showList('core/pods', WEB);
        return wait(60);
      }),
    },
    writing(
      `Switch ${NODE} on again`,
      'It reports again. The taint is removed, and the pods that it no longer runs are gone.',
      showNode,
      powering(null),
    ),
  ],
};
