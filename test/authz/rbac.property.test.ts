import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PolicyIndex, rbacAuthorizer } from '../../src/authz/index.ts';
import type { Attributes, BindingObject, RoleObject, Verdict } from '../../src/authz/index.ts';
import { RBAC } from './helpers.ts';
import { plainlyAllows } from './plain.ts';

const of = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const some = <T>(...values: readonly T[]): fc.Arbitrary<T[]> =>
  fc.uniqueArray(of(...values), { minLength: 1, maxLength: 3 });

const namespace = of('a', 'b', undefined);
const rule = fc.oneof(
  fc.record({
    verbs: some('get', 'list', 'update', '*'),
    apiGroups: some('', 'apps', '*'),
    resources: some('pods', 'pods/log', 'nodes', '*/log', '*'),
    resourceNames: fc.oneof(fc.constant([]), some('x', 'y')),
  }),
  fc.record({ verbs: some('get', 'post', '*'), nonResourceURLs: some('/x', '/x/*', '*', '/y') }),
);
const metadata = fc
  .record({ name: of('r', 's'), namespace })
  .map(({ name, namespace: ns }) => (ns === undefined ? { name } : { name, namespace: ns }));
const roles = fc.uniqueArray(fc.record({ metadata, rules: fc.array(rule, { maxLength: 3 }) }), {
  selector: (r) => `${r.metadata.namespace}/${r.metadata.name}`,
  maxLength: 6,
});
const subject = fc.oneof(
  fc.record({ kind: of('User', 'Group'), name: of('u', 'V', 'g', 'system:serviceaccount:a:robot') }),
  fc.record({ kind: fc.constant('ServiceAccount'), name: of('robot', 'other'), namespace: of('a', 'b') }),
  fc.record({ kind: fc.constant('ServiceAccount'), name: fc.constant('robot') }),
);
const bindings = fc.uniqueArray(
  fc.record({
    metadata,
    roleRef: fc.record({ apiGroup: fc.constant(RBAC), kind: of('Role', 'ClusterRole'), name: of('r', 's') }),
    subjects: fc.array(subject, { maxLength: 4 }),
  }),
  { selector: (b) => `${b.metadata.namespace}/${b.metadata.name}`, maxLength: 6 },
);
const user = fc.record({
  name: of('u', 'v', 'w', 'system:serviceaccount:a:robot', 'system:serviceaccount:b:other'),
  groups: fc.subarray(['g', 'G', 'h']),
  extra: fc.constant({}),
});
const empty = { namespace: '', group: '', version: 'v1', resource: '', subresource: '', name: '', path: '' };
const request: fc.Arbitrary<Attributes> = fc.oneof(
  fc
    .record({
      user,
      verb: of('get', 'list', 'update'),
      isResource: fc.constant(true),
      namespace: of('', 'a', 'b'),
      group: of('', 'apps'),
      resource: of('pods', 'nodes'),
      subresource: of('', 'log'),
      name: of('', 'x', 'z'),
    })
    .map((r) => ({ ...empty, ...r })),
  fc
    .record({ user, verb: of('get', 'post'), isResource: fc.constant(false), path: of('/x', '/x/z', '/y', '/z') })
    .map((r) => ({ ...empty, ...r })),
);

/** What happens to an index on its way to a state: things that are there for a while, and things that are written twice. */
type Noise = { readonly roles: readonly RoleObject[]; readonly bindings: readonly BindingObject[] };

function built(noise: Noise, final: Noise): PolicyIndex {
  const index = new PolicyIndex(RBAC);
  for (const role of noise.roles) index.upsertRole(role);
  for (const binding of noise.bindings) index.upsertBinding(binding);
  for (const binding of final.bindings) index.upsertBinding(binding);
  for (const role of final.roles) index.upsertRole(role);
  const key = ({ metadata: m }: RoleObject | BindingObject): string => `${m.namespace}/${m.name}`;
  for (const role of noise.roles) if (!final.roles.some((kept) => key(kept) === key(role))) index.removeRole(role);
  for (const binding of noise.bindings)
    if (!final.bindings.some((kept) => key(kept) === key(binding))) index.removeBinding(binding);
  return index;
}

describe('the index decides as the definition does', () => {
  it('for random policies, whatever changes led to them', () => {
    const state = fc.record({ roles, bindings });
    fc.assert(
      fc.property(state, state, fc.array(request, { minLength: 1, maxLength: 12 }), (noise, final, requests) => {
        const authorizer = rbacAuthorizer(built(noise, final));
        for (const one of requests) {
          const expected = plainlyAllows(final.roles, final.bindings, one) ? 'allow' : 'no-opinion';
          expect((authorizer.authorize(one) as Verdict).decision).toBe(expected);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
