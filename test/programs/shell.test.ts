import { describe, expect, test } from 'vitest';
import { Box } from './harness.ts';

/** A script, what it writes, and its exit code where that isn't 0. */
interface Case {
  readonly script: string;
  readonly stdout: string;
  readonly code: number;
}

type Row = readonly [script: string, stdout: string, code?: number];

const caseOf = ([script, stdout, code = 0]: Row): Case => ({ script, stdout, code });

const table = (name: string, rows: readonly Row[], args: readonly string[] = ['sh', '-c']): void => {
  describe(name, () => {
    test.each(rows.map(caseOf))('$script', async ({ script, stdout, code }) => {
      const ran = await new Box({ image: 'debian' }).run([...args, script]);
      expect({ stdout: ran.stdout, code: ran.code }, ran.stderr).toEqual({ stdout, code });
    });
  });
};

table('quoting', [
  [`echo a  b`, 'a b\n'],
  [`echo 'a  b'`, 'a  b\n'],
  [`echo "a  'b'"`, "a  'b'\n"],
  [`echo a\\ b`, 'a b\n'],
  [`echo "x\\"y\\$z"`, 'x"y$z\n'],
  [`x='a b'; echo $x; echo "$x"`, 'a b\na b\n'],
  [`set -- 'a b' c; for i in "$@"; do echo "[$i]"; done`, '[a b]\n[c]\n'],
  [`set -- 'a b' c; for i in $*; do echo "[$i]"; done`, '[a]\n[b]\n[c]\n'],
  [`set --; for i in "$@"; do echo no; done; echo $#`, '0\n'],
  [`printf '%s\\n' "" ''`, '\n\n'],
  [`echo $'a\\tb'`, 'a\tb\n'],
  [`echo a#b # comment`, 'a#b\n'],
]);

table('variables', [
  [`x=1; echo $x\${x}2`, '112\n'],
  [`echo \${x:-d} \${x-e} "\${x:=f}" $x`, 'd e f f\n'],
  [`x=; echo [\${x:-d}] [\${x-d}] [\${x:+y}]`, '[d] [] []\n'],
  [`echo \${x:?missing}; echo no`, '', 2],
  [`x=hello; echo \${#x}`, '5\n'],
  [`f=/a/b.tar.gz; echo \${f##*/} \${f#*/} \${f%.*} \${f%%.*}`, 'b.tar.gz a/b.tar.gz /a/b.tar /a/b\n'],
  [`x=banana; echo \${x//a*n/-} \${x/[an]?/-} \${x/#*n/-} \${x/%n*/-}`, 'b-a b-ana -a ba-\n'],
  [`x=$(seq 20000 | tr '\\n' ,); x=\${x//,/}; echo \${#x}`, '88894\n'],
  [`x=banana; echo \${x/an/AN} \${x//an/AN} \${x/#ba/BA} \${x/%na/NA}`, 'bANana bANANa BAnana banaNA\n'],
  [`x=abcdef; echo \${x:2} \${x:1:3} \${x: -2}`, 'cdef bcd ef\n'],
  [`x=1 env | grep ^x=; echo [$x]`, 'x=1\n[]\n'],
  [`x=1; export x; sh -c 'echo $x'`, '1\n'],
  [`readonly x=1; x=2; echo no`, '', 2],
  [`set -u; echo $nothing; echo no`, '', 2],
  [`x=a; x+=b; echo $x`, 'ab\n'],
  [`IFS=:; x=a:b::c; for i in $x; do echo "[$i]"; done`, '[a]\n[b]\n[]\n[c]\n'],
  [`echo $0 $1; echo $$`, 'sh\n1\n'],
  [`unset x; echo \${x-unset}`, 'unset\n'],
]);

table('substitution and arithmetic', [
  [`echo $(echo a; echo b)`, 'a b\n'],
  [`echo "$(printf 'a\\n\\n')"`, 'a\n'],
  ['echo `echo \\`echo deep\\``', 'deep\n'],
  [`echo $(echo "$(echo ")")")`, ')\n'],
  [`echo $((1 + 2 * 3)) $(((1+2)*3)) $((7/2)) $((7%2)) $((2**10))`, '7 9 3 1 1024\n'],
  [`i=5; echo $((i++)) $i $((--i)) $((i > 4 ? 10 : 20))`, '5 6 5 10\n'],
  [`echo $((0x10 + 010)) $((1 && 0)) $((!0))`, '24 0 1\n'],
  [`echo $((1/0)); echo no`, '', 2],
  [`x=$(exit 3); echo $?`, '3\n'],
  [`((3 > 2)) && echo yes`, 'yes\n'],
]);

