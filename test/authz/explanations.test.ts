import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  changesFor,
  matrix,
  nearMisses,
  rbacAuthorizer,
  refusalProofs,
  whatCan,
  whoCan,
} from '../../src/authz/index.ts';
import type {
  Attributes,
  BindingObject,
  Edit,
  NearMiss,
  RbacProof,
  RoleObject,
  Verdict,
} from '../../src/authz/index.ts';
import { binding, indexOf, request, role, user } from './helpers.ts';

await refusalProofs.load();

interface Policy {
  readonly roles: readonly RoleObject[];
  readonly bindings: readonly BindingObject[];
}

const policy: Policy = {
  roles: [
    role('reader', 'get,list pods,services', 'get configmaps named one', 'get /healthz'),
    role('writer', 'create,update pods'),
    role('loggers', 'get pods/log'),
    role('a/local', 'delete secrets'),
    role('b/local', 'delete secrets'),
    role('deployer', 'get deployments@apps'),
  ],
  bindings: [
    binding('a/readers', 'ClusterRole reader', 'User alice', 'Group dev'),
    binding('b/writers', 'ClusterRole writer', 'User alice'),
    binding('b/locals', 'Role local', 'User alice'),
    binding('b/deployers', 'ClusterRole deployer', 'User bob'),
    binding('everywhere', 'ClusterRole deployer', 'Group ops'),
  ],
};

const allows = ({ roles, bindings }: Policy, asked: Attributes): boolean =>
  (rbacAuthorizer(indexOf(roles, bindings)).authorize(asked) as Verdict).decision === 'allow';

/** A policy with edits made, as a person would make them in the objects. */
function edited(before: Policy, edits: readonly Edit[]): Policy {
  const next = structuredClone(before) as { roles: RoleObject[]; bindings: BindingObject[] };
  for (const edit of edits) make(next, edit);
  return next;
}

function make(next: { roles: RoleObject[]; bindings: BindingObject[] }, edit: Edit): void {
  const meta = ({ name, namespace }: { name: string; namespace: string }): { name: string; namespace?: string } =>
    namespace === '' ? { name } : { name, namespace };
  if (edit.do === 'create-role') next.roles.push({ metadata: meta(edit.role), rules: edit.rules });
  else if (edit.do === 'create-binding')
    next.bindings.push({ metadata: meta(edit.binding), roleRef: edit.roleRef, subjects: edit.subjects });
  else {
    const objects: readonly (RoleObject | BindingObject)[] = edit.to.kind.endsWith('Binding')
      ? next.bindings
      : next.roles;
    const object = objects.find(
      ({ metadata }) => metadata.name === edit.to.name && (metadata.namespace ?? '') === edit.to.namespace,
    ) as unknown as Record<string, unknown>;
    const list = edit.field
      .split(/[.[\]]+/)
      .filter(Boolean)
      .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], object) as unknown[];
    list.push(edit.value);
  }
}

/** Which parts the nearest misses say would have to differ, and where. */
function told(misses: readonly NearMiss[]): string[] {
  return misses.map(
    ({ role: { name }, ruleIndex, differs }) => `${name}[${ruleIndex}] ${differs.map((miss) => miss.part).join('+')}`,
  );
}

