/** The real client against `serve --tls`: Debian's kubectl v1.20 speaks SPDY/3.1. Skipped where there is none. */
import { spawn, type ChildProcess } from 'node:child_process';
import { connect } from 'node:net';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serve, type Served } from '../../src/hosts/node/index.ts';
import { kubectlHere, kubectlOutput, kubectlUntilDone, runKubectl, type Ended } from './kubectlClient.ts';

if (!kubectlHere.has) console.warn(`${kubectlHere.why}: its streams are not tested.`);

const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec: {
    // Not on the node that is drained.
    nodeName: 'node-1',
    containers: [
      { name: 'web', image: 'nginx' },
      {
        ...{ name: 'reader', image: 'busybox', stdin: true },
        command: ['sh', '-c', 'echo begun; while read line; do echo "got $line"; done; sleep 1000'],
      },
    ],
  },
};

describe.skipIf(!kubectlHere.has)('kubectl', () => {
  let served: Served;
  let folder: string;
  let credentials: string[];
  const running: ChildProcess[] = [];

  beforeAll(async () => {
    const cluster = {
      ...({ name: 'kubectl', naming: 'k8s.io', nodes: 2 } as const),
      apiserver: [
        ...['--token-auth-file=tokens.csv', '--authorization-mode=Node,RBAC'],
        '--feature-gates=EphemeralContainers=true',
      ],
      controllerManager: ['--use-service-account-credentials=true'],
      files: { 'tokens.csv': 'secret,admin,admin,system:masters\n' },
    };
    served = await serve({ port: 0, host: '127.0.0.1', tls: true, cluster });
    folder = mkdtempSync(join(tmpdir(), 'vitrine-kubectl-'));
    writeFileSync(join(folder, 'ca.pem'), served.authority ?? '');
    writeFileSync(join(folder, 'pod.json'), JSON.stringify(POD));
    const flags = {
      server: served.url,
      token: 'secret',
      'certificate-authority': join(folder, 'ca.pem'),
      kubeconfig: '/dev/null',
    };
    credentials = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
    await kubectlUntilDone(['create', '-f', join(folder, 'pod.json')], { flags: credentials });
    await succeeds(['wait', '--for=condition=Ready', 'pod/p', '--timeout=60s']);
  }, 120_000);

  afterAll(async () => {
    for (const child of running) child.kill();
    await served.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const run = (args: readonly string[], input = '', env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
    runKubectl(args, { flags: credentials, env }, input);
  const succeeds = (args: readonly string[], input = ''): Promise<string> =>
    kubectlOutput(args, { flags: credentials }, input);

  /** Starts a command that goes on, and waits for a text in what it writes. */
  const until = (args: readonly string[], text: string, input = ''): Promise<string> =>
    new Promise((resolve, reject) => {
      const child = spawn(kubectlHere.program, [...credentials, ...args]);
      running.push(child);
      let out = '';
      const take = (part: Buffer): void => {
        out += part.toString();
        if (out.includes(text)) resolve(out);
      };
      child.stdout.on('data', take);
      child.stderr.on('data', take);
      child.once('exit', () => reject(new Error(`it ended after ${JSON.stringify(out)}`)));
      if (input !== '') child.stdin.write(input);
    });

  const inWeb = (...command: string[]): string[] => ['exec', 'p', '-c', 'web', '--', ...command];

  test('exec keeps output and errors apart and passes the exit code on', async () => {
    const { code, out, errors } = await run(inWeb('sh', '-c', 'echo fine; echo wrong >&2; exit 3'));
    expect([code, out]).toEqual([3, 'fine\n']);
    expect(errors).toBe('wrong\ncommand terminated with exit code 3\n');
  });

  test('exec -i ends the command with its input', async () => {
    const text = 'line\n'.repeat(50_000);
    const out = await succeeds(['exec', '-i', 'p', '-c', 'web', '--', 'wc', '-c'], text);
    expect(out.trim()).toBe(String(text.length));
  });

  test('exec takes a very long command', async () => {
    const word = '1'.repeat(100_000);
    expect(await succeeds(inWeb('echo', word))).toBe(`${word}\n`);
  });

  test('exec says which program there is none of', async () => {
    const { code, errors } = await run(inWeb('nosuch'));
    expect(code).toBe(126);
    expect(errors).toContain('exec: "nosuch": executable file not found in $PATH');
    expect((await run(inWeb('/etc/hosts'))).errors).toContain('exec: "/etc/hosts": permission denied');
  });

  test('exec says that a container is not there', async () => {
    expect((await run(['exec', 'p', '-c', 'none', '--', 'ls'])).errors).toContain(
      'container none is not valid for pod p',
    );
  });

  test('cp copies a file there and back', async () => {
    const [here, back] = [join(folder, 'here.txt'), join(folder, 'back.txt')];
    writeFileSync(here, 'copied\n');
    await succeeds(['cp', here, 'default/p:/tmp/there.txt', '-c', 'web']);
    expect(await succeeds(inWeb('cat', '/tmp/there.txt'))).toBe('copied\n');
    await succeeds(['cp', 'default/p:/tmp/there.txt', back, '-c', 'web']);
    expect(readFileSync(back, 'utf8')).toBe('copied\n');
  });

  test('attach -i reaches the program that runs, and logs -f follow what it writes', async () => {
    const logs = until(['logs', '-f', 'p', '-c', 'reader'], 'got typed');
    await until(['attach', '-i', 'p', '-c', 'reader'], 'got typed', 'typed\n');
    expect(await logs).toBe('begun\ngot typed\n');
  });

  test('port-forward reaches a server in the pod', async () => {
    const out = await until(['port-forward', 'pod/p', ':80'], 'Forwarding from 127.0.0.1');
    const [, port] = /127\.0\.0\.1:(\d+)/.exec(out) ?? [];
    for (let i = 0; i < 2; i++) expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toContain('nginx');
  });

  test('port-forward ends a connection with the server’s side', async () => {
    const out = await until(['port-forward', 'pod/p', ':80'], 'Forwarding from 127.0.0.1');
    const [, port] = /127\.0\.0\.1:(\d+)/.exec(out) ?? [];
    const socket = connect({ host: '127.0.0.1', port: Number(port), allowHalfOpen: true });
    socket.write('GET / HTTP/1.0\r\n\r\n');
    let answer = '';
    for await (const bytes of socket) answer += String(bytes);
    expect(answer).toContain('nginx');
    socket.destroy();
  });

  test('get --raw reaches it through the proxy', async () => {
    expect(await succeeds(['get', '--raw', '/api/v1/namespaces/default/pods/p:80/proxy/'])).toContain('nginx');
  });

  describe('with a deployment', () => {
    beforeAll(async () => {
      await succeeds(['create', 'deployment', 'web', '--image=nginx', '--replicas=2']);
      await succeeds(['rollout', 'status', 'deployment/web', '--timeout=60s']);
    }, 120_000);

    /** Each command with what it must print, one after the other. */
    test.each<readonly [string, readonly string[], string | RegExp]>([
      ['expose', ['expose', 'deployment', 'web', '--port=80'], 'service/web exposed\n'],
      ['top nodes', ['top', 'nodes'], /^NAME +CPU\(cores\).*\nnode-1 +\d+m +\d+% +\d+Mi +\d+% *\nnode-2 /],
      ['top pods', ['top', 'pods', '-l', 'app=web'], /^NAME .*\nweb-\S+ +\d+m +\d+Mi *\nweb-/],
      ['top pods --containers', ['top', 'pods', '--containers'], /\np +reader +\d+m +\d+Mi/],
      ['set image', ['set', 'image', 'deployment/web', 'nginx=httpd'], 'deployment.apps/web image updated\n'],
      ['rollout status', ['rollout', 'status', 'deployment/web', '--timeout=60s'], /successfully rolled out\n$/],
      ['rollout history', ['rollout', 'history', 'deployment/web'], /\n1 +<none>\n2 +<none>\n/],
      ['rollout undo', ['rollout', 'undo', 'deployment/web'], 'deployment.apps/web rolled back\n'],
      ['rollout restart', ['rollout', 'restart', 'deployment/web'], 'deployment.apps/web restarted\n'],
      ['wait', ['wait', '--for=condition=Available', 'deployment/web'], 'deployment.apps/web condition met\n'],
      ['scale', ['scale', 'deployment/web', '--replicas=1'], 'deployment.apps/web scaled\n'],
      ['patch', ['patch', 'deployment', 'web', '-p', '{"spec":{"paused":true}}'], 'deployment.apps/web patched\n'],
      ['auth can-i', ['auth', 'can-i', 'create', 'pods'], 'yes\n'],
      ['explain', ['explain', 'pod.spec.containers.image'], /KIND: +Pod\nVERSION: +v1\n\nFIELD: +image <string>/],
      ['cluster-info', ['cluster-info'], /Kubernetes control plane.* is running at /],
      ['cluster-info dump', ['cluster-info', 'dump'], /"kind": "NodeList"/],
      ['get --raw of a node', ['get', '--raw', '/api/v1/nodes/node-1/proxy/healthz'], 'ok'],
      [
        'drain',
        ['drain', 'node-2', '--ignore-daemonsets', '--force', '--delete-emptydir-data'],
        /node\/node-2 evicted\n$/,
      ],
      ['uncordon', ['uncordon', 'node-2'], 'node/node-2 uncordoned\n'],
    ])('%s', async (_, args, expected) => {
      const out = await succeeds(args);
      if (typeof expected === 'string') expect(out).toBe(expected);
      else expect(out).toMatch(expected);
    });

    test('auth can-i says no with code 1', async () => {
      const as = '--as=system:serviceaccount:default:default';
      expect(await run(['auth', 'can-i', 'create', 'pods', as])).toMatchObject({ code: 1, out: 'no\n' });
    });

    test('apply, diff and edit', async () => {
      const manifest = (value: string): string =>
        JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { a: value } });
      expect(await succeeds(['apply', '-f', '-'], manifest('one'))).toBe('configmap/c created\n');
      const { code, out } = await run(['diff', '-f', '-'], manifest('two'));
      expect([code, out]).toEqual([1, expect.stringMatching(/-  a: one\n\+  a: two\n/)]);
      expect(await succeeds(['apply', '-f', '-'], manifest('two'))).toBe('configmap/c configured\n');
      const edited = await run(['edit', 'configmap', 'c'], '', { KUBE_EDITOR: 'sed -i s/two/three/' });
      expect(edited).toMatchObject({ code: 0, out: 'configmap/c edited\n' });
      expect(await succeeds(['get', 'configmap', 'c', '-o', 'jsonpath={.data.a}'])).toBe('three');
    });

    test('run -i --rm ends its program with its input, and takes the pod away', async () => {
      const args = [
        'run',
        'once',
        '-i',
        '--rm',
        '--restart=Never',
        '--image=busybox',
        '--',
        'sh',
        '-c',
        'cat; echo end',
      ];
      expect(await succeeds(args, 'typed\n')).toMatch(/typed\nend\n/);
      expect((await run(['get', 'pod', 'once'])).errors).toContain('NotFound');
    });

    test('debug runs a container in a pod, and a pod on a node', async () => {
      const script = ['--', 'sh', '-c', 'sleep 1; wget -q -O - localhost | grep title; hostname; sleep 1'];
      // The input stays open: at its end the client is detached from a container that others may still write to.
      expect(await until(['debug', 'p', '-i', '--image=busybox', '--container=look', ...script], '\np\n')).toMatch(
        /Welcome to nginx!.*\np\n/,
      );
      const onNode = ['debug', 'node/node-1', '-i', '--image=busybox', '--', 'sh', '-c', 'sleep 1; hostname; sleep 1'];
      expect(await until(onNode, '\nnode-1\n')).toMatch(/with container debugger on node node-1\.\n/);
    });

    test('run -it gives a container a terminal', async () => {
      const shell = ['run', 'shell', '-it', '--rm', '--restart=Never', '--image=busybox', '--', 'sh'];
      const out = await succeeds(shell, 'echo $((40 + 2))\nexit\n');
      expect(out).toMatch(/\n?42\r?\n/);
    });

    test('proxy passes requests on', async () => {
      const out = await until(['proxy', '--port=0'], 'Starting to serve on');
      const [, address] = /serve on (\S+)/.exec(out) ?? [];
      const page = `http://${address}/api/v1/namespaces/default/pods/p:80/proxy/`;
      expect(await (await fetch(page)).text()).toContain('nginx');
    });
  });
});
