/** The real client against `serve --tls`: Debian's kubectl v1.20 speaks SPDY/3.1. Skipped where there is none. */
import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serve, type Served } from '../../src/hosts/node/index.ts';

const kubectl = process.env['VITRINE_KUBECTL'] ?? 'kubectl';
const version = spawnSync(kubectl, ['version', '--client', '--short'], { encoding: 'utf8' }).stdout ?? '';
const found = version.includes('v1.20.');
if (!found) console.warn(`No kubectl v1.20 here (VITRINE_KUBECTL names one): its streams are not tested.`);

const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec: {
    containers: [
      { name: 'web', image: 'nginx' },
      {
        ...{ name: 'reader', image: 'busybox', stdin: true },
        command: ['sh', '-c', 'echo begun; while read line; do echo "got $line"; done; sleep 1000'],
      },
    ],
  },
};

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly errors: string;
}

describe.skipIf(!found)('kubectl', () => {
  let served: Served;
  let folder: string;
  let credentials: string[];
  const running: ChildProcess[] = [];

  beforeAll(async () => {
    const cluster = {
      ...({ name: 'kubectl', naming: 'k8s.io', nodes: 1 } as const),
      apiserver: ['--token-auth-file=tokens.csv'],
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
    await keepTrying(['create', '-f', join(folder, 'pod.json')]);
    await succeeds(['wait', '--for=condition=Ready', 'pod/p', '--timeout=60s']);
  }, 120_000);

  afterAll(async () => {
    for (const child of running) child.kill();
    await served.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const run = (args: readonly string[], input = ''): Promise<Ended> =>
    new Promise((resolve) => {
      const child = execFile(kubectl, [...credentials, ...args], { timeout: 60_000 }, (error, out, errors) =>
        resolve({ code: error ? Number(error.code ?? -1) : 0, out, errors }),
      );
      // A command that ends before it has read its input closes the pipe.
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(input);
    });

  const succeeds = async (args: readonly string[], input = ''): Promise<string> => {
    const { code, out, errors } = await run(args, input);
    expect([code, errors]).toEqual([0, expect.any(String)]);
    return out;
  };

  /** The service account of a new namespace takes a moment. */
  const keepTrying = async (args: readonly string[]): Promise<void> => {
    for (let left = 50; left > 0; left--) if ((await run(args)).code === 0) return;
    throw new Error(`kubectl ${args.join(' ')} keeps failing`);
  };

  /** Starts a command that goes on, and waits for a text in what it writes. */
  const until = (args: readonly string[], text: string, input = ''): Promise<string> =>
    new Promise((resolve, reject) => {
      const child = spawn(kubectl, [...credentials, ...args]);
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

  test('exec says which program there is none of', async () => {
    const { code, errors } = await run(inWeb('nosuch'));
    expect(code).not.toBe(0);
    expect(errors).toContain('error executing command in container');
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

  test('get --raw reaches it through the proxy', async () => {
    expect(await succeeds(['get', '--raw', '/api/v1/namespaces/default/pods/p:80/proxy/'])).toContain('nginx');
  });
});
