import { apply, applyLine, isCutOff, reaches } from '../build.ts';
import { cards } from '../cards.ts';
import type { Lesson } from '../engine/lesson.ts';

const NET = 'networking.{domain}/v1';

const start = `
apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: shop, labels: {app: web}}
spec:
  containers: [{name: main, image: nginx}]
---
apiVersion: v1
kind: Pod
metadata: {name: db, namespace: shop, labels: {app: db}}
spec:
  containers: [{name: main, image: nginx, ports: [{containerPort: 5432}]}]
---
apiVersion: v1
kind: Service
metadata: {name: db, namespace: shop}
spec:
  selector: {app: db}
  ports: [{port: 5432}]
`;

const egress = (name: string, selector: string, rules: string): string => `
apiVersion: ${NET}
kind: NetworkPolicy
metadata: {name: ${name}, namespace: shop}
spec:
  podSelector: ${selector}
  policyTypes: [Egress]
  egress: ${rules}
`;

const noEgress = egress('no-egress', '{}', '[]');
const webToDb = egress(
  'web-to-db',
  '{matchLabels: {app: web}}',
  '[{to: [{podSelector: {matchLabels: {app: db}}}], ports: [{protocol: TCP, port: 5432}]}]',
);
const dns = egress('dns', '{}', '[{ports: [{protocol: UDP, port: 53}, {protocol: TCP, port: 53}]}]');
const webToApi = egress(
  'web-to-api',
  '{matchLabels: {app: web}}',
  '[{to: [{ipBlock: {cidr: 203.0.113.8/32}}], ports: [{protocol: TCP, port: 443}]}]',
);

const web = { namespace: 'shop', labels: { app: 'web' } };
const db = { namespace: 'shop', labels: { app: 'db' } };
/** The address at which pods ask: that of the service `{prefix}-dns`. */
const DNS = '10.0.0.10';

export const lesson: Lesson = {
  ...cards.egress,
  intro: [
    'Ingress rules control who may connect to a pod. Egress rules control where a pod may connect to. Both sides must allow a connection.',
    'If you block egress, DNS breaks first: pods can no longer look up names.',
  ],
  start: { nodes: 1, addons: ['dns'], steps: [apply(start)] },
  tasks: [
    {
      title: 'Block all egress',
      text: [
        'In the namespace shop, create a policy `no-egress`. It selects all pods, has the type Egress, and allows nothing.',
      ],
      where: { panel: 'network', path: ['map'] },
      talk: [applyLine(noEgress)],
      note: 'Answers still come back: a policy only looks at who opens the connection.',
      hints: [
        'Write `policyTypes: [Egress]` and no `egress` rules.',
        'Without `policyTypes` it would block ingress instead.',
      ],
      checks: [
        isCutOff('`web` can’t reach `db`.', { from: web, to: db, port: 5432 }),
        isCutOff('`web` can’t reach `example.com`.', { from: web, to: 'example.com', port: 443 }),
        isCutOff('`db` can’t reach `web` either.', { from: db, to: web, port: 80 }),
      ],
      solution: [apply(noEgress)],
    },
    {
      title: 'Allow the database',
      text: [
        'Policies add up. Create a second policy that allows `web` to reach the pods with `app: db` on port 5432.',
        'Then look closer: `web` reaches the address of `db`. Does it reach `db` by name?',
      ],
      where: { panel: 'network', path: ['map'] },
      hints: ['Select `app: web`. Write one egress rule: `to` with a podSelector, and `ports` with TCP 5432.'],
      checks: [
        reaches('`web` reaches the pod `db` by its address.', { from: web, to: db, port: 5432 }),
        isCutOff('Other ports of `db` stay blocked.', { from: web, to: db, port: 80 }),
        isCutOff('`web` still can’t reach `example.com`.', { from: web, to: 'example.com', port: 443 }),
      ],
      solution: [apply(webToDb)],
      talk: [applyLine(webToDb)],
      note: 'Follow a packet from web to db by name: it stops at the DNS server.',
    },
    {
      title: 'Allow DNS',
      text: [
        'Programs use the name `db`, not an address. To look it up, they ask the DNS server on port 53. That is egress too.',
        'The DNS server runs as two pods in `{prefix}-system`, behind the service `{prefix}-dns`. Allow all pods in shop to reach it on port 53, UDP and TCP.',
      ],
      where: { panel: 'network', path: ['map'] },
      talk: [applyLine(dns)],
      note: 'Ask why UDP alone is not enough. Long answers come over TCP.',
      hints: [
        'A rule without `to` allows every destination on its ports. A narrower rule has `namespaceSelector: {}` and, in the same item, `podSelector: {matchLabels: {k8s-app: {prefix}-dns}}`.',
        'A policy applies to the pod that receives the packet, not to the service. A rule for the address of the service allows nothing.',
        'The ports are `ports: [{protocol: UDP, port: 53}, {protocol: TCP, port: 53}]`.',
      ],
      checks: [
        reaches('`web` reaches `db` by name.', { from: web, to: 'db', port: 5432 }),
        reaches('`db` reaches the DNS server too.', { from: db, to: DNS, port: 53, protocol: 'UDP' }),
        isCutOff('`web` still can’t reach `example.com`, though it can look up the name.', {
          from: web,
          to: 'example.com',
          port: 443,
        }),
      ],
      solution: [apply(dns)],
    },
    {
      title: 'Allow one external address',
      text: [
        '`web` needs `api.example.com`, which is 203.0.113.8. Policies can’t contain host names, only addresses.',
        'Allow that one address on port 443.',
      ],
      where: { panel: 'network', path: ['map'] },
      talk: [applyLine(webToApi)],
      note: 'Ask what happens when the address of the host changes.',
      hints: ['`ipBlock: {cidr: 203.0.113.8/32}`. A /32 is one address.'],
      checks: [
        reaches('`web` reaches `api.example.com` on port 443.', { from: web, to: 'api.example.com', port: 443 }),
        isCutOff('Its other ports stay blocked.', { from: web, to: 'api.example.com', port: 80 }),
        isCutOff('`web` still can’t reach `example.com`.', { from: web, to: 'example.com', port: 443 }),
        isCutOff('`db` can’t reach `api.example.com`.', { from: db, to: 'api.example.com', port: 443 }),
      ],
      solution: [apply(webToApi)],
    },
  ],
  seen: [
    {
      text: 'The path of a packet. Its first step is the DNS query.',
      link: { panel: 'network', path: ['map'] },
    },
    { text: 'The connections that programs open.', link: { panel: 'network', path: ['flows'] } },
  ],
  why: [
    'A missing DNS rule looks like a dead database: you only see a timeout. Check port 53 first.',
    'If an attacker takes over a pod, blocked egress keeps it from sending data out.',
  ],
};
