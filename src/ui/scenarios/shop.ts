/** The demo: a small shop at work. Each thing to try leads to where its answer is seen. */
import { pods, deployments } from '../../client/index.ts';
import { go } from '../stores/address.ts';
import { glassOf } from '../panels/glass/glass.ts';
import { actAs } from '../stores/identity.ts';
import { theCluster } from '../stores/session.ts';
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

/** The Glass with the story of the frontend alone, slowly enough to see what causes what. */
function showCascade(): void {
  glassOf(theCluster().cluster).play({ playing: true, speed: 0.5 });
  go({ panel: 'glass', query: { follow: `apps/deployments/${SHOP}/frontend`, ns: undefined, sel: undefined } });
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
  about: 'A small shop runs here on three simulated nodes. Everything is live, and nothing can break for good: try it.',
  tries: [
    {
      title: 'See who can reach the database',
      look: 'The frontend cannot: a network policy lets only the cart through.',
      run: asAdministrator(showReach),
    },
    writing(
      'Send visitors',
      'Two pods call the shop and try its database. Their connections move along the lines: the shop answers (green), the database is closed to them (red).',
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
      'Follow the change: the Deployment’s controller scales its ReplicaSet, which creates pods. The scheduler binds each pod to a node, and the node starts it.',
      showCascade,
      frontendScaling,
    ),
    {
      title: 'Why is a pod pending?',
      look: 'No node has what sales-report asks for. The scheduler says what each of them lacks.',
      run: asAdministrator(() => showPods('sales-report')),
    },
    {
      title: 'Why is Ben refused?',
      look: 'You now act as ben, who may view the shop but not its secrets. The proof names each rule that was tried.',
      run: readSecretsAsBen,
    },
    writing(
      'Delete a pod and watch',
      'One pod of the cart is deleted, and its ReplicaSet creates another.',
      showPods,
      cartPodDeletion,
    ),
  ],
};
