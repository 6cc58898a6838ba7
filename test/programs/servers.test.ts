import { describe, expect, test } from 'vitest';
import { encodeText, decodeText } from '../../src/std/index.ts';
import { LoopbackNetwork, pipe, type Connection, type DnsRecord } from '../../src/programs/index.ts';
import { HttpError, readRequest, readResponse } from '../../src/programs/network/index.ts';
import { textSource } from '../../src/programs/streams/index.ts';
import { sniffedType } from '../../src/programs/network/contentType.ts';
import { Box, type Setup } from './harness.ts';

/** A server in one container and a client in another. */
function pair(image: string, args: readonly string[], setup: Setup = {}) {
  const network = new LoopbackNetwork();
  const server = new Box({ ...setup, image, network: network.at('10.0.0.1') });
  const client = new Box({ image: 'agnhost', network: network.at('10.0.0.2'), clock: server.clock });
  const started = server.start(args);
  return { network, server, client, started, ask: async (script: string) => (await client.sh(script)).stdout };
}

const NGINX = ['nginx', '-g', 'daemon off;'];
const configured = (text: string): Setup => ({ files: { 'etc/nginx/conf.d/default.conf': text } });

describe('nginx', () => {
  test('serves its root, and writes a log', async () => {
    const { ask, started, server } = pair('nginx', NGINX);
    expect(await ask('curl -s 10.0.0.1')).toContain('Welcome to nginx!');
    expect(await ask('curl -s -o /dev/null -w "%{http_code}" 10.0.0.1/none')).toBe('404');
    expect(started.read()).toMatch(/10\.0\.0\.2 - - \[01\/Jan\/2026:00:00:\d\d \+0000\] "GET \/none HTTP\/1\.1" 404/);
    server.container.stop('TERM');
    expect((await server.until(started.done)).code).toBe(0);
  });

  test.each([
    ['a return', 'server { listen 8080; return 200 "hello $request_uri\\n"; }', '10.0.0.1:8080/x', 'hello /x\n'],
    [
      'a location',
      'server { location = /a { return 200 A; } location /b { return 200 B; } location ~ c$ { return 201 C; } }',
      '10.0.0.1/b/c',
      'C',
    ],
    ['a root', 'server { location / { root /etc; } }', '10.0.0.1/nsswitch.conf', 'hosts: files dns\n'],
    [
      'the name of the host',
      'server { listen 80; server_name a; return 200 a; } server { listen 80; server_name b; return 200 b; }',
      '-H "Host: b" 10.0.0.1',
      'b',
    ],
    [
      'a redirect',
      'server { location /old { return 301 /new; } location /new { return 200 new; } }',
      '-L 10.0.0.1/old',
      'new',
    ],
    [
      'try_files',
      'server { root /usr/share/nginx/html; location / { try_files $uri /50x.html; } }',
      '10.0.0.1/none',
      '<html><body><h1>An error occurred.</h1></body></html>\n',
    ],
  ])('does what its configuration says of %s', async (_, text, args, answer) => {
    expect(await pair('nginx', NGINX, configured(text)).ask(`curl -s ${args}`)).toBe(answer);
  });

  test('passes requests on to a backend, and says 502 where there is none', async () => {
    const { ask, server } = pair(
      'nginx',
      NGINX,
      configured('upstream app { server 10.0.0.1:5678; } server { location / { proxy_pass http://app; } }'),
    );
    expect(await ask('curl -s -w "%{http_code}" -o /dev/null 10.0.0.1')).toBe('502');
    const echo = new Box({ image: 'http-echo', network: server.container.network, clock: server.clock });
    echo.start(['/http-echo', '-text=behind']);
    expect(await ask('curl -s 10.0.0.1')).toBe('behind\n');
  });

  test('does not start with a configuration that it can not read', async () => {
    const { server, started } = pair('nginx', NGINX, configured('server { listen 80'));
    expect(await server.until(started.done)).toMatchObject({ code: 1, stderr: expect.stringContaining('[emerg]') });
  });
});

