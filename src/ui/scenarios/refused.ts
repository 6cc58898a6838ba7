/** Requests that are refused, and the rule that each one lacks. */
import { deployments, secrets } from '../../client/index.ts';
import { attempt } from '../stores/actions.ts';
import { go } from '../stores/address.ts';
import { theClient } from '../stores/clients.ts';
import { actAs, type Identity } from '../stores/identity.ts';
import { asAdministrator, showList, type Scenario } from './scenario.ts';
import manifests from './refused.yaml?raw';

const TEAM = 'team';
const dora: Identity = { kind: 'user', name: 'dora', groups: [] };
const pipeline: Identity = { kind: 'account', namespace: TEAM, name: 'pipeline' };

function showAs(identity: Identity, resource: string): void {
  actAs(identity);
  showList(resource, TEAM);
}

function deploy(): Promise<boolean> {
  showAs(pipeline, 'apps/deployments');
  const target = { metadata: { name: 'api', namespace: TEAM } };
  return attempt('The account pipeline gave the deployment a new image.', 'The deployment was not changed.', () =>
    theClient()
      .of(deployments)
      .patch(target, 'strategic', {
        spec: { template: { spec: { containers: [{ name: 'api', image: 'nginx:1.20' }] } } },
      }),
  );
}

function readKey(): Promise<boolean> {
  actAs(pipeline);
  go({ panel: 'access', path: ['refusals'], query: { sel: undefined } });
  return attempt('The account pipeline read the secret.', 'The account pipeline was refused.', () =>
    theClient().of(secrets).get('api-key', TEAM),
  );
}

export const refused: Scenario = {
  manifests,
  start: { panel: 'explore', path: ['core', 'pods'], query: { ns: TEAM } },
  about: 'A user, dora, and an account, pipeline, each have a small role in the namespace team.',
  tries: [
    {
      title: 'Look at pods as Dora',
      look: 'Allowed: the role pod-reader is bound to her. The name at the top shows as whom you act.',
      run: () => showAs(dora, 'core/pods'),
    },
    {
      title: 'Look at deployments as Dora',
      look: 'Refused. The proof names each rule that was tried, and the smallest change that would allow it.',
      run: () => showAs(dora, 'apps/deployments'),
    },
    {
      title: 'Deploy as the pipeline',
      look: 'Allowed: the role deployer has “patch” on deployments, and nothing more.',
      run: deploy,
    },
    {
      title: 'Read a secret as the pipeline',
      look: 'Refused: no rule names secrets. The list shows the refusal: open it.',
      run: readKey,
    },
    {
      title: 'Who may delete pods here?',
      look: 'The answer comes from the same index that decides requests.',
      run: asAdministrator(() => go({ panel: 'access', path: ['who-can'], query: { ns: TEAM, sel: undefined } })),
    },
  ],
};
