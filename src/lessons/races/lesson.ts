import { apply, asked, gone, merge, object, send, some, wait } from '../build.ts';
import { cards } from '../cards.ts';
import type { Json } from '../../std/index.ts';
import type { Check, Lesson, Step } from '../engine/lesson.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const leases = '/apis/coordination.{domain}/v1/namespaces/default/leases';
const pods = '/api/v1/namespaces/default/pods';

const start = `
apiVersion: v1
kind: ConfigMap
metadata: {name: stock, namespace: default}
data: {apples: "10"}
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: web, namespace: default}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: main, image: nginx}]
`;

const stock = (says: string, apples: string): Check =>
  object(says, 'v1/configmaps', 'default/stock', { path: 'data.apples', is: apples });

const setIf = (before: string, after: string, expect?: number): Step =>
  send('PATCH', `${maps}/stock`, {
    contentType: 'application/json-patch+json',
    body: [
      { op: 'test', path: '/data/apples', value: before },
      { op: 'replace', path: '/data/apples', value: after },
    ],
    ...(expect !== undefined && { expect }),
  });

const lease = (holder: string): Json => ({
  metadata: { name: 'leader' },
  spec: { holderIdentity: holder, leaseDurationSeconds: 15 },
});

const stray = `
apiVersion: v1
kind: Pod
metadata: {name: stray, namespace: default, labels: {app: web}}
spec:
  containers: [{name: main, image: nginx}]
`;

