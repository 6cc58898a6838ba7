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
    'You never start a container here. You say what you want, and controllers make it so.',
    'In this lesson you make one object and watch it become others: a Deployment, a ReplicaSet, Pods.',
  ],
  start: { nodes: 2, steps: [] },
  tasks: [
    {
      title: 'Make a Deployment',
      text: [
        'A Deployment says: keep this many pods of this kind running.',
        'Make one named `web` that wants 2 pods.',
        'The button beside the command puts it into the terminal. Press Enter there. Or press Create and write YAML.',
      ],
      where: { panel: 'explore', path: ['apps', 'deployments'], query: { ns: 'default' } },
      commands: ['{ctl} create deployment web --image=nginx --replicas=2'],
      hints: [
        'The key `c` opens the editor. It has an example of a Deployment.',
        'In the example, set `metadata.name` to `web`, `spec.replicas` to 2, and apply it.',
      ],
      checks: [
        object('There is a Deployment `web` that wants 2 pods.', 'apps/v1/deployments', 'default/web', {
          path: 'spec.replicas',
          is: 2,
        }),
        object('Its 2 pods are ready.', 'apps/v1/deployments', 'default/web', { path: 'status.readyReplicas', is: 2 }),
      ],
      solution: [apply(web)],
      note: 'Keep the request log open: one request of yours, a dozen of the controllers.',
    },
    {
      title: 'See who made what',
      text: [
        'You made one object. Now there are four: the Deployment made a ReplicaSet, and the ReplicaSet made two Pods.',
        'Each carries an owner reference to whoever made it. To see that the chain is alive, delete one of the pods.',
      ],
      where: { panel: 'explore', path: ['core', 'pods'], query: { ns: 'default' } },
      commands: ['{ctl} get replicasets,pods', '{ctl} delete $({ctl} get pods -l app=web -o name | head -n 1)'],
      hints: [
        'Open Explore, Pods. The menu of a pod has Delete.',
        'Delete just one. Its ReplicaSet sees that a pod is missing and makes another.',
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
      note: 'Ask the class who made the new pod. The Deployment did not notice.',
    },
    {
      title: 'Change what you want',
      text: [
        'To get more pods, don’t make pods. Change what the Deployment wants.',
        'Scale the Deployment to 4. The same chain runs again.',
      ],
      where: { panel: 'explore', path: ['apps', 'deployments'], query: { ns: 'default' } },
      commands: ['{ctl} scale deployment web --replicas=4'],
      hints: ['The menu of a Deployment has Scale.', 'Scale changes one field: `spec.replicas`.'],
      checks: [
        object(
          '`web` wants 4 pods, and 4 are ready.',
          'apps/v1/deployments',
          'default/web',
          { path: 'spec.replicas', is: 4 },
          { path: 'status.readyReplicas', is: 4 },
        ),
      ],
      solution: [merge(deployment, { spec: { replicas: 4 } })],
    },
    {
      title: 'Take it away',
      text: [
        'Delete the Deployment. You don’t have to delete the rest.',
        'The garbage collector follows the owner references and deletes what nobody owns any more.',
      ],
      where: { panel: 'lifecycle', path: ['graph'], query: { obj: 'apps/deployments/default/web' } },
      commands: ['{ctl} delete deployment web'],
      hints: [
        'Delete only the Deployment, then wait.',
        'The menu of the Deployment has Delete. Leave the propagation as it is.',
      ],
      checks: [
        gone('It is gone.', 'apps/v1/deployments', 'default/web'),
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
    { text: 'Controllers at work: what woke each one, and what it wrote.', link: { panel: 'controllers' } },
    { text: 'Every request of yours and of theirs, in order.', link: { panel: 'requests' } },
    { text: 'What belongs to what, and what a deletion takes along.', link: { panel: 'lifecycle', path: ['graph'] } },
  ],
  why: [
    'Nobody told the cluster how to get from 2 pods to 4. Each controller compared what is wanted with what is there, and closed the gap.',
    'So it heals by itself: it makes no difference to a controller whether you asked for more or a node burned down.',
  ],
};
