/** Parts of what a node does for containers, by tables: host paths, logs, variables, the words of failed starts. */
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { ConfigMap, Pod, Secret, Service } from '../../../src/client/index.ts';
import { namesOf } from '../../../src/names/index.ts';
import { Keeper } from '../../../src/node/keeping/keeper.ts';
import { keepLog, keptLog, logsOfPod, podUidOf } from '../../../src/node/keeping/logs.ts';
import { readLogs, type LogOptions } from '../../../src/node/logs.ts';
import { subPathOf, variablesOf } from '../../../src/node/pod/configuration.ts';
import { startText } from '../../../src/node/pod/containerProcess.ts';
import { portNumber } from '../../../src/node/pod/handlers.ts';
import { LogBuffer } from '../../../src/node/pod/logBuffer.ts';
import { serviceVariables } from '../../../src/node/pod/variables.ts';
import { forgetHostTree, hostNode, hostTree, hostTreeOf, wayTo } from '../../../src/node/volumes/hostFiles.ts';
import { SystemError, type DirectoryNode, type Tree } from '../../../src/programs/index.ts';
import type { objects } from '../../../src/schema/index.ts';
import { decodeText, manualClock } from '../../../src/std/index.ts';

const read = <T>(text: string): T => parse(text) as T;
const podOf = (text: string): Pod => ({ metadata: {}, status: {}, spec: {}, ...read<object>(text) }) as Pod;

describe('a host path', () => {
  const tree = () => hostTree('n', namesOf('cluster.io'), () => 0);

  test.each([
    ['/etc', '', 'directory'],
    ['/etc', 'Directory', 'directory'],
    ['/etc', 'DirectoryOrCreate', 'directory'],
    ['/etc/hostname', '', 'file'],
    ['/etc/hostname', 'File', 'file'],
    ['/etc/hostname', 'FileOrCreate', 'file'],
    ['/new/one', '', 'directory'],
    ['/new', 'DirectoryOrCreate', 'directory'],
    ['/etc/new', 'FileOrCreate', 'file'],
  ])('%s of type %j is a %s', (path, type, is) => {
    expect(hostNode(tree(), path, type).type).toBe(is);
  });

  test.each([
    ['/etc', 'File', 'a file'],
    ['/etc', 'FileOrCreate', 'a file'],
    ['/etc/hostname', 'Directory', 'a directory'],
    ['/etc/hostname', 'DirectoryOrCreate', 'a directory'],
    ['/none', 'Directory', 'a directory'],
    ['/none', 'File', 'a file'],
    ['/none', 'Socket', 'a socket file'],
    ['/none', 'CharDevice', 'a character device'],
    ['/none', 'BlockDevice', 'a block device'],
    ['/etc/hostname/below', '', 'a directory'],
    ['/etc/hostname/below', 'DirectoryOrCreate', 'a directory'],
  ])('%s of type %j is not %s', (path, type, what) => {
    expect(() => hostNode(tree(), path, type)).toThrow(`hostPath type check failed: ${path} is not ${what}`);
  });

  test.each([
    ['/var/log/pods', 4, true],
    ['/', 1, true],
    ['/var/none/pods', 2, false],
    ['/etc/hostname', 2, false],
  ])('%s has %d directories on its way, and ends in one: %s', (path, length, ends) => {
    const { way, end } = wayTo(tree(), path);
    expect([way.length, end === way.at(-1)]).toEqual([length, ends]);
  });

  test('leads into the usual directories and files of a node', () => {
    const { root } = tree();
    const all: string[] = [];
    const walk = (directory: DirectoryNode, path: string): void => {
      for (const [name, entry] of directory.entries) {
        all.push(`${path}${name}${entry.type === 'file' ? ` ${JSON.stringify(decodeText(entry.content))}` : ''}`);
        if (entry.type === 'directory') walk(entry, `${path}${name}/`);
      }
    };
    walk(root, '/');
    expect(all.sort()).toEqual([
      '/etc',
      '/etc/cluster',
      '/etc/cluster/manifests',
      '/etc/hostname "n\\n"',
      '/etc/hosts "127.0.0.1\\tlocalhost\\n127.0.1.1\\tn\\n"',
      `/etc/machine-id "${'0'.repeat(32)}\\n"`,
      '/etc/os-release "NAME=\\"Vitrine (simulated)\\"\\nID=vitrine\\n"',
      '/etc/resolv.conf "nameserver 192.168.49.1\\n"',
      ...['/home', '/opt', '/run', '/srv', '/tmp', '/var', '/var/lib', '/var/log', '/var/log/containers'],
      ...['/var/log/pods', '/var/run'],
    ]);
  });

  test.each<[string, boolean, (tree: Tree) => unknown]>([
    ['nobody has looked at', false, () => undefined],
    ['somebody has looked at', false, ({ root }) => [...root.entries]],
    ['have a file more', true, (files) => files.file('var/log/mine', '')],
    ['have another file', true, (files) => files.file('etc/hostname', 'm\n')],
    ['have a directory more', true, (files) => hostNode(files, '/data', 'DirectoryOrCreate')],
    ['have other rights', true, (files) => (files.directory('srv').mode = 0o700)],
    ['lack something', true, (files) => files.remove('home')],
    ['have something else of that name', true, (files) => [files.remove('home'), files.file('home', '')]],
  ])('of a deleted node with files that %s is there for another of that name: %s', (_, stays, change) => {
    const [kept, names, now] = [new Map<string, Tree>(), namesOf('cluster.io'), () => 5];
    const files = hostTreeOf(kept, 'n', names, now);
    change(files);
    forgetHostTree(kept, 'n', names);
    forgetHostTree(kept, 'never was', names);
    expect(kept.size).toBe(stays ? 1 : 0);
    expect(hostTreeOf(kept, 'n', names, now) === files).toBe(stays);
  });

  test('a temporary directory is for everybody', () => {
    expect(hostNode(tree(), '/tmp', 'Directory').mode & 0o7777).toBe(0o1777);
  });
});

