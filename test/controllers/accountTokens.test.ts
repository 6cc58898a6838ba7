import { describe, expect, it } from 'vitest';
import type { ClusterRole, Secret, ServiceAccount } from '../../src/client/index.ts';
import { planAggregation } from '../../src/controllers/roleAggregation.ts';
import { belongsTo, completed, isTokenOf, tokenNames } from '../../src/controllers/serviceAccountTokens/plan.ts';
import { namesOf } from '../../src/names/index.ts';

const names = tokenNames(namesOf('k8s.io'));
const account: ServiceAccount = { metadata: { name: 'robot', namespace: 'a', uid: 'u1', creationTimestamp: null } };

function secret(annotations: Record<string, string>, data: Record<string, string> = {}, type = names.type): Secret {
  return { metadata: { name: 's', namespace: 'a', annotations, creationTimestamp: null }, type, data };
}

describe('token secrets', () => {
  it.each<[string, Secret, boolean, boolean]>([
    ['of this account', secret({ [names.account]: 'robot', [names.uid]: 'u1' }), true, true],
    ['of this name, made by hand', secret({ [names.account]: 'robot' }), true, false],
    ['of an account made anew', secret({ [names.account]: 'robot', [names.uid]: 'old' }), false, false],
    ['of another', secret({ [names.account]: 'other', [names.uid]: 'u1' }), false, false],
    ['of another type', secret({ [names.account]: 'robot', [names.uid]: 'u1' }, {}, 'Opaque'), true, false],
  ])('%s', (_what, one, belongs, isToken) => {
    expect([belongsTo(one, account, names), isTokenOf(one, account, names)]).toEqual([belongs, isToken]);
  });

  it('are completed, keep other data, and create no unneeded token', async () => {
    let made = 0;
    const make = async (): Promise<string> => `token${++made}`;
    const first = await completed(secret({ [names.account]: 'robot' }, { mine: 'eA==' }), account, names, 'CA', make);
    expect(first?.data).toEqual({ mine: 'eA==', 'ca.crt': btoa('CA'), namespace: btoa('a'), token: btoa('token1') });
    expect(first?.metadata.annotations?.[names.uid]).toBe('u1');
    if (!first) throw new Error('nothing was filled in');
    expect(await completed(first, account, names, 'CA', make)).toBeUndefined();
    const renewed = await completed(first, account, names, 'new CA', make);
    expect([renewed?.data?.['ca.crt'], renewed?.data?.token, made]).toEqual([btoa('new CA'), btoa('token1'), 1]);
  });
});

describe('aggregated roles', () => {
  const get = (resource: string) => ({ verbs: ['get'], apiGroups: [''], resources: [resource] });
  const role = (name: string, labels: Record<string, string>, ...resources: string[]): ClusterRole => ({
    metadata: { name, labels, creationTimestamp: null },
    rules: resources.map(get),
  });
  const gathering = (...rules: string[]): ClusterRole => ({
    ...role('sum', { to: 'sum' }, ...rules),
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { to: 'sum' } }, { matchLabels: { also: 'sum' } }] },
  });
  const all = [
    role('b', { to: 'sum' }, 'pods', 'services'),
    role('a', { to: 'sum' }, 'nodes'),
    role('c', { also: 'sum' }, 'pods'),
    role('d', {}, 'secrets'),
  ];

  it('have each rule of the selected roles once, by selector and name', () => {
    expect(planAggregation(gathering('secrets'), all)?.map((rule) => rule.resources?.[0])).toEqual([
      'nodes',
      'pods',
      'services',
    ]);
  });

  it('are not changed if they are complete', () => {
    expect(planAggregation(gathering('nodes', 'pods', 'services'), all)).toBeUndefined();
  });

  it('do not select themselves', () => {
    expect(planAggregation(gathering('secrets'), [gathering('secrets')])).toEqual([]);
  });
});
