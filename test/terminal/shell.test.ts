import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { RemoteCommand, TerminalSize } from '../../src/client/index.ts';
import { createCluster, type Cluster } from '../../src/cluster/index.ts';
import { realClock, type Clock } from '../../src/std/index.ts';
import { Console } from '../../src/terminal/machine/console.ts';
import { clusterOptions, fill, TOKEN } from '../cli/world.ts';
import { MemoryHomeStore, play, type Played } from './support.ts';

vi.setConfig({ testTimeout: 5000 });

const ARRAYS = 'arrays are not supported; keep the words in one variable: list="a b"; for each in $list; do ...';

describe('the shell runs what is typed', () => {
  test.each([
    ['a pipe', 'echo hi | tr a-z A-Z', 'HI'],
    ['several', 'echo a; echo b && echo c || echo d', 'a\nb\nc'],
    ['a failure', 'false || echo no', 'no'],
    ['quotes', `echo "a  b" 'c  d'`, 'a  b c  d'],
    ['variables', 'x=5; echo $x "$((x + 1))"', '5 6'],
    ['a loop', 'for i in 1 2 3; do echo $i; done | tail -2', '2\n3'],
    ['a here-document', 'cat <<EOF\none\ntwo\nEOF', 'one\ntwo'],
    ['a file', 'echo text > a.txt; cat a.txt; rm a.txt; ls', 'text'],
    ['no end of line', 'printf x', 'x'],
    ['nothing of the name', 'nothing', 'sh: nothing: not found'],
    ['a syntax error', 'echo )', 'sh: syntax error: unexpected ")"'],
    ['an array', 'pods=(a b)', `sh: syntax error: ${ARRAYS}`],
    ['an element that is set', 'pods[0]=a', `sh: syntax error: ${ARRAYS}`],
    ['an element', 'echo ${pods[0]}', `sh: syntax error: ${ARRAYS}`],
    ['the length of an array', 'echo "${#pods[@]}"', `sh: syntax error: ${ARRAYS}`],
    ['brackets that are no array', 'x=5; echo "$x[0]" a[0] ${x}[1]', '5[0] a[0] 5[1]'],
    ['a missing parameter, which ends the line', 'echo ${none?missing}; echo b', 'sh: none: missing'],
    ['a missing parameter, which ends a subshell', '(echo ${none?lost}; echo b); echo $?', 'sh: none: lost\n2'],
    ['a missing parameter under `set -u`', 'set -u; echo $none; echo b', 'sh: none: parameter not set'],
    ['a break outside of a loop', 'break; echo not reached', ''],
    ['sorting', 'printf "b\\na\\nb\\n" | sort | uniq -c | sed "s/^ *//"', '1 a\n2 b'],
    ['awk', `echo 'a b c' | awk '{print $2}'`, 'b'],
    ['wide characters', 'echo 漢字', '漢字'],
    ['long lists', 'seq 1 5000 | wc -l | tr -d " "', '5000'],
  ])('%s', async (_what, line, shown) => {
    const { line: run, terminal } = await play();
    expect(await run(line)).toBe(shown);
    terminal.end();
  });

  test('added files are in the folder where the shell is, and their names are typed', async () => {
    const { line, until, terminal, store } = await play();
    await line('mkdir work; cd work');
    const files = new Map([
      ['base/kustomization.yaml', 'resources: [c.yaml]\nnamePrefix: x-\n'],
      ['base/c.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n'],
    ]);
    const added = terminal.add(new Map([...files].map(([path, text]) => [path, new TextEncoder().encode(text)])));
    await added;
    expect(store.text('work/base/c.yaml')).toContain('ConfigMap');
    expect(await until('; ls base\r', /kustomization/)).toContain('c.yaml');
    terminal.end();
  });

  test('a file that an added one replaces is kept beside it', async () => {
    const { line, terminal, store } = await play();
    await line('echo mine > a.yaml');
    const added = new Map([['a.yaml', new TextEncoder().encode('yours')]]);
    await terminal.add(added);
    await terminal.add(added);
    expect([store.text('a.yaml'), store.text('a.yaml~')]).toEqual(['yours', 'mine\n']);
    terminal.end();
  });

  test('names of added files run nothing, and lead nowhere else', async () => {
    const { line, terminal, store } = await play();
    const bytes = new TextEncoder().encode('text');
    await terminal.add(new Map([['../../etc/a\r\necho $(id);\u202e.yaml', bytes]]));
    expect([...store.files.keys()]).toEqual(['etc/aecho $(id);.yaml']);
    expect(await line('')).not.toContain('uid=');
    terminal.end();
  });

  test('variables and the directory stay between lines', async () => {
    const { line, terminal } = await play();
    await line('mkdir -p a/b && cd a/b && x=1');
    expect(await line('echo $x; pwd')).toBe('1\n/home/you/a/b');
    expect(await line('cd; pwd')).toBe('/home/you');
    terminal.end();
  });

  test('the status tells of a line that a missing parameter ended', async () => {
    const { line, terminal } = await play();
    await line('echo ${none?missing} || echo no');
    expect(await line('echo $?')).toBe('2');
    terminal.end();
  });

  test('a new shell begins after exit', async () => {
    const { line, terminal } = await play();
    await line('x=1');
    await line('exit');
    expect(await line('echo "<$x>"')).toBe('<>');
    terminal.end();
  });

  test('what is typed ahead runs next', async () => {
    const { until, terminal } = await play();
    expect(await until('sleep 0.05\recho ahead\r', /\nahead\n/)).toContain('echo ahead');
    terminal.end();
  });

  test('what is typed while a command reads is its input, to Ctrl+D', async () => {
    const { until, line, terminal } = await play();
    await until('cat > a.txt\r', /a\.txt/);
    await until('first\rsecond\r\x04', /\$ $/);
    expect(await line('cat a.txt')).toBe('first\nsecond');
    terminal.end();
  });
});

