/** PodSecurityPolicy: which policy is taken, what it fills in, what it refuses. */
import { describe, expect, it } from 'vitest';
import { pluginIn, pod, podWith, request, verdictOf, type Raw, type World } from './helpers.ts';

const ANY = { rule: 'RunAsAny' };
/** A policy that allows everything but what `spec` says. */
const policy = (name: string, spec: Raw = {}, annotations: Raw = {}): Raw => ({
  metadata: { name, annotations: { 'seccomp.security.alpha.kubernetes.io/allowedProfileNames': '*', ...annotations } },
  spec: {
    privileged: true,
    allowedCapabilities: ['*'],
    volumes: ['*'],
    hostNetwork: true,
    hostPID: true,
    hostIPC: true,
    hostPorts: [{ min: 0, max: 65535 }],
    seLinux: ANY,
    runAsUser: ANY,
    fsGroup: ANY,
    supplementalGroups: ANY,
    ...spec,
  },
});
const world = (...policies: readonly Raw[]): World => ({ objects: { 'podsecuritypolicies.policy': policies } });
const range = (min: number, max: number): Raw => ({ min, max });
const refused = (...causes: readonly string[]): string =>
  `403 pods "p" is forbidden: PodSecurityPolicy: unable to admit pod: [${causes.join(' ')}]`;
const c0 = 'spec.containers[0].securityContext';

