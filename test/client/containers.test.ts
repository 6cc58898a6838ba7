import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attachTo, Client, execIn, forwardPort, readAll } from '../../src/client/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { decodeText, encodeText } from '../../src/std/index.ts';
import { Bench, type Loose } from '../controllers/bench.ts';

const PODS = '/api/v1/namespaces/default/pods';
let bench: Bench;
let client: Client;

beforeAll(async () => {
  bench = await Bench.start({ nodes: 1 });
  client = new Client({ transport: bench.cluster.transportAs('admin'), names: namesOf('cluster.io') });
  const run = async (name: string, container: Loose): Promise<unknown> => {
    await bench.create(PODS, { metadata: { name }, spec: { containers: [{ name: 'c', ...container }] } });
    return bench.until(`${PODS}/${name}`, (pod: Loose) => pod.status.containerStatuses?.[0]?.ready === true);
  };
  await run('web', { image: 'nginx' });
  await run('cat', { image: 'busybox', stdin: true, command: ['cat'] });
});
afterAll(() => bench.stop());

const web = { namespace: 'default', pod: 'web' };

describe('a command in a container', () => {
  test.each([
    ['echo out; echo bad >&2', 'out\n', 'bad\n', { exitCode: 0, message: '' }],
    ['exit 3', '', '', { exitCode: 3, message: expect.stringContaining('exit code 3') }],
  ])('`%s`', async (text, out, err, result) => {
    const command = await execIn(client, web, ['sh', '-c', text]);
    const [stdout, stderr, ended] = await Promise.all([
      readAll(command.stdout),
      readAll(command.stderr),
      command.result,
    ]);
    expect([decodeText(stdout), decodeText(stderr), ended]).toEqual([out, err, result]);
  });

  test('reads its input to the end', async () => {
    const command = await execIn(client, web, ['wc', '-c'], { stdin: true });
    await command.stdin.write(encodeText('12345'));
    command.stdin.end();
    expect(decodeText(await readAll(command.stdout)).trim()).toBe('5');
    expect((await command.result).exitCode).toBe(0);
  });

  test('that cannot be started says why', async () => {
    const command = await execIn(client, web, ['no-such-program']);
    const [why, { exitCode }] = await Promise.all([readAll(command.stderr), command.result]);
    expect(decodeText(why)).toContain('exec: "no-such-program": executable file not found in $PATH');
    expect(exitCode).toBe(126);
  });

  test('in a missing pod is refused', async () => {
    const refused = execIn(client, { namespace: 'default', pod: 'nobody' }, ['ls']);
    await expect(refused).rejects.toMatchObject({ status: { reason: 'NotFound' } });
  });

  test('whose connection is closed ends without an exit code', async () => {
    const command = await execIn(client, web, ['sleep', '1000']);
    command.close();
    expect(await command.result).toEqual({ exitCode: undefined, message: 'the connection was closed' });
  });

  test('with a terminal shows input echo and output on its one stream', async () => {
    const command = await execIn(client, web, ['sh'], { stdin: true, tty: true });
    await command.resize({ columns: 123, rows: 45 });
    await command.stdin.write(encodeText('echo out; echo bad >&2; exit 7\n'));
    const screen = decodeText(await readAll(command.stdout));
    expect(screen.replaceAll('\r', '')).toContain('exit 7\nout\nbad\n');
    expect((await command.result).exitCode).toBe(7);
  });
});

test('attaches to a container’s main process', async () => {
  const joined = await attachTo(client, { namespace: 'default', pod: 'cat' }, { stdin: true });
  await joined.stdin.write(encodeText('said\n'));
  const bytes = await joined.stdout.read();
  expect(decodeText(bytes ?? new Uint8Array())).toBe('said\n');
  joined.close();
});

describe('a port of a pod', () => {
  test('answers', async () => {
    const connection = await forwardPort(client, web, 80);
    await connection.write(encodeText('GET / HTTP/1.1\r\nHost: web\r\nConnection: close\r\n\r\n'));
    const answer = decodeText(await readAll(connection));
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*Welcome to nginx/);
    connection.end();
    expect(await connection.problem).toBe('');
  });

  test('without a listener reports the error', async () => {
    const connection = await forwardPort(client, web, 81);
    expect(await connection.problem).toMatch(/error forwarding port 81 to pod web_default/);
    connection.reset();
  });
});
