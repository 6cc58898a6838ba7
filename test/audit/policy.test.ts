/** Which requests a policy records, and how much of them; what is wrong with a policy file. */
import { describe, expect, it } from 'vitest';
import { parsePolicy, PolicyError, type Subject } from '../../src/audit/index.ts';
import { judge } from '../../src/audit/policy.ts';
import { namesOf } from '../../src/names/index.ts';
import { loadYaml } from '../../src/std/index.ts';

await loadYaml();
const names = namesOf('k8s.io');

const POLICY = `
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
  - level: None
    users: ["system:kube-proxy"]
    verbs: ["watch"]
    resources: [{group: "", resources: ["endpoints", "services"]}]
  - level: None
    nonResourceURLs: ["/healthz*", "/version"]
  - level: Request
    resources: [{group: "", resources: ["configmaps"], resourceNames: ["controller-leader"]}]
    namespaces: ["kube-system"]
  - level: Metadata
    resources: [{group: "", resources: ["secrets", "pods/*"]}]
  - level: RequestResponse
    userGroups: ["system:authenticated"]
    resources: [{group: apps}, {group: "", resources: ["*/status"]}]
    omitStages: [ResponseStarted]
  - level: Metadata
    namespaces: [""]
    resources: [{group: "", resources: ["*"]}]`;

function asked(about: string, by = 'alice', groups = ['dev', 'system:authenticated']): Subject {
  const [verb = '', what = '', name = '', namespace = ''] = about.split(' ');
  const isResource = !what.startsWith('/');
  const [path = '', subresource = ''] = what.split('/');
  const [group, resource] = path.includes(':') ? path.split(':') : ['', path];
  return {
    user: { name: by, groups, extra: {} },
    verb,
    isResource,
    path: isResource ? '' : what,
    group: group ?? '',
    resource: resource ?? '',
    subresource,
    name,
    namespace,
  };
}

describe('the first rule that matches decides', () => {
  const policy = parsePolicy(POLICY, names);
  it.each([
    ['watch endpoints - default', 'system:kube-proxy', 'None'],
    ['watch endpoints - default', 'alice', 'None'],
    ['list nodes', 'alice', 'Metadata'],
    ['get /healthz/ping', 'alice', 'None'],
    ['get /version', 'alice', 'None'],
    ['get /versions', 'alice', 'None'],
    ['update configmaps controller-leader kube-system', 'alice', 'Request'],
    ['update configmaps other kube-system', 'alice', 'None'],
    ['get secrets s default', 'alice', 'Metadata'],
    ['get pods p default', 'alice', 'Metadata'],
    ['get pods/log p default', 'alice', 'Metadata'],
    ['create apps:deployments d default', 'alice', 'RequestResponse'],
    ['update nodes/status n', 'alice', 'RequestResponse'],
    ['create batch:jobs j default', 'alice', 'None'],
  ])('%s by %s: %s', (about, by, level) => {
    expect(judge(policy, asked(about, by)).level).toBe(level);
  });

  it('combines the omitted stages of the policy and the rule', () => {
    const { omitStages } = judge(policy, asked('create apps:deployments d default'));
    expect([...omitStages]).toEqual(['RequestReceived', 'ResponseStarted']);
  });

  it('does not match users and groups without a user', () => {
    const { level } = judge(policy, { ...asked('create apps:deployments d default'), user: undefined });
    expect(level).toBe('None');
  });
});

describe('an invalid policy file is refused with the location', () => {
  const head = 'apiVersion: audit.k8s.io/v1\nkind: Policy\n';
  it.each([
    ['no YAML', '{', /./],
    ['another kind', 'apiVersion: v1\nkind: Pod', /Policy/],
    [
      'the other profile',
      'apiVersion: audit.cluster.io/v1\nkind: Policy\nrules: [{level: None}]',
      /audit\.k8s\.io\/v1/,
    ],
    ['no rules', `${head}rules: []`, /rules/],
    ['an unknown level', `${head}rules: [{level: Everything}]`, /rules\[0\]\.level/],
    ['an unknown stage', `${head}rules: [{level: None, omitStages: [Before]}]`, /rules\[0\]\.omitStages/],
    ['paths and resources', `${head}rules: [{level: None, nonResourceURLs: ["/x"], resources: [{group: ""}]}]`, /both/],
    ['a path that is none', `${head}rules: [{level: None, nonResourceURLs: ["x"]}]`, /must start/],
    ['a star in the middle', `${head}rules: [{level: None, nonResourceURLs: ["/a*b"]}]`, /at its end/],
    ['a group with a version', `${head}rules: [{level: None, resources: [{group: apps/v1}]}]`, /resources\[0\]\.group/],
    ['names without resources', `${head}rules: [{level: None, resources: [{resourceNames: [a]}]}]`, /resourceNames/],
    ['verbs that are no list', `${head}rules: [{level: None, verbs: get}]`, /rules\[0\]\.verbs/],
  ])('%s', (_what, text, message) => {
    const parse = (): unknown => parsePolicy(text, names);
    expect(parse).toThrow(PolicyError);
    expect(parse).toThrow(message);
  });
});
