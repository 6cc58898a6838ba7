import { parse } from 'yaml';
import { describe, expect, test } from 'vitest';
import { membersOf, policyInWords } from '../../src/explain/index.ts';
import type { NetworkObjects } from '../../src/network/index.ts';
import { smallCluster } from '../network/world.ts';

const policy = (spec: string): NetworkObjects['networkpolicies'] => ({
  metadata: { name: 'p', namespace: 'x', creationTimestamp: null },
  spec: parse(spec) as NonNullable<NetworkObjects['networkpolicies']['spec']>,
});

describe('a policy in words', () => {
  test.each<[spec: string, subject: string, ingress: string, egress: string]>([
    [
      '{podSelector: {}}',
      'all pods in namespace x',
      'It allows no incoming connection.',
      'It leaves outgoing connections as they are.',
    ],
    [
      '{podSelector: {matchLabels: {app: web}}, ingress: [{}]}',
      'pods with app=web in namespace x',
      'It allows all incoming connections.',
      'It leaves outgoing connections as they are.',
    ],
    [
      '{podSelector: {}, policyTypes: [Egress], ingress: [{}]}',
      'all pods in namespace x',
      'It leaves incoming connections as they are.',
      'It allows no outgoing connection.',
    ],
    [
      '{podSelector: {}, egress: [{ports: [{port: 53, protocol: UDP}]}]}',
      'all pods in namespace x',
      'It allows no incoming connection.',
      'It allows only these outgoing connections:',
    ],
  ])('%s', (spec, subject, ingress, egress) => {
    const words = policyInWords(policy(spec));
    expect([words.subject, ...words.sides.map(({ sentence }) => sentence)]).toEqual([subject, ingress, egress]);
  });

  test.each<[peer: string, text: string]>([
    ['{podSelector: {}}', 'all pods of the same namespace'],
    ['{podSelector: {matchLabels: {a: b}}}', 'pods with a=b of the same namespace'],
    ['{namespaceSelector: {}}', 'all pods of any namespace'],
    ['{namespaceSelector: {matchLabels: {t: f}}}', 'all pods of namespaces with t=f'],
    ['{ipBlock: {cidr: 10.0.0.0/8}}', 'addresses in 10.0.0.0/8'],
    [
      '{ipBlock: {cidr: 10.0.0.0/8, except: [10.1.0.0/16, 10.2.0.0/16]}}',
      'addresses in 10.0.0.0/8 but not in 10.1.0.0/16 or 10.2.0.0/16',
    ],
    [
      '{podSelector: {matchExpressions: [{key: a, operator: In, values: [b, c]}, {key: d, operator: NotIn, values: [e]}, {key: f, operator: Exists}, {key: g, operator: DoesNotExist}]}}',
      'pods with a in (b, c), d not in (e), f, no g of the same namespace',
    ],
  ])('a peer %s', (peer, text) => {
    const [side] = policyInWords(
      policy(`{podSelector: {}, ingress: [{from: [${peer}], ports: [{port: http}, {}]}]}`),
    ).sides;
    expect(side?.rules).toEqual([{ peers: [text], ports: ['TCP http', 'TCP, all ports'] }]);
  });
});

describe('a pod is behind a service or not', () => {
  const rows: readonly [title: string, service: string, pod: string, state: string, why: string][] = [
    [
      'ready',
      '',
      'status: {podIP: 1.2.3.4, conditions: [{type: Ready, status: "True"}]}',
      'ready',
      'It has the labels and is ready.',
    ],
    [
      'not ready',
      '',
      'status: {podIP: 1.2.3.4, containerStatuses: [{name: c, ready: false}]}',
      'not ready',
      'Not ready: c.',
    ],
    ['without an address', '', 'status: {}', 'not a member', 'It has no address yet.'],
    ['ended', '', 'status: {phase: Failed, podIP: 1.2.3.4}', 'not a member', 'It has ended.'],
    [
      'published',
      'publishNotReadyAddresses: true,',
      'status: {podIP: 1.2.3.4}',
      'ready',
      'It is not ready, but the service publishes addresses that are not.',
    ],
    [
      'without the port’s name',
      'ports: [{port: 80, targetPort: http}],',
      'status: {podIP: 1.2.3.4}',
      'not a member',
      'None of its containers names a port http.',
    ],
  ];
  test.each(rows)('%s', (_, spec, pod, state, why) => {
    const view = smallCluster(`
{kind: Service, metadata: {name: s}, spec: {${spec} selector: {app: s}}}
---
kind: Pod
metadata: {name: q, labels: {app: s}}
${pod}
`);
    const service = view.get('services', 'x/s');
    const found = service ? membersOf(service, view.podsIn('x')) : [];
    const mine = found.find(({ pod: each }) => each.metadata?.name === 'q');
    expect([mine?.state, mine?.why]).toEqual([state, why]);
    expect(found.find(({ pod: each }) => each.metadata?.name === 'a')?.why).toBe('It lacks app=s.');
  });
});
