import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { jq } from '../../src/terminal/jq/index.ts';
import { JsonInput } from '../../src/terminal/jq/input.ts';
import { Box } from '../programs/harness.ts';
import { lines, type JqLine } from './jqLines.ts';

interface Recorded extends JqLine {
  readonly out: string;
  readonly err: string;
  readonly code: number;
}

const recorded = JSON.parse(readFileSync('test/terminal/jq.json', 'utf8')) as readonly Recorded[];

/** Of a filter that can't be read only the exit code is compared, of such an input only what was printed before: the words are each program's own. */
const isUnreadable = ({ err }: Pick<Recorded, 'err'>): boolean =>
  err.includes('compile error') || err.startsWith('parse error');

async function ran(args: readonly string[], input: string, files: Readonly<Record<string, string>> = {}) {
  const box = new Box({ stdin: input, files, env: { HOME: '/home/you' } });
  box.tree.program('bin/jq', jq);
  const { stdout, stderr, code } = await box.run(['jq', ...args]);
  return { out: stdout, err: stderr, code };
}

test('many values in one line are read in linear time', () => {
  const input = new JsonInput();
  input.add('1 '.repeat(1_000_000));
  expect([...input.take(true)]).toHaveLength(1_000_000);
});

describe('jq prints what jq 1.6 prints', () => {
  test('every line is recorded', () => {
    expect(recorded.map(({ args, input }) => ({ args, input }))).toEqual(lines);
  });

  test.each(recorded.map((each) => ({ ...each, name: `${each.args.join(' ')} < ${each.input.slice(0, 20)}` })))(
    '$name',
    async ({ args, input, out, err, code }) => {
      const ours = await ran(args, input);
      if (!isUnreadable({ err })) return expect(ours).toEqual({ out, err, code });
      expect(ours.out).toBe(out);
      // The manual of jq gives 2 for input that can't be read; the recorded program ends with 4.
      expect(ours.code).toBe(err.startsWith('parse error') ? 2 : code);
      expect(ours.err).toMatch(/^(jq: error|parse error): ./);
    },
  );
});

describe('functions of numbers are those of the C library', () => {
  test.each([
    ['3 | gamma, lgamma, lgamma_r[0]', 0.693_147_180_559_945_3],
    ['0.5 | tgamma', 1.772_453_850_905_516],
    ['-1.5 | tgamma', 2.363_271_801_207_354_5],
    ['1 | j0', 0.765_197_686_557_966_6],
    ['1 | j1', 0.440_050_585_744_933_5],
    ['1 | y0', 0.088_256_964_215_676_97],
    ['1 | y1', -0.781_212_821_300_288_7],
    ['40 | j0', 0.007_366_890_584_237_51],
    ['40 | y1', -0.005_793_505_821_549_633],
    ['null | jn(1; 2)', 0.576_724_807_756_873_3],
    ['null | yn(2; 3)', -0.160_400_393_484_923_77],
    ['0.5 | erf', 0.520_499_877_813_046_5],
    ['2 | erfc', 0.004_677_734_981_047_266],
    ['3 | expm1', 19.085_536_923_187_668],
    ['3 | log1p', 1.386_294_361_119_890_6],
    ['1 | asinh', 0.881_373_587_019_543],
  ])('%s', async (filter, expected) => {
    const { out } = await ran(['-n', filter], '');
    for (const line of out.trim().split('\n')) expect(Number(line)).toBeCloseTo(expected, 10);
  });
});

test('each function that jq 1.6 names is known', async () => {
  const { out } = await ran(['-nr', '[builtins] | length'], '');
  expect(Number(out)).toBeGreaterThan(0);
  const named = (JSON.parse(readFileSync('test/terminal/jqNames.json', 'utf8')) as readonly string[]).map((name) => {
    const [word = '', count = '0'] = name.split('/');
    return `def f: ${word}${Number(count) > 0 ? `(${Array(Number(count)).fill('.').join('; ')})` : ''}; 1`;
  });
  for (const filter of named) expect(await ran(['-n', filter], ''), filter).toEqual({ out: '1\n', err: '', code: 0 });
});

