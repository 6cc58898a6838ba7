/** The real client against servers that keep what they are given: in a directory and in etcd. Skipped where there is none. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ClusterOptions } from '../../src/cluster/index.ts';
import { openDataDirectory } from '../../src/hosts/node/data/directory.ts';
import { etcdStorage } from '../../src/hosts/node/etcd/storage.ts';
import { serve, type Served } from '../../src/hosts/node/index.ts';
import { kubeconfigOf } from '../../src/hosts/kubeconfig.ts';
import { etcdHere, startEtcd, type EtcdServer } from '../etcd/server.ts';
import { kubectlHere, kubectlOutput, kubectlUntilDone, runKubectl, type KubectlSettings } from './kubectlClient.ts';

if (!kubectlHere.has) console.warn(`${kubectlHere.why}: it is not tried on files and etcd.`);

const TOKEN = 'secret';
const soon = { timeout: 30_000, interval: 100 };
const POD = {
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } },
  spec: {
    containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', 'echo begun; sleep 1000'] }],
  },
};

const optionsWith = (...apiserver: string[]): ClusterOptions => ({
  ...{ name: 'kept', naming: 'k8s.io', nodes: 1 },
  apiserver: ['--token-auth-file=tokens.csv', '--authorization-mode=Node,RBAC', ...apiserver],
  controllerManager: ['--use-service-account-credentials=true'],
  files: { 'tokens.csv': `${TOKEN},admin,admin,system:masters\n` },
});

/** Starts a server on what is kept in one place, any number of times. */
type Start = () => Promise<{ served: Served; release(): Promise<void> }>;

const inDirectory =
  (directory: string): Start =>
  async () => {
    const { backend, release } = await openDataDirectory(directory);
    const cluster = optionsWith();
    return { served: await serve({ port: 0, host: '127.0.0.1', tls: true, cluster }, { backend }), release };
  };

const inEtcd =
  ({ url }: EtcdServer): Start =>
  async () => {
    const cluster = optionsWith(`--etcd-servers=${url}`);
    const served = await serve({ port: 0, host: '127.0.0.1', tls: true, cluster }, etcdStorage(cluster));
    return { served, release: () => Promise.resolve() };
  };

const places = [
  { name: 'a data directory', here: kubectlHere.has },
  { name: `etcd${etcdHere.has ? '' : ` (${etcdHere.why})`}`, here: kubectlHere.has && etcdHere.has },
];

