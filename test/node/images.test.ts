import { describe, expect, test } from 'vitest';
import { canonicalImage, imageOf, nextOutput, outputUntil, pullProblem } from '../../src/node/images/index.ts';
import { runCommand, runScript } from '../../src/node/images/shell.ts';

const texts = (lines: readonly { readonly text: string }[]): string[] => lines.map((line) => line.text);

describe('a script', () => {
  const cases: readonly { script: string; exitCode: number; seconds: number; output: string[] }[] = [
    { script: 'exit 3', exitCode: 3, seconds: 0, output: [] },
    { script: 'echo a; sleep 2; echo b', exitCode: 0, seconds: 2, output: ['a', 'b'] },
    { script: 'false && echo no; echo yes', exitCode: 0, seconds: 0, output: ['yes'] },
    { script: 'false || echo rescued', exitCode: 0, seconds: 0, output: ['rescued'] },
    { script: 'echo one\necho "two  words; still"', exitCode: 0, seconds: 0, output: ['one', 'two  words; still'] },
    { script: 'for i in 1 2 3; do echo $i; sleep 1; done', exitCode: 0, seconds: 3, output: ['1', '2', '3'] },
    { script: 'for i in $(seq 2); do echo n$i; done; exit 1', exitCode: 1, seconds: 0, output: ['n1', 'n2'] },
    { script: 'NAME=x; echo "hi ${NAME}" > /dev/null; echo $NAME', exitCode: 0, seconds: 0, output: ['x'] },
  ];

  test.each(cases)('$script', ({ script, exitCode, seconds, output }) => {
    const program = runScript(script);
    expect(program.exitCode).toBe(exitCode);
    expect(Math.floor((program.runsFor ?? Infinity) / 1000)).toBe(seconds);
    expect(texts(program.output)).toEqual(output);
  });

  test('that loops for ever runs until it is killed, and writes in each round', () => {
    const program = runScript('echo begin; while true; do echo tick; sleep 5; done');
    expect(program.runsFor).toBeUndefined();
    expect(program.stopsIn).toBeUndefined();
    expect(texts(outputUntil(program, 11_000))).toEqual(['begin', 'tick', 'tick', 'tick']);
    const at = nextOutput(program, 11_000) ?? 0;
    expect(at).toBeGreaterThan(11_000);
    expect(outputUntil(program, at)).toHaveLength(5);
  });

  test('sees the variables of its container', () => {
    expect(texts(runCommand(['sh', '-c', 'echo $GREETING'], { GREETING: 'hello' }).output)).toEqual(['hello']);
  });
});

describe('an image', () => {
  const run = (image: string, command: string[] = [], args: string[] = [], env: Record<string, string> = {}) =>
    imageOf(image).run({ command, args, env });

  test('that serves runs until it is told to stop', () => {
    expect(run('nginx:1.19')).toMatchObject({ exitCode: 0, stopsIn: 200 });
    expect(run('registry.example.com/team/app:v1').runsFor).toBeUndefined();
  });

  test('that is a bare shell ends at once, unless it is given something to do', () => {
    expect(run('busybox')).toMatchObject({ exitCode: 0, runsFor: 1 });
    expect(run('busybox', ['sleep', '30']).runsFor).toBeGreaterThanOrEqual(30_000);
    expect(run('busybox', [], ['sh', '-c', 'exit 2']).exitCode).toBe(2);
  });

  test('of a database does not start without a password', () => {
    expect(run('postgres:13').exitCode).toBe(1);
    expect(run('postgres:13', [], [], { POSTGRES_PASSWORD: 'x' }).runsFor).toBeUndefined();
  });

  test.each([
    ['nginx', 'docker.io/library/nginx:latest'],
    ['team/app:v1', 'docker.io/team/app:v1'],
    ['localhost:5000/app', 'localhost:5000/app:latest'],
  ])('%s is pulled as %s', (reference, full) => {
    expect(canonicalImage(reference)).toBe(full);
  });

  test('that can not be there can not be pulled', () => {
    expect(pullProblem('nginx:nope')).toContain('not found');
    expect(pullProblem('Nginx')).toContain('invalid reference format');
    expect(pullProblem('nginx')).toBeUndefined();
  });
});
