/** A node that fails: who notices, when, and where its pods go. */
import { nodes } from '../../client/index.ts';
import { attempt } from '../stores/actions.ts';
import { stepClock } from '../stores/clock.ts';
import { go } from '../stores/address.ts';
import { asAdministrator, perform, showList, type Scenario } from './scenario.ts';
import manifests from './outage.yaml?raw';

const WEB = 'web';
const NODE = 'node-2';
const SECOND = 1000;

const showNode = (): void =>
  go({ panel: 'explore', path: ['core', 'nodes'], query: { sel: `object:core/nodes/-/${NODE}`, tab: undefined } });

function setDown(down: 'true' | null, done: string): Promise<boolean> {
  showNode();
  const annotations = { 'simulation.vitrine.dev/down': down };
  return perform(done, `${NODE} was not changed.`, (client) =>
    client.of(nodes).patch({ metadata: { name: NODE } }, 'merge', { metadata: { annotations } }),
  );
}

const wait = (seconds: number): Promise<boolean> =>
  attempt(undefined, 'Time did not move.', () => stepClock(seconds * SECOND));

export const outage: Scenario = {
  manifests,
  start: { panel: 'explore', path: ['core', 'pods'], query: { ns: WEB } },
  about: 'Six pods run on three nodes. Switch one of the nodes off: nothing happens at first.',
  tries: [
    {
      title: `Switch ${NODE} off`,
      look: 'It stops without a word. Nothing else has noticed yet: the node still counts as Ready.',
      run: asAdministrator(() => setDown('true', `${NODE} is off.`)),
    },
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
      look: 'Its pods tolerated the taint for 30 seconds. They are to end, and others run elsewhere.',
      run: asAdministrator(() => {
        showList('core/pods', WEB);
        return wait(60);
      }),
    },
    {
      title: `Switch ${NODE} on again`,
      look: 'It reports, the taint goes, and the pods that waited for its word that they ended are gone.',
      run: asAdministrator(() => setDown(null, `${NODE} is on again.`)),
    },
  ],
};
