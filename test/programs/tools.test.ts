import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { serveHttp } from '../../src/programs/network/index.ts';
import type { Listener, Process } from '../../src/programs/index.ts';
import { Device, Tree } from '../../src/programs/index.ts';
import { Box } from './harness.ts';

const FILES = {
  'etc/fruit': 'apple 3\nbanana 1\ncherry 2\napple 5\n',
  'etc/hosts': '127.0.0.1\tlocalhost\n10.0.0.1\tbox.sub.default.svc box\n',
  'etc/resolv.conf': 'nameserver 10.96.0.10\nsearch default.svc.cluster.local svc.cluster.local\n',
  'srv/tree/a.txt': 'one\n',
  'srv/tree/sub/b.txt': 'two\n',
};

interface Case {
  readonly script: string;
  readonly stdout: string;
  readonly code: number;
}

type Row = readonly [script: string, stdout: string, code?: number];

const caseOf = ([script, stdout, code = 0]: Row): Case => ({ script, stdout, code });

const table = (name: string, rows: readonly Row[]): void => {
  describe(name, () => {
    test.each(rows.map(caseOf))('$script', async ({ script, stdout, code }) => {
      const ran = await new Box({ image: 'agnhost', files: FILES }).sh(script);
      expect({ stdout: ran.stdout, code: ran.code }, ran.stderr).toEqual({ stdout, code });
    });
  });
};

table('text', [
  ['cat /etc/fruit | head -n 1', 'apple 3\n'],
  ['cat /nothing', '', 1],
  ['cat -n /srv/tree/a.txt', '     1\tone\n'],
  ['head -c 5 /etc/fruit', 'apple'],
  ['head -n -3 /etc/fruit', 'apple 3\n'],
  ['tail -n 1 /etc/fruit; tail -n +4 /etc/fruit; tail -c 2 /etc/fruit', 'apple 5\napple 5\n5\n'],
  ['wc -l < /etc/fruit; wc -w /etc/fruit; wc -c /etc/fruit', '4\n8 /etc/fruit\n34 /etc/fruit\n'],
  ['cut -d" " -f2 /etc/fruit | sort -n | tr "\\n" ,', '1,2,3,5,'],
  ['cut -c1-3 /etc/fruit | uniq -c | sort -rn | head -1', '      1 che\n'],
  ['sort -u -k1,1 /etc/fruit', 'apple 3\nbanana 1\ncherry 2\n'],
  ['sort -t" " -k2 -rn /etc/fruit | head -1', 'apple 5\n'],
  ['printf "b\\na\\nB\\n" | sort -f', 'a\nB\nb\n'],
  ['echo hello | tr -d l; echo aabb | tr -s a; echo ab1 | tr -cd "[:digit:]"', 'heo\nabb\n1'],
  ['echo abc | tr a-c A-C; printf "x\\ty" | tr "\\t" " "', 'ABC\nx y'],
  ['seq 3; seq 2 4; seq 1 2 5; seq -s, 3 -1 1; seq -w 9 10', '1\n2\n3\n2\n3\n4\n1\n3\n5\n3,2,1\n09\n10\n'],
  ['echo a | tee /tmp/t; cat /tmp/t; echo b | tee -a /tmp/t; cat /tmp/t', 'a\na\nb\na\nb\n'],
  [
    'printf "%s-%d|" a 1 b 2; printf "%05d %x %o %.2f %5s|%-5s|\\n" 42 255 8 3.14159 ab cd',
    'a-1|b-2|00042 ff 10 3.14    ab|cd   |\n',
  ],
  ['printf "%*s|%.*f|%.*f|" x a -1 1.5 1000 0.5 | cut -c1-20', 'a|1.500000|0.5000000\n'],
  [
    'printf "%999999999999s" a | wc -c; printf "%*d" 99999999999 1 | wc -c; printf %.99999999999d 7 | wc -c',
    '1000000\n1000000\n1000000\n',
  ],
  ['echo -e "a\\tb\\c"; echo -n x', 'a\tbx'],
  [
    'printf "a b\\nc\\n" | xargs echo; printf "1 2 3" | xargs -n 1 echo n; printf "x\\ny\\n" | xargs -I{} echo "<{}>"',
    'a b c\nn 1\nn 2\nn 3\n<x>\n<y>\n',
  ],
]);