table('lists and pipes', [
  [`true && echo a || echo b`, 'a\n'],
  [`false && echo a || echo b`, 'b\n'],
  [`! true; echo $?`, '1\n'],
  [`echo hello | tr a-z A-Z | rev`, 'OLLEH\n'],
  [`printf 'a\\nb\\n' | while read l; do echo "<$l>"; done`, '<a>\n<b>\n'],
  [`yes | head -2`, 'y\ny\n'],
  [`exit 3 | true; echo $?`, '0\n'],
  [`set -o pipefail; exit 3 | true; echo $?`, '3\n'],
  [`x=1; (x=2; echo $x); echo $x`, '2\n1\n'],
  [`{ echo a; echo b; } | wc -l`, '2\n'],
  [`nonsense; echo $?`, '127\n'],
  [`exit 300`, '', 44],
]);

table('redirects', [
  [`echo a > /tmp/x; echo b >> /tmp/x; cat < /tmp/x`, 'a\nb\n'],
  [`ls /nothing 2>&1 | wc -l`, '1\n'],
  [`ls /nothing 2>/dev/null; echo $?`, '1\n'],
  [`cat <<E\na $((1+1))\n$HOME\nE`, 'a 2\n/root\n'],
  [`cat <<'E'\na $x\nE`, 'a $x\n'],
  [`cat <<-E\n\ta\n\tE\necho b`, 'a\nb\n'],
  [`cat <<A; cat <<B\n1\nA\n2\nB`, '1\n2\n'],
  [`cat <<< "x y"`, 'x y\n'],
  [`exec 3> /tmp/x; echo a >&3; exec 3>&-; cat /tmp/x`, 'a\n'],
  [`while read l; do echo "$l!"; done < /etc/hostname2 || echo none`, 'none\n'],
  [`printf 'a\\nb\\n' > /tmp/x; while read l; do echo "$l!"; done < /tmp/x`, 'a!\nb!\n'],
  [`printf '1\\n2\\n3\\n' | { read a; read b; echo $b; cat; }`, '2\n3\n'],
  [`echo x > /no/such/file; echo $?`, '1\n'],
  [`echo out > /dev/stdout; echo err > /dev/stderr`, 'out\n'],
]);

table('compound commands', [
  [`if [ 1 = 2 ]; then echo a; elif true; then echo b; else echo c; fi`, 'b\n'],
  [`for i in 1 2 3; do [ $i = 2 ] && continue; echo $i; done`, '1\n3\n'],
  [`i=0; while [ $i -lt 3 ]; do i=$((i+1)); done; echo $i`, '3\n'],
  [`i=0; until [ $i -ge 3 ]; do i=$((i+1)); [ $i = 2 ] && break; done; echo $i`, '2\n'],
  [`for i in 1 2; do for j in a b; do [ $j = b ] && continue 2; echo $i$j; done; done`, '1a\n2a\n'],
  [`case abc in x) echo x;; a*|b) echo a;; *) echo other;; esac`, 'a\n'],
  [`case "*" in \\*) echo star;; esac`, 'star\n'],
  [`case x in [!a-c]) echo no;; esac`, 'no\n'],
  [`f() { echo "$1-$#"; return 3; }; f a b; echo $?`, 'a-2\n3\n'],
  [`f() { local x=1; echo $x; }; x=0; f; echo $x`, '1\n0\n'],
  [`[[ abc == a* && ! -e /x ]] && echo yes`, 'yes\n'],
  [`[[ abc =~ ^a.c$ ]] && echo yes`, 'yes\n'],
  [`[[ -r /tmp/x ]] || echo no`, 'no\n'],
  [`fi`, '', 2],
  [`set -e; false; echo no`, '', 1],
  [`set -e; if false; then :; fi; false || true; echo yes`, 'yes\n'],
  [`trap 'echo bye' EXIT; echo hi; exit 3`, 'hi\nbye\n', 3],
  [`eval 'echo a; x=1'; echo $x`, 'a\n1\n'],
  [`cd /tmp; pwd; cd -; pwd`, '/tmp\n/\n'],
  [`set -- -a -b v x; while getopts ab: o; do echo $o$OPTARG; done; shift $((OPTIND-1)); echo $1`, 'a\nbv\nx\n'],
  [
    `echo 'echo from file $1' > /tmp/s; chmod +x /tmp/s; /tmp/s arg; sh /tmp/s b; . /tmp/s`,
    'from file arg\nfrom file b\nfrom file\n',
  ],
  [`mkdir /tmp/g; cd /tmp/g; touch b a .c; echo *; echo x*; echo "*"`, 'a b\nx*\n*\n'],
]);

