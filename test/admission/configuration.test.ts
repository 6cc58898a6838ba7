/** Which plugins run, and how they are configured. */
import { describe, expect, it } from 'vitest';
import { enabledPlugins, plugins, type PluginChoice } from '../../src/admission/index.ts';
import { readConfiguration } from '../../src/admission/configuration.ts';
import { loadYaml } from '../../src/std/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { depsOf, names, type World } from './helpers.ts';

await loadYaml();

/** The names of the plugins that run; the message where the flags can't be followed. */
async function running(choice: Partial<PluginChoice>, world: World = {}): Promise<string> {
  try {
    const all = await enabledPlugins({ enable: '', disable: '', only: '', ...choice }, () => depsOf(world));
    return all.map(({ name }) => name).join(' ');
  } catch (error) {
    return (error as Error).message;
  }
}

const DEFAULTS =
  'NamespaceLifecycle LimitRanger ServiceAccount TaintNodesByCondition Priority DefaultTolerationSeconds DefaultStorageClass StorageObjectInUseProtection PersistentVolumeClaimResize RuntimeClass CertificateApproval CertificateSigning CertificateSubjectRestriction DefaultIngressClass MutatingAdmissionWebhook ValidatingAdmissionWebhook ResourceQuota';

describe('the choice of plugins', () => {
  it.each<[string, Partial<PluginChoice>, string]>([
    ['by default', {}, DEFAULTS],
    [
      'one more, at its place',
      { enable: 'NamespaceExists' },
      DEFAULTS.replace('LimitRanger', 'NamespaceExists LimitRanger'),
    ],
    ['one that is on anyway', { enable: ' ServiceAccount, ' }, DEFAULTS],
    ['one less', { disable: 'ResourceQuota' }, DEFAULTS.replace(' ResourceQuota', '')],
    [
      'exactly these, in their order',
      { only: 'AlwaysAdmit,LimitRanger,NamespaceExists' },
      'AlwaysAdmit NamespaceExists LimitRanger',
    ],
    ['a name that is none', { enable: 'limitRanger' }, '--enable-admission-plugins: plugin "limitRanger" is unknown'],
    [
      'a name that is none, off',
      { disable: 'PodPreset' },
      '--disable-admission-plugins: plugin "PodPreset" is unknown',
    ],
    ['a name that is none, alone', { only: 'X' }, '--admission-control: plugin "X" is unknown'],
    [
      'on and off',
      { enable: 'AlwaysDeny,NamespaceExists', disable: 'NamespaceExists' },
      '[NamespaceExists] in enable-admission-plugins and disable-admission-plugins overlapped',
    ],
    [
      'old flag and new',
      { only: 'AlwaysAdmit', disable: 'NamespaceExists' },
      '--admission-control and --enable-admission-plugins/--disable-admission-plugins are mutually exclusive',
    ],
  ])('%s', async (_what, choice, expected) => expect(await running(choice)).toBe(expected));

  it('knows all plugins, in the reference’s order', () =>
    expect(plugins.map(({ name }) => name)).toEqual([
      'AlwaysAdmit',
      'NamespaceAutoProvision',
      'NamespaceLifecycle',
      'NamespaceExists',
      'SecurityContextDeny',
      'LimitPodHardAntiAffinityTopology',
      'LimitRanger',
      'ServiceAccount',
      'NodeRestriction',
      'TaintNodesByCondition',
      'AlwaysPullImages',
      'ImagePolicyWebhook',
      'PodSecurityPolicy',
      'PodNodeSelector',
      'Priority',
      'DefaultTolerationSeconds',
      'PodTolerationRestriction',
      'DenyEscalatingExec',
      'DenyExecOnPrivileged',
      'EventRateLimit',
      'ExtendedResourceToleration',
      'PersistentVolumeLabel',
      'DefaultStorageClass',
      'StorageObjectInUseProtection',
      'OwnerReferencesPermissionEnforcement',
      'PersistentVolumeClaimResize',
      'RuntimeClass',
      'CertificateApproval',
      'CertificateSigning',
      'CertificateSubjectRestriction',
      'DefaultIngressClass',
      'MutatingAdmissionWebhook',
      'ValidatingAdmissionWebhook',
      'ResourceQuota',
      'AlwaysDeny',
    ]));
});

