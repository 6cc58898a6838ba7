/** What listens and what is connected, as `netstat` and `ss` show it, and what `wget` says of the address that it connects to. */
import { describe, expect, test } from 'vitest';
import { Box } from '../programs/harness.ts';
import { DataplaneWorld } from './dataplaneWorld.ts';

const WEB = `
kind: Service
metadata: {name: web}
spec: {clusterIP: 10.96.0.50, ports: [{port: 80}]}
---
kind: EndpointSlice
metadata: {name: web-1, labels: {cluster.io/service-name: web}}
ports: [{port: 80}]
endpoints: [{addresses: [10.244.0.2], conditions: {ready: true}, targetRef: {kind: Pod, namespace: x, name: b}}]
`;

/** Pod x/b listens over three protocols, and x/a is connected to it through the service. */
async function connected() {
  const world = new DataplaneWorld(WEB);
  const b = world.network('x/b');
  const held: { release(): void }[] = [];
  const listener = b.listen(80, ({ stream }) => void held.push(stream));
  b.listen(9000, () => undefined, { protocol: 'SCTP' });
  b.bind(53, () => undefined);
  const connection = await world.network('x/a').connect({ host: 'web', port: 80 });
  const printed = async (pod: string, line: string): Promise<string> => {
    const { stdout, stderr } = await new Box({
      ...{ network: world.network(pod), clock: world.clock },
      image: 'agnhost',
    }).sh(line);
    return stdout + stderr;
  };
  return { world, connection, listener, held, printed };
}

const row = (protocol: string, local: string, peer: string, state: string): string =>
  `${protocol.padEnd(5)}      0      0 ${local.padEnd(23)} ${peer.padEnd(23)} ${state.padEnd(12)}\n`;

describe('netstat', () => {
  test('shows what listens in the columns of busybox', async () => {
    const { printed } = await connected();
    expect(await printed('x/b', 'netstat -tuln')).toBe(
      'Active Internet connections (only servers)\n' +
        'Proto Recv-Q Send-Q Local Address           Foreign Address         State       \n' +
        row('tcp', '0.0.0.0:80', '0.0.0.0:*', 'LISTEN') +
        row('udp', '0.0.0.0:53', '0.0.0.0:*', ''),
    );
  });

  test('shows a connection at both ends, with the address that each of them knows', async () => {
    const { connection, printed } = await connected();
    const { port } = connection.local;
    expect(await printed('x/a', 'netstat -tn | tail -n +3')).toBe(
      row('tcp', `10.244.0.1:${port}`, '10.96.0.50:80', 'ESTABLISHED'),
    );
    expect(await printed('x/b', 'netstat -tan | tail -n +3')).toBe(
      row('tcp', '0.0.0.0:80', '0.0.0.0:*', 'LISTEN') +
        row('tcp', '10.244.0.2:80', `10.244.0.1:${port}`, 'ESTABLISHED'),
    );
    expect(await printed('x/c', 'netstat -tan | tail -n +3')).toBe('');
  });

  test.each(['client', 'server'] as const)('shows a connection no longer once its %s has let go', async (who) => {
    const { connection, held, listener, printed } = await connected();
    for (const stream of who === 'client' ? [connection.stream] : held) stream.release();
    listener.close();
    for (const pod of ['x/a', 'x/b']) expect(await printed(pod, 'netstat -tan | tail -n +3')).toBe('');
  });

  test('says what it shows', async () => {
    const { printed } = await connected();
    expect(await printed('x/c', 'netstat')).toBe(
      'Active Internet connections (w/o servers)\n' +
        'Proto Recv-Q Send-Q Local Address           Foreign Address         State       \n' +
        'Active UNIX domain sockets (w/o servers)\nProto RefCnt Flags       Type       State         I-Node Path\n',
    );
    expect(await printed('x/c', 'netstat -ant | head -1')).toBe(
      'Active Internet connections (servers and established)\n',
    );
  });
});

describe('ss', () => {
  test('shows what listens, over every protocol', async () => {
    const { printed } = await connected();
    expect(await printed('x/b', 'ss -ln')).toBe(
      [
        'Netid  State   Recv-Q  Send-Q  Local Address:Port  Peer Address:Port',
        'tcp    LISTEN  0       128           0.0.0.0:80         0.0.0.0:*',
        'udp    UNCONN  0       0             0.0.0.0:53         0.0.0.0:*',
        'sctp   LISTEN  0       128           0.0.0.0:9000       0.0.0.0:*',
        '',
      ].join('\n'),
    );
  });

  test('shows connections of one protocol without its name, and without a head where none is wanted', async () => {
    const { connection, printed } = await connected();
    expect((await printed('x/a', 'ss -tnH')).split(/\s+/)).toEqual([
      'ESTAB',
      '0',
      '0',
      `10.244.0.1:${connection.local.port}`,
      '10.96.0.50:80',
      '',
    ]);
  });
});

describe('wget says which address it connects to', () => {
  const said = async (line: string, objects = WEB): Promise<string> => {
    const { stderr } = await new DataplaneWorld(objects).box('x/a').sh(line);
    return stderr;
  };

  test.each([
    [
      'a refused service, by name',
      'wget -O- http://web',
      'web (10.96.0.50:80)',
      "can't connect to remote host (10.96.0.50): Connection refused",
    ],
    [
      'a refused pod, by address',
      'wget -O- 10.244.0.2:81',
      '10.244.0.2:81 (10.244.0.2:81)',
      "can't connect to remote host (10.244.0.2): Connection refused",
    ],
    [
      'itself',
      'wget -O- localhost',
      'localhost (127.0.0.1:80)',
      "can't connect to remote host (127.0.0.1): Connection refused",
    ],
    ['nobody', 'wget -T 1 -O- 10.244.9.9', '10.244.9.9 (10.244.9.9:80)', 'download timed out'],
  ])('%s', async (_, line, connecting, problem) => {
    expect(await said(line)).toBe(`Connecting to ${connecting}\nwget: ${problem}\n`);
  });

  test('a name that nobody knows is all that is said', async () => {
    expect(await said('wget -O- http://nowhere:8080/x')).toBe("wget: bad address 'nowhere:8080'\n");
  });

  test('a page that comes, and nothing where it should be quiet', async () => {
    expect(await said('wget -O- http://example.com')).toBe(
      'Connecting to example.com (198.51.100.7:80)\nwriting to stdout\n',
    );
    expect(await said('wget -q -O- http://example.com')).toBe('');
  });
});
