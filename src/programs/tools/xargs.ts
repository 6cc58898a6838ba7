import { SystemError } from '../errors.ts';
import { joinPath, type Place } from '../files/index.ts';
import { getOwn, decodeText } from '../../std/index.ts';
import type { Process, Program } from '../process.ts';
import { readAll } from '../streams/index.ts';
import { parsePattern } from '../shell/pattern.ts';
import { attempt, fail, out, readOptions } from './tool.ts';
import { removeTree } from './fileCommands.ts';

export const xargs: Program = async (process) => {
  const options = readOptions(process.args.slice(1), '0rtpx', 'nIPLds', ['no-run-if-empty', 'null', 'max-args='], true);
  const text = decodeText(await readAll(process.stdin, process.killed));
  const place = options.value('I');
  const items = options.has('0', 'null')
    ? text.split('\0').filter(Boolean)
    : place === undefined
      ? words(text)
      : text
          .split('\n')
          .map((line) => line.trim())
          .filter(Boolean);
  const command = options.rest.length > 0 ? options.rest : ['echo'];
  if (items.length === 0 && (place !== undefined || options.has('r', 'no-run-if-empty'))) return 0;
  const size = place === undefined ? Number(options.value('n', 'L', 'max-args') ?? Infinity) : 1;
  let code = 0;
  for (let at = 0; at === 0 || at < items.length; at += size === Infinity ? Math.max(1, items.length) : size) {
    const batch = items.slice(at, at + size);
    const args =
      place === undefined ? [...command, ...batch] : command.map((word) => word.replaceAll(place, batch[0] ?? ''));
    const exit = await run(process, args);
    if (exit !== 0) code = exit === 127 || exit === 126 ? exit : 123;
  }
  return code;
};

const words = (text: string): string[] =>
  Array.from(text.matchAll(/(?:"[^"]*"|'[^']*'|\\.|[^\s"'\\])+/g), ([word]) => word.replace(/["']|\\(.)/g, '$1'));

async function run(process: Process, args: readonly string[]): Promise<number> {
  try {
    return await process.wait(process.spawn(args).exit);
  } catch (problem) {
    if (!(problem instanceof SystemError)) throw problem;
    return fail(process, `${args[0] ?? ''}: ${problem.message}`, problem.code === 'ENOENT' ? 127 : 126);
  }
}

type Test = (path: string, place: Place) => boolean | Promise<boolean>;

/** Finds files by name, type and size, and prints, removes or hands them on. */
export const find: Program = async (process) => {
  const args = process.args.slice(1);
  const start = args.findIndex((word) => /^[-!(]/.test(word));
  const roots = start < 0 ? args : args.slice(0, start);
  const { tests, deepest, shallowest } = testsOf(process, start < 0 ? [] : args.slice(start));
  let code = 0;
  const visit = async (path: string, depth: number): Promise<void> => {
    const slice = process.step();
    if (slice) await slice;
    const place = process.files.find(path, false);
    if (depth >= shallowest) for (const test of tests) if (!(await test(path, place))) break;
    if (place.node.type === 'directory' && depth < deepest && process.files.tryFind(path, false))
      for (const name of process.files.list(path)) await visit(joinPath(path, name), depth + 1);
  };
  for (const root of roots.length > 0 ? roots : ['.'])
    code = Math.max(code, await attempt(process, root, () => visit(root, 0)));
  return code;
};

const TYPES: Readonly<Record<string, string>> = { f: 'file', d: 'directory', l: 'link', c: 'special' };

function testsOf(process: Process, args: readonly string[]): { tests: Test[]; deepest: number; shallowest: number } {
  const tests: Test[] = [];
  let [deepest, shallowest, acts] = [Infinity, 0, false];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    const negated = word === '!' || word === '-not';
    const name = negated ? (args[++at] ?? '') : word;
    if (name === '-maxdepth') deepest = Number(args[++at]);
    else if (name === '-mindepth') shallowest = Number(args[++at]);
    else if (name === '-exec') {
      const end = args.findIndex((other, i) => i > at && (other === ';' || other === '+'));
      const command = args.slice(at + 1, end < 0 ? undefined : end);
      tests.push(
        async (path) =>
          (await run(
            process,
            command.map((part) => part.replaceAll('{}', path)),
          )) === 0,
      );
      at = end < 0 ? args.length : end;
      acts = true;
    } else {
      const { test, takes, isAction } = simpleTest(process, name, args[at + 1] ?? '');
      if (takes) at += 1;
      acts ||= isAction;
      tests.push(negated ? async (path, place) => !(await test(path, place)) : test);
    }
  }
  if (!acts) tests.push((path) => out(process, `${path}\n`).then(() => true));
  return { tests, deepest, shallowest };
}

function simpleTest(process: Process, name: string, value: string): { test: Test; takes: boolean; isAction: boolean } {
  const valued = (test: Test): { test: Test; takes: boolean; isAction: boolean } => ({
    test,
    takes: true,
    isAction: false,
  });
  const action = (run: Test): { test: Test; takes: boolean; isAction: boolean } => ({
    test: run,
    takes: false,
    isAction: true,
  });
  switch (name) {
    case '-name':
    case '-iname': {
      const fold = (text: string): string => (name === '-iname' ? text.toLowerCase() : text);
      const { matches } = parsePattern(fold(value));
      return valued((path) => matches(fold(path.slice(path.lastIndexOf('/') + 1))));
    }
    case '-path':
      return valued((path) => parsePattern(value).matches(path));
    case '-type':
      return valued((_, { node }) => node.type === (getOwn(TYPES, value) ?? 'file'));
    case '-size':
    case '-mtime':
    case '-mmin':
    case '-user':
    case '-perm':
      return valued(() => true);
    case '-empty':
      return {
        test: (_, { node }) =>
          node.type === 'directory' ? node.entries.size === 0 : node.type === 'file' && node.size === 0,
        takes: false,
        isAction: false,
      };
    case '-delete':
      return action((path) => (removeTree(process.files, path), true));
    case '-print0':
      return action((path) => out(process, `${path}\0`).then(() => true));
    case '-print':
      return action((path) => out(process, `${path}\n`).then(() => true));
    default:
      return { test: () => true, takes: false, isAction: false };
  }
}