describe('validation by a policy', () => {
  it.each<[string, Raw, Raw, string]>([
    [
      'host network',
      { hostNetwork: false },
      pod({ hostNetwork: true }),
      refused('spec.securityContext.hostNetwork: Invalid value: true: Host network is not allowed to be used'),
    ],
    [
      'host PID',
      { hostPID: false },
      pod({ hostPID: true }),
      refused('spec.securityContext.hostPID: Invalid value: true: Host PID is not allowed to be used'),
    ],
    [
      'host IPC',
      { hostIPC: false },
      pod({ hostIPC: true }),
      refused('spec.securityContext.hostIPC: Invalid value: true: Host IPC is not allowed to be used'),
    ],
    [
      'privilege',
      { privileged: false },
      podWith({ securityContext: { privileged: true } }),
      refused(`${c0}.privileged: Invalid value: true: Privileged containers are not allowed`),
    ],
    ['no privilege', { privileged: false }, podWith({ securityContext: { privileged: false } }), 'allowed'],
    [
      'a port of the host',
      { hostPorts: [range(80, 90), range(443, 443)] },
      podWith({
        ports: [
          { containerPort: 1, hostPort: 8080 },
          { containerPort: 2, hostPort: 443 },
        ],
      }),
      refused(
        'spec.containers[0].hostPort: Invalid value: 8080: Host port 8080 is not allowed to be used. Allowed ports: [80-90,443]',
      ),
    ],
    [
      'a volume',
      { volumes: ['emptyDir'] },
      pod({ volumes: [{ name: 'v', hostPath: { path: '/' } }] }),
      refused('spec.volumes[0]: Invalid value: "hostPath": hostPath volumes are not allowed to be used'),
    ],
    ['a volume that is allowed', { volumes: ['emptyDir'] }, pod({ volumes: [{ name: 'v', emptyDir: {} }] }), 'allowed'],
    [
      'the volume with a token, by secret',
      { volumes: ['secret'] },
      pod({
        volumes: [
          {
            name: 't',
            projected: {
              sources: [{ serviceAccountToken: { path: 't' } }, { configMap: { name: 'kube-root-ca.crt' } }],
            },
          },
        ],
      }),
      'allowed',
    ],
    [
      'another path',
      { allowedHostPaths: [{ pathPrefix: '/var/' }] },
      pod({ volumes: [{ name: 'v', hostPath: { path: '/variable' } }] }),
      refused('spec.volumes[0].hostPath.pathPrefix: Invalid value: "/variable": is not allowed to be used'),
    ],
    [
      'a path below',
      { allowedHostPaths: [{ pathPrefix: '/var' }] },
      pod({ volumes: [{ name: 'v', hostPath: { path: '/var/log' } }] }),
      'allowed',
    ],
    [
      'a path that is only to be read',
      { allowedHostPaths: [{ pathPrefix: '/var', readOnly: true }] },
      podWith(
        { volumeMounts: [{ name: 'v', mountPath: '/v' }] },
        { volumes: [{ name: 'v', hostPath: { path: '/var' } }] },
      ),
      refused('spec.containers[0].volumeMounts[0].readOnly: Invalid value: false: must be read-only'),
    ],
    [
      'another driver',
      { allowedFlexVolumes: [{ driver: 'a/b' }] },
      pod({ volumes: [{ name: 'v', flexVolume: { driver: 'c/d' } }] }),
      refused('spec.volumes[0].driver: Invalid value: "c/d": Flexvolume driver is not allowed to be used'),
    ],
    [
      'another CSI driver',
      { allowedCSIDrivers: [{ name: 'a' }] },
      pod({ volumes: [{ name: 'v', csi: { driver: 'b' } }] }),
      refused('spec.volumes[0].csi.driver: Invalid value: "b": Inline CSI driver is not allowed to be used'),
    ],
    [
      'a user outside the ranges',
      { runAsUser: { rule: 'MustRunAs', ranges: [range(1, 5)] } },
      pod({ securityContext: { runAsUser: 0 } }),
      refused(`${c0}.runAsUser: Invalid value: 0: must be in the ranges: [{1 5}]`),
    ],
    [
      'root',
      { runAsUser: { rule: 'MustRunAsNonRoot' } },
      podWith({ securityContext: { runAsUser: 0 } }),
      refused(`${c0}.runAsUser: Invalid value: 0: running with the root UID is forbidden`),
    ],
    [
      'maybe root',
      { runAsUser: { rule: 'MustRunAsNonRoot' } },
      podWith({ securityContext: { runAsNonRoot: false } }),
      refused(`${c0}.runAsNonRoot: Invalid value: false: must be true`),
    ],
    [
      'a group outside the ranges',
      { runAsGroup: { rule: 'MayRunAs', ranges: [range(1, 5)] } },
      podWith({ securityContext: { runAsGroup: 9 } }),
      refused(`${c0}: Invalid value: [9]: group 9 must be in the ranges: [{1 5}]`),
    ],
    ['no group, which may be', { runAsGroup: { rule: 'MayRunAs', ranges: [range(1, 5)] } }, pod(), 'allowed'],
    [
      'another fsGroup',
      { fsGroup: { rule: 'MustRunAs', ranges: [range(1, 5)] } },
      pod({ securityContext: { fsGroup: 6 } }),
      refused('spec.securityContext.fsGroup: Invalid value: [6]: group 6 must be in the ranges: [{1 5}]'),
    ],
    [
      'other groups',
      { supplementalGroups: { rule: 'MustRunAs', ranges: [range(1, 5)] } },
      pod({ securityContext: { supplementalGroups: [1, 7] } }),
      refused('spec.securityContext.supplementalGroups: Invalid value: [1,7]: group 7 must be in the ranges: [{1 5}]'),
    ],
    [
      'other labels',
      { seLinux: { rule: 'MustRunAs', seLinuxOptions: { level: 's0:c1,c2', role: 'r' } } },
      pod({ securityContext: { seLinuxOptions: { level: 's0:c2,c1', role: 'q' } } }),
      refused(
        'spec.securityContext.seLinuxOptions.role: Invalid value: "q": must be r',
        `${c0}.seLinuxOptions.role: Invalid value: "q": must be r`,
      ),
    ],
    [
      'a capability',
      { allowedCapabilities: ['A'] },
      podWith({ securityContext: { capabilities: { add: ['A', 'B'] } } }),
      refused(`${c0}.capabilities.add: Invalid value: "B": capability may not be added`),
    ],
    [
      'escalation',
      { allowPrivilegeEscalation: false },
      podWith({ securityContext: { allowPrivilegeEscalation: true } }),
      refused(
        `${c0}.allowPrivilegeEscalation: Invalid value: true: Allowing privilege escalation for containers is not allowed`,
      ),
    ],
    [
      'a writable root',
      { readOnlyRootFilesystem: true },
      podWith({ securityContext: { readOnlyRootFilesystem: false } }),
      refused(`${c0}.readOnlyRootFilesystem: Invalid value: false: ReadOnlyRootFilesystem must be set to true`),
    ],
    [
      'an unmasked /proc',
      {},
      podWith({ securityContext: { procMount: 'Unmasked' } }),
      refused(`${c0}.procMount: Invalid value: "Unmasked": ProcMountType is not allowed`),
    ],
    [
      'a sysctl that is forbidden',
      { forbiddenSysctls: ['kernel.*'] },
      pod({ securityContext: { sysctls: [{ name: 'kernel.shm_rmid_forced', value: '1' }] } }),
      refused('pod.spec.securityContext.sysctls[0]: Forbidden: sysctl "kernel.shm_rmid_forced" is not allowed'),
    ],
    [
      'a sysctl that is unsafe',
      {},
      pod({ securityContext: { sysctls: [{ name: 'net.core.somaxconn', value: '1' }] } }),
      refused('pod.spec.securityContext.sysctls[0]: Forbidden: unsafe sysctl "net.core.somaxconn" is not allowed'),
    ],
    [
      'sysctls that are safe or allowed',
      { allowedUnsafeSysctls: ['net.*'] },
      pod({
        securityContext: {
          sysctls: [
            { name: 'net.core.somaxconn', value: '1' },
            { name: 'kernel.shm_rmid_forced', value: '1' },
          ],
        },
      }),
      'allowed',
    ],
    [
      'another runtime class',
      { runtimeClass: { allowedRuntimeClassNames: ['a'] } },
      pod({ runtimeClassName: 'b' }),
      refused('spec.runtimeClassName: Invalid value: "b"'),
    ],
  ])('%s', async (_what, spec, object, expected) => {
    expect(
      await verdictOf(pluginIn('PodSecurityPolicy', world(policy('x', spec))), request('CREATE pods', { object })),
    ).toBe(expected);
  });

  it.each<[string, Raw, Raw, string]>([
    [
      'no seccomp',
      { 'seccomp.security.alpha.kubernetes.io/allowedProfileNames': 'runtime/default' },
      pod({ securityContext: { seccompProfile: { type: 'Unconfined' } } }),
      refused(
        'pod.metadata.annotations[seccomp.security.alpha.kubernetes.io/pod]: Forbidden: unconfined is not an allowed seccomp profile. Valid values are runtime/default',
        'pod.metadata.annotations[container.seccomp.security.alpha.kubernetes.io/c]: Forbidden: unconfined is not an allowed seccomp profile. Valid values are runtime/default',
      ),
    ],
    [
      'seccomp as it has to be',
      { 'seccomp.security.alpha.kubernetes.io/allowedProfileNames': 'runtime/default' },
      pod({ securityContext: { seccompProfile: { type: 'RuntimeDefault' } } }),
      'allowed',
    ],
    [
      'no AppArmor',
      { 'apparmor.security.beta.kubernetes.io/allowedProfileNames': 'runtime/default' },
      pod(),
      refused(
        'pod.metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: Forbidden: AppArmor profile must be set',
      ),
    ],
    [
      'another AppArmor profile',
      { 'apparmor.security.beta.kubernetes.io/allowedProfileNames': 'runtime/default' },
      pod({}, { annotations: { 'container.apparmor.security.beta.kubernetes.io/c': 'unconfined' } }),
      refused(
        'pod.metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: Forbidden: unconfined is not an allowed profile. Allowed values: "runtime/default"',
      ),
    ],
  ])('%s', async (_what, annotations, object, expected) => {
    expect(
      await verdictOf(
        pluginIn('PodSecurityPolicy', world(policy('x', {}, annotations))),
        request('CREATE pods', { object }),
      ),
    ).toBe(expected);
  });

  it('refuses all profiles if the policy has none', async () => {
    const bare = { ...policy('x'), metadata: { name: 'x' } };
    const object = pod({ securityContext: { seccompProfile: { type: 'RuntimeDefault' } } });
    expect(await verdictOf(pluginIn('PodSecurityPolicy', world(bare)), request('CREATE pods', { object }))).toContain(
      'seccomp may not be set',
    );
  });
});

