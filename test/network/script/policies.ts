/** What policies do to nine pods, as a script: each step changes something, and says which pairs are apart then. */
import type { Probe } from './pods.ts';

export interface Step {
  readonly title: string;
  /** Policies that are applied, by name, as specs in YAML; their namespace is x. A function gets the addresses of the pods. */
  readonly policies?: Readonly<Record<string, string | ((addressOf: (pod: string) => string) => string)>>;
  /** Policies of namespace x that are deleted. */
  readonly deleted?: readonly string[];
  /** Labels that are set, as words of a command: `namespace y team=red`. */
  readonly labels?: readonly string[];
  /** Which pairs are apart, at which port; see `pairsOf`. TCP 80 by the service's name where nothing is said. */
  readonly denied: readonly (Partial<Probe> & { readonly pairs: readonly string[] })[];
}

const step = (title: string, change: Omit<Step, 'title' | 'denied'>, ...pairs: string[]): Step => ({
  title,
  ...change,
  denied: [{ pairs }],
});

/** Each begins with no policy. */
export const scripts: readonly (readonly [title: string, steps: readonly Step[]])[] = [
  [
    'isolation',
    [
      {
        title: 'without policies everyone reaches everyone, over every protocol and by every way',
        denied: [
          { pairs: [] },
          { pairs: [], protocol: 'udp', port: 81 },
          { pairs: [], protocol: 'sctp', by: 'service' },
          { pairs: [], by: 'pod', port: 81 },
        ],
      },
      step('default deny of ingress', { policies: { deny: '{podSelector: {}}' } }, '*/* -> x/*'),
      step('a policy that allows all opens it again', { policies: { all: '{podSelector: {}, ingress: [{}]}' } }),
      step('deleted, it is closed again', { deleted: ['all'] }, '*/* -> x/*'),
      {
        title: 'both directions denied: names are not found either',
        policies: { deny: '{podSelector: {}, policyTypes: [Ingress, Egress]}' },
        denied: [{ pairs: ['*/* -> x/*', 'x/* -> */*'] }, { pairs: ['*/* -> x/*', 'x/* -> */*'], by: 'pod' }],
      },
      step(
        'one pod alone is isolated',
        {
          policies: { deny: '{podSelector: {matchLabels: {pod: a}}}' },
        },
        '*/* -> x/a',
      ),
    ],
  ],
  [
    'peers',
    [
      step(
        'pods by label in the own namespace',
        { policies: { p: onA('{from: [{podSelector: {matchLabels: {pod: b}}}]}') } },
        'x/c | y/* | z/* -> x/a',
      ),
      step(
        'a namespace by label',
        { policies: { p: onA('{from: [{namespaceSelector: {matchLabels: {ns: y}}}]}') } },
        'x/* | z/* -> x/a',
      ),
      step(
        'namespaces by an expression',
        {
          policies: {
            p: onA('{from: [{namespaceSelector: {matchExpressions: [{key: ns, operator: NotIn, values: [x]}]}}]}'),
          },
        },
        'x/* -> x/a',
      ),
      step(
        'pods and namespaces in one peer: both are needed',
        {
          policies: {
            p: onA(
              '{from: [{namespaceSelector: {matchLabels: {ns: y}}, podSelector: {matchExpressions: [{key: pod, operator: In, values: [b, c]}]}}]}',
            ),
          },
        },
        'x/* | z/* | y/a -> x/a',
      ),
      step(
        'two peers: either is enough',
        {
          policies: {
            p: onA('{from: [{namespaceSelector: {matchLabels: {ns: y}}}, {podSelector: {matchLabels: {pod: b}}}]}'),
          },
        },
        'x/c | z/* -> x/a',
      ),
      step(
        'two rules: either is enough',
        {
          policies: {
            p: onA(
              '{from: [{namespaceSelector: {matchLabels: {ns: z}}}]}',
              '{from: [{podSelector: {matchLabels: {pod: c}}}]}',
            ),
          },
        },
        'x/b | y/* -> x/a',
      ),
      step(
        'stacked policies allow what any of them allows',
        { policies: { more: onA('{from: [{namespaceSelector: {matchLabels: {ns: y}}}]}') } },
        'x/b -> x/a',
      ),
      step('the second one deleted', { deleted: ['more'] }, 'x/b | y/* -> x/a'),
    ],
  ],
  [
    'labels that change while it runs',
    [
      step(
        'nobody has the label yet',
        { policies: { p: onA('{from: [{namespaceSelector: {matchLabels: {team: red}}, podSelector: {}}]}') } },
        '*/* -> x/a',
      ),
      step('a namespace gets it', { labels: ['namespace y team=red'] }, 'x/* | z/* -> x/a'),
      step('another value', { labels: ['namespace y team=blue', 'namespace z team=red'] }, 'x/* | y/* -> x/a'),
      step('it is taken off', { labels: ['namespace z team-', 'namespace y team-'] }, '*/* -> x/a'),
      step(
        'a pod of another label',
        { policies: { p: onA('{from: [{podSelector: {matchLabels: {role: web}}}]}') } },
        '*/* -> x/a',
      ),
      step('gets it', { labels: ['pod -n x c role=web'] }, 'x/b | y/* | z/* -> x/a'),
      step(
        'the policy’s own pods change',
        {
          labels: ['pod -n x a isolated=no', 'pod -n x c role-'],
          policies: { p: '{podSelector: {matchExpressions: [{key: isolated, operator: Exists}]}, ingress: []}' },
        },
        '*/* -> x/a',
      ),
      step('and back', { labels: ['pod -n x a isolated-'] }),
    ],
  ],
  [
    'ports and protocols',
    [
      {
        title: 'a number',
        policies: { p: onA('{ports: [{port: 81}]}') },
        denied: [
          { pairs: ['*/* -> x/a'] },
          { pairs: [], port: 81 },
          { pairs: ['*/* -> x/a'], port: 81, protocol: 'udp' },
        ],
      },
      {
        title: 'a name',
        policies: { p: onA('{ports: [{port: serve-80-tcp}]}') },
        denied: [{ pairs: [] }, { pairs: ['*/* -> x/a'], port: 81 }],
      },
      {
        title: 'a name of UDP',
        policies: { p: onA('{ports: [{port: serve-81-udp, protocol: UDP}]}') },
        denied: [
          { pairs: ['*/* -> x/a'], port: 81 },
          { pairs: [], port: 81, protocol: 'udp' },
          { pairs: ['*/* -> x/a'], port: 80, protocol: 'udp' },
        ],
      },
      {
        title: 'SCTP',
        policies: { p: onA('{ports: [{port: 80, protocol: SCTP}]}') },
        denied: [
          { pairs: [], protocol: 'sctp' },
          { pairs: ['*/* -> x/a'], protocol: 'sctp', port: 81 },
          { pairs: ['*/* -> x/a'] },
        ],
      },
      {
        title: 'a protocol without a port',
        policies: { p: onA('{ports: [{protocol: UDP}]}') },
        denied: [{ pairs: [], protocol: 'udp' }, { pairs: [], protocol: 'udp', port: 81 }, { pairs: ['*/* -> x/a'] }],
      },
      {
        title: 'updated: other peers at another port',
        policies: {
          p: onA(
            '{from: [{namespaceSelector: {matchLabels: {ns: y}}}], ports: [{port: 80}]}',
            '{from: [{namespaceSelector: {matchLabels: {ns: z}}}], ports: [{port: 81}]}',
          ),
        },
        denied: [{ pairs: ['x/* | z/* -> x/a'] }, { pairs: ['x/* | y/* -> x/a'], port: 81 }],
      },
    ],
  ],
  [
    'blocks of addresses',
    [
      {
        title: 'one address to come from',
        policies: { p: (addressOf) => onA(`{from: [{ipBlock: {cidr: ${addressOf('y/b')}/32}}]}`) },
        denied: [{ pairs: ['x/* | y/a | y/c | z/* -> x/a'] }],
      },
      {
        title: 'all but one',
        policies: { p: (addressOf) => onA(`{from: [{ipBlock: {cidr: 0.0.0.0/0, except: [${addressOf('y/b')}/32]}}]}`) },
        denied: [{ pairs: ['y/b -> x/a'] }],
      },
      {
        title: 'what a block excepts another rule allows',
        policies: { more: onA('{from: [{namespaceSelector: {matchLabels: {ns: y}}}]}') },
        denied: [{ pairs: [] }],
      },
      {
        title: 'to go to, judged after the service’s address was replaced',
        deleted: ['more'],
        policies: {
          p: (addressOf) =>
            `{podSelector: {matchLabels: {pod: a}}, policyTypes: [Egress], egress: [{to: [{ipBlock: {cidr: ${addressOf('y/b')}/32}}]}]}`,
        },
        denied: [{ pairs: ['x/a -> x/* | y/a | y/c | z/*'], by: 'service' }],
      },
      {
        title: 'to go to but for one',
        policies: {
          p: (addressOf) =>
            `{podSelector: {matchLabels: {pod: a}}, policyTypes: [Egress], egress: [{to: [{ipBlock: {cidr: 0.0.0.0/0, except: [${addressOf('z/c')}/32]}}]}]}`,
        },
        denied: [{ pairs: ['x/a -> z/c'], by: 'pod' }],
      },
    ],
  ],
  [
    'egress',
    [
      step(
        'without the name server no name is found',
        {
          policies: {
            p: '{podSelector: {matchLabels: {pod: a}}, policyTypes: [Egress], egress: [{to: [{namespaceSelector: {}}], ports: [{port: 80}]}]}',
          },
        },
        'x/a -> */*',
      ),
      step('with it names are found', { policies: { dns: DNS() } }),
      {
        title: 'to one namespace, by name and by address',
        policies: {
          p: '{podSelector: {matchLabels: {pod: a}}, policyTypes: [Egress], egress: [{to: [{namespaceSelector: {matchLabels: {ns: y}}}]}]}',
        },
        denied: [{ pairs: ['x/a -> x/* | z/*'] }, { pairs: ['x/a -> x/* | z/*'], by: 'pod', protocol: 'udp' }],
      },
      step(
        'both ends have to allow it',
        {
          policies: {
            p: '{podSelector: {matchLabels: {pod: a}}, policyTypes: [Egress], egress: [{to: [{podSelector: {}}]}]}',
            in: '{podSelector: {matchLabels: {pod: b}}, policyTypes: [Ingress], ingress: [{from: [{podSelector: {matchLabels: {pod: c}}}]}]}',
          },
        },
        'x/a -> y/* | z/*',
        'x/a | y/* | z/* -> x/b',
      ),
      step(
        'the receiver lets it in, the sender lets it out',
        {
          policies: {
            in: '{podSelector: {matchLabels: {pod: b}}, policyTypes: [Ingress], ingress: [{from: [{podSelector: {matchLabels: {pod: a}}}], ports: [{port: serve-80-tcp}]}]}',
          },
        },
        'x/a -> y/* | z/*',
        'x/c | y/* | z/* -> x/b',
      ),
      {
        title: 'a port by name on the receiving pod',
        deleted: ['in'],
        policies: {
          p: '{podSelector: {matchLabels: {pod: a}}, policyTypes: [Egress], egress: [{ports: [{port: serve-81-tcp}]}]}',
        },
        denied: [{ pairs: ['x/a -> */*'] }, { pairs: [], port: 81 }],
      },
      step('all deleted', { deleted: ['p', 'dns'] }),
    ],
  ],
];

/** A policy for pod a, with rules for what comes in. */
function onA(...rules: string[]): string {
  return `{podSelector: {matchLabels: {pod: a}}, policyTypes: [Ingress], ingress: [${rules.join(', ')}]}`;
}

function DNS(): string {
  return '{podSelector: {matchLabels: {pod: a}}, policyTypes: [Egress], egress: [{to: [{namespaceSelector: {}, podSelector: {matchLabels: {k8s-app: kube-dns}}}], ports: [{port: 53, protocol: UDP}]}]}';
}