describe('a log', () => {
  const at = (seconds: number): number => Date.UTC(2021, 0, 1, 0, 0, seconds);
  const filled = (): LogBuffer =>
    new LogBuffer(
      () => at(9),
      [1, 2, 3].map((n) => ({ at: at(n), text: `${n}\n` })),
    );
  const all = async (options: LogOptions, log = filled(), signal?: AbortSignal): Promise<string> => {
    let text = '';
    for await (const line of readLogs(log, options, manualClock(at(4)), signal)) text += line;
    return text;
  };

  test.each<[LogOptions, string]>([
    [{}, '1\n2\n3\n'],
    [{ tailLines: 2 }, '2\n3\n'],
    [{ tailLines: 0 }, ''],
    [{ tailLines: 9 }, '1\n2\n3\n'],
    [{ sinceSeconds: 2 }, '2\n3\n'],
    [{ sinceSeconds: 60 }, '1\n2\n3\n'],
    [{ sinceTime: '2021-01-01T00:00:03Z' }, '3\n'],
    [{ sinceTime: '2021-01-01T00:00:02Z', tailLines: 1 }, '3\n'],
    [{ sinceTime: '2021-01-01T00:00:01Z', sinceSeconds: 1 }, '3\n'],
    [{ tailLines: 1, timestamps: true }, '2021-01-01T00:00:03.000000000Z 3\n'],
    [{ follow: true, previous: true }, '1\n2\n3\n'],
  ])('with %j shows %j', async (options, text) => {
    expect(await all(options)).toBe(text);
  });

  test('loses its oldest lines beyond 1 MiB, but never its newest one', () => {
    const log = new LogBuffer(() => 0);
    const stream = log.stream();
    const say = (length: number): void => void stream.write(new TextEncoder().encode(`${'x'.repeat(length - 1)}\n`));
    const lengths = (): number[] => log.from(0).map(({ text }) => text.length);
    say(2 ** 20 - 1);
    say(1);
    expect([lengths(), log.size, log.end]).toEqual([[2 ** 20 - 1, 1], 2 ** 20, 2]);
    say(2);
    expect([lengths(), log.size, log.end]).toEqual([[1, 2], 3, 3]);
    say(2 ** 20 + 1);
    expect([lengths(), log.size, log.end]).toEqual([[2 ** 20 + 1], 2 ** 20 + 1, 4]);
    expect(log.from(3)).toHaveLength(1);
  });

  test('that is followed ends for a reader who is gone', async () => {
    expect(await all({ follow: true }, filled(), AbortSignal.abort())).toBe('1\n2\n3\n');
  });
});

