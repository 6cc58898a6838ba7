/** Commands, attached clients and ports as the API server hands them on. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NodeStreams } from '../../src/node/streams.ts';
import { ChunkQueue, decodeText, encodeText, type CommandStreams, type Duplex } from '../../src/std/index.ts';
import { NodeLab, type Loose } from './lab.ts';

const PODS = '/api/v1/namespaces/default/pods';
let lab: NodeLab;
let streams: NodeStreams;
let pod: Loose;

beforeAll(async () => {
  lab = await NodeLab.start();
  const talks = 'trap "echo bye; exit 3" TERM; while read line; do echo "got $line"; done; sleep 100000 & wait';
  const containers = [
    { name: 'c', image: 'busybox', command: ['sleep', '100000'] },
    { name: 'web', image: 'nginx' },
    { name: 'talks', image: 'busybox', stdin: true, command: ['sh', '-c', talks] },
    { name: 'ends', image: 'busybox', stdin: true, stdinOnce: true, command: ['sh', '-c', 'cat; echo closed'] },
    { name: 'screen', image: 'busybox', stdin: true, tty: true, command: ['sh'] },
    { name: 'mute', image: 'busybox', command: ['sh', '-c', 'while sleep 1; do echo tick; done'] },
  ];
  await lab.create(PODS, { metadata: { name: 'p' }, spec: { containers, restartPolicy: 'Never' } });
  pod = await lab.until(`${PODS}/p`, ({ status }) => status.containerStatuses?.every((s: Loose) => s.state.running));
  streams = await lab.nodes.streams();
});
afterAll(() => lab.stop());

/** One end of a client: what it sends, and what it was sent. */
class Client implements Duplex {
  readonly #typed = new ChunkQueue<Uint8Array>();
  shown = '';

  type(text: string): void {
    this.#typed.push(encodeText(text));
  }
  close(): void {
    this.#typed.close();
  }
  read(): Promise<Uint8Array | undefined> {
    return this.#typed.read();
  }
  write(bytes: Uint8Array): Promise<void> {
    this.shown += decodeText(bytes);
    return Promise.resolve();
  }
  end(): void {
    this.close();
  }
  reset(): void {
    this.close();
  }
}

async function* sizesOf(...sizes: readonly (readonly [number, number])[]) {
  for (const [columns, rows] of sizes) yield await Promise.resolve({ columns, rows });
}

function client(more: Partial<CommandStreams> = {}) {
  const [stdin, stdout, stderr] = [new Client(), new Client(), new Client()];
  const gone = new AbortController();
  const given = { stdin, stdout, stderr, tty: false, sizes: sizesOf(), gone: gone.signal, ...more };
  return { stdin, stdout, stderr, gone, given };
}

const ways = async (name = 'c') => {
  const found = await streams.container(pod, name);
  if (!found) throw new Error('it does not run');
  return found;
};

/** What comes of work while the clock goes on; undefined if it has no end. */
async function within<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  let result: T | undefined;
  const over = work.then((value) => (result = value));
  over.catch(() => undefined);
  await lab.advance(ms);
  return result;
}

describe('a command', () => {
  test('has the streams of its client, and its exit code', async () => {
    const { stdin, stdout, stderr, given } = client();
    const run = (await ways()).exec(['sh', '-c', 'cat; echo oops >&2; exit 3'], given);
    stdin.type('one ');
    stdin.type('two');
    stdin.close();
    expect([await run, stdout.shown, stderr.shown]).toEqual([3, 'one two', 'oops\n']);
  });

  test('does without streams that its client does not want', async () => {
    const nobody = { stdin: undefined, stdout: undefined, stderr: undefined };
    expect(await (await ways()).exec(['sh', '-c', 'cat; echo a; echo b >&2; exit 4'], client(nobody).given)).toBe(4);
  });

  test.each([
    ['nothing', 'exec: "nothing": executable file not found in $PATH'],
    ['/bin/nothing', 'exec: "/bin/nothing": stat /bin/nothing: no such file or directory'],
    ['/etc/passwd', 'exec: "/etc/passwd": permission denied'],
  ])('%s is not started', async (program, why) => {
    const text = `OCI runtime exec failed: exec failed: starting container process caused: ${why}: unknown\r\n`;
    const both = client();
    expect(await (await ways()).exec([program], both.given)).toBe(126);
    expect([both.stdout.shown, both.stderr.shown]).toEqual(['', text]);
    const one = client({ stderr: undefined });
    expect(await (await ways()).exec([program], one.given)).toBe(126);
    expect(one.stdout.shown).toBe(text);
    const none = client({ stderr: undefined, stdout: undefined });
    expect(await (await ways()).exec([program], none.given)).toBe(126);
  });

  test('ends with its client', async () => {
    const { gone, given } = client();
    const run = (await ways()).exec(['sleep', '5000'], given);
    await lab.advance(1000);
    gone.abort();
    expect(await within(run, 100)).toBe(137);
  });
});

describe('a command in a terminal', () => {
  test('sees what is typed and the size of the screen, and hangs up when its client has sent all', async () => {
    const { stdin, stdout, given } = client({ tty: true, sizes: sizesOf([100, 30], [132, 50]) });
    const run = (await ways()).exec(['sh'], given);
    await lab.advance(100);
    stdin.type('stty size; tty; echo a$((1+1))\r');
    await lab.advance(100);
    for (const text of ['50 132\r\n', '/dev/pts/0\r\n', 'a2\r\n']) expect(stdout.shown).toContain(text);
    stdin.close();
    expect(await within(run, 100)).toBeDefined();
  });

  test('has eighty columns until its client tells how many there are, and needs no input', async () => {
    const { stdout, given } = client({ tty: true, stdin: undefined });
    expect(await within((await ways()).exec(['sh', '-c', 'stty size; exit 5'], given), 100)).toBe(5);
    expect(stdout.shown).toBe('24 80\r\n');
  });

  test('ends with its client', async () => {
    const { gone, given } = client({ tty: true });
    const run = (await ways()).exec(['sleep', '5000'], given);
    await lab.advance(100);
    gone.abort();
    expect(await within(run, 100)).toBe(137);
  });
});

