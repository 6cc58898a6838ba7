/** Things to try in the demo cluster; each leads to where its answer is seen. */
import { pods, deployments } from '../../client/index.ts';
import { attempt } from '../stores/actions.ts';
import { go } from '../stores/address.ts';
import { theClient } from '../stores/clients.ts';
import { actAs, administrator } from '../stores/identity.ts';

export interface Try {
  readonly title: string;
  /** What to look at when it was pressed. */
  readonly look: string;
  run(): void | Promise<unknown>;
}

const SHOP = 'shop';

function showPods(selected?: string): void {
  const sel = selected && `object:core/pods/${SHOP}/${selected}`;
  go({ panel: 'explore', path: ['core', 'pods'], query: { ns: SHOP, sel, tab: undefined } });
}

function scaleFrontend(): Promise<boolean> {
  showPods();
  const target = { metadata: { name: 'frontend', namespace: SHOP } };
  return attempt('The frontend was scaled to 6 pods.', 'The frontend was not scaled.', () =>
    theClient()
      .of(deployments)
      .patch(target, 'merge', { spec: { replicas: 6 } }, { subresource: 'scale' }),
  );
}

function deleteCartPod(): Promise<boolean> {
  showPods();
  return attempt('A pod of the cart was deleted.', 'No pod of the cart was deleted.', async () => {
    const resource = theClient().of(pods);
    const { items } = await resource.list({ namespace: SHOP, labelSelector: 'app=cart' });
    const running = items.find((pod) => !pod.metadata.deletionTimestamp);
    if (!running) throw new Error('The cart has no pod at the moment.');
    await resource.delete(running);
  });
}

function showReach(): void {
  const query = {
    from: `${SHOP}/Deployment/frontend`,
    to: `${SHOP}/Deployment/db`,
    toPort: 'TCP/5432',
    sel: undefined,
  };
  go({ panel: 'network', path: ['map'], query });
}

function readSecretsAsBen(): void {
  actAs({ kind: 'user', name: 'ben', groups: [] });
  go({ panel: 'explore', path: ['core', 'secrets'], query: { ns: SHOP, sel: undefined } });
}

/** Everything but the refusal is done as the administrator. */
const asAdministrator = (run: Try['run']): Try['run'] => {
  return () => {
    actAs(administrator);
    return run();
  };
};

export const tries: readonly Try[] = [
  {
    title: 'See who can reach the database',
    look: 'The frontend can’t: a network policy lets only the cart through.',
    run: asAdministrator(showReach),
  },
  {
    title: 'Scale the frontend to 6',
    look: 'New pods appear, get a node from the scheduler, and start.',
    run: asAdministrator(scaleFrontend),
  },
  {
    title: 'Why is a pod pending?',
    look: 'sales-report asks for a node that no node is: the scheduler says what each one lacks.',
    run: asAdministrator(() => showPods('sales-report')),
  },
  {
    title: 'Why is Ben refused?',
    look: 'You act as ben now, who may view the shop but not its secrets. The proof names each rule that was tried.',
    run: readSecretsAsBen,
  },
  {
    title: 'Delete a pod and watch',
    look: 'One pod of the cart ends, and its ReplicaSet makes another.',
    run: asAdministrator(deleteCartPod),
  },
];
