/** What a program finds inside of its container: files, mounts, variables, its address. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NodeLab, type Loose } from './lab.ts';

const CORE = '/api/v1/namespaces/default';
const PODS = `${CORE}/pods`;
let lab: NodeLab;
beforeAll(async () => {
  lab = await NodeLab.start({ naming: 'k8s.io' });
  await lab.create(`${CORE}/configmaps`, {
    ...{ metadata: { name: 'settings' }, data: { a: 'one', b_c: 'two', '9x': 'no', 'd=e': 'no' } },
  });
});
afterAll(() => lab.stop());

let made = 0;
async function output(script: string, container: Loose = {}, spec: Loose = {}, metadata: Loose = {}): Promise<string> {
  const name = metadata.name ?? `p-${++made}`;
  const containers = [{ name: 'c', image: 'busybox', command: ['sh', '-c', script], ...container }];
  await lab.create(PODS, { metadata: { ...metadata, name }, spec: { restartPolicy: 'Never', containers, ...spec } });
  await lab.until(`${PODS}/${name}`, ({ status }) => ['Succeeded', 'Failed'].includes(status.phase));
  return lab.get(`${PODS}/${name}/log`);
}

describe('the files of a container', () => {
  test('name it and the node', async () => {
    const text = await output('cat /etc/hosts; cat /etc/hostname; cat /etc/resolv.conf', {}, {}, { name: 'named' });
    expect(text).toMatch(
      /^# Kubernetes-managed hosts file\.\n127\.0\.0\.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\nfe00::0\tip6-localnet\nfe00::0\tip6-mcastprefix\nfe00::1\tip6-allnodes\nfe00::2\tip6-allrouters\n10\.244\.0\.\d+\tnamed\nnamed\nnameserver 10\.0\.0\.10\n/,
    );
  });

  test('are the node’s where it uses the node’s network', async () => {
    const script = 'cat /etc/hosts; hostname; echo $IP';
    const env = [{ name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } }];
    const text = await output(script, { env }, { hostNetwork: true });
    expect(text).toMatch(/^127\.0\.0\.1\tlocalhost\n[^]*\n192\.168\.49\.10\tnode-1\nnode-1\n192\.168\.49\.10\n$/);
    const hostAliases = [{ ip: '1.2.3.4', hostnames: ['a', 'b'] }];
    expect(await output(script, {}, { hostNetwork: true, hostAliases })).toMatch(
      /^# Kubernetes-managed hosts file \(host network\)\.\n[^]*\n\n# Entries added by HostAliases\.\n1\.2\.3\.4\ta\tb\n/,
    );
  });

  test('have a host name of at most 63 characters that ends in none of - and .', async () => {
    expect(await output('hostname', {}, {}, { name: `${'a'.repeat(62)}.-b` })).toBe(`${'a'.repeat(62)}\n`);
    expect(await output('hostname; hostname -f', {}, { hostname: 'me', subdomain: 'sub' })).toBe(
      'me\nme.sub.default.svc.cluster.local\n',
    );
  });

  test('are on their own devices, with limits', async () => {
    const volumes = [
      { name: 'memory', emptyDir: { medium: 'Memory' } },
      { name: 'disk', emptyDir: {} },
      { name: 'secret', secret: { secretName: 'none', optional: true } },
      { name: 'projected', projected: { sources: [] } },
      { name: 'map', configMap: { name: 'settings' } },
      { name: 'driver', csi: { driver: 'd' } },
    ];
    const volumeMounts = volumes.map(({ name }) => ({ name, mountPath: `/${name}` }));
    const text = await output('df -T | tr -s " " | cut -d" " -f1-3,7', { volumeMounts }, { volumes });
    const lines = text.split('\n').map((line) => line.split(' '));
    const shown = (path: string): string | undefined => lines.find((words) => words.at(-1) === path)?.join(' ');
    expect(shown('/')).toBe(`overlay overlay ${256 * 1024} /`);
    expect(shown('/dev')).toBe(`tmpfs tmpfs ${64 * 1024} /dev`);
    expect(shown('/secret')).toBe(`tmpfs tmpfs ${1024 * 1024} /secret`);
    expect(shown('/projected')).toBe(`tmpfs tmpfs ${1024 * 1024} /projected`);
    expect(shown('/map')).toBe(`/dev/sda1 ext4 ${1024 * 1024} /map`);
    expect(shown('/driver')).toBe(`/dev/sda1 ext4 ${10 * 1024 * 1024} /driver`);
    expect(shown('/memory')).toMatch(/^tmpfs tmpfs .* \/memory$/);
    expect(shown('/disk')).toMatch(/^\/dev\/sda1 ext4 .* \/disk$/);
  });

  test('are written where they may be', async () => {
    const volumes = [{ name: 'v', emptyDir: {} }];
    const volumeMounts = [
      { name: 'v', mountPath: '/rw/' },
      { name: 'v', mountPath: '/ro', readOnly: true },
    ];
    const script = 'echo x > /rw/f && cat /ro/f; echo y > /ro/f || echo no; echo z > /etc/z && echo root';
    const text = await output(`(${script}) 2>/dev/null`, { volumeMounts }, { volumes });
    expect(text).toBe('x\nno\nroot\n');
    const locked = { securityContext: { readOnlyRootFilesystem: true }, volumeMounts };
    expect(await output(`(${script}) 2>/dev/null`, locked, { volumes })).toBe('x\nno\n');
    expect(
      await output('(echo no >/etc/z) 2>/dev/null || echo kept; stat -c %a /dev/termination-log', locked, { volumes }),
    ).toBe('kept\n666\n');
  });

  test('of the agent give way to those of a volume', async () => {
    const volumes = [{ name: 'v', configMap: { name: 'settings' } }];
    const volumeMounts = [{ name: 'v', mountPath: '/etc/hosts', subPath: 'a' }];
    expect(
      await output('cat /etc/hosts; echo; cat /etc/hostname', { volumeMounts }, { volumes }, { name: 'own' }),
    ).toBe('one\nown\n');
  });

  test('may not lie below a volume that is a file', async () => {
    const name = `below-${++made}`;
    const volumeMounts = [{ name: 'v', mountPath: '/v', subPath: 'x' }];
    await lab.create(PODS, {
      metadata: { name },
      spec: {
        containers: [{ name: 'c', image: 'busybox', volumeMounts }],
        volumes: [{ name: 'v', hostPath: { path: '/etc/hostname' } }],
      },
    });
    const { status } = await lab.until(
      `${PODS}/${name}`,
      (pod) => pod.status.containerStatuses?.[0].state.waiting?.message,
    );
    expect(status.containerStatuses[0].state.waiting.message).toBe(
      'failed to prepare subPath for volumeMount: not a directory',
    );
  });

  test('may grow without end where a volume has no limit, or one of zero', async () => {
    const volumes = [
      { name: 'none', emptyDir: {} },
      { name: 'zero', emptyDir: { sizeLimit: '0' } },
    ];
    const volumeMounts = volumes.map(({ name }) => ({ name, mountPath: `/${name}` }));
    const script = 'head -c 3000 /dev/zero | tee /none/f > /zero/f; sleep 25; echo there';
    expect(await output(script, { volumeMounts }, { volumes })).toBe('there\n');
  });

  test('have a directory for each mount', async () => {
    const volumes = [
      { name: 'v', emptyDir: {} },
      { name: 'm', configMap: { name: 'settings' } },
    ];
    const volumeMounts = [
      { name: 'v', mountPath: '/deep/er/dir' },
      { name: 'm', mountPath: '/other/file', subPath: 'a' },
    ];
    const script = 'ls /deep; ls /deep/er; ls -d /other; cat /other/file';
    expect(await output(script, { volumeMounts }, { volumes })).toBe('er\ndir\n/other\none');
  });

  test('tell how long it runs', async () => {
    expect(await output('cut -d" " -f1 /proc/uptime; sleep 5; cut -d. -f1 /proc/uptime')).toMatch(/^0\.\d+\n5\n$/);
  });

  test.each([
    ['a file in place of a directory', 'a/b', 'failed to prepare subPath for volumeMount: not a directory'],
    ['a way up', '../x', "unable to provision SubPath `../x`: must not contain '..'"],
  ])('wait for a sub path that is %s', async (_, subPath, message) => {
    const name = `sub-${++made}`;
    await lab.create(PODS, {
      metadata: { name },
      spec: {
        containers: [{ ...{ name: 'c', image: 'busybox' }, volumeMounts: [{ name: 'v', mountPath: '/v', subPath }] }],
        volumes: [{ name: 'v', configMap: { name: 'settings' } }],
      },
    });
    const { status } = await lab.until(
      `${PODS}/${name}`,
      (pod) => pod.status.containerStatuses?.[0].state.waiting?.message,
    );
    expect(status.containerStatuses[0].state.waiting).toEqual({ reason: 'CreateContainerConfigError', message });
  });
});

describe('the variables of a container', () => {
  test('begin with the path and the home of its user', async () => {
    const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
    expect(await output('echo $PATH $HOME')).toBe(`${path} /root\n`);
    expect(await output('echo $HOME', { securityContext: { runAsUser: 1000 } })).toBe('/\n');
    expect(await output('echo $HOME', { env: [{ name: 'HOME', value: '/own' }] })).toBe('/own\n');
  });

  test('come from config maps by names that are those of variables', async () => {
    const envFrom = [{ configMapRef: { name: 'settings' } }, { prefix: 'P_', configMapRef: { name: 'settings' } }];
    const text = await output('env | sort', { envFrom });
    expect(text).toContain('\na=one\nb_c=two\n');
    expect(text).toContain('\nP_9x=no\nP_a=one\nP_b_c=two\n');
    expect(text).not.toContain('d=e');
    expect(text).not.toMatch(/^9x=/m);
  });

  test('tell of services, unless the pod wants none', async () => {
    await lab.create(`${CORE}/services`, {
      metadata: { name: 'svc' },
      spec: { ports: [{ port: 80, protocol: 'UDP' }] },
    });
    await lab.advance(500);
    expect(await output('echo $SVC_PORT')).toMatch(/^udp:\/\/10\.0\.0\.\d+:80\n$/);
    expect(await output('echo .$SVC_PORT', {}, { enableServiceLinks: false })).toBe('.\n');
  });
});

test('its directory and its words are those of its spec', async () => {
  expect(await output('pwd', { workingDir: '/var' })).toBe('/var\n');
  expect(await output('', { command: ['echo', '$(A)', '$$(A)'], args: ['b'], env: [{ name: 'A', value: 'a' }] })).toBe(
    'a $(A) b\n',
  );
});

test('a probe asks with the headers of its spec and as the agent', async () => {
  const httpHeaders = [{ name: 'X-Own', value: 'yes' }];
  const readinessProbe = { httpGet: { port: 8000, path: '/ready', httpHeaders }, periodSeconds: 100 };
  const script = 'printf "HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n" | nc -l -p 8000; sleep 1000';
  await lab.create(PODS, {
    metadata: { name: 'asked' },
    spec: { containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', script], readinessProbe }] },
  });
  await lab.until(`${PODS}/asked`, ({ status }) => status.containerStatuses?.[0].ready);
  const text = String(await lab.get(`${PODS}/asked/log`));
  expect(text).toMatch(/^GET \/ready HTTP\/1\.1\r?\n/);
  expect(text).toMatch(/\nUser-Agent: kube-probe\/1\.20\r?\n/);
  expect(text).toMatch(/\nX-Own: yes\r?\n/);
});

describe('a user', () => {
  const refused = async (securityContext: Loose, own: Loose = {}): Promise<string> => {
    const name = `user-${++made}`;
    const containers = [{ name: 'c', image: 'busybox', securityContext: own }];
    await lab.create(PODS, { metadata: { name }, spec: { containers, securityContext } });
    const { status } = await lab.until(
      `${PODS}/${name}`,
      (pod) => pod.status.containerStatuses?.[0].state.waiting?.message,
    );
    return status.containerStatuses[0].state.waiting.message.replace(name, 'NAME').replace(name, 'NAME');
  };
  const WHO = '(pod: "NAME_default(uid-NAME)", container: c)';
  test.each([
    [{ runAsNonRoot: true }, {}, `container has runAsNonRoot and image will run as root ${WHO}`],
    [{ runAsNonRoot: true, runAsUser: 0 }, {}, `container's runAsUser breaks non-root policy ${WHO}`],
    [{ runAsUser: 0 }, { runAsNonRoot: true }, `container's runAsUser breaks non-root policy ${WHO}`],
  ])('%j with %j may not be root', async (shared, own, message) => {
    expect(await refused(shared, own)).toBe(message);
  });

  test('may be another', async () => {
    expect(await output('id -u', {}, { securityContext: { runAsNonRoot: true, runAsUser: 7 } })).toBe('7\n');
    expect(
      await output('id -u', { securityContext: { runAsNonRoot: false } }, { securityContext: { runAsNonRoot: true } }),
    ).toBe('0\n');
    expect(
      await output(
        'id -u; id -g',
        { securityContext: { runAsUser: 8 } },
        { securityContext: { runAsUser: 7, runAsGroup: 9 } },
      ),
    ).toBe('8\n9\n');
  });
});