describe('an attached client', () => {
  test('sees the output, and leaves the container as it is', async () => {
    const { stdout, gone, given } = client({ stdin: undefined, stderr: undefined });
    let isOver = false;
    const over = (await ways('mute')).attach(given).finally(() => (isOver = true));
    await lab.advance(2500);
    expect(stdout.shown).toMatch(/^(tick\n){2,3}$/);
    expect(isOver).toBe(false);
    gone.abort();
    await over;
    const { shown } = stdout;
    await lab.advance(3000);
    expect(stdout.shown).toBe(shown);
  });

  test('sees it where it only listens to errors', async () => {
    const { stderr, gone, given } = client({ stdin: undefined, stdout: undefined });
    const over = (await ways('mute')).attach(given);
    await lab.advance(1500);
    expect(stderr.shown).toContain('tick\n');
    gone.abort();
    await over;
  });

  test('sends input, and is detached after it where others may send more', async () => {
    const { stdin, stdout, given } = client();
    const over = (await ways('talks')).attach(given).then(() => 'detached');
    stdin.type('one\n');
    await lab.advance(100);
    expect(stdout.shown).toBe('got one\n');
    stdin.close();
    expect(await within(over, 300)).toBeUndefined();
    expect(await within(over, 300)).toBe('detached');
    const next = client();
    const later = (await ways('talks')).attach(next.given);
    next.stdin.type('two\n');
    await lab.advance(100);
    expect(next.stdout.shown).toBe('got two\n');
    next.gone.abort();
    await later;
  });

  test('ends the input of a container that takes it once, and stays until that ends', async () => {
    const { stdin, stdout, given } = client();
    const over = (await ways('ends')).attach(given).then(() => 'over');
    stdin.type('all\n');
    stdin.close();
    expect(await within(over, 500)).toBe('over');
    expect(stdout.shown).toBe('all\nclosed\n');
    await lab.advance(500);
    expect(await streams.container(pod, 'ends')).toBeUndefined();
  });

  test('sets the size of the container’s terminal', async () => {
    const { stdin, stdout, gone, given } = client({ tty: true, sizes: sizesOf([111, 22]) });
    const over = (await ways('screen')).attach(given);
    await lab.advance(100);
    stdin.type('stty size\r');
    await lab.advance(100);
    expect(stdout.shown).toContain('22 111\r\n');
    gone.abort();
    await over;
  });
});

test('a followed log goes on until its reader is gone', async () => {
  const gone = new AbortController();
  const log = await lab.nodes.containerLogs(pod, 'mute', { follow: true, tailLines: 0 }, gone.signal);
  const reader = log.body?.getReader();
  for (let i = 0; i < 2; i++) {
    const next = reader?.read();
    await lab.advance(1100);
    expect(decodeText((await next)?.value ?? new Uint8Array())).toBe('tick\n');
  }
  gone.abort();
  // What was read ahead comes first.
  while (!((await reader?.read())?.done ?? true));
  expect(await reader?.closed).toBeUndefined();
});

describe('a port of a pod', () => {
  test('is a stream in both directions', async () => {
    const connection = await streams.connect(pod, 80);
    await connection.write(encodeText('GET / HTTP/1.0\r\n\r\n'));
    connection.end();
    let text = '';
    for (let bytes = await connection.read(); bytes; bytes = await connection.read()) text += decodeText(bytes);
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*Welcome to nginx/);
    connection.reset();
    expect(await connection.read()).toBeUndefined();
    // What is sent after the end is lost without an error.
    await connection.write(encodeText('more'));
  });

  test('is refused where nobody listens', () => expect(streams.connect(pod, 81)).rejects.toThrow('Connection refused'));

  test.each(['GET', 'HEAD'])('answers a %s', async (method) => {
    const target = { tls: false, port: 80, method, path: '/', headers: { 'x-a': 'b' }, body: undefined };
    const answer = await streams.request(pod, target, new AbortController().signal);
    const text = await answer.text();
    expect([answer.status, text.includes('Welcome to nginx')]).toEqual([200, method === 'GET']);
  });
});

describe('an agent', () => {
  test('answers by the name of its node', async () => {
    const answer = await streams.node('node-1', 'GET', '/healthz');
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      ...[200, 'text/plain; charset=utf-8', 'ok'],
    ]);
    expect((await streams.node('node-1', 'POST', '/healthz')).status).toBe(405);
    const log = await streams.node('node-1', 'GET', '/containerLogs/default/p/mute?tailLines=1');
    expect(await log.text()).toBe('tick\n');
    const absent = await streams.node('node-1', 'GET', '/containerLogs/default/p/none');
    expect([absent.status, await absent.text()]).toEqual([404, 'container "none" in pod "p" is not available\n']);
  });

  test('of a node that has none does not answer', () =>
    expect(streams.node('none', 'GET', '/healthz')).rejects.toThrow(
      'dial tcp: no agent runs on node none: connect: connection refused',
    ));
});

test('a container that does not run has no streams', async () => {
  expect(await streams.container(pod, 'none')).toBeUndefined();
});