export const lesson: Lesson = {
  ...cards.races,
  intro: [
    'Two writers change one object. Each reads it, computes a new value, and writes. Unless somebody checks, one of the two changes is lost.',
    'You play both writers. First you lose an update, then you prevent it.',
  ],
  start: {
    nodes: 1,
    steps: [
      apply(start),
      wait(object('`web` is ready.', 'apps/v1/replicasets', 'default/web', { path: 'status.readyReplicas', is: 2 })),
      // Pods of the same second are equally old: the ReplicaSet might delete one of its own instead of the stray pod.
      { do: 'clock', seconds: 2 },
    ],
  },
  tasks: [
    {
      title: 'Lose an update',
      text: [
        'The ConfigMap `stock` has 10 apples. Two clerks each sell one. Both read 10, and both write 9.',
        'Write `apples: "9"` twice, with two merge patches. Two apples are sold, but `stock` says 9.',
      ],
      where: { panel: 'requests' },
      commands: [
        `{ctl} patch configmap stock --type=merge -p '{"data":{"apples":"9"}}'`,
        `{ctl} patch configmap stock --type=merge -p '{"data":{"apples":"9"}}'`,
      ],
      note: 'Nobody gets an error. That is what makes this race so hard to find.',
      hints: ['Send the same patch twice. Both succeed with 200.'],
      checks: [
        asked('Two patches of `stock` succeeded (200).', {
          method: 'PATCH',
          path: `${maps}/stock`,
          status: 200,
          atLeast: 2,
        }),
        stock('`stock` says 9, though only 8 are left.', '9'),
      ],
      solution: [merge(`${maps}/stock`, { data: { apples: '9' } }), merge(`${maps}/stock`, { data: { apples: '9' } })],
    },
    {
      title: 'Compare before you write',
      text: [
        'A JSON patch can test a value before it writes. Sell another apple: test for 9, and write 8.',
        'Then send the same patch as the second clerk. The test fails, and nothing is lost.',
      ],
      where: { panel: 'requests' },
      commands: [
        `{ctl} patch configmap stock --type=json -p '[{"op":"test","path":"/data/apples","value":"9"},{"op":"replace","path":"/data/apples","value":"8"}]'`,
        `{ctl} patch configmap stock --type=json -p '[{"op":"test","path":"/data/apples","value":"9"},{"op":"replace","path":"/data/apples","value":"8"}]'`,
      ],
      note: 'The test and the write are one step on the server. Nothing can come between.',
      hints: [
        'Send the same JSON patch twice. The second one is refused with 422.',
        'If a test fails, the server answers 422 and changes nothing.',
      ],
      checks: [
        stock('`stock` says 8.', '8'),
        asked('The second clerk’s patch was refused (422).', { method: 'PATCH', path: `${maps}/stock`, status: 422 }),
      ],
      solution: [setIf('9', '8'), setIf('9', '8', 422)],
    },
    {
      title: 'Elect a leader',
      text: [
        'Two controllers use a Lease to agree on a leader. The first to create it leads.',
        'Create a Lease `leader` with the holder `anna`. Then try to create it again with the holder `ben`. The server answers 409, because it already exists.',
      ],
      where: { panel: 'explore', path: ['coordination.{domain}', 'leases'], query: { ns: 'default' } },
      commands: [
        `echo '{"apiVersion":"coordination.{domain}/v1","kind":"Lease","metadata":{"name":"leader"},"spec":{"holderIdentity":"anna"}}' | {ctl} create -f -`,
        `echo '{"apiVersion":"coordination.{domain}/v1","kind":"Lease","metadata":{"name":"leader"},"spec":{"holderIdentity":"ben"}}' | {ctl} create -f -`,
      ],
      hints: ['`spec.holderIdentity` is the name of the leader.', 'Use create, not apply. Apply would overwrite.'],
      checks: [
        object('Anna holds the lease.', 'coordination.{domain}/v1/leases', 'default/leader', {
          path: 'spec.holderIdentity',
          is: 'anna',
        }),
        asked('The second creation was refused (409).', { method: 'POST', path: leases, status: 409 }),
      ],
      solution: [
        send('POST', leases, { body: lease('anna') }),
        send('POST', leases, { body: lease('ben'), expect: 409 }),
      ],
      note: 'No lock server is needed. Create only succeeds if the object does not exist.',
    },
    {
      title: 'Who owns a pod?',
      text: [
        'The ReplicaSet `web` asks for 2 pods with the label `app: web`. Create a pod `stray` with that label.',
        'The ReplicaSet adopts it. Now it has 3 pods, so it deletes the newest: yours.',
      ],
      where: { panel: 'controllers' },
      commands: ['{ctl} run stray --image=nginx --labels=app=web'],
      note: 'Ask the class which of the three pods will be deleted before you run it.',
      hints: [
        'Run a single pod with the label `app=web`.',
        'If the ReplicaSet deleted another pod, delete `stray` and create it again.',
      ],
      checks: [
        some('An event says that the ReplicaSet deleted `stray`.', 'v1/events', {
          namespace: 'default',
          fields: [
            { path: 'reason', is: 'SuccessfulDelete' },
            { path: 'message', has: 'stray' },
          ],
          count: { atLeast: 1 },
        }),
        gone('`stray` is gone.', 'v1/pods', 'default/stray'),
        some('2 pods are left.', 'v1/pods', { namespace: 'default', labels: 'app=web', count: { is: 2 } }),
      ],
      solution: [apply(stray)],
    },
    {
      title: 'Release a pod',
      text: [
        'Remove the label `app` from a pod of `web`. The ReplicaSet releases it and creates another.',
        'The pod keeps running without an owner. You can use this to keep a broken pod and debug it.',
      ],
      where: { panel: 'explore', path: ['core', 'pods'], query: { ns: 'default' } },
      commands: ['{ctl} label $({ctl} get pods -l app=web -o name | head -n 1) app-'],
      note: 'This is useful in practice: keep one broken pod for debugging, and let the others be replaced.',
      hints: ['Edit one pod and remove its label `app`.'],
      checks: [
        some('A pod that `web` created runs without the label and without an owner.', 'v1/pods', {
          namespace: 'default',
          fields: [
            { path: 'metadata.generateName', is: 'web-' },
            { path: 'metadata.labels.app', not: 'web' },
            { path: 'metadata.ownerReferences', exists: false },
            { path: 'status.phase', is: 'Running' },
          ],
          count: { atLeast: 1 },
        }),
        some('`web` has 2 pods again.', 'v1/pods', { namespace: 'default', labels: 'app=web', count: { is: 2 } }),
      ],
      solution: [
        send('GET', `${pods}?labelSelector=app%3Dweb`, { keep: { pod: 'items[0].metadata.name' } }),
        merge(`${pods}/<pod>`, { metadata: { labels: { app: null } } }),
      ],
    },
  ],
  seen: [
    { text: 'Controllers that keep undoing each other’s changes.', link: { panel: 'controllers' } },
    { text: 'Every write in order, with its revision.', link: { panel: 'requests' } },
  ],
  why: [
    'The API server has no locks. Instead, a write can say what state it expects. The server refuses it if the state has changed.',
    'If a number is sometimes off by one, look for a write that doesn’t check first.',
  ],
};
