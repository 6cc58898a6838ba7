/** The default policy against the recorded one, rule for rule. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { defaultPolicy } from '../../src/authz/index.ts';
import { gates } from '../../src/cluster/gates.ts';
import { namesOf, type Profile } from '../../src/names/index.ts';
import { autoUpdateAnnotation } from '../../src/authz/rbac/policy/defaultPolicy.ts';
import { reconcileBinding, reconcileRole } from '../../src/authz/rbac/policy/reconcile.ts';
import type { ApiObject } from '../../src/schema/index.ts';
import { clone } from '../../src/std/index.ts';
import { policyText } from './policyText.ts';

const gate = (name: string): boolean => gates[name]?.on ?? false;
const read = (file: string): string => readFileSync(new URL(`../conformance/${file}`, import.meta.url), 'utf8');
const { substitutions } = JSON.parse(read('names.json')) as { substitutions: [string, string][] };

interface Recorded {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: unknown; readonly annotations: unknown };
  readonly rules?: unknown;
  readonly roleRef?: unknown;
  readonly subjects?: unknown;
}

function recorded(profile: Profile): Recorded[] {
  let text = read('recorded/authz.json');
  if (profile === 'cluster.io') for (const [from, to] of substitutions) text = text.replaceAll(from, to);
  const scenarios = JSON.parse(text) as { name: string; steps: { expect?: { body?: Recorded } }[] }[];
  const defaults = scenarios.filter(({ name }) => /default-(controller|system)-(roles|bindings)/.test(name));
  return defaults.flatMap(({ steps }) => steps.flatMap((step) => step.expect?.body ?? []));
}

describe.each(['cluster.io', 'k8s.io'] as const)('the default policy of %s', (profile) => {
  const { roles, bindings } = defaultPolicy(namesOf(profile), gate);
  const made = new Map([...roles, ...bindings].map((object) => [`${object.kind} ${object.metadata.name}`, object]));

  it.each(recorded(profile).map((object) => [`${object.kind} ${object.metadata.name}`, object] as const))(
    'has %s as recorded',
    (key, object) => {
      const { kind, metadata, rules, roleRef, subjects } = object;
      const { labels, annotations, name } = metadata;
      const expected = {
        kind,
        metadata: { name, labels, annotations },
        ...(kind === 'ClusterRole' ? { rules } : { roleRef, ...(subjects ? { subjects } : {}) }),
      };
      expect(made.get(key)).toMatchObject(expected as object);
    },
  );

  it('has unique role names, and binds only existing roles', () => {
    const names = roles.map(({ kind, metadata: { name, namespace = '' } }) => `${kind} ${namespace}/${name}`);
    expect(new Set(names).size).toBe(names.length);
    for (const { roleRef, metadata } of bindings)
      expect(names).toContain(`${roleRef.kind} ${roleRef.kind === 'Role' ? metadata.namespace : ''}/${roleRef.name}`);
  });
});

describe('the whole default policy', () => {
  const facts = readFileSync(new URL('./defaultPolicy.txt', import.meta.url), 'utf8');
  const names = namesOf('k8s.io');

  it('equals the reference’s, rule for rule', () => {
    expect(policyText(defaultPolicy(names, gate))).toBe(facts);
  });

  it.each<[string, readonly string[]]>([
    [
      'EndpointSlice',
      ['system:controller:endpointslice-controller', 'system:controller:endpointslicemirroring-controller'],
    ],
    ['ExpandPersistentVolumes', ['system:controller:expand-controller']],
    ['RootCAConfigMap', ['system:controller:root-ca-cert-publisher']],
    ['ServiceAccountIssuerDiscovery', ['system:service-account-issuer-discovery']],
    ['TTLAfterFinished', ['system:controller:ttl-after-finished-controller']],
    ['GenericEphemeralVolume', ['system:controller:ephemeral-volume-controller']],
  ])('has with the gate %s the roles and bindings %s', (name, wanted) => {
    const namesWith = (on: boolean): string[] => {
      const { roles, bindings } = defaultPolicy(names, (other) => (other === name ? on : gate(other)));
      return [...roles, ...bindings].map((object) => object.metadata.name);
    };
    const without = namesWith(false);
    expect(namesWith(true).filter((one) => !without.includes(one))).toEqual([...wanted, ...wanted]);
  });

  it.each([
    ['EndpointSlice', 'system:node-proxier', 'endpointslices'],
    ['CSIStorageCapacity', 'system:kube-scheduler', 'csistoragecapacities'],
    ['ExpandPersistentVolumes', 'system:node', 'persistentvolumeclaims/status'],
  ])('has with the gate %s in %s a rule for %s', (name, roleName, resource) => {
    const speaksOf = (on: boolean): boolean =>
      defaultPolicy(names, () => on)
        .roles.find((role) => role.metadata.name === roleName)
        ?.rules?.some((rule) => rule.resources?.includes(resource)) ?? false;
    expect([name, speaksOf(true), speaksOf(false)]).toEqual([name, true, false]);
  });
});

describe('reconciliation at start', () => {
  const names = namesOf('k8s.io');
  const protection = autoUpdateAnnotation(names);
  const { roles, bindings } = defaultPolicy(names, gate);
  const role = roles.find(({ metadata }) => metadata.name === 'system:monitoring');
  const binding = bindings.find(({ metadata }) => metadata.name === 'system:monitoring');
  if (!role || !binding) throw new Error('no system:monitoring');
  const stored = (object: object): ApiObject => clone(object) as ApiObject;

  it('does not change what contains the default', () => {
    const wider = stored(role);
    wider.rules = [...(wider.rules as unknown[]), { verbs: ['*'], nonResourceURLs: ['/more'] }];
    expect(reconcileRole(wider, role, protection)).toEqual({ step: 'none' });
    expect(reconcileBinding(stored(binding), binding, protection)).toEqual({ step: 'none' });
  });

  it('adds missing rules and removes nothing', () => {
    const narrower = stored(role);
    narrower.rules = [{ verbs: ['get'], nonResourceURLs: ['/metrics', '/mine'] }];
    narrower.metadata.labels = { mine: 'x' };
    const plan = reconcileRole(narrower, role, protection);
    expect(plan.step === 'none' ? undefined : plan.object).toMatchObject({
      metadata: { labels: { mine: 'x', 'kubernetes.io/bootstrapping': 'rbac-defaults' } },
      rules: [
        { nonResourceURLs: ['/metrics', '/mine'] },
        ...['/healthz', '/healthz/*', '/livez', '/livez/*', '/readyz', '/readyz/*'].map((url) => ({
          verbs: ['get'],
          nonResourceURLs: [url],
        })),
      ],
    });
  });

  it('adds subjects, and recreates a binding with another role', () => {
    const without = stored(binding);
    without.subjects = [{ kind: 'User', apiGroup: names.fill('rbac.authorization.{domain}'), name: 'mine' }];
    expect(reconcileBinding(without, binding, protection)).toMatchObject({
      step: 'update',
      object: { subjects: [{ name: 'mine' }, { name: 'system:monitoring' }] },
    });
    const other = stored(binding);
    other.roleRef = { ...binding.roleRef, name: 'else' };
    expect(reconcileBinding(other, binding, protection)).toMatchObject({
      step: 'recreate',
      object: { roleRef: { name: 'system:monitoring' } },
    });
  });

  it('restores the rules of a role that was changed to aggregate', () => {
    const gathered = stored(role);
    gathered.rules = [];
    gathered.aggregationRule = { clusterRoleSelectors: [{ matchLabels: { any: 'x' } }] };
    const plan = reconcileRole(gathered, role, protection);
    expect(plan.step).toBe('update');
    expect(plan.step === 'none' || 'aggregationRule' in plan.object).toBe(false);
  });

  it('keeps the default aggregation of a role, and added selectors', () => {
    const admin = roles.find(({ metadata }) => metadata.name === 'admin');
    if (!admin) throw new Error('no admin');
    const own = stored(admin);
    const selector = { matchLabels: { mine: 'true' } };
    own.aggregationRule = { clusterRoleSelectors: [selector] };
    own.rules = [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }];
    expect(reconcileRole(own, admin, protection)).toMatchObject({
      step: 'update',
      object: {
        aggregationRule: { clusterRoleSelectors: [selector, ...(admin.aggregationRule?.clusterRoleSelectors ?? [])] },
        rules: [{ resources: ['pods'] }],
      },
    });
  });

  it('does not bind the subjects of another role', () => {
    const other = stored(binding);
    other.roleRef = { ...binding.roleRef, name: 'else' };
    other.subjects = [{ kind: 'User', apiGroup: binding.roleRef.apiGroup, name: 'mine' }];
    const plan = reconcileBinding(other, binding, protection);
    expect(plan).toEqual({ step: 'recreate', object: binding });
  });

  it('does not change protected objects', () => {
    const own = stored(role);
    own.rules = [];
    own.metadata.annotations = { [protection]: 'false' };
    expect(reconcileRole(own, role, protection)).toEqual({ step: 'none' });
  });
});