describe('defaults of a policy', () => {
  it.each<[string, Raw, Raw, Raw | undefined, Raw | undefined]>([
    ['nothing', {}, pod(), {}, undefined],
    [
      'groups',
      {
        fsGroup: { rule: 'MustRunAs', ranges: [range(3, 5)] },
        supplementalGroups: { rule: 'MustRunAs', ranges: [range(4, 5)] },
      },
      pod(),
      { fsGroup: 3, supplementalGroups: [4] },
      undefined,
    ],
    [
      'groups only where none are said',
      { fsGroup: { rule: 'MustRunAs', ranges: [range(3, 5)] } },
      pod({ securityContext: { fsGroup: 5 } }),
      { fsGroup: 5 },
      undefined,
    ],
    [
      'a user and a group',
      {
        runAsUser: { rule: 'MustRunAs', ranges: [range(3, 5)] },
        runAsGroup: { rule: 'MustRunAs', ranges: [range(4, 5)] },
      },
      pod(),
      {},
      { runAsUser: 3, runAsGroup: 4 },
    ],
    [
      'no user where the pod says one',
      { runAsUser: { rule: 'MustRunAs', ranges: [range(3, 5)] } },
      pod({ securityContext: { runAsUser: 4 } }),
      { runAsUser: 4 },
      undefined,
    ],
    ['not root', { runAsUser: { rule: 'MustRunAsNonRoot' } }, pod(), {}, { runAsNonRoot: true }],
    [
      'labels',
      { seLinux: { rule: 'MustRunAs', seLinuxOptions: { level: 's0' } } },
      pod(),
      { seLinuxOptions: { level: 's0' } },
      undefined,
    ],
    [
      'capabilities',
      { defaultAddCapabilities: ['A', 'B'], requiredDropCapabilities: ['D'] },
      podWith({ securityContext: { capabilities: { drop: ['B'], add: ['C'] } } }),
      {},
      { capabilities: { add: ['A', 'C'], drop: ['B', 'D'] } },
    ],
    ['a root to be read only', { readOnlyRootFilesystem: true }, pod(), {}, { readOnlyRootFilesystem: true }],
    ['no escalation', { allowPrivilegeEscalation: false }, pod(), {}, { allowPrivilegeEscalation: false }],
    [
      'its own word on escalation',
      { defaultAllowPrivilegeEscalation: false },
      pod(),
      {},
      { allowPrivilegeEscalation: false },
    ],
  ])('%s', async (_what, spec, object, ofPod, ofContainer) => {
    const attributes = request('CREATE pods', { object });
    expect(await verdictOf(pluginIn('PodSecurityPolicy', world(policy('x', spec))), attributes)).toBe('allowed');
    const after = attributes.object?.['spec'] as { securityContext?: Raw; containers: { securityContext?: Raw }[] };
    expect(after.securityContext).toEqual(ofPod);
    expect(after.containers[0]?.securityContext).toEqual(ofContainer);
    expect(attributes.object?.metadata.annotations).toEqual({ 'kubernetes.io/psp': 'x' });
  });

  it('writes profiles into annotations', async () => {
    const annotations = {
      'seccomp.security.alpha.kubernetes.io/defaultProfileName': 'runtime/default',
      'apparmor.security.beta.kubernetes.io/defaultProfileName': 'localhost/a',
    };
    const attributes = request('CREATE pods', { object: pod() });
    expect(await verdictOf(pluginIn('PodSecurityPolicy', world(policy('x', {}, annotations))), attributes)).toBe(
      'allowed',
    );
    expect(attributes.object?.metadata.annotations).toEqual({
      'kubernetes.io/psp': 'x',
      'seccomp.security.alpha.kubernetes.io/pod': 'runtime/default',
      'container.apparmor.security.beta.kubernetes.io/c': 'localhost/a',
    });
  });

  it('names the runtime class', async () => {
    const runtimeClass = { allowedRuntimeClassNames: ['*'], defaultRuntimeClassName: 'gvisor' };
    const attributes = request('CREATE pods', { object: pod() });
    await verdictOf(pluginIn('PodSecurityPolicy', world(policy('x', { runtimeClass }))), attributes);
    expect((attributes.object?.['spec'] as Raw)['runtimeClassName']).toBe('gvisor');
  });
});