describe('jq reads', () => {
  test.each([
    ['a filter from a file', ['-f', 'f.jq', 'a.json'], '2\n'],
    ['the filter before -f as a file', ['a.json', '-f', 'f.jq'], '2\n'],
    ['values of a file into a variable', ['-nc', '--slurpfile', 'x', 'a.json', '$x'], '[{"a":2}]\n'],
    ['the text of a file into a variable', ['-n', '--rawfile', 'x', 'f.jq', '$x'], '".a"\n'],
    ['several files', ['.a', 'a.json', 'a.json'], '2\n2\n'],
  ])('%s', async (_what, args, out) => {
    const files = { 'a.json': '{"a":2}', 'f.jq': '.a' };
    expect(await ran(args, '', files)).toEqual({ out, err: '', code: 0 });
  });

  test.each([
    ['no filter', [], 2, /^jq: say what to do/],
    ['an unknown flag', ['--nothing', '.'], 2, /^jq: Unknown arguments: --nothing/],
    ['a file that is not there', ['.', 'none'], 2, /^jq: error: Could not open \/none/],
    ['an unknown name', ['-n', 'nothing'], 3, /^jq: error: nothing\/0 is not defined/],
    ['a filter without an end', ['-n', '[range(0; infinite)]'], 5, /given up after 5000000 steps/],
    ['a filter that calls itself', ['-n', 'def f: 1 + f; f'], 5, /nests too deeply|given up/],
    ['a text without an end', ['-n', '"a'], 3, /a text has no end/],
    ['a flag that every object inherits', ['--constructor', '.'], 2, /^jq: Unknown arguments: --constructor/],
    ['a flag named like a prototype', ['--__proto__', '.'], 2, /^jq: Unknown arguments: --__proto__/],
    ['a long chain of alternatives', ['-n', Array(20_000).fill('1').join('//')], 3, /nests too deeply/],
    ['a long chain of tries', ['-n', 'try '.repeat(20_000) + '1'], 3, /nests too deeply/],
    ['a long chain of signs', ['-n', '- '.repeat(20_000) + '1'], 3, /nests too deeply/],
    ['a long pipe in an object', ['-n', `{a: 1${'|1'.repeat(20_000)}}`], 3, /nests too deeply/],
    ['a long condition', ['-n', `if 1 then 1 ${'elif 1 then 1 '.repeat(20_000)}else 1 end`], 3, /nests too deeply/],
    ['a deep pattern', ['-n', `. as ${'['.repeat(20_000)}`], 3, /nests too deeply/],
    ['a long sum', ['-n', `1${'+1'.repeat(20_000)}`], 5, /nests too deeply/],
  ])('%s is told', async (_what, args, code, err) => {
    const ours = await ran(args, '');
    expect(ours.code).toBe(code);
    expect(ours.err).toMatch(err);
  });

  test.each([
    ['a text of 12 MB', ['length'], `"${'a'.repeat(12_000_000)}"`, '12000000\n'],
    ['a text of 3 MB of signs that are escaped', ['length'], `"${'\\n'.repeat(3_000_000)}"`, '3000000\n'],
    ['a long comment', ['-n', `1 ${'# a\n  '.repeat(200_000)}`], '', '1\n'],
  ])('%s', async (_what, args, input, out) => {
    expect(await ran(args, input)).toEqual({ out, err: '', code: 0 });
  });

  test.each([
    ['lists that grow', 'reduce range(30000) as $i ([]; . + [$i]) | length', /given up/],
    ['lists that double', 'reduce range(40) as $i ([1]; . + .) | length', /array would be too long/],
    ['texts that double', 'reduce range(40) as $i ("a"; . + .) | length', /text would be too long/],
    ['objects that grow', 'reduce range(30000) as $i ({}; .["\\($i)"] = 1) | length', /given up/],
    ['assignments to a long list', '[range(30000)] | .[] += 1 | length', /given up/],
    ['deletions from a long list', '[range(30000)] | del(.[]) | length', /given up/],
    ['differences of long lists', '[range(30000)] | . - . | length', /given up/],
    ['lists that share their parts', 'reduce range(40) as $i ([]; [., .])', /too long to be written/],
    ['lists that share what is flattened', 'reduce range(40) as $i ([1]; [., .]) | flatten', /array would be too long/],
    ['a loop without results', 'repeat(empty)', /given up/],
  ])('%s are given up', async (_what, filter, err) => {
    expect(await ran(['-n', filter], '')).toEqual({ out: '', err: expect.stringMatching(err), code: 5 });
  });

  test.each([
    ['add', '[range(20000) | [.]] | add | length', '20000\n'],
    [
      'with_entries',
      '[range(20000) | {key: "k\\(.)", value: .}] | from_entries | with_entries(.value += 1) | length',
      '20000\n',
    ],
    ['INDEX', '[range(20000) | {n: "k\\(.)"}] | INDEX(.n) | length', '20000\n'],
  ])('%s has room for much', async (_what, filter, out) => {
    expect(await ran(['-n', filter], '')).toEqual({ out, err: '', code: 0 });
  });

  test.each([
    '[range(3000000)] | length',
    'reduce range(3000000) as $i (0; . + $i)',
    'range(infinite) | empty',
    'repeat(empty)',
    '0 | until(false; . + 1)',
    '[limit(3; range(infinite) | select(. < 0))]',
  ])('a signal ends %s', async (filter) => {
    const box = new Box({ stdin: '' });
    box.tree.program('bin/jq', jq);
    const { done, kill } = box.start(['jq', '-n', filter]);
    setImmediate(() => setImmediate(() => kill('INT')));
    expect(await box.until(done)).toMatchObject({ stdout: '', stderr: '', code: 130 });
  });

  test('names that every object inherits are no fields', async () => {
    expect(await ran(['-c', '.constructor, .__proto__, ({"__proto__": 1} | keys), has("toString")'], '{}')).toEqual({
      out: 'null\nnull\n["__proto__"]\nfalse\n',
      err: '',
      code: 0,
    });
  });
});

