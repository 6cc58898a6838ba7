import { apply, applyLine, isCutOff, merge, reaches, replaceLine, send, some } from '../build.ts';
import { cards } from '../cards.ts';
import type { Lesson, PodSelection } from '../engine/lesson.ts';

const NET = 'networking.{domain}/v1';
const policies = (namespace: string, name: string): string =>
  `/apis/${NET}/namespaces/${namespace}/networkpolicies/${name}`;

/** The port that a pod serves, where it is not 80. */
const servedPorts = new Map([
  ['api', 8080],
  ['db', 5432],
]);

const pod = (namespace: string, name: string): string => `
---
apiVersion: v1
kind: Pod
metadata: {name: ${name}, namespace: ${namespace}, labels: {app: ${name}}}
spec:
  containers: [{name: main, image: nginx, ports: [{containerPort: ${servedPorts.get(name) ?? 80}}]}]`;

const apiService = `
---
apiVersion: v1
kind: Service
metadata: {name: api, namespace: shop}
spec:
  selector: {app: api}
  ports: [{port: 80, targetPort: 8080}]`;

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

/** With a dash the second selector is an item of its own, without one it belongs to the first item. */
const webFromProbe = (dash: '-' | ' '): string =>
  policy(
    'shop',
    'web-from-probe',
    `
  podSelector: {matchLabels: {app: web}}
  ingress:
  - from:
    - namespaceSelector: {matchLabels: {team: lab}}
    ${dash} podSelector: {matchLabels: {app: probe}}`,
  );

const denyAll = policy('shop', 'default-deny', '{podSelector: {}, policyTypes: [Ingress]}');
const dbFromApi = `{podSelector: {matchLabels: {app: db}}, ingress: [{from: [{podSelector: {matchLabels: {app: api}}}]}]}`;