for (const { name, here } of places)
  describe.skipIf(!here)(`kubectl on ${name}`, () => {
    let folder: string;
    let etcd: EtcdServer | undefined;
    let start: Start;
    let running: Awaited<ReturnType<Start>>;

    const begin = async (): Promise<void> => {
      running = await start();
      const { url, authority } = running.served;
      writeFileSync(join(folder, 'config'), kubeconfigOf({ name: 'kept', url, authority, user: { token: TOKEN } }));
    };
    const end = async (): Promise<void> => {
      await running.served.close();
      await running.release();
    };

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'vitrine-kubectl-'));
      if (name.startsWith('etcd')) etcd = await startEtcd();
      start = etcd ? inEtcd(etcd) : inDirectory(join(folder, 'data'));
      await begin();
    }, 120_000);

    afterAll(async () => {
      await end();
      await etcd?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    const following: ChildProcess[] = [];
    /** Runs a command that goes on; what it has written so far. */
    const follow = (args: readonly string[]): (() => string) => {
      const child = spawn(kubectlHere.program, [`--kubeconfig=${join(folder, 'config')}`, ...args]);
      following.push(child);
      let text = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (text += part.toString()));
      return () => text;
    };
    afterEach(() => following.splice(0).forEach((child) => child.kill()));

    const settings = (): KubectlSettings => ({ flags: [`--kubeconfig=${join(folder, 'config')}`] });
    const succeeds = (args: readonly string[]): Promise<string> => kubectlOutput(args, settings());

    test('apply, exec, logs, rollout and conflicts', { timeout: 120_000 }, async () => {
      await kubectlUntilDone(['create', '-f', '-'], settings(), JSON.stringify(POD));
      await succeeds(['wait', '--for=condition=Ready', 'pod/p', '--timeout=60s']);
      expect(await succeeds(['exec', 'p', '--', 'sh', '-c', 'echo $((40 + 2))'])).toBe('42\n');
      expect(await succeeds(['logs', 'p'])).toBe('begun\n');
      await succeeds(['create', 'deployment', 'web', '--image=nginx', '--replicas=2']);
      await succeeds(['rollout', 'status', 'deployment/web', '--timeout=60s']);
      await succeeds(['set', 'image', 'deployment/web', 'nginx=httpd']);
      expect(await succeeds(['rollout', 'status', 'deployment/web', '--timeout=60s'])).toMatch(/rolled out\n$/);
      const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm', resourceVersion: '1' } };
      await succeeds(['create', 'configmap', 'm', '--from-literal=a=b']);
      expect((await runKubectl(['replace', '-f', '-'], settings(), JSON.stringify(map))).errors).toContain(
        '(Conflict)',
      );
    });

    test(
      'get -w, apply, edit, cp, logs -f, port-forward, proxy, top, auth can-i and drain',
      { timeout: 180_000 },
      async () => {
        const watched = follow(['get', 'configmaps', '-w', '--no-headers']);
        await vi.waitFor(() => expect(watched()).toContain('kube-root-ca.crt'), soon);
        const manifest = (value: string): string =>
          JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { a: value } });
        expect(await kubectlOutput(['apply', '-f', '-'], settings(), manifest('one'))).toBe('configmap/c created\n');
        expect(await kubectlOutput(['apply', '-f', '-'], settings(), manifest('two'))).toBe('configmap/c configured\n');
        const editor = { ...settings(), env: { KUBE_EDITOR: 'sed -i s/two/three/' } };
        expect(await kubectlOutput(['edit', 'configmap', 'c'], editor)).toBe('configmap/c edited\n');
        expect(await succeeds(['get', 'configmap', 'c', '-o', 'jsonpath={.data.a}'])).toBe('three');
        await vi.waitFor(() => expect(watched().match(/^c +1 /gm)).toHaveLength(3), soon);

        const [here, back] = ['here.txt', 'back.txt'].map((file) => join(folder, file)) as [string, string];
        writeFileSync(here, 'copied\n');
        await succeeds(['cp', here, 'default/p:/tmp/there.txt']);
        await succeeds(['cp', 'default/p:/tmp/there.txt', back]);
        expect(readFileSync(back, 'utf8')).toBe('copied\n');
        const logs = follow(['logs', '-f', 'p']);
        await vi.waitFor(() => expect(logs()).toContain('begun\n'), soon);

        const [pod = ''] = (await succeeds(['get', 'pods', '-l', 'app=web', '-o', 'name'])).split('\n');
        const forwarded = follow(['port-forward', pod, ':80']);
        await vi.waitFor(() => expect(forwarded()).toMatch(/127\.0\.0\.1:\d+/), soon);
        const [port] = /127\.0\.0\.1:\d+/.exec(forwarded()) ?? [];
        expect(await (await fetch(`http://${port}/`)).text()).toContain('It works!');
        const proxied = follow(['proxy', '--port=0']);
        await vi.waitFor(() => expect(proxied()).toMatch(/serve on \S+\n/), soon);
        const [, at] = /serve on (\S+)/.exec(proxied()) ?? [];
        expect(await (await fetch(`http://${at}/api/v1/namespaces/default/configmaps/c`)).text()).toContain('three');

        expect(await succeeds(['top', 'nodes'])).toMatch(/\nnode-1 +\d+m/);
        expect(await succeeds(['auth', 'can-i', 'create', 'pods'])).toBe('yes\n');
        expect(await runKubectl(['auth', 'can-i', 'create', 'pods', '--as=nobody'], settings())).toMatchObject({
          ...{ code: 1, out: 'no\n' },
        });
        const drain = ['drain', 'node-1', '--ignore-daemonsets', '--force', '--delete-emptydir-data'];
        expect(await succeeds(drain)).toMatch(/node\/node-1 (evicted|drained)\n$/);
        expect(await succeeds(['uncordon', 'node-1'])).toBe('node/node-1 uncordoned\n');
      },
    );

    test('another server goes on with what the first was given', { timeout: 120_000 }, async () => {
      const identity = ['get', 'configmap', 'm', '-o', 'jsonpath={.metadata.uid} {.metadata.resourceVersion}'];
      const before = await succeeds(identity);
      await end();
      await begin();
      expect(await succeeds(identity)).toBe(before);
      await succeeds(['scale', 'deployment/web', '--replicas=1']);
      await succeeds(['rollout', 'status', 'deployment/web', '--timeout=60s']);
      expect((await succeeds(['get', 'pods', '-l', 'app=web', '-o', 'name'])).trim().split('\n')).toHaveLength(1);
    });
  });
