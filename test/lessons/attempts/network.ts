import { right, wrong, yaml, type Attempt } from './attempt.ts';

const policy = (place: string, spec: string): string => {
  const [namespace, name] = place.split('/');
  return yaml(
    `{apiVersion: networking.{domain}/v1, kind: NetworkPolicy, metadata: {name: ${name}, namespace: ${namespace}}, spec: ${spec}}`,
  );
};

export const network: Readonly<Record<string, readonly Attempt[]>> = {
  'default-deny': [
    wrong(0, 0, 'in the wrong namespace', policy('default/default-deny', '{podSelector: {}, policyTypes: [Ingress]}')),
    wrong(
      0,
      2,
      'one pod only',
      policy('shop/default-deny', '{podSelector: {matchLabels: {app: db}}, policyTypes: [Ingress]}'),
    ),
    wrong(0, 0, 'egress', policy('shop/default-deny', '{podSelector: {}, policyTypes: [Egress], egress: [{}]}')),
    wrong(0, 0, 'an empty rule', policy('shop/default-deny', '{podSelector: {}, ingress: [{}]}')),
    wrong(
      1,
      1,
      'everybody of shop',
      policy('shop/db-from-shop', '{podSelector: {matchLabels: {app: db}}, ingress: [{from: [{podSelector: {}}]}]}'),
    ),
    wrong(1, 1, 'the deny is deleted', '{ctl} delete networkpolicy default-deny -n shop'),
    wrong(2, 0, 'the policy is deleted', '{ctl} delete networkpolicy web-from-probe -n shop'),
    wrong(
      3,
      1,
      'all ports',
      `{ctl} patch networkpolicy api-from-web -n shop --type=json -p '[{"op":"remove","path":"/spec/ingress/0/ports"}]'`,
    ),
    wrong(
      3,
      2,
      'all pods',
      `{ctl} patch networkpolicy api-from-web -n shop --type=json -p '[{"op":"replace","path":"/spec/ingress/0","value":{"ports":[{"port":8080}]}}]'`,
    ),
    wrong(4, 0, 'the pod is deleted', '{ctl} delete pod meter -n shop'),
    wrong(
      5,
      1,
      'all namespaces',
      `{ctl} patch networkpolicy web-from-office -n shop --type=json -p '[{"op":"replace","path":"/spec/ingress/0/from/0","value":{"namespaceSelector":{}}}]'`,
    ),
    wrong(5, 0, 'the pod is labelled', '{ctl} label pod clerk -n office team=office'),
    right(0, 'without the type', policy('shop/closed', '{podSelector: {}}')),
    right(4, 'the policy is deleted', '{ctl} delete networkpolicy meter-from-nobody -n shop'),
    right(
      5,
      'a label that the namespace has',
      `{ctl} patch networkpolicy web-from-office -n shop --type=json -p '[{"op":"replace","path":"/spec/ingress/0/from/0/namespaceSelector/matchLabels","value":{"floor":"2"}}]'`,
    ),
  ],
  egress: [
    wrong(0, 1, 'ingress', policy('shop/no-egress', '{podSelector: {}, policyTypes: [Ingress]}')),
    wrong(
      0,
      2,
      '`web` only',
      policy('shop/no-egress', '{podSelector: {matchLabels: {app: web}}, policyTypes: [Egress]}'),
    ),
    wrong(0, 0, 'in the wrong namespace', policy('default/no-egress', '{podSelector: {}, policyTypes: [Egress]}')),
    wrong(
      1,
      2,
      'every destination',
      policy('shop/web', '{podSelector: {matchLabels: {app: web}}, policyTypes: [Egress], egress: [{}]}'),
    ),
    wrong(
      1,
      1,
      'every port',
      policy(
        'shop/web',
        '{podSelector: {matchLabels: {app: web}}, policyTypes: [Egress], egress: [{to: [{podSelector: {matchLabels: {app: db}}}]}]}',
      ),
    ),
    wrong(1, 2, 'the deny is deleted', '{ctl} delete networkpolicy no-egress -n shop'),
    wrong(
      2,
      0,
      'TCP only',
      policy('shop/dns', '{podSelector: {}, policyTypes: [Egress], egress: [{ports: [{port: 53}]}]}'),
    ),
    wrong(
      2,
      1,
      '`web` only',
      policy(
        'shop/dns',
        '{podSelector: {matchLabels: {app: web}}, policyTypes: [Egress], egress: [{ports: [{protocol: UDP, port: 53}]}]}',
      ),
    ),
    wrong(
      3,
      2,
      'the whole block',
      policy(
        'shop/api',
        '{podSelector: {matchLabels: {app: web}}, policyTypes: [Egress], egress: [{to: [{ipBlock: {cidr: 203.0.113.0/24}}], ports: [{port: 443}]}]}',
      ),
    ),
    wrong(
      3,
      1,
      'every port',
      policy(
        'shop/api',
        '{podSelector: {matchLabels: {app: web}}, policyTypes: [Egress], egress: [{to: [{ipBlock: {cidr: 203.0.113.8/32}}]}]}',
      ),
    ),
    wrong(
      3,
      3,
      'every pod',
      policy(
        'shop/api',
        '{podSelector: {}, policyTypes: [Egress], egress: [{to: [{ipBlock: {cidr: 203.0.113.8/32}}], ports: [{port: 443}]}]}',
      ),
    ),
    wrong(
      2,
      0,
      'the service’s address',
      policy(
        'shop/dns',
        '{podSelector: {}, policyTypes: [Egress], egress: [{to: [{ipBlock: {cidr: 10.0.0.10/32}}], ports: [{protocol: UDP, port: 53}]}]}',
      ),
    ),
    right(
      2,
      'the addresses of pods',
      policy(
        'shop/dns',
        '{podSelector: {}, policyTypes: [Egress], egress: [{to: [{ipBlock: {cidr: 10.244.0.0/16}}], ports: [{protocol: UDP, port: 53}]}]}',
      ),
    ),
    right(
      2,
      'the name server’s labels',
      policy(
        'shop/dns',
        '{podSelector: {}, policyTypes: [Egress], egress: [{to: [{namespaceSelector: {}, podSelector: {matchLabels: {k8s-app: "{prefix}-dns"}}}], ports: [{protocol: UDP, port: 53}]}]}',
      ),
    ),
  ],
};