describe('other servers', () => {
  test('httpd serves its document root', async () => {
    expect(await pair('httpd', ['httpd-foreground']).ask('wget -qO- 10.0.0.1')).toContain('It works!');
  });

  test('redis keeps what it is given', async () => {
    const { server } = pair('redis', ['redis-server']);
    const ran = await server.sh(
      'redis-cli set a 1; redis-cli incr a; redis-cli get a; redis-cli rpush l x y; redis-cli lrange l 0 -1; redis-cli get none; redis-cli lpop a',
    );
    expect(ran.stdout).toBe('OK\n2\n2\n2\nx\ny\n\nWRONGTYPE Operation against a key holding the wrong kind of value\n');
  });

  test('redis forgets what has expired', async () => {
    const { server } = pair('redis', ['redis-server']);
    expect((await server.sh('redis-cli set a 1 EX 5; redis-cli ttl a; sleep 6; redis-cli get a')).stdout).toBe(
      'OK\n5\n\n',
    );
  });

  test('an unknown image serves on its declared ports and says that it is simulated', async () => {
    const { ask, started } = pair('some/app', ['/simulated']);
    expect(await ask('curl -s 10.0.0.1')).toBe('');
    expect(started.read()).toContain('some/app is simulated');
  });
});

describe('agnhost', () => {
  const agnhost = (...args: string[]) => pair('agnhost', ['/agnhost', ...args]);

  test('netexec answers and logs', async () => {
    const { ask, server, started } = agnhost('netexec', '--http-port=8080');
    expect(await ask('curl -s 10.0.0.1:8080/hostname; curl -s "10.0.0.1:8080/echo?msg=hi"')).toBe('boxhi');
    expect(await ask('curl -s 10.0.0.1:8080/clientip')).toMatch(/^10\.0\.0\.2:\d+$/);
    expect(await ask('echo hostname | nc -w 1 -u 10.0.0.1 8081')).toBe('box');
    expect(await ask('curl -s "10.0.0.1:8080/shell?cmd=echo%20a%3Bexit%202"')).toBe(
      '{"error":"exit status 2","output":"a\\n"}',
    );
    server.container.killAll();
    expect((await server.until(started.done)).stderr).toContain('GET /echo?msg=hi&code=');
  });

  test('netexec dials others', async () => {
    const { ask } = agnhost('netexec');
    const dial = (query: string) => ask(`curl -g -s "http://10.0.0.1:8080/dial?${query}"`);
    expect(await dial('request=hostname&protocol=http&host=10.0.0.1&port=8080&tries=1')).toBe('{"responses":["box"]}');
    expect(await dial('request=hostname&protocol=udp&host=10.0.0.1&port=8081&tries=2')).toBe(
      '{"responses":["box","box"]}',
    );
    expect(await dial('request=hostname&protocol=http&host=10.0.0.1&port=9&tries=1')).toBe(
      '{"errors":["connection refused"]}',
    );
  });

  test('liveness is well for ten seconds', async () => {
    const { ask } = agnhost('liveness');
    expect(
      await ask(
        'curl -s 10.0.0.1:8080/healthz; sleep 11; curl -s -o /dev/null -w "%{http_code}" 10.0.0.1:8080/healthz',
      ),
    ).toBe('ok500');
  });

  test('nettest counts who writes to it', async () => {
    const { ask } = agnhost('nettest');
    const script = `wget -O- --post-data='{"Source": "prestop"}' http://10.0.0.1:8080/write 2>/dev/null; wget -qO- http://10.0.0.1:8080/read`;
    expect(await ask(script)).toContain('"prestop": 1');
  });

  test('serve-hostname, test-webserver, porter, guestbook answer', async () => {
    expect(await agnhost('serve-hostname').ask('curl -s 10.0.0.1:9376')).toBe('box');
    const webserver = agnhost('test-webserver');
    expect(await webserver.ask('curl -s 10.0.0.1/etc/nsswitch.conf')).toBe('hosts: files dns\n');
    expect(await webserver.ask('curl -sI 10.0.0.1/etc/nsswitch.conf')).toContain('text/plain; charset=utf-8');
    expect(await webserver.ask('curl -sf 10.0.0.1/')).toMatch(/^<pre>\n[^]*<a href="etc\/">etc\/<\/a>\n/);
    const porter = pair('agnhost', ['/agnhost', 'porter'], {
      env: { SERVE_PORT_81: 'plain', SERVE_TLS_PORT_444: 'secure' },
    });
    expect(await porter.ask('curl -s 10.0.0.1:81; curl -sk https://10.0.0.1:444; curl -s 10.0.0.1:444')).toBe(
      'plainsecureClient sent an HTTP request to an HTTPS server.\n',
    );
    const book = agnhost('guestbook', '--http-port', '6379');
    expect(await book.ask('curl -s "10.0.0.1:6379/set?key=a&value=b"; curl -s "10.0.0.1:6379/get?key=a"')).toBe(
      '{"message":"Updated"}{"data":"b"}',
    );
  });

  test.each([
    ['<a href="/x">test</a>', 'text/html; charset=utf-8'],
    ['  <!DOCTYPE html><p>x', 'text/html; charset=utf-8'],
    ['<article>', 'text/plain; charset=utf-8'],
    ['foo <a>', 'text/plain; charset=utf-8'],
  ])('a body %j without a type is sent as %s', async (body, type) => {
    const { ask } = pair('agnhost', ['/agnhost', 'porter'], { env: { SERVE_PORT_80: body } });
    expect(await ask('curl -si 10.0.0.1:80 | grep -i content-type')).toContain(type);
  });

  test.each([
    ['', 2, 'Expected to read 3 bytes from client, but got 0 instead. err=EOF'],
    ['ab', 2, 'Expected to read 3 bytes from client, but got 2 instead. err=<nil>'],
    ['abd', 3, 'Expect to read "abc", but got "abd". err=<nil>'],
    ['abc', 0, 'Received expected client data'],
  ])('port-forward-tester ends as it should where %j is sent', async (sent, code, said) => {
    const env = { BIND_PORT: '80', EXPECTED_CLIENT_DATA: 'abc' };
    const { ask, server, started } = pair('agnhost', ['/agnhost', 'port-forward-tester'], { env });
    await ask(`printf '${sent}' | nc -w 1 10.0.0.1 80`);
    const ran = await server.until(started.done);
    expect([ran.code, ran.stdout + ran.stderr]).toEqual([code, expect.stringContaining(said)]);
  });

  test.each([
    ['10.0.0.1:8080', 0, ''],
    ['10.0.0.1:81', 1, 'REFUSED'],
    ['nowhere:80', 1, 'DNS'],
    ['10.0.0.99:80', 1, 'OTHER'],
  ])('connect to %s', async (target, code, word) => {
    const ran = await agnhost('netexec').ask(`sleep 1; /agnhost connect ${target} 2>&1; echo $?`);
    expect(ran).toContain(word);
    expect(ran.endsWith(`${code}\n`)).toBe(true);
  });

  test.each([
    ['--protocol=udp 10.0.0.1:80', 0, ''],
    ['--protocol=sctp 10.0.0.1:80', 0, ''],
    ['--protocol=tcp 10.0.0.1:80', 0, ''],
    ['--protocol=udp 10.0.0.1:81', 1, 'REFUSED: '],
    ['--protocol=sctp 10.0.0.1:81', 1, 'OTHER: connection refused'],
    ['--protocol=udp --timeout=1s 10.0.0.1:82', 1, 'TIMEOUT: '],
    ['--protocol=sctp --timeout=1s 10.0.0.1:82', 1, 'TIMEOUT'],
    ['--protocol=sctp 10.0.0.1:83', 1, 'OTHER: '],
    ['--protocol=sctp 10.0.0.1:84', 0, ''],
    ['--protocol=icmp 10.0.0.1:80', 1, 'Unsupported protocol\nicmp'],
    ['nonsense', 1, 'UNKNOWN: address nonsense: missing port in address'],
  ])('connect %s', async (args, code, text) => {
    const env = { SERVE_PORT_80: 'a', SERVE_UDP_PORT_80: 'b', SERVE_SCTP_PORT_80: 'c' };
    const { network, ask } = pair('agnhost', ['/agnhost', 'porter'], { env });
    // One port receives and never answers; on another the server hangs up; on a third it greets before it hangs up.
    network.at('10.0.0.1').bind(82, () => undefined);
    network.at('10.0.0.1').listen(82, () => undefined, { protocol: 'SCTP' });
    network.at('10.0.0.1').listen(83, ({ stream }) => stream.release(), { protocol: 'SCTP' });
    const greet = ({ stream }: Connection): void => void stream.write(encodeText('d')).then(() => stream.release());
    network.at('10.0.0.1').listen(84, greet, { protocol: 'SCTP' });
    const ran = await ask(`sleep 1; /agnhost connect ${args} 2>&1; echo $?`);
    expect(ran.startsWith(code === 0 ? '0\n' : text)).toBe(true);
    expect(ran.endsWith(`${code}\n`)).toBe(true);
  });

  test('entrypoint-tester prints its words, logs-generator its lines, an unknown subcommand fails', async () => {
    const box = new Box({ image: 'agnhost' });
    expect((await box.run(['/agnhost-2', 'entrypoint-tester', 'a'])).stdout).toBe('[/agnhost-2 entrypoint-tester a]\n');
    const ran = await box.run(['/agnhost', 'logs-generator', '--log-lines-total', '10', '--run-duration', '5s']);
    expect(ran.stderr.split('\n')).toHaveLength(11);
    expect(ran.took).toBeGreaterThanOrEqual(5000);
    expect((await box.run(['/agnhost', 'nonsense'])).code).toBe(1);
  });

  test('mounttest tells of files', async () => {
    const box = new Box({ image: 'agnhost' });
    const ran = await box.run([
      '/agnhost',
      'mounttest',
      '--fs_type=/dev',
      '--new_file_0644=/dev/f',
      '--file_perm=/dev/f',
      '--file_mode=/tmp',
    ]);
    expect(ran.stdout).toBe(
      'mount type of "/dev": tmpfs\ncontent of file "/dev/f": mount-tester new file\n\nmode of file "/tmp": dtrwxrwxrwx\nperms of file "/dev/f": -rw-r--r--\n',
    );
  });

  test('webhook reviews over TLS only', async () => {
    const { client } = pair('agnhost', ['/agnhost', 'webhook', '--tls-cert-file=/localhost.crt', '--port=8444']);
    const review = JSON.stringify({
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      request: { uid: 'u', operation: 'CREATE', object: { data: { 'mutation-start': 'yes' } } },
    });
    const ran = await client.sh(`curl -sk -d '${review}' https://10.0.0.1:8444/mutating-configmaps`);
    const { response } = JSON.parse(ran.stdout) as { response: { patch: string } };
    expect(JSON.parse(atob(response.patch))).toEqual([{ op: 'add', path: '/data/mutation-stage-1', value: 'yes' }]);
  });
});