describe('a log that outlives its node', () => {
  const run = { node: 'n', podUid: 'u', container: 'c', id: 'r1' };

  test('has two keys for each container of the pod', () => {
    const pod = podOf(
      '{metadata: {uid: u}, spec: {containers: [{name: a}], initContainers: [{name: b}], ephemeralContainers: [{name: c}]}}',
    );
    expect(logsOfPod('n', pod)).toEqual(
      ['b', 'a', 'c'].flatMap((name) => [`logs/n/u/${name}/0`, `logs/n/u/${name}/1`]),
    );
    expect(logsOfPod('n', podOf('{metadata: {uid: u}}'))).toEqual([]);
    expect([podUidOf('logs/n/u/a/0'), podUidOf('logs')]).toEqual(['u', '']);
  });

  async function kept(write: (log: LogBuffer) => void, restarts = 0): Promise<Map<string, string>> {
    const texts = new Map<string, string>();
    const clock = manualClock(0);
    const data = {
      all: () => [],
      get: (key: string) => texts.get(key),
      write: async (changes: ReadonlyMap<string, string | undefined>) => {
        for (const [key, text] of changes) texts.set(key, text ?? '');
      },
    };
    const keeper = new Keeper({ data, clock, onProblem: () => undefined });
    const log = new LogBuffer(() => 5);
    keepLog(keeper, run, restarts, log);
    write(log);
    await clock.step(60_000);
    return texts;
  }
  const say = (text: string) => (log: LogBuffer) => void log.stream().write(new TextEncoder().encode(text));
  const restored = (texts: ReadonlyMap<string, string>, id = 'r1'): readonly unknown[] | undefined => {
    const data = { all: () => [], get: (key: string) => texts.get(key), write: async () => undefined };
    const keeper = new Keeper({ data, clock: manualClock(0), onProblem: () => undefined });
    return keptLog(keeper, { ...run, id }, () => 9)
      ?.from(0)
      .map(({ at, text }) => `${at} ${text}`);
  };

  test.each([
    [0, '/0'],
    [1, '/1'],
    [2, '/0'],
  ])('after %d restarts is kept at %s', async (restarts, slot) => {
    expect([...(await kept(say('a\n'), restarts)).keys()]).toEqual([`logs/n/u/c${slot}`]);
  });

  test('comes back with its times, for its own run only', async () => {
    const texts = await kept(say('a\nb\n'));
    expect(restored(texts)).toEqual(['5 a\n', '5 b\n']);
    expect(restored(texts, 'r2')).toBeUndefined();
  });

  test.each<[string, string[] | undefined]>([
    ['["r1",[[5,"a"],7,null,[],[5],["5","b"],[5,6],[6,"c"]]]', ['5 a', '6 c']],
    ['["r1",[]]', []],
    ['["r1"]', undefined],
    ['["r1","a"]', undefined],
    ['{"0":"r1","1":[]}', undefined],
    ['null', undefined],
    ['(hidden)', undefined],
    ['', undefined],
  ])('of the text %s comes back as %j', (text, lines) => {
    expect(restored(new Map([['logs/n/u/c/0', text]]))).toEqual(lines);
  });

  test('comes back from the place of either run', () =>
    expect(
      restored(
        new Map([
          ['logs/n/u/c/0', '["r0",[[1,"a"]]]'],
          ['logs/n/u/c/1', '["r1",[[2,"b"]]]'],
        ]),
      ),
    ).toEqual(['2 b']));

  test('is told to nobody where nothing is kept', () => {
    const log = new LogBuffer(() => 5);
    keepLog(new Keeper({ data: undefined, clock: manualClock(0), onProblem: () => undefined }), run, 0, log);
    expect(log.onLine).toBeUndefined();
  });

  test('loses its oldest lines, and the beginning of a line that is too long', async () => {
    const many = Array.from({ length: 3000 }, (_, i) => `line ${i}\n`).join('');
    const lines = restored(await kept(say(many))) ?? [];
    expect(lines.at(-1)).toBe('5 line 2999\n');
    expect(lines.length).toBeGreaterThan(500);
    expect(lines.length).toBeLessThan(1000);
    expect(restored(await kept(say(`${'x'.repeat(16_380)}\n`)))).toEqual([`5 ${'x'.repeat(2047)}\n`]);
  });

  test.each(['', '7', '{}', '["r1"]', '["r1",7]', '["other",[[1,"a"]]]'])('is none where %j is kept', (text) => {
    expect(restored(new Map([['logs/n/u/c/0', text]]))).toBeUndefined();
  });

  test('leaves out what is no line', () => {
    const text = '["r1",[[1,"a"],["1","b"],[2],7,[3,"c"]]]';
    expect(restored(new Map([['logs/n/u/c/1', text]]))).toEqual(['1 a', '3 c']);
  });
});

