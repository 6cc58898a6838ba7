/** A roll-out that can't go on, and the way back. */
import { deployments } from '../../client/index.ts';
import { attempt, readObject } from '../stores/actions.ts';
import { go } from '../stores/address.ts';
import { resourceOfKind, useResources } from '../stores/resources.ts';
import { asAdministrator, perform, showList, type Scenario } from './scenario.ts';
import manifests from './rollout.yaml?raw';

const WEB = 'web';
const target = { metadata: { name: WEB, namespace: WEB } };

const showRollout = (): void =>
  go({
    panel: 'lifecycle',
    path: ['rollout'],
    query: { ns: WEB, obj: `apps/deployments/${WEB}/${WEB}`, sel: undefined },
  });

/** Gives the pods another image; `pull` makes the registry refuse it, as it would one that doesn't exist. */
function setImage(image: string, pull?: 'fail'): Promise<boolean> {
  showRollout();
  const template = {
    metadata: { annotations: { 'simulation.vitrine.dev/pull': pull ?? null } },
    spec: { containers: [{ name: WEB, image }] },
  };
  return perform(`The pods are to run ${image} now.`, 'The image was not changed.', (client) =>
    client.of(deployments).patch(target, 'strategic', { spec: { template } }),
  );
}

function undo(): Promise<boolean> {
  showRollout();
  return attempt(undefined, 'The roll-out was not undone.', async () => {
    const resource = resourceOfKind(useResources.getState().resources, 'apps/v1', 'Deployment');
    if (!resource) throw new Error('The server serves no deployments.');
    const { undoRollout } = await import('../panels/object/actions/changes.ts');
    const ref = { resource, namespace: WEB, name: WEB };
    await undoRollout(ref, await readObject(ref));
  });
}

export const rollout: Scenario = {
  manifests,
  start: { panel: 'lifecycle', path: ['rollout'], query: { ns: WEB, obj: `apps/deployments/${WEB}/${WEB}` } },
  about: 'Four replicas of a web server run behind a service. Give them a new image, and watch the roll-out.',
  tries: [
    {
      title: 'Roll out a good image',
      look: 'New pods come in steps, and old ones go as new ones are ready. The service never lacks a pod.',
      run: asAdministrator(() => setImage('nginx:1.20')),
    },
    {
      title: 'Roll out one that does not exist',
      look: 'The new pods can’t pull their image, so the old ones stay: the roll-out stops, and the site is up.',
      run: asAdministrator(() => setImage('nginx:1.99-typo', 'fail')),
    },
    {
      title: 'Which pod stops it?',
      look: 'The list says ImagePullBackOff; a pod’s summary says why.',
      run: asAdministrator(() => showList('core/pods', WEB)),
    },
    {
      title: 'Undo it',
      look: 'The ReplicaSet of the revision before grows again, and the new one goes to zero.',
      run: asAdministrator(undo),
    },
  ],
};
