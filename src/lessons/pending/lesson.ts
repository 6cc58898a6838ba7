import { apply, applyLine, gone, merge, object, send, wait } from '../build.ts';
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
    'A pod is Pending as long as no node fits. The scheduler checks each node and records why it doesn’t fit.',
    'Four pods are waiting here, each for a different reason. Find the reasons, and get the pods to run.',
  ],
  start: {
    nodes: 2,
    steps: [
      wait(object('node-2 exists.', 'v1/nodes', 'node-2')),
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
        'The pod `big` requests 100 CPUs. Each node has 4. The scheduler counts what a pod requests, not what it uses.',
        'You can’t change the requests of a pod. Delete it, and create it again with 1 CPU.',
      ],
      where: { panel: 'scheduling' },
      commands: ['{ctl} describe pod big', '{ctl} delete pod big', '{ctl} run big --image=nginx --requests=cpu=1'],
      note: 'Ask how much CPU the pod really uses. The scheduler does not know.',
      hints: [
        'Scheduling shows what each node lacks.',
        'Copy the YAML of `big`, delete the pod, and apply the YAML with `cpu: "1"`.',
      ],
      checks: [
        runs('big'),
        object('It requests 1 CPU.', 'v1/pods', 'default/big', {
          path: 'spec.containers[0].resources.requests.cpu',
          is: '1',
        }),
      ],
      solution: [
        send('DELETE', `${pods}/big`),
        wait(gone('The pod is gone.', 'v1/pods', 'default/big')),
        apply(big('1')),
      ],
    },
    {
      title: 'No matching label',
      text: [
        '`picky` needs a node with the label `disk=ssd`. No node has it.',
        'Add the label to node-1. You don’t have to change the pod.',
      ],
      where: { panel: 'scheduling' },
      commands: ['{ctl} label node node-1 disk=ssd'],
      hints: ['The labels are in the metadata of the node. Edit the Node in Explore.'],
      checks: [
        runs('picky'),
        object('It still needs a node with `disk=ssd`.', 'v1/pods', 'default/picky', {
          path: 'spec.nodeSelector.disk',
          is: 'ssd',
        }),
      ],
      solution: [merge('/api/v1/nodes/node-1', { metadata: { labels: { disk: 'ssd' } } })],
      note: 'The scheduler tries a pod again when something changes that could help. A new label can.',
    },
    {
      title: 'A taint',
      text: [
        '`guest` needs a node with `room=quiet`. That is node-2, but node-2 has the taint `staff=only:NoSchedule`.',
        'A taint keeps away all pods that don’t tolerate it. Remove the taint.',
      ],
      where: { panel: 'explore', path: ['core', 'nodes'] },
      commands: ['{ctl} taint node node-2 staff-'],
      note: 'A label attracts pods that ask for it. A taint keeps away all that do not tolerate it.',
      hints: ['Choose Taints in the menu of the Node.', 'You could also create the pod again with a toleration.'],
      checks: [
        runs('guest'),
        object(
          'It still needs `room=quiet`, and runs on node-2.',
          'v1/pods',
          'default/guest',
          { path: 'spec.nodeSelector.room', is: 'quiet' },
          { path: 'spec.nodeName', is: 'node-2' },
        ),
      ],
      solution: [merge('/api/v1/nodes/node-2', { spec: { taints: null } })],
    },
    {
      title: 'A missing claim',
      text: [
        '`keeper` mounts the claim `data`, which does not exist.',
        'Create a PersistentVolume, and a PersistentVolumeClaim `data` that it satisfies: 1Gi, ReadWriteOnce, and the storage class `shelf`.',
      ],
      where: { panel: 'explore', path: ['core', 'persistentvolumeclaims'], query: { ns: 'default' } },
      talk: [applyLine(storage)],
      note: 'The pod waits for the claim, the claim waits for a volume, and the scheduler waits for both.',
      hints: [
        'Both need the same `storageClassName` and the same access mode.',
        'The volume needs a source. Here `hostPath: {path: /data}` is enough.',
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
    { text: 'The result of every filter on every node, with numbers.', link: { panel: 'scheduling' } },
    { text: 'Which pods wait and why, and how full the nodes are.', link: { panel: 'scheduling' } },
  ],
  why: [
    'Pending is not an error. The event on the pod says why each node does not fit.',
    'If there are several reasons, start with the one that applies to most nodes.',
  ],
};
