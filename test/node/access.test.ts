import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ContainerAccess } from '../../src/node/index.ts';
import { pipe, readAll, readLine, sink } from '../../src/programs/index.ts';
import { nodeStreams } from '../../src/node/streams.ts';
import { ChunkQueue, decodeText, encodeText, type Duplex, type TerminalSize } from '../../src/std/index.ts';
import { NodeLab, type Loose } from './lab.ts';

const PODS = '/api/v1/namespaces/default/pods';
/** A client without a terminal. */
const noSizes: AsyncIterable<TerminalSize> = {
  [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
};
/** A client that sends nothing, and looks at nothing. */
const nothing: Duplex = {
  read: () => Promise.resolve(undefined),
  write: () => Promise.resolve(),
  end: () => undefined,
  reset: () => undefined,
};

let lab: NodeLab;
let access: ContainerAccess;
let pod: Loose;

beforeAll(async () => {
  lab = await NodeLab.start();
  access = await lab.nodes.access();
  const containers = [
    { name: 'c', image: 'nginx' },
    {
      name: 'reader',
      image: 'busybox',
      stdin: true,
      command: ['sh', '-c', 'while read line; do echo "got $line"; done; exit 4'],
    },
    { name: 'kept', image: 'busybox', stdin: true, command: ['sh', '-c', 'cat; echo closed'] },
    { name: 'once', image: 'busybox', stdin: true, stdinOnce: true, command: ['sh', '-c', 'cat; echo closed'] },
  ];
  await lab.create(PODS, { metadata: { name: 'p' }, spec: { containers, restartPolicy: 'Never' } });
  pod = await lab.until(`${PODS}/p`, (p) => p.status.containerStatuses?.every((s: Loose) => s.state.running));
});
afterAll(() => lab.stop());

test('a command runs in a container with its own streams, and gives its exit code', async () => {
  const input = pipe();
  let [out, err] = ['', ''];
  const running = access.exec(pod, 'c', ['sh', '-c', 'cat; echo oops >&2; exit 3'], {
    stdin: input.input,
    stdout: sink((bytes) => void (out += decodeText(bytes))),
    stderr: sink((bytes) => void (err += decodeText(bytes))),
  });
  await input.output.write(encodeText('hello'));
  input.output.release();
  expect(await running.exit).toBe(3);
  expect([out, err]).toEqual(['hello', 'oops\n']);
});

test('a terminal shows what is typed, and interrupts', async () => {
  const { terminal, exit } = access.execInTerminal(pod, 'c', ['sh'], { columns: 80, rows: 24 });
  terminal.type(encodeText('echo a$((1+1))\r'));
  terminal.type(encodeText('stty size; tty\r'));
  terminal.type(encodeText('exit 5\r'));
  expect(await exit).toBe(5);
  const shown = decodeText(await readAll(terminal.output));
  expect(shown).toContain('/ # ');
  expect(shown).toContain('a2\r\n');
  expect(shown).toContain('24 80\r\n/dev/pts/0\r\n');
});

test('a port of a pod is reached', async () => {
  const connection = await access.connect(pod, 80);
  await connection.stream.write(encodeText('GET / HTTP/1.0\r\n\r\n'));
  expect(decodeText((await readLine(connection.stream)) ?? new Uint8Array())).toBe('HTTP/1.1 200 OK\r\n');
  connection.stream.release();
  await expect(access.connect(pod, 81)).rejects.toThrow('Connection refused');
});

test('files of a container are read', () => {
  expect(access.files(pod, 'c').text('/etc/nginx/nginx.conf')).toContain('http {');
});

test('what the container’s own program reads and writes', async () => {
  const attached = access.attach(pod, 'reader');
  let out = '';
  const stop = attached.listen(sink((bytes) => void (out += decodeText(bytes))));
  await attached.stdin?.write(encodeText('one\ntwo\n'));
  attached.stdin?.release();
  expect(await attached.exit).toBe(4);
  expect(out).toBe('got one\ngot two\n');
  stop();
});

test.each([
  ['stays for the output where that was all of it', 'once', 'hello\nclosed\n'],
  ['is detached where another may send more', 'kept', 'hello\n'],
])('a client that has sent its input %s', async (_, container, shown) => {
  const streams = await nodeStreams(
    () => Promise.resolve(access),
    () => undefined,
  ).container(pod, container);
  const typed = new ChunkQueue<Uint8Array>();
  typed.push(encodeText('hello\n'));
  let seen = '';
  const stdin = { ...nothing, read: () => typed.read() };
  const stdout = {
    ...nothing,
    write: (bytes: Uint8Array): Promise<void> => {
      seen += decodeText(bytes);
      if (seen === 'hello\n') typed.close();
      return Promise.resolve();
    },
  };
  const gone = new AbortController().signal;
  let isAttached = true;
  const attached = streams?.attach({ stdin, stdout, stderr: undefined, tty: false, sizes: noSizes, gone });
  const left = attached?.finally(() => (isAttached = false));
  while (isAttached) await lab.advance(100);
  await left;
  expect(seen).toBe(shown);
});

test('a container that does not run can not be looked into', () => {
  expect(() => access.exec(pod, 'none', ['true'], {})).toThrow('is not running');
});
