import { apply, asked, merge, object, send, some, wait } from '../build.ts';
import { cards } from '../cards.ts';
import type { Check, Lesson } from '../engine/lesson.ts';

const pods = '/api/v1/namespaces/default/pods';
const deployments = '/apis/apps/v1/namespaces/default/deployments';

const deployment = (name: string, replicas: number, cpu: string): string => `
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: default}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec:
      terminationGracePeriodSeconds: 1
      containers:
      - name: main
        image: nginx
        resources: {requests: {cpu: "${cpu}"}}`;

const ready = (app: string, count: number): Check =>
  some(`${count} pods of \`${app}\` are ready.`, 'v1/pods', {
    namespace: 'default',
    labels: `app=${app}`,
    fields: [{ path: 'status.conditions[type=Ready].status', is: 'True' }],
    count: { is: count },
  });

const priority = `
apiVersion: scheduling.{domain}/v1
kind: PriorityClass
metadata: {name: urgent}
value: 1000
description: Goes before everything else.
`;

const ambulance = `
apiVersion: v1
kind: Pod
metadata: {name: ambulance, namespace: default}
spec:
  priorityClassName: urgent
  containers:
  - name: main
    image: nginx
    resources: {requests: {cpu: "2"}}
`;

const budget = `
apiVersion: policy/v1beta1
kind: PodDisruptionBudget
metadata: {name: web, namespace: default}
spec:
  minAvailable: 2
  selector: {matchLabels: {app: web}}
`;

const counted: Check = object(
  'The budget of `web` requires 2 healthy pods.',
  'policy/v1beta1/poddisruptionbudgets',
  'default/web',
  { path: 'status.desiredHealthy', is: 2 },
  { path: 'status.currentHealthy', atLeast: 2 },
);

const evict = (expect?: number): Lesson['tasks'][number]['solution'] => [
  send('GET', `${pods}?labelSelector=app%3Dweb`, { keep: { victim: 'items[0].metadata.name' } }),
  send('POST', `${pods}/<victim>/eviction`, {
    body: { apiVersion: 'policy/v1beta1', kind: 'Eviction', metadata: { name: '<victim>', namespace: 'default' } },
    ...(expect !== undefined && { expect }),
  }),
];

