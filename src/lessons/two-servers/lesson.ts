import { apply, asked, merge, object, send, wait } from '../build.ts';
import { cards } from '../cards.ts';
import type { Lesson } from '../engine/lesson.ts';

const price = '/api/v1/namespaces/default/configmaps/price';
const settings = '/api/v1/namespaces/{prefix}-system/configmaps/second-server';
const leases = '/apis/coordination.{domain}/v1/namespaces/{prefix}-system/leases';
const lease = 'coordination.{domain}/v1/leases';
const leaderLease = '{prefix}-system/{prefix}-controller-manager';

const setSecond = (data: string): string =>
  `{ctl} patch configmap second-server -n {prefix}-system --type=merge -p '{"data":${data}}'`;
const setPrice = (to: string): string => `{ctl} patch configmap price -p '{"data":{"apples":"${to}"}}'`;

const start = `
apiVersion: v1
kind: ConfigMap
metadata: {name: price, namespace: default}
data: {apples: "1"}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: default}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: main, image: nginx}]
`;

export const lesson: Lesson = {
  ...cards.twoServers,
  intro: [
    'Two API servers share one storage, as servers on several machines share an etcd. Each keeps a copy of it in memory, with controllers and a scheduler of its own.',
    'The page speaks to the first. The second answers under `/servers/second`. The ConfigMap `second-server` in the namespace `{prefix}-system` switches it off, or makes its copy late.',
  ],
  start: {
    nodes: 1,
    twoServers: true,
    steps: [
      apply(start),
      wait(object('Somebody leads.', lease, leaderLease, { path: 'spec.holderIdentity', has: '_' })),
      wait(object('The pod runs.', 'apps/v1/deployments', 'default/web', { path: 'status.readyReplicas', is: 1 })),
    ],
  },
  tasks: [
    {
      title: 'Ask both',
      text: [
        'Read the ConfigMap `price` at the second server. It shows the same object, with the same `resourceVersion`, as the first.',
        'Both servers stand behind the service `{product}`: its endpoints have two addresses.',
      ],
      where: { panel: 'requests' },
      commands: [`{ctl} get --raw /servers/second${price}`, '{ctl} get endpoints {product}'],
      hints: ['Put `/servers/second` before the path of the object.'],
      checks: [asked('The second server showed you `price` (200).', { path: `/servers/second${price}`, status: 200 })],
      solution: [send('GET', `/servers/second${price}`)],
    },
    {
      title: 'Who leads?',
      text: [
        'Two controller managers that both work would make everything twice. So one leads, and the other waits: whoever holds the Lease `{prefix}-controller-manager`.',
        'Look at it. `holderIdentity` begins with the name of the server. `renewTime` moves every 2 seconds, and `leaseDurationSeconds` says when the others may take it.',
      ],
      where: { panel: 'explore', path: ['coordination.{domain}', 'leases'], query: { ns: '{prefix}-system' } },
      commands: ['{ctl} get lease {prefix}-controller-manager -n {prefix}-system -o yaml'],
      hints: ['The leases of the components are in the namespace `{prefix}-system`.'],
      checks: [asked('You read the leases of the components (200).', { method: 'GET', path: leases, status: 200 })],
      solution: [send('GET', `${leases}/{prefix}-controller-manager`)],
    },
    {
      title: 'The leader dies',
      text: [
        'Switch the second server off, and scale `web` to 2 replicas at once. Nothing happens: nobody leads. The lease still names the dead one, and nobody knows yet that it is dead.',
        'After 15 seconds without a renewal the first server takes the lease, and the second pod comes.',
      ],
      where: { panel: 'controllers' },
      commands: [setSecond('{"running":"false"}'), '{ctl} scale deployment web --replicas=2'],
      hints: [
        'Set `running` to `"false"` in the ConfigMap `second-server`.',
        'Wait. Or step the clock: its menu is in the top bar.',
      ],
      checks: [
        object(
          'The first server holds the lease, which has gone from one to another.',
          lease,
          leaderLease,
          { path: 'spec.holderIdentity', has: 'first_' },
          { path: 'spec.leaseTransitions', atLeast: 1 },
        ),
        object('2 pods of `web` are ready.', 'apps/v1/deployments', 'default/web', {
          path: 'status.readyReplicas',
          is: 2,
        }),
      ],
      solution: [
        merge(settings, { data: { running: 'false' } }),
        merge('/apis/apps/v1/namespaces/default/deployments/web', { spec: { replicas: 2 } }),
      ],
      note: 'A server that is stopped well gives its lease back, and the next one need not wait.',
    },
    {
      title: 'Back, but late',
      text: [
        'Switch the second server on again, and let it hear of changes 10 seconds late. It follows now: the first keeps the lease. Ask it for `price`, to see that it is there.',
        'A delay like that is real: a busy machine, a slow network, a watch that hangs.',
      ],
      where: { panel: 'explore', path: ['core', 'configmaps'], query: { ns: '{prefix}-system' } },
      commands: [setSecond('{"running":"true","delay":"10s"}'), `{ctl} get --raw /servers/second${price}`],
      hints: ['Set `running` to `"true"` and `delay` to `"10s"`.'],
      checks: [
        object(
          'The second server runs, and is late.',
          'v1/configmaps',
          '{prefix}-system/second-server',
          { path: 'data.running', is: 'true' },
          { path: 'data.delay', not: '0s' },
          { path: 'data.delay', exists: true },
        ),
        asked('It answers again (200).', { path: `/servers/second${price}`, status: 200, anew: true }),
      ],
      solution: [merge(settings, { data: { running: 'true', delay: '10s' } }), send('GET', `/servers/second${price}`)],
    },
    {
      title: 'A stale read',
      text: [
        'Change the price to 2. Within 10 seconds read it at the second server with `resourceVersion=0`. It says 1, though your write was answered before.',
        '`resourceVersion=0` means: whatever you have will do. That is cheap, and many clients begin so.',
      ],
      where: { panel: 'requests' },
      commands: [setPrice('2'), `{ctl} get --raw '/servers/second${price}?resourceVersion=0'`],
      hints: ['Too late? Change the price once more, and read at once.', 'The write goes to the first server.'],
      checks: [
        asked('The second server showed you `price` older than your last write.', {
          path: `/servers/second${price}`,
          status: 200,
          stale: true,
        }),
      ],
      solution: [merge(price, { data: { apples: '2' } }), send('GET', `/servers/second${price}?resourceVersion=0`)],
    },
    {
      title: 'A fresh read waits',
      text: [
        'Change the price to 3, and read it at the second server without a `resourceVersion`. The answer takes up to 10 seconds, and is right.',
        'Such a read must show every write that was answered. The server asks storage for its newest revision, and waits until its copy has reached that: other writes count, too.',
      ],
      where: { panel: 'requests' },
      commands: [setPrice('3'), `{ctl} get --raw /servers/second${price}`],
      hints: ['The same read as before, without `resourceVersion=0`, while the second server is late.'],
      checks: [
        asked('The second server waited for more than a second, and showed your last write.', {
          path: `/servers/second${price}`,
          status: 200,
          stale: false,
          took: 1000,
          anew: true,
        }),
      ],
      solution: [merge(price, { data: { apples: '3' } }), send('GET', `/servers/second${price}`)],
    },
  ],
  seen: [
    { text: 'Which server was asked, and how long it took.', link: { panel: 'requests' } },
    { text: 'Controllers that begin when the lease is won.', link: { panel: 'controllers' } },
  ],
  why: [
    'Several API servers share the load and survive each other. What they show may differ for a moment; what they take never does: storage has the last word.',
    'A component that reads with `resourceVersion=0` after a restart may see an older state than before. It has to be ready for that.',
  ],
};
