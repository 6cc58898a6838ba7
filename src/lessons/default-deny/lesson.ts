import { apply, isCutOff, merge, reaches, send, some } from '../build.ts';
import { cards } from '../cards.ts';
import type { Lesson, PodSelection } from '../engine/lesson.ts';

const NET = 'networking.{domain}/v1';
const policies = (namespace: string, name: string): string =>
  `/apis/${NET}/namespaces/${namespace}/networkpolicies/${name}`;

const pod = (namespace: string, name: string): string => `
---
apiVersion: v1
kind: Pod
metadata: {name: ${name}, namespace: ${namespace}, labels: {app: ${name}}}
spec:
  containers: [{name: main, image: nginx}]`;

const space = (name: string, labels: string): string => `
---
apiVersion: v1
kind: Namespace
metadata: {name: ${name}, labels: {${labels}}}`;

const policy = (namespace: string, name: string, spec: string): string => `
---
apiVersion: ${NET}
kind: NetworkPolicy
metadata: {name: ${name}, namespace: ${namespace}}
spec: ${spec}`;

const dbFromApi = `{podSelector: {matchLabels: {app: db}}, ingress: [{from: [{podSelector: {matchLabels: {app: api}}}]}]}`;

const start = [
  space('shop', 'team: shop'),
  space('lab', 'team: lab'),
  space('office', 'floor: "2"'),
  ...['web', 'api', 'db', 'meter'].map((name) => pod('shop', name)),
  ...['probe', 'stranger'].map((name) => pod('lab', name)),
  pod('office', 'clerk'),
  policy('default', 'db-from-api', dbFromApi),
  policy(
    'shop',
    'web-from-probe',
    `
  podSelector: {matchLabels: {app: web}}
  ingress:
  - from:
    - namespaceSelector: {matchLabels: {team: lab}}
    - podSelector: {matchLabels: {app: probe}}`,
  ),
  policy(
    'shop',
    'api-from-web',
    `
  podSelector: {matchLabels: {app: api}}
  ingress:
  - from: [{podSelector: {matchLabels: {app: web}}}]
    ports: [{protocol: TCP, port: 80}]`,
  ),
  policy('shop', 'meter-from-nobody', '{podSelector: {matchLabels: {app: meter}}, ingress: [{}]}'),
  policy(
    'shop',
    'web-from-office',
    `
  podSelector: {matchLabels: {app: web}}
  ingress: [{from: [{namespaceSelector: {matchLabels: {team: office}}}]}]`,
  ),
].join('');

const at = (namespace: string, app: string): PodSelection => ({ namespace, labels: { app } });
const web = at('shop', 'web');
const api = at('shop', 'api');
const db = at('shop', 'db');
const meter = at('shop', 'meter');
const probe = at('lab', 'probe');
const stranger = at('lab', 'stranger');
const clerk = at('office', 'clerk');