describe('Ctrl+C', () => {
  test.each([
    ['a command', 'sleep 1000'],
    ['a pipe', 'sleep 1000 | cat'],
    ['a loop', 'while true; do sleep 0.01; done'],
    ['a busy loop', 'while true; do :; done'],
    ['a list', 'sleep 1000; echo not reached'],
    ['a substitution', 'echo $(sleep 1000)'],
    ['a command that reads', 'cat'],
  ])('ends %s', async (_what, text) => {
    const { until, line, terminal } = await play();
    await until(`${text}\r`, /\n/);
    expect(await until('\x03', /\$ $/)).not.toContain('not reached\n');
    expect(await line('echo $?')).toBe('130');
    terminal.end();
  });

  test('lets what runs in the background go on', async () => {
    const { until, line, terminal } = await play();
    await line('(sleep 0.2; echo done > a.txt) &');
    await until('sleep 1000\r', /\n/);
    await until('\x03', /\$ $/);
    expect(await line('wait; cat a.txt')).toBe('done');
    terminal.end();
  });

  test.each([
    ['the line', 'echo no'],
    ['a here-document', 'cat <<EOF\rno\r'],
    ['an open quote', "echo 'no\r"],
    ['a search of the history', '\x12ec'],
    ['a line of more rows than the screen', Array.from({ length: 50 }, () => 'echo no').join('\x1b\r')],
  ])('gives up %s', async (_what, typed) => {
    const { until, line, terminal } = await play();
    await line('echo earlier');
    await until(`${typed}\x03`, /\^C\n.*\$ $/);
    expect(await line('echo yes')).toBe('yes');
    terminal.end();
  });

  test('!! runs the last line again, shows it and keeps it', async () => {
    const { line, store, terminal } = await play();
    await line('echo one');
    expect(await line('!! two')).toBe('echo one two\none two');
    expect(await line('!nothing')).toBe('!nothing: event not found');
    expect(await line('echo $?')).toBe('0');
    expect(store.history).toEqual(['echo one', 'echo one two', 'echo $?']);
    terminal.end();
  });
});