const start = [
  space('shop', 'team: shop'),
  space('lab', 'team: lab'),
  space('office', 'floor: "2"'),
  ...['web', 'api', 'db', 'meter'].map((name) => pod('shop', name)),
  ...['probe', 'stranger'].map((name) => pod('lab', name)),
  pod('office', 'clerk'),
  apiService,
  policy('default', 'db-from-api', dbFromApi),
  webFromProbe('-'),
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
    'Without policies, every pod can reach every other pod. A NetworkPolicy selects pods. Those pods then accept only connections that some policy allows.',
    'First you block everything. Then you fix five policies. Each contains a common mistake.',
  ],
  start: { nodes: 1, steps: [apply(start)] },
  tasks: [
    {
      title: 'Block everything',
      text: [
        'In the namespace shop, create a policy `default-deny` that selects all pods and allows nothing.',
        'An empty `podSelector` selects all pods of the policy’s namespace.',
      ],
      where: { panel: 'network', path: ['matrix'], query: { port: 'TCP/5432' } },
      hints: ['Write `podSelector: {}` and `policyTypes: [Ingress]`, and leave out `ingress`.'],
      checks: [
        isCutOff('`web` can’t reach `db` on port 5432.', { from: web, to: db, port: 5432 }),
        isCutOff('`stranger` can’t reach `db` either.', { from: stranger, to: db, port: 5432 }),
        some('A policy in shop blocks ingress to all its pods, including future ones.', `${NET}/networkpolicies`, {
          namespace: 'shop',
          fields: [
            { path: 'spec.podSelector', is: {} },
            { path: 'spec.policyTypes', has: 'Ingress' },
            { path: 'spec.ingress[0]', exists: false },
          ],
          count: { atLeast: 1 },
        }),
      ],
      solution: [apply(denyAll)],
      talk: [applyLine(denyAll)],
      note: 'In the matrix, the column of db turns to crosses at once.',
    },
    {
      title: 'Mistake 1: the wrong namespace',
      text: [
        'The policy `db-from-api` should allow `api` to reach `db`. But it is in the namespace default, so it selects pods in default.',
        'A policy only selects pods in its own namespace. Move it to shop.',
      ],
      where: { panel: 'explore', path: ['networking.{domain}', 'networkpolicies'] },
      talk: ['{ctl} delete networkpolicy db-from-api -n default', applyLine(policy('shop', 'db-from-api', dbFromApi))],
      note: 'Ask the class which pods the policy selects now. It selects none.',
      hints: ['Copy its YAML, change the namespace to shop, and apply it.'],
      checks: [
        reaches('`api` reaches `db` on port 5432.', { from: api, to: db, port: 5432 }),
        isCutOff('`web` still can’t.', { from: web, to: db, port: 5432 }),
      ],
      solution: [apply(policy('shop', 'db-from-api', dbFromApi)), send('DELETE', policies('default', 'db-from-api'))],
    },
    {
      title: 'Mistake 2: one dash too many',
      text: [
        '`web-from-probe` should allow only the pod `probe` in the namespace lab to reach `web`. But `stranger`, also in lab, can reach it too.',
        'Two list items mean “or”. One item with both selectors means “and”.',
      ],
      where: { panel: 'explore', path: ['networking.{domain}', 'networkpolicies'], query: { ns: 'shop' } },
      talk: [replaceLine(webFromProbe(' '))],
      note: 'Put both versions side by side. They differ in one character.',
      hints: [
        'Look at the dashes under `from`.',
        'Remove the dash before `podSelector`. Then it belongs to the item above.',
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
      title: 'Mistake 3: the port of the service',
      text: [
        '`api` listens on 8080. Its service has port 80, and the policy `api-from-web` allows port 80.',
        'A policy applies to the packet that arrives at the pod, after the service has changed its port. Use the port of the pod.',
      ],
      where: { panel: 'network', path: ['map'], query: { port: 'TCP/8080' } },
      talk: [
        `{ctl} patch networkpolicy api-from-web -n shop --type=json -p '[{"op":"replace","path":"/spec/ingress/0/ports/0/port","value":8080}]'`,
      ],
      note: 'Follow a packet from web to api: the service changes the port before the policy sees it.',
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
        '`meter-from-nobody` should let nobody reach `meter`. It has one rule, and the rule is empty.',
        'An empty rule allows everything. An empty list of rules allows nothing.',
      ],
      where: { panel: 'explore', path: ['networking.{domain}', 'networkpolicies'], query: { ns: 'shop' } },
      talk: [
        `{ctl} patch networkpolicy meter-from-nobody -n shop --type=json -p '[{"op":"replace","path":"/spec/ingress","value":[]}]'`,
      ],
      note: 'Ask for the difference between `ingress: []` and `ingress: [{}]` before you show it.',
      hints: ['Write `ingress: []`. Or delete the policy: `default-deny` still applies.'],
      checks: [
        isCutOff('`stranger` can’t reach `meter`.', { from: stranger, to: meter, port: 80 }),
        isCutOff('`web` can’t reach `meter`.', { from: web, to: meter, port: 80 }),
      ],
      solution: [merge(policies('shop', 'meter-from-nobody'), { spec: { ingress: [] } })],
    },
    {
      title: 'Mistake 5: a missing label',
      text: [
        '`web-from-office` allows namespaces with the label `team: office`. The namespace office has no such label.',
        'A namespaceSelector matches labels, never names. Add the label to the namespace.',
      ],
      where: { panel: 'explore', path: ['core', 'namespaces'] },
      commands: ['{ctl} label namespace office team=office'],
      note: 'The label {label}/metadata.name on namespaces came after v1.20. Here you add a label yourself.',
      hints: ['Edit the Namespace `office`. Its labels are in its metadata.'],
      checks: [
        reaches('`clerk` in office reaches `web`.', { from: clerk, to: web, port: 80 }),
        isCutOff('`stranger` in lab still doesn’t.', { from: stranger, to: web, port: 80 }),
      ],
      solution: [merge('/api/v1/namespaces/office', { metadata: { labels: { team: 'office' } } })],
    },
  ],
  seen: [
    { text: 'Which pods reach which, as a matrix.', link: { panel: 'network', path: ['matrix'] } },
    { text: 'The path of one packet, and the policy that blocked it.', link: { panel: 'network', path: ['map'] } },
  ],
  why: [
    'A policy that selects nothing is valid. So is a policy that allows everything. The server can’t know what you meant.',
    'So test the result: check which pods reach which. Reading the YAML is not enough.',
  ],
};