table('grep', [
  ['grep apple /etc/fruit', 'apple 3\napple 5\n'],
  [
    'grep -c apple /etc/fruit; grep -n ban /etc/fruit; grep -v -i APPLE /etc/fruit',
    '2\n2:banana 1\nbanana 1\ncherry 2\n',
  ],
  ['grep -o "[0-9]*" /etc/fruit', '3\n1\n2\n5\n'],
  ['grep -E "^(b|c).* [12]$" /etc/fruit', 'banana 1\ncherry 2\n'],
  ['grep -q nothing /etc/fruit; echo $?', '1\n'],
  ['grep -rl two /srv', '/srv/tree/sub/b.txt\n'],
  ['grep -F "a.c" <<< "abc"; echo $?; grep -w app /etc/fruit; echo $?', '1\n1\n'],
  ['grep -A1 -B1 banana /etc/fruit', 'apple 3\nbanana 1\ncherry 2\n'],
  ['grep "a\\{2\\}" <<< "xaay"; grep -e one -e two /srv/tree/a.txt', 'xaay\none\n'],
  ['grep "(" <<< "f(x)"; grep -E "(" <<< x; echo $?', 'f(x)\n2\n'],
]);

table('sed', [
  ['sed s/apple/pear/ /etc/fruit | head -1', 'pear 3\n'],
  ["echo hello | sed 's/l*/X/g'", 'XhXeXoX\n'],
  ['sed -n 2p /etc/fruit; sed -n "2,3p" /etc/fruit; sed "$ d" /etc/fruit | wc -l', 'banana 1\nbanana 1\ncherry 2\n3\n'],
  ['echo aaa | sed s/a/b/2; echo aaa | sed s/a/b/g; echo AbC | sed s/b/x/I', 'aba\nbbb\nAxC\n'],
  [
    'echo "foo bar" | sed -E "s/(\\w+) (\\w+)/\\2 \\1/"; echo "foo bar" | sed "s/\\(foo\\)/[\\1&]/"',
    'bar foo\n[foofoo] bar\n',
  ],
  ['echo /a/b | sed s,/a,/x,; echo ab | sed y/ab/xy/', '/x/b\nxy\n'],
  ['sed -n "/ban/,/che/p" /etc/fruit', 'banana 1\ncherry 2\n'],
  ['sed "/apple/d" /etc/fruit; sed -i s/one/1/ /srv/tree/a.txt; cat /srv/tree/a.txt', 'banana 1\ncherry 2\n1\n'],
  ['printf "a\\nb\\n" | sed "N;s/\\n/+/"; printf "a\\n" | sed "a\\\\after"', 'a+b\na\nafter\n'],
  ['printf "x\\n" | sed -e "s/x/y/" -e "s/y/z/"; echo q | sed "s/q/Q/;q"', 'z\nQ\n'],
  ['echo aab | sed ":l;s/a/x/;tl"', 'xxb\n'],
]);

