import { apply, asked, gone, merge, object, send, some } from '../build.ts';
import type { FieldWant, Lesson } from '../engine/lesson.ts';
import { cards } from '../cards.ts';

const web = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: default}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: web
        image: nginx
`;

/** The pods and ReplicaSets of `web`, whatever their labels. */
const ofWeb: FieldWant = { path: 'metadata.name', has: 'web-' };

const deployment = '/apis/apps/v1/namespaces/default/deployments/web';
const pods = '/api/v1/namespaces/default/pods';

/** How a Deployment becomes Pods: each object is made by another controller. */
export const lesson: Lesson = {
  ...cards.firstDeployment,
  intro: [
    'You never start a container yourself. You describe what you want, and controllers create it.',
    'In this lesson you create one Deployment. It becomes a ReplicaSet, and the ReplicaSet becomes Pods.',
  ],
  start: { nodes: 2, steps: [] },
  tasks: [
    {
      title: 'Create a Deployment',
      text: [
        'A Deployment keeps a number of identical pods running.',
        'Create one named `web` with 2 pods.',
        'The button beside the command puts it into the terminal. Press Enter there. Or press Create and write YAML.',
      ],
      where: { panel: 'explore', path: ['apps', 'deployments'], query: { ns: 'default' } },
      commands: ['{ctl} create deployment web --image=nginx --replicas=2'],
      hints: [
        'Press `c` to open the editor. It has an example of a Deployment.',
        'In the example, set `metadata.name` to `web` and `spec.replicas` to 2. Then apply it.',
      ],
      checks: [
        object('The Deployment `web` asks for 2 pods.', 'apps/v1/deployments', 'default/web', {
          path: 'spec.replicas',
          is: 2,
        }),
        object('Its 2 pods are ready.', 'apps/v1/deployments', 'default/web', { path: 'status.readyReplicas', is: 2 }),
      ],
      solution: [apply(web)],
      note: 'Keep the request log open: you send one request, and the controllers send a dozen.',
    },
    {
      title: 'Delete a pod',
      text: [
        'You created one object. Now there are four: the Deployment controller created a ReplicaSet, and the ReplicaSet controller created two pods.',
        'Each has an owner reference to the object above it. Delete one pod or both, and watch what happens.',
      ],
      where: { panel: 'explore', path: ['core', 'pods'], query: { ns: 'default' } },
      commands: ['{ctl} get replicasets,pods', '{ctl} delete pods -l app=web'],
      hints: [
        'Open Explore, Pods. Choose Delete in the menu of a pod.',
        'Or run the second command. It deletes all pods with the label `app=web`.',
      ],
      checks: [
        asked('You deleted a pod of `web`.', { method: 'DELETE', path: `${pods}/web-`, status: 200 }),
        some('2 pods are ready again.', 'v1/pods', {
          namespace: 'default',
          fields: [
            ofWeb,
            { path: 'status.conditions[type=Ready].status', is: 'True' },
            { path: 'metadata.deletionTimestamp', exists: false },
          ],
          count: { is: 2 },
        }),
      ],
      solution: [
        send('GET', `${pods}?labelSelector=app%3Dweb`, { keep: { pod: 'items[0].metadata.name' } }),
        send('DELETE', `${pods}/<pod>`),
      ],
      note: 'Ask the class who created the new pod. It was not the Deployment controller.',
    },
    {
      title: 'Change the number of pods',
      text: [
        'To get more pods, don’t create pods. Change the Deployment.',
        'Scale it to 4 pods. The controllers do the rest.',
      ],
      where: { panel: 'explore', path: ['apps', 'deployments'], query: { ns: 'default' } },
      commands: ['{ctl} scale deployment web --replicas=4'],
      note: 'Nobody creates or deletes a pod by hand. You only change a number.',
      hints: ['Choose Scale in the menu of the Deployment.', 'Scale changes one field: `spec.replicas`.'],
      checks: [
        object(
          '`web` asks for 4 pods, and 4 are ready.',
          'apps/v1/deployments',
          'default/web',
          { path: 'spec.replicas', is: 4 },
          { path: 'status.readyReplicas', is: 4 },
        ),
      ],
      solution: [merge(deployment, { spec: { replicas: 4 } })],
    },
    {
      title: 'Delete the Deployment',
      text: [
        'Delete the Deployment `web`. You don’t have to delete anything else.',
        'The garbage collector follows the owner references. It deletes objects whose owner is gone.',
      ],
      where: { panel: 'lifecycle', path: ['graph'], query: { obj: 'apps/deployments/default/web' } },
      commands: ['{ctl} delete deployment web'],
      note: 'Slow the Glass down. The ReplicaSet goes after the Deployment, and the pods after the ReplicaSet.',
      hints: [
        'Delete only the Deployment, then wait.',
        'Choose Delete in the menu of the Deployment. Leave the propagation as it is.',
      ],
      checks: [
        gone('The Deployment is gone.', 'apps/v1/deployments', 'default/web'),
        some('Its ReplicaSet is gone.', 'apps/v1/replicasets', {
          namespace: 'default',
          fields: [ofWeb],
          count: { is: 0 },
        }),
        some('Its pods are gone.', 'v1/pods', { namespace: 'default', fields: [ofWeb], count: { is: 0 } }),
      ],
      solution: [send('DELETE', deployment)],
    },
  ],
  seen: [
    { text: 'What each controller reacted to, and what it wrote.', link: { panel: 'controllers' } },
    { text: 'All requests, yours and those of the controllers, in order.', link: { panel: 'requests' } },
    { text: 'Which object owns which, and what a deletion removes.', link: { panel: 'lifecycle', path: ['graph'] } },
  ],
  why: [
    'Nobody told the cluster how to get from 2 pods to 4. Each controller compares what is wanted with what is there, and fixes the difference.',
    'So the cluster heals itself. A controller does the same work whether you asked for more pods or lost a node.',
  ],
};
