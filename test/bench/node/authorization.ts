import {
  authorizationChain,
  defaultPolicy,
  PolicyIndex,
  rbacAuthorizer,
  superusers,
} from '../../../src/authz/index.ts';
import type { Attributes, BindingObject } from '../../../src/authz/index.ts';
import { namesOf } from '../../../src/names/index.ts';
import { byTurns, perSecond, rate, timed, type Row } from '../row.ts';

const GROUP = 'rbac.authorization.cluster.io';
const DECISIONS = 50_000;

/** The default policy, and so many bindings besides, each for a user of its own in one of a hundred namespaces. */
function chainWith(count: number): ReturnType<typeof authorizationChain> {
  const index = new PolicyIndex(GROUP);
  const { roles, bindings } = defaultPolicy(namesOf('cluster.io'), () => true);
  for (const role of roles) index.upsertRole(role);
  for (const binding of bindings) index.upsertBinding(binding);
  index.upsertRole({
    metadata: { name: 'r' },
    rules: [{ verbs: ['get', 'list'], apiGroups: ['', 'apps'], resources: ['pods', 'deployments'] }],
  });
  for (let i = 0; i < count; i++) index.upsertBinding(bindingOf(i));
  return authorizationChain([superusers, rbacAuthorizer(index)]);
}

function bindingOf(i: number): BindingObject {
  return {
    metadata: { name: `b${i}`, namespace: `n${i % 100}` },
    roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name: 'r' },
    subjects: [{ kind: 'User', apiGroup: GROUP, name: `user${i}` }],
  };
}

/** Allowed, refused for the verb, refused for the namespace: what a cluster meets by turns. */
function requestsOf(i: number): readonly Attributes[] {
  const user = { name: `user${i % 10}`, groups: ['dev', 'system:authenticated'], extra: {} };
  const base: Attributes = {
    user,
    verb: 'get',
    isResource: true,
    path: '',
    namespace: `n${i % 10}`,
    group: '',
    version: 'v1',
    resource: 'pods',
    subresource: '',
    name: 'x',
  };
  return [base, { ...base, verb: 'delete' }, { ...base, namespace: 'elsewhere' }];
}

const requests = Array.from({ length: 10 }, (_, i) => requestsOf(i)).flat();

async function decisionsPerSecond(chain: ReturnType<typeof authorizationChain>): Promise<number> {
  const ms = await timed(async () => {
    for (let i = 0; i < DECISIONS; i++) void chain.authorize(requests[i % requests.length] as Attributes);
  });
  return rate(DECISIONS, ms);
}

export const authorizationRows: readonly Row[] = [
  {
    name: 'decisions with 10 000 bindings',
    aim: 'at least 0.5, and 100 000 decisions/s',
    run: async () => {
      const [few, many] = [chainWith(10), chainWith(10_000)];
      const { subject, reference } = await byTurns(
        () => decisionsPerSecond(many),
        () => decisionsPerSecond(few),
      );
      return {
        subject: perSecond(subject, 'decisions'),
        reference: `${perSecond(reference, 'decisions')} with 10`,
        ratio: subject / reference,
      };
    },
  },
];