table('awk', [
  ["awk '{print $2}' /etc/fruit | head -1; awk '/ban/{print $1}' /etc/fruit", '3\nbanana\n'],
  ["awk '{s+=$2} END {print s, NR, s/NR}' /etc/fruit", '11 4 2.75\n'],
  ["awk '{c[$1]++} END {for (k in c) print k, c[k]}' /etc/fruit | sort", 'apple 2\nbanana 1\ncherry 1\n'],
  ["awk -F: '$3==0 {print $1}' /etc/passwd; echo a,b | awk -F, -v x=1 '{print $2 x}'", 'root\nb1\n'],
  ['awk \'BEGIN {for (i=0;i<3;i++) printf "%d ", i; exit 2}\'', '0 1 2 ', 2],
  ['awk \'BEGIN {x="hello"; print length(x), substr(x,2,3), index(x,"l"), toupper(x)}\'', '5 ell 3 HELLO\n'],
  ['echo \'a b c\' | awk \'{$2="X"; print; print NF; gsub(/[ac]/,"_"); print}\'', 'a X c\n3\n_ X _\n'],
  ["awk 'function f(n) {return n<2 ? 1 : n*f(n-1)} BEGIN {print f(5)}'", '120\n'],
  ['awk \'BEGIN {n=split("a:b:c",p,":"); print n, p[2]; if ("x" in p) print 1; else print 0}\'', '3 b\n0\n'],
  ["awk 'NR==2,NR==3' /etc/fruit; awk 'END{print $1}' /etc/fruit", 'banana 1\ncherry 2\napple\n'],
  ["awk 'BEGIN { while (i < 3) { i++; if (i == 2) continue; print i } }'", '1\n3\n'],
  ['awk \'BEGIN { print 1==1.0, "a"<"b", 2^3, 7%3, -3 }\'', '1 1 8 1 -3\n'],
  ['awk \'{ print > "/tmp/o" }\' /etc/fruit; wc -l < /tmp/o', '4\n'],
  ["awk 'BEGIN {'", '', 2],
  ['awk \'BEGIN { print (x == 0), (x == ""), x + 0 }\'', '1 1 0\n'],
  ["awk 'NR == FNR { seen[$1]; next } !($1 in seen)' /srv/tree/a.txt /etc/fruit | wc -l", '4\n'],
  ["awk '{ print FILENAME, FNR, NR }' /srv/tree/a.txt /srv/tree/sub/b.txt | tail -n 1", '/srv/tree/sub/b.txt 1 2\n'],
  [
    'awk \'BEGIN { s = "hello"; n = gsub(/l*/, "X", s); print n, s; print strftime("%Y-%m-%d", 86400) }\'',
    '4 XhXeXoX\n1970-01-02\n',
  ],
]);

table('files', [
  ['mkdir -p /tmp/a/b && touch /tmp/a/b/c && ls /tmp/a /tmp/a/b', '/tmp/a:\nb\n\n/tmp/a/b:\nc\n'],
  ['ls -l /srv/tree/a.txt | cut -c1-10; ls -d /srv/tree', '-rw-r--r--\n/srv/tree\n'],
  ['cp -r /srv/tree /tmp/t; cat /tmp/t/sub/b.txt; rm -r /tmp/t; ls /tmp/t', 'two\n', 1],
  [
    'mv -v /srv/tree/a.txt /tmp/; cp -v /tmp/a.txt /tmp/b',
    "'/srv/tree/a.txt' -> '/tmp/a.txt'\n'/tmp/a.txt' -> '/tmp/b'\n",
  ],
  ['stty size', '', 1],
  ['mv /srv/tree/a.txt /tmp/; cat /tmp/a.txt; mv /tmp/a.txt /tmp/z; ls /tmp', 'one\nz\n'],
  [
    'ln -s /srv/tree/a.txt /tmp/l; cat /tmp/l; readlink /tmp/l; readlink -f /tmp/l',
    'one\n/srv/tree/a.txt\n/srv/tree/a.txt\n',
  ],
  ['rm /nothing; echo $?; rm -f /nothing; echo $?; rm /srv; echo $?', '1\n0\n1\n'],
  [
    'chmod 640 /srv/tree/a.txt; stat -c "%a %s %U %F" /srv/tree/a.txt; chmod u+x,o=r /srv/tree/a.txt; stat -c %A /srv/tree/a.txt',
    '640 4 root regular file\n-rwxr--r--\n',
  ],
  [
    'find /srv -name "*.txt" | sort; find /srv -type d',
    '/srv/tree/a.txt\n/srv/tree/sub/b.txt\n/srv\n/srv/tree\n/srv/tree/sub\n',
  ],
  ['find /srv -type f -exec cat {} \\;', 'one\ntwo\n'],
  ['basename /a/b.c .c; dirname /a/b.c; realpath /srv/../etc', 'b\n/a\n/etc\n'],
  [
    '[ -f /srv/tree/a.txt ] && [ -d /srv ] && [ ! -e /x ] && [ -s /srv/tree/a.txt ] && test -x /bin/sh && echo ok',
    'ok\n',
  ],
  ['[ 1 -lt 2 -a a = a ] && [ "" = "" -o x = y ] && echo ok; [ 1 -eq ]; echo $?', 'ok\n2\n'],
  [
    'tar cf - -C /srv tree | tar tf - | sort; tar cf /tmp/x.tar -C /srv tree; mkdir /tmp/d; tar xf /tmp/x.tar -C /tmp/d; cat /tmp/d/tree/sub/b.txt',
    'tree/\ntree/a.txt\ntree/sub/\ntree/sub/b.txt\ntwo\n',
  ],
  ['echo x > /dev/null; cat /dev/null; head -c 2 /dev/zero | wc -c', '2\n'],
  ['rm -rf /bin/cat; cat /etc/fruit; echo $?', '127\n'],
]);