describe('the configuration file', () => {
  const HEAD = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\n';

  function read(files: Record<string, string>, path = 'etc/admission.yaml'): unknown {
    try {
      return Object.fromEntries(readConfiguration(path, files, names));
    } catch (error) {
      return (error as Error).message;
    }
  }

  it.each<[string, Record<string, string>, unknown]>([
    ['nothing in it', { 'etc/admission.yaml': HEAD }, {}],
    [
      'a configuration in the file itself',
      { 'etc/admission.yaml': `${HEAD}plugins: [{name: EventRateLimit, configuration: {limits: []}}]` },
      { EventRateLimit: { limits: [] } },
    ],
    [
      'a file beside it',
      { 'etc/admission.yaml': `${HEAD}plugins: [{name: A, path: ./a.yaml}]`, 'etc/a.yaml': 'x: 1' },
      { A: { x: 1 } },
    ],
    [
      'a file by its whole name',
      { 'etc/admission.yaml': `${HEAD}plugins: [{name: A, path: other/a.json}]`, 'other/a.json': '{"x": 1}' },
      { A: { x: 1 } },
    ],
    [
      'another version',
      { 'etc/admission.yaml': 'apiVersion: apiserver.k8s.io/v1alpha1\nkind: AdmissionConfiguration\nplugins: []' },
      {},
    ],
    [
      'the first of a name counts',
      { 'etc/admission.yaml': `${HEAD}plugins: [{name: A, configuration: {x: 1}}, {name: A, configuration: {x: 2}}]` },
      { A: { x: 1 } },
    ],
    [
      'the old form',
      { 'etc/admission.yaml': 'imagePolicy: {defaultAllow: true}' },
      {
        ImagePolicyWebhook: { imagePolicy: { defaultAllow: true } },
        PodNodeSelector: { imagePolicy: { defaultAllow: true } },
      },
    ],
    ['no such file', {}, 'there is no file "etc/admission.yaml"'],
    [
      'no such file in it',
      { 'etc/admission.yaml': `${HEAD}plugins: [{name: A, path: a.yaml}]` },
      'there is no file "a.yaml"',
    ],
    ['no object', { 'etc/admission.yaml': '[]' }, 'etc/admission.yaml: expected an AdmissionConfiguration, got []'],
    [
      'another kind',
      { 'etc/admission.yaml': 'apiVersion: v1\nkind: Pod' },
      'etc/admission.yaml: expected an AdmissionConfiguration of apiserver.config.k8s.io/v1, apiserver.k8s.io/v1alpha1, apiserver.k8s.io/v1beta1, got kind "Pod" of "v1"',
    ],
    [
      'no list of plugins',
      { 'etc/admission.yaml': `${HEAD}plugins: 7` },
      'etc/admission.yaml: plugins: expected a list, got 7',
    ],
    [
      'a plugin without a name',
      { 'etc/admission.yaml': `${HEAD}plugins: [{path: a}]` },
      "etc/admission.yaml: a plugin's name: expected a string, got nothing",
    ],
  ])('%s', (_what, files, expected) => expect(read(files)).toEqual(expected));

  it('names the file that is not YAML', () =>
    expect(read({ 'etc/admission.yaml': 'a: [' })).toMatch(/^etc\/admission.yaml: .*at line 1/s));

  it('uses the profile’s own groups', () => {
    const files = { 'a.yaml': 'apiVersion: apiserver.config.cluster.io/v1\nkind: AdmissionConfiguration' };
    expect(readConfiguration('a.yaml', files, namesOf('cluster.io')).size).toBe(0);
  });
});

describe('invalid configurations', () => {
  const limits = (...all: readonly object[]): object => ({
    apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1',
    kind: 'Configuration',
    limits: all,
  });
  const image = (imagePolicy: object): object => ({ imagePolicy: { kubeConfigFile: 'kube', ...imagePolicy } });
  it.each<[string, string, unknown, string]>([
    ['none where one is needed', 'EventRateLimit', undefined, 'limits: must not be empty'],
    [
      'another kind',
      'EventRateLimit',
      { kind: 'Pod', apiVersion: 'v1' },
      'expected kind Configuration of eventratelimit.admission.k8s.io/v1alpha1, got kind "Pod" of "v1"',
    ],
    [
      'an unknown type',
      'EventRateLimit',
      limits({ type: 'Node', qps: 1, burst: 1 }),
      'limits[0].type: "Node" is none of Server, Namespace, User, SourceAndObject',
    ],
    ['no rate', 'EventRateLimit', limits({ type: 'Server', burst: 1 }), 'limits[0].qps: must be positive, got 0'],
    [
      'no burst',
      'EventRateLimit',
      limits({ type: 'Server', qps: 1, burst: -1 }),
      'limits[0].burst: must be positive, got -1',
    ],
    [
      'a rate in words',
      'EventRateLimit',
      limits({ type: 'Server', qps: 'many', burst: 1 }),
      'limits[0].qps: expected a whole number, got "many"',
    ],
    [
      'a negative cache',
      'EventRateLimit',
      limits({ type: 'User', qps: 1, burst: 1, cacheSize: -1 }),
      'limits[0].cacheSize: must not be negative',
    ],
    ['none where one is needed', 'ImagePolicyWebhook', undefined, 'no config specified'],
    [
      'no file for the service',
      'ImagePolicyWebhook',
      image({ kubeConfigFile: 'x' }),
      'imagePolicy.kubeConfigFile: there is no file "x"',
    ],
    ['a service without TLS', 'ImagePolicyWebhook', image({}), 'kube: http://a.example does not begin with https://'],
    [
      'a time too long',
      'ImagePolicyWebhook',
      image({ allowTTL: 3600 }),
      'imagePolicy.allowTTL: valid value is between 1000 ms and 1800000 ms, got 3600000 ms',
    ],
    [
      'neither yes nor no',
      'ImagePolicyWebhook',
      image({ defaultAllow: 'yes' }),
      'imagePolicy.defaultAllow: expected true or false, got "yes"',
    ],
    [
      'no list',
      'PodTolerationRestriction',
      { kind: 'Configuration', apiVersion: 'podtolerationrestriction.admission.k8s.io/v1alpha1', default: {} },
      'default: expected a list, got {}',
    ],
    [
      'no list',
      'ResourceQuota',
      { kind: 'ResourceQuotaConfiguration', apiVersion: 'apiserver.config.k8s.io/v1', limitedResources: 1 },
      'limitedResources: expected a list, got 1',
    ],
  ])('%s: %s %j', async (_what, name, config, message) => {
    const kube = `
clusters: [{name: c, cluster: {server: "http://a.example"}}]
contexts: [{name: x, context: {cluster: c}}]
current-context: x`;
    expect(await running({ enable: name }, { config, files: { kube } })).toContain(
      `couldn't init admission plugin ${JSON.stringify(name)}: ${message}`,
    );
  });
});