describe('the variables of a container', () => {
  const where = {
    pod: podOf('{metadata: {name: p, namespace: n}}'),
    podIP: '10.1.1.1',
    hostIP: '10.0.0.1',
    allocatable: {},
  };
  const sources = {
    configMap: async (name: string) =>
      name === 'm' ? read<ConfigMap>('{data: {a: "1", b.c: "2", 9d: "3", d=e: "4"}}') : undefined,
    secret: async (name: string) => (name === 's' ? read<Secret>('{data: {k: dmFsdWU=, bad: "%"}}') : undefined),
  };
  const of = async (text: string, services: ReadonlyMap<string, string> = new Map()): Promise<unknown> =>
    Object.fromEntries(await variablesOf(read<objects.Container>(text), services, where, sources));

  test.each([
    [
      '{env: [{name: A, value: x}, {name: B, value: $(A)-$(S)-$(C)}, {name: C}]}',
      { A: 'x', B: 'x-service-$(C)', C: '' },
    ],
    ['{env: [{name: S, value: own}]}', { S: 'own' }],
    ['{envFrom: [{configMapRef: {name: m}}]}', { a: '1', 'b.c': '2' }],
    ['{envFrom: [{prefix: P_, configMapRef: {name: m}}]}', { P_a: '1', 'P_b.c': '2', P_9d: '3' }],
    ['{envFrom: [{secretRef: {name: s}}]}', { k: 'value', bad: '' }],
    ['{envFrom: [{configMapRef: {name: x, optional: true}}, {secretRef: {name: x, optional: true}}, {}]}', {}],
    ['{envFrom: [{configMapRef: {name: m}}], env: [{name: a, value: "9"}]}', { a: '9', 'b.c': '2' }],
    ['{env: [{name: A, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]}', { A: 'p' }],
    ['{env: [{name: A, valueFrom: {fieldRef: {fieldPath: none}}}, {name: B, valueFrom: {}}]}', { A: '' }],
    ['{env: [{name: A, valueFrom: {configMapKeyRef: {name: m, key: b.c}}}]}', { A: '2' }],
    ['{env: [{name: A, valueFrom: {secretKeyRef: {name: s, key: k}}}]}', { A: 'value' }],
    ['{env: [{name: A, valueFrom: {configMapKeyRef: {name: m, key: z, optional: true}}}]}', {}],
    ['{env: [{name: A, valueFrom: {secretKeyRef: {name: x, key: z, optional: true}}}]}', {}],
  ])('%s are %j', async (text, variables) => {
    expect(await of(text, new Map([['S', 'service']]))).toEqual({ S: 'service', ...variables });
  });

  test.each([
    ['{envFrom: [{configMapRef: {name: x}}]}', 'configmap "x" not found'],
    ['{envFrom: [{secretRef: {name: x}}]}', 'secret "x" not found'],
    ['{env: [{name: A, valueFrom: {configMapKeyRef: {name: x, key: k}}}]}', 'configmap "x" not found'],
    ['{env: [{name: A, valueFrom: {secretKeyRef: {name: x, key: k}}}]}', 'secret "x" not found'],
    ['{env: [{name: A, valueFrom: {configMapKeyRef: {name: m, key: z}}}]}', "couldn't find key z in ConfigMap n/m"],
    ['{env: [{name: A, valueFrom: {secretKeyRef: {name: s, key: z}}}]}', "couldn't find key z in Secret n/s"],
  ])('%s cannot be read: %s', async (text, message) => {
    await expect(of(text)).rejects.toThrow(message);
  });

  const service = (namespace: string, name: string, address: string): Service =>
    read(`{metadata: {namespace: ${namespace}, name: ${name}}, spec: {clusterIP: "${address}", ports: [{port: 80}]}}`);
  test.each([
    ['n', true, { OWN: '10.2.0.1', APISERVER: '10.2.0.9' }],
    ['n', false, { APISERVER: '10.2.0.9' }],
    ['default', true, { APISERVER: '10.2.0.9', OTHER: '10.2.0.3' }],
    ['m', true, { APISERVER: '10.2.0.4' }],
  ])('in namespace %s, with links %s, have the hosts %j', (namespace, links, hosts) => {
    const services = [
      service('m', 'apiserver', '10.2.0.4'),
      service('n', 'own', '10.2.0.1'),
      service('n', 'headless', 'None'),
      service('n', 'external', ''),
      service('default', 'apiserver', '10.2.0.9'),
      service('default', 'other', '10.2.0.3'),
    ];
    for (const order of [services, [...services].reverse()]) {
      const found = [...serviceVariables(order, namespace, links, 'apiserver')].filter(([name]) =>
        name.endsWith('_HOST'),
      );
      expect(Object.fromEntries(found.map(([name, value]) => [name.replace('_SERVICE_HOST', ''), value]))).toEqual(
        hosts,
      );
    }
  });
});