table('system', [
  [
    'md5sum /srv/tree/a.txt; echo -n "" | md5sum',
    '5bbf5a52328e7439ae6e719dfe712200  /srv/tree/a.txt\nd41d8cd98f00b204e9800998ecf8427e  -\n',
  ],
  ['echo -n abc | sha256sum', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  -\n'],
  ['echo hello | base64; echo aGVsbG8K | base64 -d', 'aGVsbG8K\nhello\n'],
  [
    'date -u +%Y-%m-%dT%H:%M:%S; date -d @0 +%F; date',
    '2026-01-01T00:00:00\n1970-01-01\nThu Jan  1 00:00:00 UTC 2026\n',
  ],
  ['hostname; hostname -f; uname; uname -m', 'box\nbox.sub.default.svc\nLinux\nx86_64\n'],
  ['id; id -u; whoami', 'uid=0(root) gid=0(root) groups=0(root)\n0\nroot\n'],
  ['env -i A=1 B=2 env; X=y printenv X', 'A=1\nB=2\ny\n'],
  ['timeout 1 sleep 5; echo $?; timeout 5 sleep 1; echo $?', '124\n0\n'],
  ['sleep x; echo $?', '1\n'],
  ['which sh; command -v nothing; echo $?', '/bin/sh\n127\n'],
  ['ps | tail -1 | sed "s/.* //"', 'ps\n'],
  ['mount | head -1', 'overlay on / type overlay (rw,relatime)\n'],
  ['getent hosts box', '10.0.0.1        box.sub.default.svc box\n'],
  [
    'agnhost dns-suffix 2>&1 || /agnhost dns-suffix; /agnhost dns-server-list',
    'sh: agnhost: not found\ndefault.svc.cluster.local,svc.cluster.local\n10.96.0.10\n',
  ],
]);

describe('rights', () => {
  const run = (script: string) => new Box({ files: FILES, uid: 1000 }).sh(script);

  test('a user may not write what is root’s', async () => {
    expect(
      await run('echo x > /etc/fruit; echo $?; touch /etc/new; echo $?; echo y > /tmp/mine && cat /tmp/mine'),
    ).toMatchObject({ stdout: '1\n1\ny\n' });
  });

  test('a user may not read what only root may', async () => {
    expect((await run('ls /root; echo $?')).stdout).toBe('1\n');
  });
});

describe('following a file', () => {
  test('`tail -f` writes what is appended, as soon as it is', async () => {
    const box = new Box();
    const tail = box.start(['sh', '-c', 'echo 1 > /tmp/log; tail -f /tmp/log']);
    await box.advance(200);
    await box.sh('echo 2 >> /tmp/log');
    await box.advance(200);
    expect(tail.read()).toBe('1\n2\n');
  });
});

describe('memory', () => {
  test('a process that holds more than the container may is killed', async () => {
    const box = new Box({ image: 'stress', memory: 100 * 1024 * 1024 });
    const ran = await box.run(['stress', '--vm', '1', '--vm-bytes', '250M', '--vm-hang', '1']);
    expect(ran.code).toBe(137);
  });

  test('a device takes no more bytes than it has', async () => {
    const ran = await new Box().sh('dd if=/dev/zero of=/tmp/big bs=1M count=65; echo $?');
    expect(ran.stdout).toBe('1\n');
    expect(ran.stderr).toContain('No space left on device');
  });
});

table('bytes', [
  [
    'echo 3sr+utD+/w== | base64 -d > /tmp/b; hexdump -C /tmp/b',
    '00000000  de ca fe ba d0 fe ff                              |.......|\n00000007\n',
  ],
  ['printf "abc" | hexdump', '0000000 6261 0063\n0000003\n'],
  ['head -c 48 /dev/zero | hexdump -C | tail -n 2', '*\n00000030\n'],
  [
    'printf "0123456789abcdefg" | hexdump -C -n 4',
    '00000000  30 31 32 33                                       |0123|\n00000004\n',
  ],
  ['printf "a\\n" | od -c; printf "ab" | od -An -t x1', '0000000   a  \\n\n0000002\n 61 62\n'],
  ['hexdump -C /nothing', '', 1],
]);

table('interfaces and the kernel', [
  ['ip -4 addr show dev eth0 | grep -c "inet 10.0.0.1/24"', '1\n'],
  ['ip route | head -n 1', 'default via 10.0.0.1 dev eth0 \n'],
  ['ip link add dummy0 type dummy 2>&1', 'ip: RTNETLINK answers: Operation not permitted\n', 2],
  ['ifconfig eth0 | grep -c "inet addr:10.0.0.1 "', '1\n'],
]);

describe('a program that throws', () => {
  afterEach(() => void vi.restoreAllMocks());

  test.each([
    ['something too large for the engine', () => 'x'.repeat(2 ** 30).padEnd(2 ** 30), 137, false],
    ['a value out of range, which is its own mistake', () => (1).toFixed(101), 139, true],
    ['endless recursion', () => ((): string => deeper())(), 139, true],
  ])('%s', async (_, fault, code, isTold) => {
    const box = new Box();
    box.tree.program('bin/faulty', () => Promise.resolve().then(() => fault().length));
    const told = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation(() => undefined);
    const ran = box.start(['faulty']);
    const { code: exit } = await ran.done;
    expect([exit, told.mock.calls.length > 0]).toEqual([code, isTold]);
  });

  const deeper = (): string => `${deeper()}x`;
});

describe('the room on a device', () => {
  test('is free again when a file is replaced or removed', () => {
    const device = new Device('tmpfs', 'tmpfs', 1000);
    const tree = new Tree(device, () => 0);
    for (let i = 0; i < 100; i++) tree.file('etc/config', 'x'.repeat(400 + (i % 2)));
    expect(device.used).toBe(401);
    tree.file('etc/sub/other', 'xy');
    tree.remove('etc');
    expect(device.used).toBe(0);
  });
});

test('a server that closes its port leaves nothing behind in its process', () => {
  const killed = new AbortController();
  let open = 0;
  const listen = (port: number): Listener => (open++, { port, close: () => open-- });
  const process = { killed: killed.signal, system: { network: { listen } } } as unknown as Process;
  for (let i = 0; i < 20; i++) serveHttp(process, 80, () => ({})).close();
  expect([open, getEventListeners(killed.signal, 'abort').length]).toEqual([0, 0]);
  serveHttp(process, 80, () => ({}));
  killed.abort();
  expect(open).toBe(0);
});
