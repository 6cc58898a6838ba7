import { apply, object, patch, some, wait } from '../build.ts';
import { cards } from '../cards.ts';
import type { Json } from '../../std/index.ts';
import type { Check, FieldWant, Lesson, Step } from '../engine/lesson.ts';

const web = '/apis/apps/v1/namespaces/default/deployments/web';

const start = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: default}
spec:
  replicas: 3
  progressDeadlineSeconds: 30
  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      terminationGracePeriodSeconds: 1
      containers:
      - name: web
        image: nginx:1.18
        ports: [{containerPort: 80}]
`;

const deployment = (says: string, ...fields: readonly FieldWant[]): Check =>
  object(says, 'apps/v1/deployments', 'default/web', ...fields);

const image = 'spec.template.spec.containers[name=web].image';
const probedPort = 'spec.template.spec.containers[name=web].readinessProbe.httpGet.port';

const change = (container: Json): Step => patch(web, { spec: { template: { spec: { containers: [container] } } } });
const setImage = (to: string): Step => change({ name: 'web', image: to });
const probe = (port: number): Step => change({ name: 'web', readinessProbe: { httpGet: { path: '/', port } } });

/** All pods are of the present template, and ready. */
const all3: readonly FieldWant[] = ['updatedReplicas', 'replicas', 'availableReplicas'].map((count) => ({
  path: `status.${count}`,
  is: 3,
}));

/** Whoever deletes the Deployment and makes it again has no way back. */
const oldKept = (count: number): Check =>
  some('The ReplicaSets of earlier versions still exist, without pods.', 'apps/v1/replicasets', {
    namespace: 'default',
    fields: [
      { path: 'metadata.ownerReferences[kind=Deployment].name', is: 'web' },
      { path: 'spec.replicas', is: 0 },
    ],
    count: { atLeast: count },
  });

export const lesson: Lesson = {
  ...cards.rollouts,
  intro: [
    'A rolling update replaces pods a few at a time. It waits until new pods are ready before it removes old ones.',
    'So the rollout of a bad version stops by itself. Here you find out why it stopped, and how to recover.',
  ],
  start: {
    nodes: 2,
    steps: [apply(start), wait(deployment('The first version runs.', { path: image, is: 'nginx:1.18' }, ...all3))],
  },
  tasks: [
    {
      title: 'Roll out a good version',
      text: [
        '`web` runs nginx:1.18 in 3 pods. Set the image to `nginx:1.19`.',
        'A second ReplicaSet grows while the first one shrinks.',
      ],
      where: { panel: 'lifecycle', path: ['rollout'], query: { obj: 'apps/deployments/default/web' } },
      commands: ['{ctl} set image deployment/web web=nginx:1.19', '{ctl} rollout status deployment/web'],
      note: 'Keep Lifecycle open: one band grows while the other shrinks.',
      hints: ['Edit the Deployment: the image is in `spec.template`. Only a changed template is rolled out.'],
      checks: [deployment('All 3 pods run nginx:1.19.', { path: image, is: 'nginx:1.19' }, ...all3), oldKept(1)],
      solution: [setImage('nginx:1.19')],
    },
    {
      title: 'Roll out a typo',
      text: [
        'Set the image to `nginx:1.20-does-not-exist`. No registry has this image.',
        'The new pod can’t start. `maxUnavailable` is 0, so all 3 old pods keep running. After 30 seconds the Deployment reports that it makes no progress.',
      ],
      where: { panel: 'lifecycle', path: ['rollout'], query: { obj: 'apps/deployments/default/web' } },
      commands: ['{ctl} set image deployment/web web=nginx:1.20-does-not-exist', '{ctl} get pods'],
      hints: [
        'Wait for 30 seconds, or move the clock forward.',
        'The condition is Progressing, with the reason ProgressDeadlineExceeded.',
      ],
      checks: [
        deployment('The Deployment reports that it exceeded its progress deadline.', {
          path: 'status.conditions[type=Progressing].reason',
          is: 'ProgressDeadlineExceeded',
        }),
        deployment('The 3 old pods are still available.', { path: 'status.availableReplicas', is: 3 }),
      ],
      solution: [setImage('nginx:1.20-does-not-exist')],
      note: 'The Deployment only reports the problem. It never rolls back by itself.',
    },
    {
      title: 'Roll back',
      text: [
        'Undo the rollout. The old ReplicaSet still has the template that worked.',
        'Undo copies that template into the Deployment. Then the Deployment rolls it out like any other change.',
      ],
      where: { panel: 'lifecycle', path: ['rollout'], query: { obj: 'apps/deployments/default/web' } },
      commands: ['{ctl} rollout undo deployment/web'],
      note: 'Ask where the old template was kept. It was in the old ReplicaSet.',
      hints: ['The menu of the Deployment can undo the rollout.', 'Or set the image to nginx:1.19 yourself.'],
      checks: [deployment('All 3 pods run nginx:1.19 again.', { path: image, is: 'nginx:1.19' }, ...all3), oldKept(2)],
      solution: [setImage('nginx:1.19')],
    },
    {
      title: 'A probe that always fails',
      text: [
        'A pod can be running but not ready. Give the container a readiness probe on port 81, where nothing listens.',
        'The rollout stalls again, this time with a running pod.',
      ],
      where: { panel: 'lifecycle', path: ['rollout'], query: { obj: 'apps/deployments/default/web' } },
      commands: [
        `{ctl} patch deployment web -p '{"spec":{"template":{"spec":{"containers":[{"name":"web","readinessProbe":{"httpGet":{"path":"/","port":81}}}]}}}}'`,
      ],
      note: 'The pod runs, but it is not ready. Show both columns.',
      hints: [
        '`readinessProbe: {httpGet: {path: /, port: 81}}`, beside the image.',
        'A fourth pod appears and never becomes ready.',
      ],
      checks: [
        deployment('The readiness probe uses port 81.', { path: probedPort, is: 81 }),
        deployment(
          'One new pod is not ready, and the 3 old pods are available.',
          { path: 'status.updatedReplicas', is: 1 },
          { path: 'status.unavailableReplicas', is: 1 },
          { path: 'status.availableReplicas', is: 3 },
        ),
      ],
      solution: [probe(81)],
    },
    {
      title: 'Fix the probe',
      text: [
        'Set the port of the probe to 80. The template changes again, so there is a newer ReplicaSet, and the rollout completes.',
      ],
      where: { panel: 'lifecycle', path: ['rollout'], query: { obj: 'apps/deployments/default/web' } },
      commands: [
        `{ctl} patch deployment web -p '{"spec":{"template":{"spec":{"containers":[{"name":"web","readinessProbe":{"httpGet":{"path":"/","port":80}}}]}}}}'`,
      ],
      note: 'The rollout goes on by itself. Nobody has to restart it.',
      hints: ['Change only the port of the probe.'],
      checks: [deployment('The probe uses port 80, and all 3 pods are ready.', { path: probedPort, is: 80 }, ...all3)],
      solution: [probe(80)],
    },
  ],
  seen: [
    {
      text: 'The rollout over time, with one band for each ReplicaSet.',
      link: { panel: 'lifecycle', path: ['rollout'], query: { obj: 'apps/deployments/default/web' } },
    },
    { text: 'The life of a pod, with its probes.', link: { panel: 'lifecycle', path: ['pod'] } },
  ],
  why: [
    'The readiness probe stops a bad rollout. Without one, a pod counts as ready as soon as it runs, and a broken version replaces all pods.',
    'Let your pipeline wait for `rollout status`. The Deployment alerts nobody when it fails.',
  ],
};