describe('the choice of a policy', () => {
  const filling = { runAsUser: { rule: 'MustRunAs', ranges: [range(1, 9)] } };
  const psp = (attributes: ReturnType<typeof request>): string | undefined =>
    attributes.object?.metadata.annotations?.['kubernetes.io/psp'];

  it.each<[string, readonly Raw[], readonly string[], string]>([
    ['the first by name', [policy('b'), policy('a')], ['use a', 'use b'], 'a'],
    ['one that changes nothing, before others', [policy('a', filling), policy('b')], ['use a', 'use b'], 'b'],
    ['the first that fills in, where all do', [policy('b', filling), policy('a', filling)], ['use a', 'use b'], 'a'],
    ['only what one may use', [policy('a'), policy('b')], ['use b'], 'b'],
    ['what makes sense', [policy('a', { seLinux: { rule: 'MustRunAs' } }), policy('b')], ['use a', 'use b'], 'b'],
    [
      'none that one may use',
      [policy('a')],
      [],
      '403 pods "p" is forbidden: PodSecurityPolicy: unable to admit pod: []',
    ],
    [
      'none at all',
      [],
      [],
      '403 pods "p" is forbidden: PodSecurityPolicy: no providers available to validate pod request',
    ],
    [
      'only the causes of what one may use',
      [policy('a', { hostPID: false }), policy('b', { hostIPC: false, hostPID: false })],
      ['use a'],
      refused('spec.securityContext.hostPID: Invalid value: true: Host PID is not allowed to be used'),
    ],
  ])('%s', async (what, policies, allowed, expected) => {
    const attributes = request('CREATE pods', { object: pod({ hostPID: what.startsWith('only the causes') }) });
    const plugin = pluginIn('PodSecurityPolicy', {
      ...world(...policies),
      allow: ({ verb, name, group }) => group === 'policy' && allowed.includes(`${verb} ${name}`),
    });
    const verdict = await verdictOf(plugin, attributes);
    expect(verdict === 'allowed' ? psp(attributes) : verdict).toBe(expected);
    if (verdict === 'allowed')
      expect([...attributes.audit]).toEqual([
        ['podsecuritypolicy.policy.k8s.io/admit-policy', expected],
        ['podsecuritypolicy.policy.k8s.io/validate-policy', expected],
      ]);
  });

  it.each([
    ['the account, in its namespace', 'system:serviceaccount:ns:robot', 'policy', 'ns'],
    ['the user', 'alice', 'policy', 'ns'],
    ['roles that speak of the old group', 'alice', 'extensions', 'ns'],
  ])('may be used by %s', async (_what, user, group, namespace) => {
    const plugin = pluginIn('PodSecurityPolicy', {
      ...world(policy('a')),
      allow: (q) =>
        q.user.name === user && q.group === group && q.namespace === namespace && q.resource === 'podsecuritypolicies',
    });
    expect(await verdictOf(plugin, request('CREATE pods', { object: pod({ serviceAccountName: 'robot' }) }))).toBe(
      'allowed',
    );
  });

  it('changes nothing in the validating phase, and refuses what would need a change', async () => {
    const old = pod({ hostPID: true });
    const strict = pluginIn('PodSecurityPolicy', world(policy('a', { hostPID: false })));
    const object = pod({ hostPID: true }, { labels: { a: 'b' } });
    expect(await verdictOf(strict, request('UPDATE pods', { object, old }))).toContain(
      'PodSecurityPolicy: unable to validate pod',
    );
    expect(
      await verdictOf(strict, request('UPDATE pods', { object: pod({ hostPID: true }, { finalizers: ['a/b'] }), old })),
    ).toBe('allowed');
    const fills = pluginIn('PodSecurityPolicy', world(policy('a', filling)));
    expect(await verdictOf(fills, request('UPDATE pods', { object, old }))).toContain('unable to validate pod: []');
  });

  it('tries the policy that admitted the pod first', async () => {
    const object = pod({}, { annotations: { 'kubernetes.io/psp': 'b' } });
    const attributes = request('UPDATE pods', { object, old: pod() });
    expect(await verdictOf(pluginIn('PodSecurityPolicy', world(policy('a'), policy('b'))), attributes)).toBe('allowed');
    expect(attributes.audit.get('podsecuritypolicy.policy.k8s.io/validate-policy')).toBe('b');
  });
});
