import { apply, asked, gone, merge, object, send, some } from '../build.ts';
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
    'Two writers, one object. Each reads, thinks, and writes. What the other did in between is lost, unless somebody looks.',
    'You play both writers. First you lose an apple, then you make it impossible.',
  ],
  start: { nodes: 1, steps: [apply(start)] },
  tasks: [
    {
      title: 'Lose an update',
      text: [
        'The ConfigMap `stock` has 10 apples. Two clerks each sell one. Both read 10, both write 9.',
        'Write `apples: "9"` twice, with two merge patches. Two apples are sold, and the book says 9.',
      ],
      where: { panel: 'requests' },
      commands: [
        `{ctl} patch configmap stock --type=merge -p '{"data":{"apples":"9"}}'`,
        `{ctl} patch configmap stock --type=merge -p '{"data":{"apples":"9"}}'`,
      ],
      hints: ['The same patch twice. Both are answered with 200: nobody complains.'],
      checks: [
        asked('Two patches of `stock` succeeded (200).', {
          method: 'PATCH',
          path: `${maps}/stock`,
          status: 200,
          atLeast: 2,
        }),
        stock('The book says 9, though 8 are left.', '9'),
      ],
      solution: [merge(`${maps}/stock`, { data: { apples: '9' } }), merge(`${maps}/stock`, { data: { apples: '9' } })],
    },
    {
      title: 'Compare before you write',
      text: [
        'A JSON patch can test first: write only if the value is what you read. Sell another apple: test for 9, write 8.',
        'Then let the second clerk try the same. The test fails, and nothing is lost.',
      ],
      where: { panel: 'requests' },
      commands: [
        `{ctl} patch configmap stock --type=json -p '[{"op":"test","path":"/data/apples","value":"9"},{"op":"replace","path":"/data/apples","value":"8"}]'`,
        `{ctl} patch configmap stock --type=json -p '[{"op":"test","path":"/data/apples","value":"9"},{"op":"replace","path":"/data/apples","value":"8"}]'`,
      ],
      hints: [
        'Send the same JSON patch twice. The second is refused with 422.',
        'A test that fails is answered with 422, and nothing of the patch is done.',
      ],
      checks: [
        stock('The book says 8.', '8'),
        asked('The second clerk’s patch was refused (422).', { method: 'PATCH', path: `${maps}/stock`, status: 422 }),
      ],
      solution: [setIf('9', '8'), setIf('9', '8', 422)],
    },
    {
      title: 'One leader',
      text: [
        'Two controllers agree who works by a Lease. Who creates it first leads.',
        'Create a Lease `leader` with the holder `anna`. Then try to create it again with the holder `ben`: 409, it is there already.',
      ],
      where: { panel: 'explore', path: ['coordination.{domain}', 'leases'], query: { ns: 'default' } },
      commands: [
        `echo '{"apiVersion":"coordination.{domain}/v1","kind":"Lease","metadata":{"name":"leader"},"spec":{"holderIdentity":"anna"}}' | {ctl} create -f -`,
        `echo '{"apiVersion":"coordination.{domain}/v1","kind":"Lease","metadata":{"name":"leader"},"spec":{"holderIdentity":"ben"}}' | {ctl} create -f -`,
      ],
      hints: ['`spec.holderIdentity` is the leader’s name.', 'Create, don’t apply: an apply would overwrite.'],
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
      note: 'No lock server is needed: to create is to compare with nothing.',
    },
    {
      title: 'Who owns a pod?',
      text: [
        'The ReplicaSet `web` wants 2 pods with the label `app: web`. Make a pod `stray` with that label yourself.',
        'The ReplicaSet adopts it, counts 3, and deletes the one it can best do without: yours.',
      ],
      where: { panel: 'controllers' },
      commands: ['{ctl} run stray --image=nginx --labels=app=web'],
      hints: ['A pod of your own with the label. It need not live long.'],
      checks: [
        some('The ReplicaSet says that it deleted `stray`.', 'v1/events', {
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
      title: 'Take a pod out',
      text: [
        'The other way round: take the label `app` off a pod of `web`. The ReplicaSet lets go of it and makes another.',
        'The pod runs on, owned by nobody. That is how one keeps a sick pod to look at it.',
      ],
      where: { panel: 'explore', path: ['core', 'pods'], query: { ns: 'default' } },
      commands: ['{ctl} label $({ctl} get pods -l app=web -o name | head -n 1) app-'],
      hints: ['Edit one pod and remove its label `app`.'],
      checks: [
        some('A pod that `web` made runs without its label and without an owner.', 'v1/pods', {
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
    { text: 'Two writers that keep undoing each other.', link: { panel: 'controllers' } },
    { text: 'Every write in order, with its revision.', link: { panel: 'requests' } },
  ],
  why: [
    'The server has no locks. It has something better: every write can say what it expects, and is refused if that is no longer so.',
    'When a number is off by one now and then, look for a write that didn’t compare.',
  ],
};