export const lesson: Lesson = {
  ...cards.defaultDeny,
  intro: [
    'Without policies every pod reaches every other. A NetworkPolicy selects pods; from then on they receive only what some policy allows.',
    'First you close everything. Then you mend five policies, each with a mistake that everybody makes once.',
  ],
  start: { nodes: 1, steps: [apply(start)] },
  tasks: [
    {
      title: 'Close the shop',
      text: [
        'In the namespace shop, make a policy `default-deny`. It selects all pods and allows nothing.',
        'An empty `podSelector` selects all pods of the policy’s namespace.',
      ],
      where: { panel: 'network', path: ['matrix'] },
      hints: ['`podSelector: {}` and `policyTypes: [Ingress]`, and no `ingress` at all.'],
      checks: [
        isCutOff('`web` can’t reach `db` on port 5432.', { from: web, to: db, port: 5432 }),
        isCutOff('`stranger` can’t reach `db` either.', { from: stranger, to: db, port: 5432 }),
        some('A policy of shop closes the ingress of all its pods, those to come too.', `${NET}/networkpolicies`, {
          namespace: 'shop',
          fields: [
            { path: 'spec.podSelector', is: {} },
            { path: 'spec.policyTypes', has: 'Ingress' },
            { path: 'spec.ingress[0]', exists: false },
          ],
          count: { atLeast: 1 },
        }),
      ],
      solution: [apply(policy('shop', 'default-deny', '{podSelector: {}, policyTypes: [Ingress]}'))],
      note: 'The matrix shows the column of db turn to crosses at once.',
    },
    {
      title: 'Mistake 1: the wrong namespace',
      text: [
        'The policy `db-from-api` is meant to let `api` reach `db`. It is in the namespace default, so it selects pods of default.',
        'A policy selects pods of its own namespace and no others. Move it to shop.',
      ],
      where: { panel: 'explore', path: ['networking.{domain}', 'networkpolicies'] },
      hints: ['Copy its YAML, change the namespace to shop, apply it.'],
      checks: [
        reaches('`api` reaches `db` on port 5432.', { from: api, to: db, port: 5432 }),
        isCutOff('`web` still can’t.', { from: web, to: db, port: 5432 }),
      ],
      solution: [apply(policy('shop', 'db-from-api', dbFromApi)), send('DELETE', policies('default', 'db-from-api'))],
    },
    {
      title: 'Mistake 2: a dash too many',
      text: [
        '`web-from-probe` is meant to let only the pod `probe` of the lab reach `web`. But `stranger`, in the lab too, gets in.',
        'Two items of a list mean “or”. One item with both selectors means “and”.',
      ],
      where: { panel: 'explore', path: ['networking.{domain}', 'networkpolicies'], query: { ns: 'shop' } },
      hints: [
        'Look at the dashes below `from`.',
        'Take the dash before `podSelector` away: then it belongs to the item above.',
      ],
      checks: [
        reaches('`probe` reaches `web`.', { from: probe, to: web, port: 80 }),
        isCutOff('`stranger` doesn’t.', { from: stranger, to: web, port: 80 }),
      ],
      solution: [
        merge(policies('shop', 'web-from-probe'), {
          spec: {
            ingress: [
              {
                from: [
                  {
                    namespaceSelector: { matchLabels: { team: 'lab' } },
                    podSelector: { matchLabels: { app: 'probe' } },
                  },
                ],
              },
            ],
          },
        }),
      ],
    },
    {
      title: 'Mistake 3: the service’s port',
      text: [
        '`api` listens on 8080. Its service has port 80, and the policy `api-from-web` allows port 80.',
        'Policies see the packet as it arrives at the pod, after the service. Name the pod’s port.',
      ],
      where: { panel: 'network', path: ['map'] },
      hints: ['Set `ports[0].port` to 8080.'],
      checks: [
        reaches('`web` reaches `api` on port 8080.', { from: web, to: api, port: 8080 }),
        isCutOff('Port 80 stays closed.', { from: web, to: api, port: 80 }),
        isCutOff('`stranger` can’t reach `api`.', { from: stranger, to: api, port: 8080 }),
      ],
      solution: [
        merge(policies('shop', 'api-from-web'), {
          spec: {
            ingress: [
              {
                from: [{ podSelector: { matchLabels: { app: 'web' } } }],
                ports: [{ protocol: 'TCP', port: 8080 }],
              },
            ],
          },
        }),
      ],
    },
    {
      title: 'Mistake 4: an empty rule',
      text: [
        '`meter-from-nobody` is meant to let nobody reach `meter`. It has one rule, and the rule is empty.',
        'An empty rule allows everything. An empty list of rules allows nothing.',
      ],
      where: { panel: 'explore', path: ['networking.{domain}', 'networkpolicies'], query: { ns: 'shop' } },
      hints: ['Write `ingress: []`, or delete the policy: `default-deny` is there.'],
      checks: [
        isCutOff('`stranger` can’t reach `meter`.', { from: stranger, to: meter, port: 80 }),
        isCutOff('`web` can’t reach `meter`.', { from: web, to: meter, port: 80 }),
      ],
      solution: [merge(policies('shop', 'meter-from-nobody'), { spec: { ingress: [] } })],
    },
    {
      title: 'Mistake 5: a label that isn’t there',
      text: [
        '`web-from-office` lets in the namespace with the label `team: office`. The namespace office has no such label.',
        'A namespaceSelector looks at labels, never at names. Label the namespace.',
      ],
      where: { panel: 'explore', path: ['core', 'namespaces'] },
      commands: ['{ctl} label namespace office team=office'],
      hints: ['Edit the Namespace `office`: its labels stand in its metadata.'],
      checks: [
        reaches('`clerk` of the office reaches `web`.', { from: clerk, to: web, port: 80 }),
        isCutOff('`stranger` of the lab still doesn’t.', { from: stranger, to: web, port: 80 }),
      ],
      solution: [merge('/api/v1/namespaces/office', { metadata: { labels: { team: 'office' } } })],
    },
  ],
  seen: [
    { text: 'Who reaches whom, as a matrix.', link: { panel: 'network', path: ['matrix'] } },
    { text: 'The way of one packet, and the policy that stopped it.', link: { panel: 'network', path: ['map'] } },
  ],
  why: [
    'A policy that selects nothing is valid, and so is one that allows everything. The server can’t know what you meant.',
    'So check the outcome: who reaches whom. Reading YAML is not enough.',
  ],
};
