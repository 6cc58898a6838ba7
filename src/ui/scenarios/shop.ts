/** The demo: a small shop at work. Each thing to try leads to where its answer is seen. */
import { pods, deployments } from '../../client/index.ts';
import { go } from '../stores/address.ts';
import { actAs } from '../stores/identity.ts';
import type { Write } from '../stores/writes.ts';
import { asAdministrator, showList, writing, type Scenario } from './scenario.ts';
import manifests from './shop.yaml?raw';

const SHOP = 'shop';

const showPods = (selected?: string): void => showList('core/pods', SHOP, selected);

const frontend = { metadata: { name: 'frontend', namespace: SHOP } };

const frontendScaling: Omit<Write, 'label'> = {
  done: 'The frontend was scaled to 6 pods.',
  failed: 'The frontend was not scaled.',
  send: (client) =>
    client.of(deployments).patch(frontend, 'merge', { spec: { replicas: 6 } }, { subresource: 'scale' }),
};

const cartPodDeletion: Omit<Write, 'label'> = {
  done: 'A pod of the cart was deleted.',
  failed: 'No pod of the cart was deleted.',
  send: async (client) => {
    const resource = client.of(pods);
    const { items } = await resource.list({ namespace: SHOP, labelSelector: 'app=cart' });
    const running = items.find((pod) => !pod.metadata.deletionTimestamp);
    if (!running) throw new Error('The cart has no pod at the moment.');
    await resource.delete(running);
  },
};

function showReach(): void {
  const query = {
    from: `${SHOP}/Deployment/frontend`,
    to: `${SHOP}/Deployment/db`,
    toPort: 'TCP/5432',
    sel: undefined,
  };
  go({ panel: 'network', path: ['map'], query });
}

/** Each visitor opens the shop, and tries the database, which nobody but the cart may reach. */
const visit = `while true; do
  wget -q -O /dev/null -T 2 http://frontend && echo "the shop answered"
  nc -z -w 2 db 5432 || echo "the database did not answer"
  sleep 1
done`;

const visitors = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'visitors', namespace: SHOP },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'visitors' } },
    template: {
      metadata: { labels: { app: 'visitors' } },
      spec: {
        terminationGracePeriodSeconds: 0,
        containers: [{ name: 'visitor', image: 'busybox:1.32', command: ['sh', '-c', visit] }],
      },
    },
  },
};

const visitorsComing: Omit<Write, 'label'> = {
  done: 'Two visitors came.',
  failed: 'No visitors came.',
  send: (client) => client.of(deployments).patch(visitors, 'apply', visitors, { fieldManager: 'vitrine', force: true }),
};

function readSecretsAsBen(): void {
  actAs({ kind: 'user', name: 'ben', groups: [] });
  go({ panel: 'explore', path: ['core', 'secrets'], query: { ns: SHOP, sel: undefined } });
}

export const shop: Scenario = {
  manifests,
  start: { panel: 'glass' },
  about: 'A small shop runs here on three simulated nodes. Everything is live: press, click, break things.',
  tries: [
    {
      title: 'See who can reach the database',
      look: 'The frontend can’t: a network policy lets only the cart through.',
      run: asAdministrator(showReach),
    },
    writing(
      'Send visitors',
      'Their connections move along the lines, once they run: the shop answers (green), the database is closed to them (red).',
      () =>
        go({
          panel: 'network',
          path: ['map'],
          query: { ns: undefined, from: undefined, to: undefined, toPort: undefined, sel: undefined },
        }),
      visitorsComing,
    ),
    writing(
      'Scale the frontend to 6',
      'New pods appear, get a node from the scheduler, and start.',
      showPods,
      frontendScaling,
    ),
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
    writing(
      'Delete a pod and watch',
      'One pod of the cart ends, and its ReplicaSet makes another.',
      showPods,
      cartPodDeletion,
    ),
  ],
};
