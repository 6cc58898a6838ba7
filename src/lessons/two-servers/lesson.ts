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
    'Here two API servers share one storage, as real ones share an etcd. Each keeps a copy of the objects in memory, and has its own controllers and scheduler.',
    'The page uses the first server. The second answers under `/servers/second`. The ConfigMap `second-server` in `{prefix}-system` can switch it off or delay its copy.',
  ],
  start: {
    nodes: 1,
    twoServers: true,
    steps: [
      apply(start),
      wait(object('There is a leader.', lease, leaderLease, { path: 'spec.holderIdentity', has: '_' })),
      wait(object('The pod is ready.', 'apps/v1/deployments', 'default/web', { path: 'status.readyReplicas', is: 1 })),
    ],
  },
  tasks: [
    {
      title: 'Ask both servers',
      text: [
        'Read the ConfigMap `price` from the second server. It shows the same object with the same `resourceVersion`.',
        'Both servers are behind the service `{product}`: it has two endpoints.',
      ],
      where: { panel: 'requests' },
      commands: [`{ctl} get --raw /servers/second${price}`, '{ctl} get endpoints {product}'],
      note: 'Compare the two answers: they have the same resourceVersion.',
      hints: ['Put `/servers/second` in front of the path of the object.'],
      checks: [
        asked('You read `price` from the second server (200).', { path: `/servers/second${price}`, status: 200 }),
      ],
      solution: [send('GET', `/servers/second${price}`)],
    },
    {
      title: 'Find the leader',
      text: [
        'Only one controller manager may work at a time. The one that holds the Lease `{prefix}-controller-manager` leads, and the other waits.',
        'Read the Lease. `holderIdentity` starts with the name of the server. The leader updates `renewTime` every 2 seconds. If it stops for `leaseDurationSeconds`, another may take over.',
      ],
      where: { panel: 'explore', path: ['coordination.{domain}', 'leases'], query: { ns: '{prefix}-system' } },
      commands: ['{ctl} get lease {prefix}-controller-manager -n {prefix}-system -o yaml'],
      note: 'Read the Lease twice. Only renewTime changes.',
      hints: ['The Leases of the components are in the namespace `{prefix}-system`.'],
      checks: [asked('You read the Leases of the components (200).', { method: 'GET', path: leases, status: 200 })],
      solution: [send('GET', `${leases}/{prefix}-controller-manager`)],
    },
    {
      title: 'The leader dies',
      text: [
        'Switch the second server off, and scale `web` to 2 replicas at once. Nothing happens: the Lease still names the dead server.',
        'After 15 seconds without a renewal, the first server takes over the Lease and creates the second pod.',
      ],
      where: { panel: 'controllers' },
      commands: [setSecond('{"running":"false"}'), '{ctl} scale deployment web --replicas=2'],
      hints: [
        'In the ConfigMap `second-server`, set `running` to `"false"`.',
        'Wait, or move the clock forward. The clock is in the top bar.',
      ],
      checks: [
        object(
          'The first server has taken over the Lease.',
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
      note: 'A server that shuts down cleanly releases its Lease, so the next one doesn’t have to wait.',
    },
    {
      title: 'Delay the second server',
      text: [
        'Switch the second server on again with a delay of 10 seconds. The first server keeps the Lease. Then read `price` from the second server.',
        'Real servers lag too: on a busy machine, or on a slow network.',
      ],
      where: { panel: 'explore', path: ['core', 'configmaps'], query: { ns: '{prefix}-system' } },
      commands: [setSecond('{"running":"true","delay":"10s"}'), `{ctl} get --raw /servers/second${price}`],
      note: 'The delay only affects the copy in memory. Writes still go to the storage.',
      hints: ['Set `running` to `"true"` and `delay` to `"10s"`.'],
      checks: [
        object(
          'The second server runs with a delay.',
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
        'Change the price to 2. Within 10 seconds, read it from the second server with `resourceVersion=0`. It still says 1.',
        '`resourceVersion=0` means that any state will do, even an old one. Such reads are cheap, and many clients start with one.',
      ],
      where: { panel: 'requests' },
      commands: [setPrice('2'), `{ctl} get --raw '/servers/second${price}?resourceVersion=0'`],
      note: 'The answer is not wrong. It was correct a moment ago.',
      hints: ['Too late? Change the price again, and read at once.', 'Send the write to the first server.'],
      checks: [
        asked('The second server returned a `price` from before your last write.', {
          path: `/servers/second${price}`,
          status: 200,
          stale: true,
        }),
      ],
      solution: [merge(price, { data: { apples: '2' } }), send('GET', `/servers/second${price}?resourceVersion=0`)],
    },
    {
      title: 'A consistent read waits',
      text: [
        'Change the price to 3, and read it from the second server without a `resourceVersion`. The answer takes up to 10 seconds, and is correct.',
        'Such a read must include every completed write. The server asks the storage for its latest revision, and waits until its copy has reached it.',
      ],
      where: { panel: 'requests' },
      commands: [setPrice('3'), `{ctl} get --raw /servers/second${price}`],
      note: 'Ask which of the two reads a controller needs when it starts.',
      hints: ['Repeat the read without `resourceVersion=0`, while the second server has a delay.'],
      checks: [
        asked('The second server waited for more than a second, and returned your last write.', {
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
    { text: 'Which server answered each request, and how long it took.', link: { panel: 'requests' } },
    { text: 'Controllers that start when their server becomes the leader.', link: { panel: 'controllers' } },
  ],
  why: [
    'Several API servers share the load, and one can fail. Their reads may differ for a moment. Their writes never conflict unnoticed, because the storage decides.',
    'A component that restarts and reads with `resourceVersion=0` may see an older state than before. It must be able to handle that.',
  ],
};
