import { apply, isCutOff, reaches } from '../build.ts';
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

const web = { namespace: 'shop', labels: { app: 'web' } };
const db = { namespace: 'shop', labels: { app: 'db' } };
/** The address at which pods ask: that of the service `{prefix}-dns`. */
const DNS = '10.0.0.10';
const webOnly = '{matchLabels: {app: web}}';

export const lesson: Lesson = {
  ...cards.egress,
  intro: [
    'Ingress says who may come in. Egress says where a pod may go. Both ends have to allow a connection.',
    'Close egress, and the first thing that breaks is not the database. It is its name.',
  ],
  start: { nodes: 1, addons: ['dns'], steps: [apply(start)] },
  tasks: [
    {
      title: 'Let nothing out',
      text: ['In shop, make a policy `no-egress`: it selects all pods, its type is Egress, and it allows nothing.'],
      where: { panel: 'network', path: ['map'] },
      hints: ['`policyTypes: [Egress]` and no `egress` rules.', 'Without `policyTypes` it would be about ingress.'],
      checks: [
        isCutOff('`web` can’t reach `db`.', { from: web, to: db, port: 5432 }),
        isCutOff('`web` can’t reach `example.com`.', { from: web, to: 'example.com', port: 443 }),
        isCutOff('`db` can’t reach `web` either.', { from: db, to: web, port: 80 }),
      ],
      solution: [apply(egress('no-egress', '{}', '[]'))],
    },
    {
      title: 'Open the way to the database',
      text: [
        'Allow `web` to reach the pods `app: db` on port 5432, with a second policy. Policies add up.',
        'When it holds, look closer: the address works. Does the name?',
      ],
      where: { panel: 'network', path: ['map'] },
      hints: ['Select `app: web`. One egress rule: `to` a podSelector, `ports` TCP 5432.'],
      checks: [
        reaches('`web` reaches the pod `db` by its address.', { from: web, to: db, port: 5432 }),
        isCutOff('Other ports of `db` stay closed.', { from: web, to: db, port: 80 }),
        isCutOff('`example.com` stays out of reach.', { from: web, to: 'example.com', port: 443 }),
      ],
      solution: [
        apply(
          egress(
            'web-to-db',
            webOnly,
            '[{to: [{podSelector: {matchLabels: {app: db}}}], ports: [{protocol: TCP, port: 5432}]}]',
          ),
        ),
      ],
      note: 'Ask the packet pane for web to db by name: it stops at the name server.',
    },
    {
      title: 'Open the way to names',
      text: [
        'Programs say `db`, not an address. The name server is asked over UDP on port 53, and that is egress too.',
        'The name server is two pods in {prefix}-system, behind the service `{prefix}-dns`. Allow all pods of shop to reach it on port 53, UDP and TCP.',
      ],
      where: { panel: 'network', path: ['map'] },
      hints: [
        'A rule without `to` allows every destination on its ports. Narrower: `namespaceSelector: {}` and, in the same item, `podSelector: {matchLabels: {k8s-app: {prefix}-dns}}`.',
        'Policies see the pod that a packet goes to, not the service in between: a rule for the service’s address allows nothing.',
        '`ports: [{protocol: UDP, port: 53}, {protocol: TCP, port: 53}]`',
      ],
      checks: [
        reaches('`web` reaches `db` by its name.', { from: web, to: 'db', port: 5432 }),
        reaches('`db` reaches the name server, too.', { from: db, to: DNS, port: 53, protocol: 'UDP' }),
        isCutOff('`example.com` stays out of reach, though its name is known.', {
          from: web,
          to: 'example.com',
          port: 443,
        }),
      ],
      solution: [apply(egress('dns', '{}', '[{ports: [{protocol: UDP, port: 53}, {protocol: TCP, port: 53}]}]'))],
    },
    {
      title: 'One address outside',
      text: [
        '`web` needs `api.example.com`, which is 203.0.113.8. Policies know no names of hosts, only addresses.',
        'Allow that one address on port 443.',
      ],
      where: { panel: 'network', path: ['map'] },
      hints: ['`ipBlock: {cidr: 203.0.113.8/32}`. A /32 is one address.'],
      checks: [
        reaches('`web` reaches `api.example.com` on port 443.', { from: web, to: 'api.example.com', port: 443 }),
        isCutOff('Its other ports stay closed.', { from: web, to: 'api.example.com', port: 80 }),
        isCutOff('Its neighbour `example.com` stays out of reach.', { from: web, to: 'example.com', port: 443 }),
        isCutOff('`db` gets no way out.', { from: db, to: 'api.example.com', port: 443 }),
      ],
      solution: [
        apply(
          egress(
            'web-to-api',
            webOnly,
            '[{to: [{ipBlock: {cidr: 203.0.113.8/32}}], ports: [{protocol: TCP, port: 443}]}]',
          ),
        ),
      ],
    },
  ],
  seen: [
    {
      text: 'The way of a packet, with the question to the name server as its first step.',
      link: { panel: 'network', path: ['map'] },
    },
    { text: 'Connections as programs make them.', link: { panel: 'network', path: ['flows'] } },
  ],
  why: [
    'A missing DNS rule looks like a dead database: a timeout, and no word about names. Check port 53 first.',
    'Closed egress is what keeps a stolen pod from calling home.',
  ],
};