describe('names', () => {
  const records: DnsRecord[] = [
    { type: 'A', name: 'svc.default.svc.cluster.local.', ttl: 30, address: '10.96.0.7' },
    {
      type: 'SRV',
      name: '_http._tcp.svc',
      ttl: 30,
      priority: 0,
      weight: 100,
      port: 80,
      target: 'svc.default.svc.cluster.local.',
    },
  ];
  const box = () => {
    const network = new LoopbackNetwork();
    network.name('svc', records);
    return new Box({ image: 'agnhost', network: network.at('10.0.0.1') });
  };

  test.each([
    ['dig +short svc A', '10.96.0.7\n'],
    [
      'dig +notcp +noall +answer +search svc SRV',
      '_http._tcp.svc.\t30\tIN\tSRV\t0 100 80 svc.default.svc.cluster.local.\n',
    ],
    ['nslookup svc | tail -3', 'Name:\tsvc.default.svc.cluster.local\nAddress: 10.96.0.7\n\n'],
    ['getent hosts svc', '10.96.0.7       svc.default.svc.cluster.local\n'],
    ['nslookup nothing >/dev/null; echo $?; getent hosts nothing; echo $?', '1\n2\n'],
  ])('%s', async (script, stdout) => {
    expect((await box().sh(script)).stdout).toBe(stdout);
  });
});

