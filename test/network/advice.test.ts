import { describe, expect, test } from 'vitest';
import { adviseOn, type NetworkView } from '../../src/network/index.ts';
import { add, NAME_SERVER, smallCluster } from './world.ts';

function mistakesIn(spec: string, view: NetworkView = smallCluster()): string[] {
  add(view, `{kind: NetworkPolicy, metadata: {name: p}, spec: ${spec}}`);
  const policy = view.get('networkpolicies', 'x/p');
  return policy ? adviseOn(policy, view).map(({ mistake, path }) => `${mistake}: ${path}`) : [];
}

const ingress = (rules: string): string => `{podSelector: {}, ingress: ${rules}}`;
const egress = (rules: string): string => `{podSelector: {}, policyTypes: [Egress], egress: ${rules}}`;

describe('a warning about', () => {
  test.each<[title: string, spec: string, ...mistakes: string[]]>([
    ['nothing', ingress('[{from: [{podSelector: {matchLabels: {pod: a}}}]}]')],
    [
      'a selector that matches no pod',
      '{podSelector: {matchLabels: {pod: q}}, ingress: [{from: [{podSelector: {}}]}]}',
      'selects no pod: spec.podSelector',
    ],
    ['an empty rule', ingress('[{}]'), 'empty rule allows everything: spec.ingress[0]'],
    ['no rules', ingress('[]'), 'no rule allows nothing: spec.ingress'],
    [
      'rules whose policy type is missing',
      '{podSelector: {}, policyTypes: [Ingress], ingress: [{ports: [{port: 80}]}], egress: [{ports: [{port: 80}]}]}',
      'rules without their policy type: spec.egress',
    ],
    ['egress without DNS', egress('[{ports: [{port: 443}]}]'), 'egress without DNS: spec.egress'],
    ['DNS over TCP only', egress('[{ports: [{port: 53}]}]'), 'egress without DNS: spec.egress'],
    ['not: egress with DNS', egress('[{ports: [{port: 443}]}, {ports: [{protocol: UDP, port: 53}]}]')],
    [
      'an extra dash',
      ingress('[{from: [{namespaceSelector: {}}, {podSelector: {}}]}]'),
      'or instead of and: spec.ingress[0].from[1]',
    ],
    [
      'a pod’s address',
      ingress('[{from: [{ipBlock: {cidr: 10.244.1.2/32}}]}]'),
      'peer by pod address: spec.ingress[0].from[0].ipBlock.cidr',
    ],
    ['not: a wide range', ingress('[{from: [{ipBlock: {cidr: 10.0.0.0/8}}]}]')],
    [
      'a peer that selects no pod',
      ingress('[{from: [{podSelector: {matchLabels: {pod: q}}}]}]'),
      'peer selects nothing: spec.ingress[0].from[0].podSelector',
    ],
    [
      'a namespace that does not exist',
      ingress('[{from: [{namespaceSelector: {matchLabels: {ns: w}}}]}]'),
      'peer selects nothing: spec.ingress[0].from[0].namespaceSelector',
    ],
    [
      'a port that no container declares',
      ingress('[{ports: [{port: 8080}]}]'),
      'no container has the port: spec.ingress[0].ports[0].port',
    ],
    ['not: a named port', ingress('[{ports: [{port: http}]}]')],
  ])('%s', (_, spec, ...mistakes) => {
    expect(mistakesIn(spec)).toEqual(mistakes);
  });

  describe('DNS, where the name server is pods', () => {
    const udp = 'ports: [{protocol: UDP, port: 53}]';
    const missing = 'egress without DNS: spec.egress';
    test.each<[title: string, rules: string, ...mistakes: string[]]>([
      ['not: to anybody', `[{${udp}}]`],
      [
        'not: by labels',
        `[{to: [{namespaceSelector: {}, podSelector: {matchLabels: {k8s-app: cluster-dns}}}], ${udp}}]`,
      ],
      ['not: by a range of addresses', `[{to: [{ipBlock: {cidr: 10.244.0.0/16}}], ${udp}}]`],
      ['the service’s address', `[{to: [{ipBlock: {cidr: 10.96.0.10/32}}], ${udp}}]`, missing],
      ['other pods', `[{to: [{podSelector: {matchLabels: {pod: a}}}], ${udp}}]`, missing],
      ['its pods by another port', '[{to: [{namespaceSelector: {}}], ports: [{port: 53}]}]', missing],
    ])('%s', (_, rules, ...mistakes) => {
      expect(mistakesIn(egress(rules), smallCluster(NAME_SERVER))).toEqual(mistakes);
    });

    test('the warning says who the name server is', () => {
      const view = smallCluster(NAME_SERVER);
      add(
        view,
        `{kind: NetworkPolicy, metadata: {name: p}, spec: ${egress(`[{to: [{ipBlock: {cidr: 10.96.0.10/32}}], ${udp}}]`)}}`,
      );
      const policy = view.get('networkpolicies', 'x/p');
      expect(policy && adviseOn(policy, view)[0]?.text).toBe(
        'No egress rule allows UDP port 53 to the name server, so the selected pods cannot look up names. It is the pods with k8s-app=cluster-dns in namespace "cluster-system".',
      );
    });
  });

  test('a label that namespaces have in newer clusters says so', () => {
    const view = smallCluster(
      '{kind: NetworkPolicy, metadata: {name: p}, spec: {podSelector: {}, ingress: [{from: [{namespaceSelector: {matchLabels: {cluster.io/metadata.name: z}}}]}]}}',
    );
    const policy = view.get('networkpolicies', 'x/p');
    expect(policy && adviseOn(policy, view)[0]?.text).toBe(
      'No namespace has these labels. Only clusters from version 1.21 on set cluster.io/metadata.name themselves: label the namespace "z".',
    );
  });

  test('a policy that denies everything is a note, not a warning', () => {
    const looks = (spec: string): string[] => {
      const view = smallCluster(`{kind: NetworkPolicy, metadata: {name: p}, spec: ${spec}}`);
      const policy = view.get('networkpolicies', 'x/p');
      return policy ? adviseOn(policy, view).map(({ look }) => look) : [];
    };
    expect(looks('{podSelector: {}, policyTypes: [Ingress]}')).toEqual(['note']);
    expect(looks('{podSelector: {}, policyTypes: [Ingress, Egress], egress: [{}]}')).toEqual(['warning', 'warning']);
  });

  test('a policy in the wrong namespace says where such pods are', () => {
    const view = smallCluster('{kind: Pod, metadata: {name: shop, namespace: z, labels: {app: shop}}}');
    add(
      view,
      '{kind: NetworkPolicy, metadata: {name: p}, spec: {podSelector: {matchLabels: {app: shop}}, ingress: [{from: [{podSelector: {}}]}]}}',
    );
    const policy = view.get('networkpolicies', 'x/p');
    expect(policy && adviseOn(policy, view)[0]?.text).toContain('"z"');
  });

  test('DNS is silent where another policy of the same pods allows it', () => {
    const view = smallCluster(
      '{kind: NetworkPolicy, metadata: {name: dns}, spec: {podSelector: {}, policyTypes: [Egress], egress: [{ports: [{protocol: UDP, port: 53}]}]}}',
    );
    expect(mistakesIn(egress('[{ports: [{port: 443}]}]'), view)).toEqual([]);
  });
});
