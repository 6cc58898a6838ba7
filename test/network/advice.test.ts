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

describe('an advice says', () => {
  const textsIn = (spec: string, view = smallCluster()): string[] => {
    add(view, `{kind: NetworkPolicy, metadata: {name: p}, spec: ${spec}}`);
    const policy = view.get('networkpolicies', 'x/p');
    return policy ? adviseOn(policy, view).map(({ text, path, look }) => `${look} ${path}: ${text}`) : [];
  };
  const noDns = 'warning spec.egress: No egress rule allows UDP port 53, so the selected pods cannot look up names.';
  const notTheServer =
    'warning spec.egress: No egress rule allows UDP port 53 to the name server, so the selected pods cannot look up names.';

  test.each<[title: string, spec: string, ...texts: string[]]>([
    [
      'what a selector without pods means',
      '{podSelector: {matchLabels: {pod: q}}, ingress: [{from: [{podSelector: {}}]}]}',
      'warning spec.podSelector: No pod in namespace "x" matches, so the policy has no effect.',
    ],
    [
      'which rules have no effect',
      '{podSelector: {}, policyTypes: [Egress], ingress: [{from: [{podSelector: {}}]}], egress: [{ports: [{port: dns, protocol: UDP}]}]}',
      'warning spec.ingress: These rules have no effect, because policyTypes does not name Ingress.',
    ],
    [
      'what no rule and an empty rule do, in each direction',
      '{podSelector: {}, policyTypes: [Ingress, Egress], ingress: [], egress: [{}]}',
      'warning spec.ingress: There is no rule, so all incoming connections of the selected pods are refused.',
      'warning spec.egress[0]: An empty rule allows all outgoing connections.',
    ],
    [
      'the same the other way round',
      '{podSelector: {}, policyTypes: [Ingress, Egress], ingress: [{}], egress: []}',
      'warning spec.ingress[0]: An empty rule allows all incoming connections.',
      'warning spec.egress: There is no rule, so all outgoing connections of the selected pods are refused.',
    ],
    [
      'that a policy which refuses everything is meant so',
      '{podSelector: {}, policyTypes: [Ingress, Egress]}',
      'note spec.ingress: There is no rule, so all incoming connections of the selected pods are refused.',
      'note spec.egress: There is no rule, so all outgoing connections of the selected pods are refused.',
    ],
    ['that names can not be looked up', egress('[{ports: [{port: 443}]}]'), noDns],
    ['the same of a rule for another port over UDP', egress('[{ports: [{port: 54, protocol: UDP}]}]'), noDns],
    ['nothing of a rule for all ports over UDP', egress('[{ports: [{protocol: UDP}]}]')],
    ['nothing of a rule for one of the ports by name', egress('[{ports: [{port: 1}, {port: dns, protocol: UDP}]}]')],
    [
      'nothing of the built-in name server by its address',
      egress('[{to: [{podSelector: {}}, {ipBlock: {cidr: 10.96.0.10/32}}]}]'),
    ],
    [
      'who the built-in name server is',
      egress('[{to: [{podSelector: {}}]}]'),
      `${notTheServer} It is at 10.96.0.10 and no pod.`,
    ],
    [
      'what two list items mean',
      ingress('[{from: [{namespaceSelector: {}}, {podSelector: {}}]}]'),
      'warning spec.ingress[0].from[1]: Two list items: either one is enough. Remove the second dash if a peer has to match both selectors.',
    ],
    [
      'nothing of two items with both selectors',
      ingress('[{from: [{namespaceSelector: {}, podSelector: {}}, {namespaceSelector: {}, podSelector: {}}]}]'),
    ],
    ['nothing of items in the other order', ingress('[{from: [{podSelector: {}}, {namespaceSelector: {}}]}]')],
    [
      'the same of egress',
      egress('[{to: [{namespaceSelector: {}}, {podSelector: {}}]}, {ports: [{port: 53, protocol: UDP}]}]'),
      'warning spec.egress[0].to[1]: Two list items: either one is enough. Remove the second dash if a peer has to match both selectors.',
    ],
    [
      'whose address a range holds',
      ingress('[{from: [{ipBlock: {cidr: 10.244.1.0/24}}]}]'),
      'warning spec.ingress[0].from[0].ipBlock.cidr: This range holds the address of pod y/a. Pods change their addresses: select them by label.',
    ],
    ['nothing of a wider range', ingress('[{from: [{ipBlock: {cidr: 10.244.0.0/23}}]}]')],
    ['nothing of a range without pods', ingress('[{from: [{ipBlock: {cidr: 10.9.9.0/24}}]}]')],
    [
      'where a peer finds no pod: in its own namespace',
      ingress('[{from: [{podSelector: {matchLabels: {app: z}}}]}]'),
      'warning spec.ingress[0].from[0].podSelector: No pod in namespace "x" has these labels.',
    ],
    [
      'where a peer finds no pod: in other namespaces',
      ingress('[{from: [{podSelector: {matchLabels: {app: z}}, namespaceSelector: {matchLabels: {ns: y}}}]}]'),
      'warning spec.ingress[0].from[0].podSelector: No pod in those namespaces has these labels.',
    ],
    [
      'nothing of a peer that finds a pod in another namespace',
      ingress('[{from: [{podSelector: {matchLabels: {pod: a}}, namespaceSelector: {matchLabels: {ns: y}}}]}]'),
    ],
    [
      'that no namespace has the labels',
      ingress('[{from: [{namespaceSelector: {matchLabels: {a: b}}}]}]'),
      'warning spec.ingress[0].from[0].namespaceSelector: No namespace has these labels.',
    ],
    [
      'which port no container declares',
      ingress('[{ports: [{port: 80}, {port: 8080}, {}]}]'),
      "warning spec.ingress[0].ports[1].port: No selected pod declares port 8080. Rules name the container's port, not the service's.",
    ],
  ])('%s', (_, spec, ...texts) => {
    expect(textsIn(spec)).toEqual(texts);
  });

  test('nothing of ports where no container declares any', () => {
    const view = smallCluster(
      '{kind: Pod, metadata: {name: bare, labels: {app: bare}}, spec: {containers: [{name: c}]}}',
    );
    expect(textsIn('{podSelector: {matchLabels: {app: bare}}, ingress: [{ports: [{port: 8080}]}]}', view)).toEqual([]);
  });

  test('that names can not be looked up where another policy allows it to some of the pods alone', () => {
    const view = smallCluster(
      '{kind: NetworkPolicy, metadata: {name: dns}, spec: {podSelector: {matchLabels: {pod: a}}, policyTypes: [Egress], egress: [{ports: [{protocol: UDP, port: 53}]}]}}',
    );
    expect(textsIn(egress('[{ports: [{port: 443}]}]'), view)).toEqual([noDns]);
  });
});
