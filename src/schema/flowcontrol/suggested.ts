/** The flow schemas and priority levels with which a new cluster begins; people may change or delete them. */
import type { Names } from '../../names/index.ts';
import type { FlowSchemaSpec, ResourcePolicyRule, Subject } from './flowSchema.ts';
import { everything, groups } from './mandatory.ts';
import type { PriorityLevelConfigurationSpec } from './priorityLevelConfiguration.ts';

const level = (shares: number, queues: number, handSize: number): PriorityLevelConfigurationSpec => ({
  type: 'Limited',
  limited: {
    assuredConcurrencyShares: shares,
    limitResponse: { type: 'Queue', queuing: { queues, handSize, queueLengthLimit: 50 } },
  },
});

export const suggestedPriorityLevels: Readonly<Record<string, PriorityLevelConfigurationSpec>> = {
  system: level(30, 64, 6),
  'leader-election': level(10, 16, 4),
  'workload-high': level(40, 128, 6),
  'workload-low': level(100, 128, 6),
  'global-default': level(20, 128, 6),
};

const users = (...names: string[]): Subject[] => names.map((name) => ({ kind: 'User', user: { name } }));

const accountsOf = (namespace: string): Subject[] => [
  { kind: 'ServiceAccount', serviceAccount: { namespace, name: '*' } },
];

/** What leaders are elected by: objects of those namespaces, and leases of all. */
const elections = (namespace: string): ResourcePolicyRule[] => {
  const verbs = ['get', 'create', 'update'];
  return [
    { verbs, apiGroups: [''], resources: ['endpoints', 'configmaps'], namespaces: [namespace] },
    { verbs, apiGroups: ['coordination.{domain}'], resources: ['leases'], namespaces: ['*'] },
  ];
};

function schema(
  priorityLevel: string,
  matchingPrecedence: number,
  distinguisher: 'ByUser' | 'ByNamespace',
  subjects: Subject[],
  rules: { resourceRules: ResourcePolicyRule[]; nonResourceRules?: typeof everything.nonResourceRules } = everything,
): FlowSchemaSpec {
  return {
    priorityLevelConfiguration: { name: priorityLevel },
    matchingPrecedence,
    distinguisherMethod: { type: distinguisher },
    rules: [{ subjects, ...rules }],
  };
}

/** By name; both names and specs are those of the profile. */
export function suggestedFlowSchemas({ fill, systemNamespace }: Names): Readonly<Record<string, FlowSchemaSpec>> {
  const manager = fill('system:{prefix}-controller-manager');
  const scheduler = fill('system:{prefix}-scheduler');
  const accounts = accountsOf(systemNamespace);
  const election = (namespace: string): { resourceRules: ResourcePolicyRule[] } => ({
    resourceRules: elections(namespace).map((rule) => ({ ...rule, apiGroups: (rule.apiGroups ?? []).map(fill) })),
  });
  return {
    'system-nodes': schema('system', 500, 'ByUser', groups('system:nodes')),
    'system-leader-election': schema(
      'leader-election',
      100,
      'ByUser',
      [...users(manager, scheduler), ...accounts],
      election(systemNamespace),
    ),
    'workload-leader-election': schema('leader-election', 200, 'ByUser', accounts, election('*')),
    [fill('{prefix}-controller-manager')]: schema('workload-high', 800, 'ByNamespace', users(manager)),
    [fill('{prefix}-scheduler')]: schema('workload-high', 800, 'ByNamespace', users(scheduler)),
    [fill('{prefix}-system-service-accounts')]: schema('workload-high', 900, 'ByNamespace', accounts),
    'service-accounts': schema('workload-low', 9000, 'ByUser', groups('system:serviceaccounts')),
    'global-default': schema(
      'global-default',
      9900,
      'ByUser',
      groups('system:unauthenticated', 'system:authenticated'),
    ),
  };
}
