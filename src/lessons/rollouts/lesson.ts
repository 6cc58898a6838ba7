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
  some('The ReplicaSets of earlier versions are kept, without pods.', 'apps/v1/replicasets', {
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
    'A rolling update replaces pods a few at a time. It waits for new pods to be ready before it takes old ones away.',
    'So a bad version stops by itself. Seeing why, and getting out of it, is what you learn here.',
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
      hints: ['Edit the Deployment: the image is in `spec.template`. Only a change of the template rolls out.'],
      checks: [deployment('All 3 pods run nginx:1.19.', { path: image, is: 'nginx:1.19' }, ...all3), oldKept(1)],
      solution: [setImage('nginx:1.19')],
    },
    {
      title: 'Roll out a typo',
      text: [
        'Set the image to `nginx:1.20-does-not-exist`. No registry has it.',
        'One new pod can’t start. `maxUnavailable` is 0, so no old pod goes, and 3 still serve. After 30 seconds the Deployment says that it makes no progress.',
      ],
      where: { panel: 'lifecycle', path: ['rollout'], query: { obj: 'apps/deployments/default/web' } },
      commands: ['{ctl} set image deployment/web web=nginx:1.20-does-not-exist', '{ctl} get pods'],
      hints: [
        'Wait for 30 seconds, or step the clock.',
        'The condition is Progressing, with the reason ProgressDeadlineExceeded.',
      ],
      checks: [
        deployment('The Deployment says: the deadline for progress is exceeded.', {
          path: 'status.conditions[type=Progressing].reason',
          is: 'ProgressDeadlineExceeded',
        }),
        deployment('The old pods serve on: 3 are available.', { path: 'status.availableReplicas', is: 3 }),
      ],
      solution: [setImage('nginx:1.20-does-not-exist')],
      note: 'The Deployment only reports. It never rolls back by itself.',
    },
    {
      title: 'Go back',
      text: [
        'Undo the roll-out. The old ReplicaSet is still there, with the template that worked.',
        'An undo is no magic: it copies that template into the Deployment, which rolls out again.',
      ],
      where: { panel: 'lifecycle', path: ['rollout'], query: { obj: 'apps/deployments/default/web' } },
      commands: ['{ctl} rollout undo deployment/web'],
      hints: ['The menu of the Deployment has Undo.', 'Or set the image to nginx:1.19 yourself.'],
      checks: [
        deployment('All 3 pods run nginx:1.19 again, and no other.', { path: image, is: 'nginx:1.19' }, ...all3),
        oldKept(2),
      ],
      solution: [setImage('nginx:1.19')],
    },
    {
      title: 'A probe that never says yes',
      text: [
        'A pod may run and not be ready. Give the container a readiness probe that asks port 81, where nothing listens.',
        'The roll-out stalls once more, this time with running pods.',
      ],
      where: { panel: 'lifecycle', path: ['rollout'], query: { obj: 'apps/deployments/default/web' } },
      commands: [
        `{ctl} patch deployment web -p '{"spec":{"template":{"spec":{"containers":[{"name":"web","readinessProbe":{"httpGet":{"path":"/","port":81}}}]}}}}'`,
      ],
      hints: [
        '`readinessProbe: {httpGet: {path: /, port: 81}}`, beside the image.',
        'One pod more than 3 appears, and stays unready.',
      ],
      checks: [
        deployment('New pods ask port 81.', { path: probedPort, is: 81 }),
        deployment(
          'One is there and never ready; 3 old ones are available.',
          { path: 'status.updatedReplicas', is: 1 },
          { path: 'status.unavailableReplicas', is: 1 },
          { path: 'status.availableReplicas', is: 3 },
        ),
      ],
      solution: [probe(81)],
    },
    {
      title: 'Mend it forward',
      text: [
        'Set the probe’s port to 80. The roll-out goes on by itself: the template changed, so there is a newer ReplicaSet.',
      ],
      where: { panel: 'lifecycle', path: ['rollout'], query: { obj: 'apps/deployments/default/web' } },
      commands: [
        `{ctl} patch deployment web -p '{"spec":{"template":{"spec":{"containers":[{"name":"web","readinessProbe":{"httpGet":{"path":"/","port":80}}}]}}}}'`,
      ],
      hints: ['Change only the port in the probe.'],
      checks: [deployment('All 3 pods ask port 80, and are ready.', { path: probedPort, is: 80 }, ...all3)],
      solution: [probe(80)],
    },
  ],
  seen: [
    {
      text: 'The roll-out as bands of ReplicaSets over time.',
      link: { panel: 'lifecycle', path: ['rollout'], query: { obj: 'apps/deployments/default/web' } },
    },
    { text: 'A pod’s life, with its probes.', link: { panel: 'lifecycle', path: ['pod'] } },
  ],
  why: [
    'The readiness probe is the brake of a roll-out. Without one, every pod counts as ready once it runs, and a broken version goes all the way.',
    'Let your pipeline wait for `rollout status`. The Deployment tells of failure only to those who ask.',
  ],
};
