/** What a name stands for from a pod, in words. */
import { describe, expect, test } from 'vitest';
import { explainLookup } from '../../src/explain/index.ts';
import { must } from '../../src/std/index.ts';
import { add, smallCluster } from '../network/world.ts';

const OBJECTS = `
{kind: Service, metadata: {name: web}, spec: {clusterIP: 10.96.0.9, clusterIPs: [10.96.0.9], ports: [{port: 80}]}}
---
{kind: Service, metadata: {name: alias}, spec: {type: ExternalName, externalName: example.com}}
---
{kind: Service, metadata: {name: lost}, spec: {type: ExternalName, externalName: gone.test}}
`;
const pod = (spec: string): string =>
  `{kind: Pod, metadata: {name: asking}, spec: {nodeName: node-1, ${spec}}, status: {podIP: 10.244.7.7}}`;
const CLUSTER_FIRST = '/etc/resolv.conf: it asks 10.96.0.10. The name has';

describe('a lookup', () => {
  test.each<[title: string, name: string, spec: string, sentence: string, steps: readonly string[]]>([
    [
      'finds a service of the pod’s namespace with the first question',
      'web',
      '',
      '"web" stands for 10.96.0.9, after 1 question.',
      [
        '/etc/hosts does not have the name.',
        `${CLUSTER_FIRST} 0 dots, ndots is 5: it is tried first with x.svc.cluster.local, svc.cluster.local, cluster.local.`,
        'web.x.svc.cluster.local: A 10.96.0.9.',
      ],
    ],
    [
      'asks for names outside last',
      'example.com',
      '',
      '"example.com" stands for 198.51.100.7, after 4 questions.',
      [
        '/etc/hosts does not have the name.',
        `${CLUSTER_FIRST} 1 dot, ndots is 5: it is tried first with x.svc.cluster.local, svc.cluster.local, cluster.local.`,
        'example.com.x.svc.cluster.local: no such name.',
        'example.com.svc.cluster.local: no such name.',
        'example.com.cluster.local: no such name.',
        'example.com: A 198.51.100.7.',
      ],
    ],
    [
      'takes a name with a dot at its end as it is',
      'example.com.',
      '',
      '"example.com." stands for 198.51.100.7, after 1 question.',
      [
        '/etc/hosts does not have the name.',
        '/etc/resolv.conf: it asks 10.96.0.10. The name ends with a dot, so it is tried as it is.',
        'example.com: A 198.51.100.7.',
      ],
    ],
    [
      'follows an external name',
      'alias.x.svc.cluster.local.',
      '',
      '"alias.x.svc.cluster.local." stands for 198.51.100.7, after 1 question.',
      [
        '/etc/hosts does not have the name.',
        '/etc/resolv.conf: it asks 10.96.0.10. The name ends with a dot, so it is tried as it is.',
        'alias.x.svc.cluster.local: CNAME example.com, example.com is A 198.51.100.7.',
      ],
    ],
    [
      'says that an alias leads nowhere',
      'lost.x.svc.cluster.local.',
      '',
      '"lost.x.svc.cluster.local." is an alias for a name that does not exist.',
      [
        '/etc/hosts does not have the name.',
        '/etc/resolv.conf: it asks 10.96.0.10. The name ends with a dot, so it is tried as it is.',
        'lost.x.svc.cluster.local: CNAME gone.test.',
      ],
    ],
    [
      'reads the pod’s host aliases first',
      'printer',
      'hostAliases: [{ip: 10.1.1.1, hostnames: [printer]}]',
      '"printer" stands for 10.1.1.1, by the pod\'s own /etc/hosts.',
      ['/etc/hosts has the name.'],
    ],
    [
      'with the node’s configuration knows nothing of the cluster',
      'web.x.svc.cluster.local',
      'dnsPolicy: Default',
      'Nobody knows "web.x.svc.cluster.local": 1 question, and no answer.',
      [
        '/etc/hosts does not have the name.',
        '/etc/resolv.conf: it asks 192.168.49.1. There are no search domains, so the name is tried as it is.',
        'web.x.svc.cluster.local: no such name.',
      ],
    ],
    [
      'without a server asks nobody',
      'web',
      'dnsPolicy: None',
      '"web" does not resolve: the pod has no name server.',
      ['/etc/hosts does not have the name.', '/etc/resolv.conf names no server.'],
    ],
    [
      'tries a name with enough dots as it is first',
      'web.x',
      'dnsConfig: {options: [{name: ndots, value: "1"}]}',
      '"web.x" stands for 10.96.0.9, after 3 questions.',
      [
        '/etc/hosts does not have the name.',
        `${CLUSTER_FIRST} 1 dot, ndots is 1: it is tried as it is first, then with x.svc.cluster.local, svc.cluster.local, cluster.local.`,
        'web.x: no such name.',
        'web.x.x.svc.cluster.local: no such name.',
        'web.x.svc.cluster.local: A 10.96.0.9.',
      ],
    ],
  ])('%s', (_, name, spec, sentence, steps) => {
    const view = smallCluster(`${OBJECTS}---\n${pod(spec)}`);
    const answer = explainLookup(name, must(view.get('pods', 'x/asking'), 'asking'), view);
    expect(answer.sentence).toBe(sentence);
    expect(answer.steps.map(({ text }) => text)).toEqual(steps);
  });

  test('stops at the last question only', () => {
    const view = smallCluster(pod(''));
    const { steps } = explainLookup('web', must(view.get('pods', 'x/asking'), 'asking'), view);
    expect(steps.map(({ stopped }) => stopped)).toEqual([false, false, false, false, false, true]);
    expect(steps.map(({ passedOver = false }) => passedOver)).toEqual([true, false, true, true, true, false]);
  });

  test('leads to the service, and stops at a policy', () => {
    const view = smallCluster(`${OBJECTS}---\n${pod('')}`);
    const asking = must(view.get('pods', 'x/asking'), 'asking');
    expect(explainLookup('web', asking, view).steps.at(-1)?.at).toMatchObject({ kind: 'Service', name: 'web' });
    add(view, '{kind: NetworkPolicy, metadata: {name: shut}, spec: {podSelector: {}, policyTypes: [Egress]}}');
    const { sentence, steps } = explainLookup('web', asking, view);
    expect(sentence).toMatch(/the name server cannot be reached/);
    expect(steps.at(-1)).toMatchObject({ stopped: true, at: { kind: 'NetworkPolicy', name: 'shut' } });
  });
});
