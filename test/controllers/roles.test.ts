/** A controller acts as its service account, so it needs a role of that name: without one it is refused everything. */
import { describe, expect, test } from 'vitest';
import { defaultPolicy } from '../../src/authz/index.ts';
import { controllers } from '../../src/controllers/index.ts';
import { namesOf } from '../../src/names/index.ts';

const policy = defaultPolicy(namesOf('k8s.io'), () => true);
const roleNamed = (role: string) => policy.roles.find(({ metadata }) => metadata.name === role);
const rolesOf = (account: string): string[] =>
  policy.bindings
    .filter(({ subjects }) => subjects?.some(({ name, namespace }) => name === account && namespace === 'kube-system'))
    .map(({ roleRef }) => roleRef.name);

/** The token controller signs with the key itself and acts as the manager, as in the reference. */
const asManager = ['serviceaccount-token'];

describe('each controller', () => {
  test.each(controllers.map(({ name, account }) => [name, account] as const))('%s has an account', (name, account) => {
    expect(account === undefined).toBe(asManager.includes(name));
  });

  test.each(controllers.flatMap(({ name, account }) => (account === undefined ? [] : [[name, account] as const])))(
    '%s has a role with rules, bound to %s',
    (_, account) => {
      const role = `system:controller:${account}`;
      expect(rolesOf(account)).toContain(role);
      expect(roleNamed(role)).toMatchObject({ rules: expect.arrayContaining([expect.anything()]) });
    },
  );

  test('has a unique name', () => expect(new Set(controllers.map(({ name }) => name)).size).toBe(controllers.length));
});