table(
  'of bash',
  [
    [`for i in {1..3} {a,b}; do printf "$i "; done`, '1 2 3 a b '],
    [`for ((i=0;i<3;i++)); do printf $i; done`, '012'],
  ],
  ['/bin/bash', '-c'],
);

describe('jobs and signals', () => {
  test('a sleep takes its time, and nothing else does', async () => {
    const ran = await new Box().sh('echo a; sleep 90; echo b');
    expect(ran).toMatchObject({ stdout: 'a\nb\n', code: 0 });
    expect(ran.took).toBeGreaterThanOrEqual(90_000);
    expect(ran.took).toBeLessThan(91_000);
  });

  test('output arrives while the script runs', async () => {
    const box = new Box();
    const started = box.start(['sh', '-c', 'echo first; sleep 60; echo second']);
    await box.advance(1000);
    expect(started.read()).toBe('first\n');
    await box.advance(60_000);
    expect(started.read()).toBe('first\nsecond\n');
  });

  test('jobs in the background run beside, and `wait` waits for them', async () => {
    const ran = await new Box().sh('(sleep 2; echo slow) & (sleep 1; echo fast) & wait; echo done');
    expect(ran.stdout).toBe('fast\nslow\ndone\n');
    expect(ran.took).toBeLessThan(3000);
  });

  test('`wait` gives the exit code of the job', async () => {
    expect((await new Box().sh('(exit 7) & wait $!; echo $?')).stdout).toBe('7\n');
  });

  test('a trapped signal interrupts `wait` and runs the trap', async () => {
    const box = new Box();
    const started = box.start(['sh', '-c', 'trap "echo got; exit 5" TERM; sleep 3600 & wait']);
    await box.advance(1000);
    box.container.signal(1, 'TERM');
    expect(await box.until(started.done)).toMatchObject({ stdout: 'got\n', code: 5 });
  });

  test('the first process hears no signal that it does not handle', async () => {
    const box = new Box();
    const started = box.start(['sleep', '3600']);
    await box.advance(1000);
    box.container.stop('TERM');
    await box.advance(1000);
    expect(box.container.processes()).toHaveLength(1);
    box.container.stop('KILL');
    expect((await box.until(started.done)).code).toBe(137);
  });

  test('`kill` ends another process by its default action', async () => {
    expect((await new Box().sh('sleep 3600 & kill $!; wait $!; echo $?')).stdout).toBe('143\n');
  });

  test('`exec` puts the program in the place of the shell', async () => {
    const ran = await new Box().sh('trap "echo no" EXIT; exec echo yes; echo no');
    expect(ran.stdout).toBe('yes\n');
  });
});

describe('a script without end', () => {
  test('that is busy lets others run, and costs simulated time', async () => {
    const box = new Box();
    const busy = box.start(['sh', '-c', 'while :; do :; done']);
    const other = await box.sh('echo hello');
    expect(other.stdout).toBe('hello\n');
    const before = box.container.usage().cpu;
    await box.advance(1000, 10);
    // It has a core for itself, and no more.
    const used = box.container.usage().cpu - before;
    expect(used).toBeGreaterThan(400);
    expect(used).toBeLessThan(1100);
    busy.kill('KILL');
    expect((await busy.done).code).toBe(137);
  });

  test('that only starts processes lets others run after a few', async () => {
    const box = new Box();
    const ran = await box.sh('i=0; while [ $i -lt 40 ]; do /bin/true | /bin/true; i=$((i+1)); done');
    expect(ran.code).toBe(0);
    // Two processes of 1.25 ms each time.
    expect(ran.took).toBeGreaterThanOrEqual(100);
  });

  test('that gathers ever more memory is killed for it', async () => {
    const ran = await new Box().sh('x=xxxxxxxxxx; while :; do x=$x$x; done');
    expect(ran.code).toBe(137);
  });

  test('that calls itself is stopped', async () => {
    expect((await new Box().sh('f() { f; }; f')).code).toBe(2);
  });
});