export const lesson: Lesson = {
  ...cards.preemption,
  intro: [
    'When the nodes are full, a pod with a higher priority can replace others. This is called preemption.',
    'When somebody drains a node, a budget says how many of your pods must stay.',
  ],
  start: {
    nodes: 1,
    steps: [
      // Whichever pod began first: beside the ambulance there is room for one of `batch` and both of `web`.
      apply(deployment('batch', 2, '1500m') + deployment('web', 2, '100m')),
      wait(ready('batch', 2)),
      wait(ready('web', 2)),
    ],
  },
  tasks: [
    {
      title: 'Create a priority class',
      text: [
        'The only node is nearly full: `batch` requests 3 of its 4 CPUs. All pods have the priority 0.',
        'Create a PriorityClass `urgent` with the value 1000.',
      ],
      where: { panel: 'explore', path: ['scheduling.{domain}', 'priorityclasses'] },
      commands: ['{ctl} create priorityclass urgent --value=1000'],
      note: 'Ask which pods of your own cluster deserve a high priority. The list should be short.',
      hints: ['A PriorityClass has no spec. `value` is at the top level.'],
      checks: [
        object('The class `urgent` has the value 1000.', 'scheduling.{domain}/v1/priorityclasses', 'urgent', {
          path: 'value',
          is: 1000,
        }),
        object('It is not the default for all pods.', 'scheduling.{domain}/v1/priorityclasses', 'urgent', {
          path: 'globalDefault',
          not: true,
        }),
      ],
      solution: [apply(priority)],
    },
    {
      title: 'Preempt other pods',
      text: [
        'Run a pod `ambulance` with the image nginx, a request of 2 CPUs, and `priorityClassName: urgent`.',
        'There is no room for it. So the scheduler deletes pods with a lower priority, and puts `ambulance` in their place.',
      ],
      where: { panel: 'scheduling' },
      commands: [
        `{ctl} run ambulance --image=nginx --requests=cpu=2 --overrides='{"spec":{"priorityClassName":"urgent"}}'`,
      ],
      hints: [
        'The request is in `resources.requests.cpu` of the container.',
        'Look at the pods of `batch`: one is Pending now.',
      ],
      checks: [
        object(
          '`ambulance` runs with a priority.',
          'v1/pods',
          'default/ambulance',
          { path: 'status.phase', is: 'Running' },
          { path: 'spec.priority', atLeast: 1 },
        ),
        some('A pod of `batch` is Pending.', 'v1/pods', {
          namespace: 'default',
          labels: 'app=batch',
          fields: [{ path: 'status.phase', is: 'Pending' }],
          count: { atLeast: 1 },
        }),
      ],
      solution: [apply(ambulance)],
      note: 'The scheduler prefers victims with the lowest priority, and as few of them as possible. Their controller creates new pods at once.',
    },
    {
      title: 'Protect pods with a budget',
      text: [
        '`web` has 2 pods. Create a PodDisruptionBudget `web`: at least 2 pods must be available.',
        'Then try to evict one of them. An eviction respects the budget. A deletion does not.',
        'A drain tries again every 5 seconds. Ctrl+C ends it.',
      ],
      where: { panel: 'explore', path: ['policy', 'poddisruptionbudgets'], query: { ns: 'default' } },
      commands: [
        '{ctl} create pdb web --selector=app=web --min-available=2',
        '{ctl} drain node-1 --pod-selector=app=web',
      ],
      note: 'The budget only counts. The API server refuses the eviction.',
      hints: [
        'To evict a pod, send a POST with an Eviction to its subresource `eviction`.',
        'Choose Drain in the menu of the Node. It evicts each pod. Stop it when you have seen the refusal.',
      ],
      checks: [
        counted,
        asked('An eviction of a pod of `web` was refused by the budget (429).', {
          method: 'POST',
          path: '/pods/web-*/eviction',
          status: 429,
        }),
      ],
      solution: [apply(budget), wait(counted), ...evict(429)],
    },
    {
      title: 'Allow one eviction',
      text: [
        'A budget with no spare pod blocks every drain. Scale `web` to 3. Then one pod may be evicted.',
        'If you drained the node, uncordon it first. Then evict a pod of `web` again.',
      ],
      where: { panel: 'explore', path: ['apps', 'deployments'], query: { ns: 'default' } },
      commands: [
        '{ctl} uncordon node-1',
        '{ctl} scale deployment web --replicas=3',
        '{ctl} rollout status deployment/web',
        '{ctl} drain node-1 --pod-selector=app=web',
      ],
      note: 'Ask why three pods are better than two here.',
      hints: ['Wait until the third pod is ready. The budget counts healthy pods only.'],
      checks: [
        asked('An eviction of a pod of `web` was accepted (201).', {
          method: 'POST',
          path: '/pods/web-*/eviction',
          status: 201,
          anew: true,
        }),
        object('`web` asks for 3 pods.', 'apps/v1/deployments', 'default/web', { path: 'spec.replicas', atLeast: 3 }),
        counted,
      ],
      solution: [
        merge(`${deployments}/web`, { spec: { replicas: 3 } }),
        wait(
          object('One pod may be evicted.', 'policy/v1beta1/poddisruptionbudgets', 'default/web', {
            path: 'status.disruptionsAllowed',
            is: 1,
          }),
        ),
        ...evict(),
      ],
    },
  ],
  seen: [
    { text: 'Which pods were preempted, and why.', link: { panel: 'scheduling' } },
    { text: 'What a drain would do, before you run it.', link: { panel: 'scheduling', path: ['drain', 'node-1'] } },
  ],
  why: [
    'Give high priorities to few pods. If everything is urgent, nothing is.',
    'A budget blocks evictions, but not the scheduler. Preemption tries to respect budgets, and violates them if it has to.',
  ],
};
