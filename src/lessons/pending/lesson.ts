import { apply, gone, merge, object, send, wait } from '../build.ts';
import { cards } from '../cards.ts';
import type { Check, FieldWant, Lesson } from '../engine/lesson.ts';

const pods = '/api/v1/namespaces/default/pods';

const pod = (name: string, spec: string): string => `
---
apiVersion: v1
kind: Pod
metadata: {name: ${name}, namespace: default}
spec:
  containers: [{name: main, image: nginx}]
  ${spec}`;

const big = (cpu: string): string => `
apiVersion: v1
kind: Pod
metadata: {name: big, namespace: default}
spec:
  containers:
  - name: main
    image: nginx
    resources: {requests: {cpu: "${cpu}"}}`;

const start = [
  big('100'),
  pod('picky', 'nodeSelector: {disk: ssd}'),
  pod('guest', 'nodeSelector: {room: quiet}'),
  pod('keeper', 'volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]'),
].join('');

const storage = `
apiVersion: v1
kind: PersistentVolume
metadata: {name: shelf}
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  storageClassName: shelf
  hostPath: {path: /data}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data, namespace: default}
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: shelf
  resources: {requests: {storage: 1Gi}}
`;

const runs = (name: string, ...fields: readonly FieldWant[]): Check =>
  object(`\`${name}\` runs.`, 'v1/pods', `default/${name}`, { path: 'status.phase', is: 'Running' }, ...fields);

export const lesson: Lesson = {
  ...cards.pending,
  intro: [
    'A pod waits as long as no node fits. The scheduler tries each node and writes down why it doesn’t.',
    'Four pods wait here, each for another reason. Find the reasons, and let them run.',
  ],
  start: {
    nodes: 2,
    steps: [
      wait(object('The node is there.', 'v1/nodes', 'node-2')),
      merge('/api/v1/nodes/node-2', {
        metadata: { labels: { room: 'quiet' } },
        spec: { taints: [{ key: 'staff', value: 'only', effect: 'NoSchedule' }] },
      }),
      apply(start),
    ],
  },
  tasks: [
    {
      title: 'Too big',
      text: [
        'The pod `big` asks for 100 CPUs. A node has 4. What counts is what a pod requests, not what it uses.',
        'Requests of a pod can’t be changed. Delete it, and make it again with 1 CPU.',
      ],
      where: { panel: 'scheduling' },
      commands: ['{ctl} describe pod big', '{ctl} delete pod big', '{ctl} run big --image=nginx --requests=cpu=1'],
      hints: [
        'Scheduling shows for each node what it lacks.',
        'Copy the YAML of `big`, delete the pod, apply it with `cpu: "1"`.',
      ],
      checks: [
        runs('big'),
        object('It asks for 1 CPU.', 'v1/pods', 'default/big', {
          path: 'spec.containers[0].resources.requests.cpu',
          is: '1',
        }),
      ],
      solution: [send('DELETE', `${pods}/big`), wait(gone('It is gone.', 'v1/pods', 'default/big')), apply(big('1'))],
    },
    {
      title: 'Too picky',
      text: [
        '`picky` wants a node with the label `disk=ssd`. No node has it.',
        'Say that node-1 has such a disk: label it. You need not touch the pod.',
      ],
      where: { panel: 'scheduling' },
      commands: ['{ctl} label node node-1 disk=ssd'],
      hints: ['Labels of a node are in its metadata. Edit the Node in Explore.'],
      checks: [
        runs('picky'),
        object('It still wants a node with `disk=ssd`.', 'v1/pods', 'default/picky', {
          path: 'spec.nodeSelector.disk',
          is: 'ssd',
        }),
      ],
      solution: [merge('/api/v1/nodes/node-1', { metadata: { labels: { disk: 'ssd' } } })],
      note: 'The label wakes the pod: the scheduler tries again when something changed that could help.',
    },
    {
      title: 'Not let in',
      text: [
        '`guest` wants a node with `room=quiet`. That is node-2, but node-2 has the taint `staff=only:NoSchedule`.',
        'A selector pulls a pod to nodes. A taint keeps pods away, unless they tolerate it. Take the taint off.',
      ],
      where: { panel: 'explore', path: ['core', 'nodes'] },
      commands: ['{ctl} taint node node-2 staff-'],
      hints: ['The menu of a Node has its taints.', 'A toleration in a new pod would do as well.'],
      checks: [
        runs('guest'),
        object(
          'It wants a quiet room, and has it: node-2.',
          'v1/pods',
          'default/guest',
          { path: 'spec.nodeSelector.room', is: 'quiet' },
          { path: 'spec.nodeName', is: 'node-2' },
        ),
      ],
      solution: [merge('/api/v1/nodes/node-2', { spec: { taints: null } })],
    },
    {
      title: 'Waiting for a disk',
      text: [
        '`keeper` mounts the claim `data`. There is no such claim.',
        'Make a PersistentVolume and a PersistentVolumeClaim `data` that fit each other: 1Gi, ReadWriteOnce, the class `shelf`.',
      ],
      where: { panel: 'explore', path: ['core', 'persistentvolumeclaims'], query: { ns: 'default' } },
      hints: [
        'Both need the same `storageClassName` and the same access mode.',
        'The volume needs a place: `hostPath: {path: /data}` will do here.',
      ],
      checks: [
        object('The claim `data` is bound.', 'v1/persistentvolumeclaims', 'default/data', {
          path: 'status.phase',
          is: 'Bound',
        }),
        runs('keeper'),
        object('It uses the claim.', 'v1/pods', 'default/keeper', {
          path: 'spec.volumes[*].persistentVolumeClaim.claimName',
          has: 'data',
        }),
      ],
      solution: [apply(storage)],
    },
  ],
  seen: [
    { text: 'Every filter on every node, with its numbers.', link: { panel: 'scheduling' } },
    { text: 'Who waits for what, and how full the nodes are.', link: { panel: 'scheduling' } },
  ],
  why: [
    'Pending is no error. It is an open question, and the event on the pod holds the answer for each node.',
    'Read it from the end: the reason that most nodes share is where to start.',
  ],
};