describe('a path below a volume', () => {
  const variables = new Map([
    ['A', 'a'],
    ['UP', '../b'],
    ['EMPTY', ''],
  ]);
  test.each([
    ['{}', ''],
    ['{subPath: a/b}', 'a/b'],
    ['{subPath: $(A)}', '$(A)'],
    ['{subPathExpr: x-$(A)}', 'x-a'],
    ['{subPath: a..b}', 'a..b'],
  ])('%s is %j', (mount, path) => {
    expect(subPathOf(read(mount), variables)).toBe(path);
  });

  test.each([
    ['{subPath: /a}', 'error SubPath `/a` must not be an absolute path'],
    ['{subPath: a/../b}', "unable to provision SubPath `a/../b`: must not contain '..'"],
    ['{subPathExpr: $(UP)}', "unable to provision SubPath `../b`: must not contain '..'"],
    ['{subPathExpr: $(NONE)}', 'missing value for "NONE"'],
    ['{subPathExpr: $(EMPTY)}', 'missing value for "EMPTY"'],
  ])('%s is refused: %s', (mount, message) => {
    expect(() => subPathOf(read(mount), variables)).toThrow(message);
  });
});

test.each([
  ['run', 'ENOENT', 'exec: "run": executable file not found in $PATH: unknown'],
  ['/bin/run', 'ENOENT', 'exec: "/bin/run": stat /bin/run: no such file or directory: unknown'],
  ['/bin/run', 'EACCES', 'exec: "/bin/run": permission denied: unknown'],
  ['run', 'EACCES', 'exec: "run": permission denied: unknown'],
] as const)('the start of %s that fails with %s says %s', (name, code, text) => {
  expect(startText(name, new SystemError(code, name))).toBe(
    `failed to create containerd task: OCI runtime create failed: container_linux.go:370: starting container process caused: ${text}`,
  );
});

test.each([
  [80, 80],
  ['web', 8080],
  ['81', 81],
])('port %s of a probe is %d', (port, number) => {
  expect(portNumber(port, read('{ports: [{containerPort: 1}, {name: web, containerPort: 8080}]}'))).toBe(number);
});