describe('HTTP over a stream', () => {
  test.each([
    ['a body by its length', 'POST /a?b HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabcGET', 'abc'],
    ['a body in chunks', 'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n', 'abc'],
    ['no body', 'GET / HTTP/1.1\nHost: x\n\n', ''],
  ])('reads %s', async (_, text, body) => {
    expect(decodeText((await readRequest(textSource(text)))?.body ?? new Uint8Array())).toBe(body);
  });

  test.each([
    'nonsense\r\n\r\n',
    'GET / HTTP/1.1\r\nno colon\r\n\r\n',
    'POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nabc',
    'POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n',
  ])('refuses %j', async (text) => {
    await expect(readRequest(textSource(text))).rejects.toThrow(HttpError);
  });

  test('reads an answer without a length to its end', async () => {
    const { input, output } = pipe();
    await output.write(encodeText('HTTP/1.0 200 OK\r\n\r\nab'));
    await output.write(encodeText('c'));
    output.release();
    expect(decodeText((await readResponse(input, false)).body)).toBe('abc');
  });
});

test.each([
  ['plain', 'text/plain; charset=utf-8'],
  ['', 'text/plain; charset=utf-8'],
  ['<a href="/x">x</a>', 'text/html; charset=utf-8'],
  ['  <!doctype html>', 'text/html; charset=utf-8'],
  ['<abbr>', 'text/plain; charset=utf-8'],
  ['text <a href="/x">', 'text/plain; charset=utf-8'],
  ['<?xml version="1.0"?>', 'text/xml; charset=utf-8'],
  ['\x00\x01', 'application/octet-stream'],
  ['\x1b[1mbold', 'text/plain; charset=utf-8'],
])('a server that is not told takes %j for %s', (body, type) => {
  expect(sniffedType(encodeText(body))).toBe(type);
});
