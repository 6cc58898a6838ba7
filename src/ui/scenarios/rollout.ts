/** A roll-out that can't go on, and the way back. */
import { deployments } from '../../client/index.ts';
import { go } from '../stores/address.ts';
import { resourceOfKind, useResources } from '../stores/resources.ts';
import type { Write } from '../stores/writes.ts';
import { asAdministrator, showList, writing, type Scenario } from './scenario.ts';
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
const settingImage = (image: string, pull?: 'fail'): Omit<Write, 'label'> => ({
  done: `The image is now ${image}.`,
  failed: 'The image was not changed.',
  send: (client) => {
    const template = {
      metadata: { annotations: { 'simulation.vitrine.dev/pull': pull ?? null } },
      spec: { containers: [{ name: WEB, image }] },
    };
    return client.of(deployments).patch(target, 'strategic', { spec: { template } });
  },
});

const undoing: Omit<Write, 'label'> = {
  done: `${WEB} goes back to its previous revision.`,
  failed: 'The roll-out was not undone.',
  send: async (client) => {
    const resource = resourceOfKind(useResources.getState().resources, 'apps/v1', 'Deployment');
    if (!resource) throw new Error('The server serves no deployments.');
    const { backToPrevious } = await import('../panels/object/actions/changes.ts');
    return backToPrevious(client, { resource, namespace: WEB, name: WEB });
  },
};

export const rollout: Scenario = {
  manifests,
  start: { panel: 'lifecycle', path: ['rollout'], query: { ns: WEB, obj: `apps/deployments/${WEB}/${WEB}` } },
  about: 'Four replicas of a web server run behind a service. Give them a new image, and watch the roll-out.',
  tries: [
    writing(
      'Roll out a good image',
      'New pods come step by step, and old ones go as new ones become ready. The service always has pods.',
      showRollout,
      settingImage('nginx:1.20'),
    ),
    writing(
      'Roll out one that does not exist',
      'The new pods can’t pull their image, so the old ones stay: the roll-out stops, and the site stays up.',
      showRollout,
      settingImage('nginx:1.99-typo', 'fail'),
    ),
    {
      title: 'Which pod stops it?',
      look: 'The list says ImagePullBackOff; a pod’s summary says why.',
      run: asAdministrator(() => showList('core/pods', WEB)),
    },
    writing(
      'Undo it',
      'The ReplicaSet of the previous revision grows again, and the new one shrinks to zero.',
      showRollout,
      undoing,
    ),
  ],
};