describe('a refusal shows its nearest misses', () => {
  const index = indexOf(policy.roles, policy.bindings);
  it.each([
    ['alice', 'delete pods x in a', ['reader[0] verb']],
    ['alice', 'get secrets x in a', ['reader[0] resource']],
    ['alice', 'get pods/log x in a', ['loggers[0] binding', 'reader[0] subresource']],
    ['alice', 'get pods.metrics x in a', ['reader[0] group']],
    ['alice', 'get configmaps two in a', ['reader[1] name', 'reader[0] resource']],
    ['alice', 'create pods in a', ['reader[0] verb', 'writer[0] namespace']],
    ['alice', 'delete secrets x in a', ['local[0] namespace', 'local[0] binding']],
    ['carol', 'get pods x in a', ['reader[0] subject']],
    ['carol', 'get deployments.apps x in b', ['deployer[0] subject', 'deployer[0] subject']],
    ['carol', 'list nodes', []],
  ])('%s: %s', (who, what, expected) => {
    expect(told(nearMisses(index, request(who, what)))).toEqual(expected);
  });

  it('every suggested change allows the request, and no part of it alone does', () => {
    const verbs = ['get', 'list', 'create', 'update', 'delete'];
    const targets = [
      'pods',
      'pods/log',
      'services',
      'secrets',
      'configmaps',
      'deployments.apps',
      'deployments',
      'nodes',
    ];
    const asked = fc.tuple(
      fc.constantFrom('alice', 'bob', 'carol of dev', 'dan of ops', 'system:serviceaccount:a:robot'),
      fc.constantFrom(...verbs),
      fc.constantFrom(...targets),
      fc.constantFrom(' one', ' x', ''),
      fc.constantFrom(' in a', ' in b', ' in c', ''),
    );
    fc.assert(
      fc.property(asked, ([who, verb, target, name, where]) => {
        const one = request(who, `${verb} ${target}${name}${where}`);
        fc.pre(!allows(policy, one));
        for (const { edits } of nearMisses(index, one)) {
          expect(allows(edited(policy, edits), one)).toBe(true);
          for (const left of edits.keys())
            expect(
              allows(
                edited(
                  policy,
                  edits.filter((_edit, i) => i !== left),
                ),
                one,
              ),
            ).toBe(false);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('an allowance names its rule', () => {
    const verdict = rbacAuthorizer(index).authorize(request('alice', 'get configmaps one in a')) as Verdict;
    expect(verdict.proof?.() as RbacProof).toMatchObject({
      decision: 'allow',
      binding: { kind: 'RoleBinding', namespace: 'a', name: 'readers' },
      subject: { kind: 'User', name: 'alice' },
      role: { kind: 'ClusterRole', name: 'reader' },
      ruleIndex: 1,
    });
  });
});

describe('the smallest change', () => {
  const index = indexOf(policy.roles, policy.bindings);

  it('permits nothing else, and allows the request', () => {
    const asked = request('alice', 'delete pods x in a');
    const [smallest] = changesFor(index, asked);
    expect(smallest?.opens).toEqual([]);
    expect(allows(edited(policy, smallest?.edits ?? []), asked)).toBe(true);
    expect(allows(edited(policy, smallest?.edits ?? []), request('alice', 'delete pods y in a'))).toBe(false);
  });

  it('does not write into rules that are aggregated from other roles: they would be overwritten', () => {
    const change = (aggregationRule: object | undefined) => {
      const seen = { ...role('seen', 'get,list pods'), ...(aggregationRule && { aggregationRule }) };
      const index = indexOf([seen], [binding('a/seen', 'ClusterRole seen', 'User alice')]);
      const asked = request('alice', 'get secrets in a');
      const touched = changesFor(index, asked).flatMap(({ edits }) => edits.filter((edit) => edit.do === 'add'));
      return { touched: touched.length, misses: nearMisses(index, asked).length };
    };
    expect(change(undefined)).toEqual({ touched: 1, misses: 1 });
    expect(change({ clusterRoleSelectors: [] })).toEqual({ touched: 0, misses: 1 });
  });

  it('offers roles of the system last, however little they allow', () => {
    const index = indexOf([role('system:peek', 'get secrets'), role('wide', 'get,list,delete secrets,pods')], []);
    const names = changesFor(index, request('alice', 'get secrets in a')).map(
      ({ edits }) => edits.flatMap((edit) => (edit.do === 'create-binding' ? [edit.roleRef.name] : []))[0],
    );
    expect(names.indexOf('system:peek')).toBe(names.length - 1);
  });

  it('lists what a wider one permits, and to whom', () => {
    const asked = request('alice', 'delete pods x in a');
    const wider = changesFor(index, asked).find(({ edits }) => edits[0]?.do === 'add');
    expect(
      wider?.opens.map(
        ({ subject, scope, rule }) => `${subject.name} in ${scope}: ${rule.verbs[0]} ${rule.resources?.[0]}`,
      ),
    ).toEqual([
      'alice in a: delete pods',
      'alice in a: delete services',
      'dev in a: delete pods',
      'dev in a: delete services',
    ]);
  });

  it('everything listed is refused before and allowed after', () => {
    const asked = request('carol', 'get pods x in a');
    for (const { edits, opens } of changesFor(index, asked)) {
      for (const { subject, scope, rule } of opens) {
        const one: Attributes = {
          ...asked,
          ...(rule.nonResourceURLs
            ? { isResource: false, path: String(rule.nonResourceURLs[0]) }
            : { isResource: true, resource: String(rule.resources?.[0]) }),
          group: rule.apiGroups?.[0] ?? '',
          verb: String(rule.verbs[0]),
          name: rule.resourceNames?.[0] ?? 'anything',
          namespace: scope,
          user: user(subject.name),
        };
        // A path in a namespaced binding is held but never counts, since paths have no namespace.
        if (!one.isResource) continue;
        expect([allows(policy, one), allows(edited(policy, edits), one)]).toEqual([false, true]);
      }
    }
  });
});

describe('who can, what can', () => {
  const index = indexOf(policy.roles, policy.bindings);

  it('finds all subjects for a request', () => {
    const { user: _user, ...asked } = request('nobody', 'get deployments.apps x in b');
    expect(
      whoCan(index, asked)
        .map(({ subject, binding: by }) => `${subject.kind} ${subject.name} by ${by.name}`)
        .sort(),
    ).toEqual(['Group ops by everywhere', 'User bob by deployers']);
  });

  it('lists a user’s rules by scope', () => {
    expect(
      whatCan(index, user('alice')).map(({ scope, role: { name }, ruleIndex }) => `${scope}: ${name}[${ruleIndex}]`),
    ).toEqual(['a: reader[0]', 'a: reader[1]', 'a: reader[2]', 'b: local[0]', 'b: writer[0]']);
  });

  it('shows a table of verbs and resources', () => {
    const rows = matrix(
      index,
      user('alice'),
      'a',
      [
        { group: '', resource: 'pods', subresource: '' },
        { group: '', resource: 'configmaps', subresource: '' },
      ],
      ['get', 'delete'],
    );
    expect(rows.map(({ resource, cells }) => [resource, ...cells.map((cell) => cell.allowed)])).toEqual([
      ['pods', 'yes', 'no'],
      ['configmaps', 'named', 'no'],
    ]);
  });
});
