import { apply, wait } from '../build.ts';
import { cards } from '../cards.ts';
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

const state = (says: string, fields: readonly FieldWant[]): Check => ({
  look: 'object',
  resource: 'apps/v1/deployments',
  namespace: 'default',
  name: 'web',
  fields,
  says,
});

const image = 'spec.template.spec.containers[name=web].image';

const containers = (more: Readonly<Record<string, string>>): Step => ({
  do: 'request',
  method: 'PATCH',
  path: web,
  contentType: 'application/strategic-merge-patch+json',
  body: { spec: { template: { spec: { containers: [{ name: 'web', ...more }] } } } },
});

const rolledOut = (says: string, version: string): Check =>
  state(says, [
    { path: image, is: version },
    { path: 'status.updatedReplicas', is: 3 },
    { path: 'status.replicas', is: 3 },
    { path: 'status.availableReplicas', is: 3 },
  ]);

export const lesson: Lesson = {
  ...cards.rollouts,
  intro: [
    'A rolling update replaces pods a few at a time. It waits for new pods to be ready before it takes old ones away.',
    'So a bad version stops by itself. Seeing why, and getting out of it, is what you learn here.',
  ],
  start: { nodes: 2, steps: [apply(start), wait(rolledOut('', 'nginx:1.18'))] },
  tasks: [
    {
      title: 'Roll out a good version',
      text: [
        '`web` runs nginx:1.18 in 3 pods. Set the image to `nginx:1.19`.',
        'A second ReplicaSet grows while the first one shrinks.',
      ],
      where: { panel: 'lifecycle', path: ['rollout'] },
      commands: ['{ctl} set image deployment/web web=nginx:1.19', '{ctl} rollout status deployment/web'],
      hints: ['Edit the Deployment: the image is in `spec.template`. Only a change of the template rolls out.'],
      checks: [rolledOut('All 3 pods run nginx:1.19.', 'nginx:1.19')],
      solution: [containers({ image: 'nginx:1.19' })],
    },
    {
      title: 'Roll out a typo',
      text: [
        'Set the image to `nginx:1.20-does-not-exist`. No registry has it.',
        'One new pod can’t start. `maxUnavailable` is 0, so no old pod goes, and 3 still serve. After 30 seconds the Deployment says that it makes no progress.',
      ],
      where: { panel: 'lifecycle', path: ['rollout'] },
      commands: ['{ctl} set image deployment/web web=nginx:1.20-does-not-exist', '{ctl} get pods'],
      hints: [
        'Wait for 30 seconds, or step the clock.',
        'The condition is Progressing, with the reason ProgressDeadlineExceeded.',
      ],
      checks: [
        state('The Deployment says: the deadline for progress is exceeded.', [
          { path: 'status.conditions[type=Progressing].reason', is: 'ProgressDeadlineExceeded' },
        ]),
        state('3 pods are available all the time.', [{ path: 'status.availableReplicas', is: 3 }]),
      ],
      solution: [containers({ image: 'nginx:1.20-does-not-exist' })],
      note: 'The Deployment only reports. It never rolls back by itself.',
    },
    {
      title: 'Go back',
      text: [
        'Undo the roll-out. The old ReplicaSet is still there, with the template that worked.',
        'An undo is no magic: it copies that template into the Deployment, which rolls out again.',
      ],
      where: { panel: 'lifecycle', path: ['rollout'] },
      commands: ['{ctl} rollout undo deployment/web'],
      hints: ['The menu of the Deployment has Undo.', 'Or set the image to nginx:1.19 yourself.'],
      checks: [rolledOut('All 3 pods run nginx:1.19 again, and no other.', 'nginx:1.19')],
      solution: [containers({ image: 'nginx:1.19' })],
    },
    {
      title: 'A probe that never says yes',
      text: [
        'A pod may run and not be ready. Give the container a readiness probe that asks port 81, where nothing listens.',
        'The roll-out stalls once more, this time with running pods.',
      ],
      where: { panel: 'lifecycle', path: ['rollout'] },
      commands: [
        `{ctl} patch deployment web -p '{"spec":{"template":{"spec":{"containers":[{"name":"web","readinessProbe":{"httpGet":{"path":"/","port":81}}}]}}}}'`,
      ],
      hints: [
        '`readinessProbe: {httpGet: {path: /, port: 81}}`, beside the image.',
        'One pod more than 3 appears, and stays unready.',
      ],
      checks: [
        state('The new pods ask port 81, and 3 old ones are still available.', [
          { path: 'spec.template.spec.containers[name=web].readinessProbe.httpGet.port', is: 81 },
          { path: 'status.updatedReplicas', is: 1 },
          { path: 'status.unavailableReplicas', is: 1 },
          { path: 'status.availableReplicas', is: 3 },
        ]),
      ],
      solution: [
        {
          do: 'request',
          method: 'PATCH',
          path: web,
          contentType: 'application/strategic-merge-patch+json',
          body: {
            spec: {
              template: {
                spec: { containers: [{ name: 'web', readinessProbe: { httpGet: { path: '/', port: 81 } } }] },
              },
            },
          },
        },
      ],
    },
    {
      title: 'Mend it forward',
      text: [
        'Set the probe’s port to 80. The roll-out goes on by itself: the template changed, so there is a newer ReplicaSet.',
      ],
      where: { panel: 'lifecycle', path: ['rollout'] },
      commands: [
        `{ctl} patch deployment web -p '{"spec":{"template":{"spec":{"containers":[{"name":"web","readinessProbe":{"httpGet":{"path":"/","port":80}}}]}}}}'`,
      ],
      hints: ['Change only the port in the probe.'],
      checks: [
        state('All 3 pods ask port 80, and are ready.', [
          { path: 'spec.template.spec.containers[name=web].readinessProbe.httpGet.port', is: 80 },
          { path: 'status.updatedReplicas', is: 3 },
          { path: 'status.readyReplicas', is: 3 },
          { path: 'status.replicas', is: 3 },
        ]),
      ],
      solution: [
        {
          do: 'request',
          method: 'PATCH',
          path: web,
          contentType: 'application/strategic-merge-patch+json',
          body: {
            spec: {
              template: {
                spec: { containers: [{ name: 'web', readinessProbe: { httpGet: { path: '/', port: 80 } } }] },
              },
            },
          },
        },
      ],
    },
  ],
  seen: [
    { text: 'The roll-out as bands of ReplicaSets over time.', link: { panel: 'lifecycle', path: ['rollout'] } },
    { text: 'A pod’s life, with its probes.', link: { panel: 'lifecycle', path: ['pod'] } },
  ],
  why: [
    'The readiness probe is the brake of a roll-out. Without one, every pod counts as ready once it runs, and a broken version goes all the way.',
    'Let your pipeline wait for `rollout status`. The Deployment tells of failure only to those who ask.',
  ],
};