describe('names are known before anything runs', () => {
  test.each([
    ['behind what gives nothing', 'empty | foo', 'foo/0'],
    ['in a branch that is not taken', 'if true then 1 else foo(1) end', 'foo/1'],
    ['a variable', 'empty | $x', '$x'],
    ['a variable outside of what binds it', '(1 as $x | $x), $x', '$x'],
    ['a label', 'empty | break $out', '$*label-out'],
    ['in a definition that nobody calls', 'def f: foo; 1', 'foo/0'],
    ['in a pattern', '. as {(foo): $x} | $x', 'foo/0'],
  ])('%s', async (_, filter, name) => {
    const { out, err, code } = await ran([filter], '1');
    expect({ out, code }).toEqual({ out: '', code: 3 });
    expect(err).toContain(`${name} is not defined`);
  });

  test.each([
    ['def f($a; g): $a + a + g; f(1; 2)', '4'],
    ['def f: def g: 3; g; f', '3'],
    ['def f(x): if x > 3 then x else f(x + 1) end; f(1)', '4'],
    ['. as [$a, {b: $c}] | $ENV.HOME, $a', '"/home/you"\nnull'],
    ['label $out | foreach (1, 2) as $i (0; . + $i; if . > 2 then ., break $out else empty end)', '3'],
    ['[limit(2; range(9))] | map(tostring) | join(",")', '"0,1"'],
  ])('%s', async (filter, shown) => {
    expect(await ran(['-c', filter], 'null')).toEqual({ out: `${shown}\n`, err: '', code: 0 });
  });

  test('what the program is given is known', async () => {
    expect((await ran(['--arg', 'x', '1', '$x + $ARGS.named.x'], 'null')).out).toBe('"11"\n');
  });
});

test('debug and stderr write beside the output, in order', async () => {
  expect(await ran(['-c', '.[] | debug | stderr | . + 1'], '[1,2]')).toEqual({
    out: '2\n3\n',
    err: '["DEBUG:",1]\n1["DEBUG:",2]\n2',
    code: 0,
  });
});
