import type { Process, Program } from '../process.ts';
import { below } from './fileCommands.ts';
import { compilePattern, PatternError, type Pattern } from './regex.ts';
import { eachInput, fail, LineWriter, linesOf, nameOf, readOptions, type Options } from './tool.ts';

const LONG = [
  'color',
  'color=',
  'include=',
  'exclude=',
  'quiet',
  'silent',
  'invert-match',
  'ignore-case',
  'count',
  'line-number',
  'extended-regexp',
  'fixed-strings',
  'only-matching',
  'recursive',
  'regexp=',
  'line-buffered',
  'no-messages',
  'max-count=',
];

export const grep: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'EFGPivnclLqosrRhHwxaI', 'emABCf', LONG);
  const given = [
    ...options.values('e', 'regexp'),
    ...options.values('f').flatMap((path) => process.files.text(path).replace(/\n$/, '').split('\n')),
  ];
  const rest = given.length > 0 ? options.rest : options.rest.slice(1);
  const first = options.rest[0];
  if (given.length === 0 && first === undefined) return fail(process, 'no pattern', 2);
  try {
    const pattern = patternOf(given.length > 0 ? given : (first ?? '').split('\n'), options, nameOf(process));
    return await search(process, pattern, options, rest);
  } catch (problem) {
    if (problem instanceof PatternError) return fail(process, problem.message, 2);
    throw problem;
  }
};

function patternOf(texts: readonly string[], options: Options, name: string): Pattern {
  const fixed = options.has('F', 'fixed-strings') || name === 'fgrep';
  const extended = options.has('E', 'P', 'extended-regexp') || name === 'egrep';
  const around = options.has('x') ? ['^(?:', ')$'] : options.has('w') ? ['\\b(?:', ')\\b'] : ['', ''];
  const ignoreCase = options.has('i', 'ignore-case');
  const patterns = texts.map((text) => {
    const plain = fixed ? text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') : text;
    if (around[0] === '') return compilePattern(plain, { extended: extended || fixed, ignoreCase });
    return compilePattern(`${around[0]}${plain}${around[1]}`, { extended: true, ignoreCase });
  });
  return {
    test: (line) => patterns.some((pattern) => pattern.test(line)),
    match: (line, from) => {
      const found = patterns.flatMap((pattern) => pattern.match(line, from) ?? []);
      return found.sort((a, b) => a.start - b.start || b.end - a.end)[0];
    },
  };
}

async function search(process: Process, pattern: Pattern, options: Options, names: readonly string[]): Promise<number> {
  const recursive = options.has('r', 'R', 'recursive');
  const roots = names.length > 0 ? names : recursive ? ['.'] : [];
  const files = recursive
    ? roots.flatMap((root) => below(process.files, root)).filter((path) => !process.files.isDirectory(path))
    : roots;
  const titled = options.has('H') || ((files.length > 1 || recursive) && !options.has('h'));
  let matched = false;
  const problem = await eachInput(process, files, async (stream, name) => {
    const prefix = titled ? `${name}:` : '';
    const found = await searchOne(process, linesOf(process, stream), pattern, options, prefix);
    matched ||= found > 0;
    const writer = new LineWriter(process);
    if (options.has('c', 'count')) await writer.line(`${prefix}${found}`);
    if (options.has('l') && found > 0) await writer.line(name);
    if (options.has('L') && found === 0) await writer.line(name);
    await writer.flush();
  });
  if (problem !== 0 && !(matched && options.has('q'))) return 2;
  return matched ? 0 : 1;
}

/** The number of matching lines; prints them if requested. */
async function searchOne(
  process: Process,
  lines: AsyncIterable<string>,
  pattern: Pattern,
  options: Options,
  prefix: string,
): Promise<number> {
  const silent = options.has('q', 'quiet', 'silent', 'l', 'L', 'c', 'count');
  const most = options.has('q', 'quiet', 'silent') ? 1 : Number(options.value('m', 'max-count') ?? Infinity);
  const [before, after] = ['B', 'A'].map((name) => Number(options.value(name, 'C') ?? 0)) as [number, number];
  const kept: string[] = [];
  const writer = new LineWriter(process);
  let [number, found, trailing] = [0, 0, 0];
  const show = (at: number, line: string, mark: string): Promise<void> =>
    writer.line(
      `${mark === '-' ? prefix.replace(/:$/, '-') : prefix}${options.has('n', 'line-number') ? `${at}${mark}` : ''}${line}`,
    );
  for await (const line of lines) {
    number += 1;
    if (pattern.test(line) === options.has('v', 'invert-match')) {
      if (trailing-- > 0 && !silent) await show(number, line, '-');
      else if (before > 0 && kept.push(line) > before) kept.shift();
      continue;
    }
    found += 1;
    if (!silent) {
      for (const [i, earlier] of kept.entries()) await show(number - kept.length + i, earlier, '-');
      kept.length = 0;
      trailing = after;
      for (const text of options.has('o', 'only-matching') ? parts(line, pattern) : [line])
        await show(number, text, ':');
    }
    if (found >= most) break;
  }
  await writer.flush();
  return found;
}

/** What matches in a line, without the matches of nothing. */
function parts(line: string, pattern: Pattern): string[] {
  const found: string[] = [];
  for (let from = 0; from <= line.length;) {
    const match = pattern.match(line, from);
    if (!match) break;
    if (match.end > match.start) found.push(line.slice(match.start, match.end));
    from = Math.max(match.end, match.start + 1);
  }
  return found;
}