describe('the home folder is kept', () => {
  test('files, folders and history are there in the next visit', async () => {
    const first = await play();
    await first.line('mkdir empty; mkdir -p a/b; echo one > a/b/c.txt; printf "#!/bin/sh\\necho ran\\n" > run.sh');
    await first.line('true');
    first.terminal.end();
    const { line, terminal } = await play({ store: new MemoryHomeStore(await first.store.read()) });
    expect(await line('find . | sort; cat a/b/c.txt; ./run.sh')).toBe(
      '.\n./a\n./a/b\n./a/b/c.txt\n./empty\n./run.sh\none\nran',
    );
    expect(await line('history | head -2 | cut -c1-20')).toMatch(/1 {2}mkdir empty.*\n.*2 {2}true/);
    terminal.end();
  });

  test('what is removed is gone', async () => {
    const { line, store, terminal } = await play();
    await line('echo one > a.txt; echo two > b.txt');
    await line('mv a.txt c.txt; rm b.txt');
    await line('true');
    expect([...store.files.keys()]).toEqual(['c.txt']);
    terminal.end();
  });

  test('more than there is room for is refused, and what was there stays', async () => {
    const { line, terminal } = await play();
    await line('echo small > a.txt');
    expect(await line('yes | head -c 6000000 > big.txt')).toContain('No space left on device');
    expect(await line('rm big.txt; cat a.txt')).toBe('small');
    terminal.end();
  });

  test('what can’t be kept is said', async () => {
    const store = new MemoryHomeStore();
    store.keep = () => Promise.reject(new Error('the disk is full'));
    const { line, terminal } = await play({ store });
    expect(await line('echo one > a.txt')).toContain('Your files could not be kept: the disk is full');
    terminal.end();
  });

  test('nothing is written where nothing changed', async () => {
    const { line, store, terminal } = await play();
    let writes = 0;
    const { keep } = store;
    store.keep = (changes) => {
      writes += 1;
      return keep.call(store, changes);
    };
    await line('echo one > a.txt');
    await line('cat a.txt');
    await line('echo one > a.txt');
    expect(writes).toBe(1);
    terminal.end();
  });
});

describe('programs of the page', () => {
  test('vi changes a file in the editor of the page', async () => {
    const asked: string[] = [];
    const edit = async (title: string, text: string): Promise<string | undefined> => {
      asked.push(title);
      return text === '' ? 'new\n' : undefined;
    };
    const { line, terminal } = await play({ around: { edit } });
    await line('vi a.txt');
    await line('vi a.txt');
    expect(await line('cat a.txt')).toBe('new');
    expect(asked).toEqual(['a.txt', 'a.txt']);
    expect(await line('vi /etc/passwd')).toBe('');
    terminal.end();
  });

  test('clock shows the cluster’s time and moves it forward', async () => {
    let now = Date.UTC(2026, 0, 31, 22, 30);
    const clock: Clock = { ...realClock(), now: () => now };
    const step = async (ms: number): Promise<void> => void (now += ms);
    const { line, terminal } = await play({ around: { clock, step } });
    expect(await line('clock')).toBe('2026-01-31 22:30:00 UTC');
    expect(await line('clock 1h30m')).toBe('2026-02-01 00:00:00 UTC');
    expect(await line('clock soon')).toBe('clock: write an amount of time like 90s, 1h30m or 7d');
    terminal.end();
  });

  test('clear empties the screen', async () => {
    const { line, raw, terminal } = await play();
    await line('clear');
    expect(raw()).toContain('<clear>');
    terminal.end();
  });

  test('history -c forgets what was typed', async () => {
    const { line, store, terminal } = await play();
    await line('echo secret');
    await line('history -c');
    expect(store.history).not.toContain('echo secret');
    terminal.end();
  });

  test('watch shows a command again and again, until Ctrl+C', async () => {
    const { until, line, terminal } = await play();
    await line('echo 0 > n');
    const shown = await until("watch -n 0.1 'echo $(($(cat n) + 1)) > n; cat n'\r", /\n3\n/);
    expect(shown).toContain('Every 0.1s: echo');
    await until('\x03', /\$ $/);
    expect(await line('echo $?')).toBe('130');
    terminal.end();
  });
});

describe('what programs write is made safe', () => {
  test.each([
    ['a title', "printf '\\033]0;title\\007'", '^[]0;title^G'],
    ['a move', "printf '\\033[2J'", '^[[2J'],
    ['a link', "printf '\\033]8;;http://x\\033\\\\x'", '^[]8;;http://x^[\\x'],
    ['a return that hides', "printf 'bad\\rgood\\n'", 'bad^Mgood'],
    ['text that turns around', "echo 'a\u202eb'", 'a<202E>b'],
  ])('%s', async (_what, text, shown) => {
    const { line, terminal } = await play();
    expect(await line(text)).toBe(shown);
    terminal.end();
  });

  test('colours are left, and end with the command', async () => {
    const { line, raw, terminal } = await play();
    await line("printf '\\033[31mred\\n'");
    expect(raw()).toContain('\x1b[31mred\r\n\x1b[0m');
    terminal.end();
  });
});

describe('the client of the cluster', () => {
  let cluster: Cluster;
  let played: Played;
  beforeAll(async () => {
    cluster = await createCluster(clusterOptions());
    await fill(cluster);
    played = await play({ cluster, token: TOKEN });
  }, 120_000);
  afterAll(() => {
    played.terminal.end();
    return cluster.stop();
  });

  test.each(['kubectl', 'k', 'clusterctl'])('answers to %s', async (name) => {
    expect(await played.line(`${name} get pods -o name`)).toBe('pod/web-1\npod/web-10\npod/web-2\n1 request');
  });

  test('its output goes through pipes, and its requests are told', async () => {
    const link = /\x1b\]8;;requests:(\d+)\x1b\\1 request\x1b/;
    expect(await played.line('kubectl get pods -o name | grep -c web-1')).toBe('2\n1 request');
    const [, first] = link.exec(played.raw()) ?? [];
    await played.line('kubectl get ns -o name');
    const [, second] = link.exec(played.raw()) ?? [];
    expect(Number(second)).toBe(Number(first) + 1);
  });

  test.each([
    ['a here-document', "kubectl create -f - <<'END'\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: piped\nEND"],
    ['another command', 'kubectl create configmap piped --dry-run=client -o yaml | kubectl create -f -'],
  ])('it reads all lines of %s', async (_what, line) => {
    expect(await played.line(line)).toContain('configmap/piped created');
    expect(await played.line('kubectl delete configmap piped')).toContain('configmap "piped" deleted');
  });

  test('it does not wait for an object that was made again under the same name', async () => {
    await played.line(
      'kubectl create namespace anew; until kubectl get cm kube-root-ca.crt -n anew; do sleep 0.05; done',
    );
    expect(await played.line('kubectl delete cm kube-root-ca.crt -n anew')).toContain('deleted');
  });

  test('empty folders are copied into a container and out of it', async () => {
    await played.line(
      'mkdir -p hollow/deep && echo x > hollow/full.txt && kubectl run box --image=busybox -- sleep 100000',
    );
    await played.line('kubectl wait pod/box --for=condition=Ready');
    await played.line('kubectl cp hollow/ box:/there/ && mkdir out && kubectl cp box:/there out');
    expect(await played.line('find out')).toBe('out\nout/deep\nout/full.txt');
    await played.line('rm -r hollow out; kubectl delete pod box --now');
  });

  test('a watch ends with Ctrl+C', async () => {
    await played.until('kubectl get pods -w\r', /web-2.*\n/);
    await played.until('\x03', /\$ $/);
    expect(await played.line('echo $?')).toBe('130');
  });

  test('Ctrl+C ends `logs -f`', async () => {
    await played.line("kubectl run ticks --image=busybox -- sh -c 'while true; do echo tick; sleep 0.2; done'");
    await played.line('kubectl wait pod/ticks --for=condition=Ready');
    await played.until('kubectl logs -f ticks\r', /tick\ntick\n/);
    await played.until('\x03', /\$ $/);
    expect(await played.line('echo $?')).toBe('130');
  });

  test('Ctrl+C in `exec -it` ends what runs in the container, not its shell', async () => {
    await played.until('kubectl exec -it ticks -- sh\r', /# $/);
    await played.until('sleep 1000\r', /sleep 1000\n/);
    await played.until('\x03', /# $/);
    expect(await played.until('echo $?\r', /\n\d+\n.*# $/)).toContain('\n130\n');
    await played.until("echo 'not\r", /\n> $/);
    await played.until('reached\x03', /\^C\n.*# $/);
    expect(await played.until('echo yes\r', /yes\n.*# $/)).not.toContain('reached');
    await played.until('exit\r', /\$ $/);
    await played.line('kubectl delete pod ticks --now');
  });

  test('Ctrl+C in `exec -it` does not reach the program of the container', async () => {
    await played.line('kubectl run served --image=nginx; kubectl wait pod/served --for=condition=Ready');
    await played.until('kubectl exec -it served -- sh\r', /# $/);
    await played.until('sleep 1000\r', /sleep 1000\n/);
    await played.until('\x03', /# $/);
    await played.until('exit\r', /\$ $/);
    expect(await played.line('kubectl get pod served -o jsonpath={.status.containerStatuses[0].restartCount}')).toMatch(
      /^0\n/,
    );
    await played.line('kubectl delete pod served --now');
  });

  test('what it can’t do fails the command', async () => {
    expect(await played.line('kubectl get nothing || echo "code $?"')).toMatch(
      /^error: the server doesn't have a resource type "nothing"\ncode 1/,
    );
  });

  test('jq picks from what it prints', async () => {
    expect(await played.line("kubectl get pods -o json | jq -r '.items[].metadata.name' | head -1")).toBe(
      'web-1\n1 request',
    );
  });

  test('it knows where it is and as whom', async () => {
    expect(await played.line('kubectl auth whoami | tail -1')).toBe('Username    administrator');
    expect(await played.line('kubectl config current-context')).toBe('lab');
    expect(await played.line('kubectl get ns default -o name --context lab --cluster lab')).toBe(
      'namespace/default\n1 request',
    );
    expect(await played.line('kubectl get ns --context other')).toContain('context was not found');
  });

  test('commands use the contexts of the kubeconfig in the home folder', async () => {
    expect(await played.line('kubectl config set-credentials anna --token=wrong')).toBe('User "anna" set.');
    await played.line('kubectl config set-context hers --cluster=lab --user=anna --namespace=shop');
    await played.line('kubectl config use-context hers');
    expect(played.raw()).toContain('the credentials of anna in shop');
    expect(await played.line('kubectl get pods')).toMatch(/^error: You must be logged in to the server/);
    expect(await played.line('kubectl config get-contexts -o name')).toBe('hers\nlab');
    expect(played.store.text('.kube/config')).not.toContain('name: lab');
    expect(await played.line('kubectl config delete-context lab')).toContain('the page’s own');
    expect(await played.line('kubectl get ns default -o name --user administrator')).toMatch(/^namespace.default/);
    expect(
      await played.line('kubectl config set-cluster far --server=https://far; kubectl get ns --cluster far'),
    ).toContain('only /clusters/lab can be reached from here');
    expect(await played.line('kubectl config use-context lab && kubectl get ns default -o name')).toContain(
      'namespace/default',
    );
    expect(await played.line('rm -r .kube; kubectl config get-contexts -o name')).toBe('lab');
  });

  test('it builds and applies folders, and reads folders below folders', async () => {
    await played.line('mkdir -p app/base; cd app');
    await played.line(
      "printf 'bases: [base]\\nnamePrefix: my-\\n' > kustomization.yaml; printf 'resources: [cm.yaml]\\n' > base/kustomization.yaml",
    );
    await played.line("printf 'apiVersion: v1\\nkind: ConfigMap\\nmetadata: {name: built}\\n' > base/cm.yaml");
    expect(await played.line('kubectl kustomize | tail -1')).toBe('  name: my-built');
    expect(await played.line('kubectl apply -k .')).toMatch(/^configmap\/my-built created/);
    expect(await played.line('rm base/kustomization.yaml kustomization.yaml; kubectl apply -f . -R')).toMatch(
      /^configmap\/built created/,
    );
    expect(await played.line('kubectl kustomize; cd')).toContain("in directory '/home/you/app'");
  });

  test('curl asks the API server as the same user', async () => {
    expect(await played.line("curl -s /api/v1/namespaces/default/pods | grep -c '\"web-'")).toMatch(/^\d/);
    expect(await played.line('curl -i https://kubernetes.default.svc/healthz | head -1')).toBe(
      'HTTP/1.1 200\n1 request',
    );
    expect(await played.line('curl http://example.com/')).toContain('only the API server can be reached');
  });

  test('curl writes out what it is asked to', async () => {
    const line = (path: string): Promise<string> =>
      played.line(`curl -s -o /dev/null -w '%{http_code} 100%%\\n' ${path}`);
    expect(await line('/api/v1/namespaces')).toMatch(/^200 100%/);
    expect(await line('/api/v1/namespaces/nosuch')).toMatch(/^404 100%/);
  });

  test('curl sends a body', async () => {
    await played.line(
      `curl -X POST /api/v1/namespaces/default/configmaps -d '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"sent"}}' -o made.json`,
    );
    expect(await played.line('kubectl get cm sent -o name; grep -c sent made.json')).toBe(
      'configmap/sent\n1\n1 request',
    );
  });
});

describe('a command in a container', () => {
  /** A command that echoes what it gets, until it gets `q`. */
  function echoing(): { readonly command: RemoteCommand; readonly sizes: TerminalSize[] } {
    const sizes: TerminalSize[] = [];
    const written: Uint8Array[] = [];
    let wake: (() => void) | undefined;
    const command: RemoteCommand = {
      stdin: {
        write: async (bytes) => {
          written.push(bytes);
          wake?.();
        },
        end: () => undefined,
      },
      stdout: {
        read: async () => {
          while (written.length === 0) await new Promise<void>((resolve) => (wake = resolve));
          const bytes = written.shift();
          return new TextDecoder().decode(bytes) === 'q' ? undefined : bytes;
        },
      },
      stderr: { read: async () => undefined },
      resize: async (size) => void sizes.push(size),
      result: Promise.resolve({ exitCode: 0, message: '' }),
      close: () => undefined,
    };
    return { command, sizes };
  }

  test('has the keyboard and the screen as they are, until it ends', async () => {
    const written: string[] = [];
    const screen = {
      size: { columns: 80, rows: 24 },
      clear: () => undefined,
      mark: () => undefined,
      belowMark: undefined,
      write: async (text: string) => void written.push(text),
    };
    let interrupts = 0;
    const console = new Console(screen, () => (interrupts += 1));
    const { command, sizes } = echoing();
    const done = console.interact(command);
    console.type('\x1b[A\x03');
    console.resized();
    console.type('q');
    await done;
    expect(written[0]).toBe('\x1b[A\x03');
    expect([interrupts, sizes.length]).toEqual([0, 2]);
    // Another screen would be left with the cursor where it was before, over what is there now.
    expect(written.join('')).not.toContain('?1049l');
    console.type('\x03');
    expect(interrupts).toBe(1);
  });
});
