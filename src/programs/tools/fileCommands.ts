import { SystemError } from '../errors.ts';
import { baseName, directoryName, joinPath, type FileView } from '../files/index.ts';
import type { Process, Program } from '../process.ts';
import { attempt, fail, out, readOptions } from './tool.ts';
import { idOf } from './users.ts';

/** Runs something for each path, and prints its errors; returns the highest exit code. */
async function each(
  process: Process,
  paths: readonly string[],
  run: (path: string) => string | void,
  prefix = (path: string): string => path,
): Promise<number> {
  let code = 0;
  for (const path of paths) {
    const slice = process.step();
    if (slice) await slice;
    code = Math.max(code, await attempt(process, prefix(path), () => out(process, run(path) ?? '')));
  }
  return code;
}

export const mkdir: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'pv', 'm', ['parents', 'mode=']);
  const mode = parseInt(options.value('m', 'mode') ?? '777', 8);
  const make = (path: string): void => {
    if (options.has('p', 'parents')) makeParents(process.files, path, mode);
    else process.files.makeDirectory(path, mode);
  };
  return each(process, options.rest, make, (path) => `can't create directory '${path}'`);
};

function makeParents(files: FileView, path: string, mode: number): void {
  if (files.isDirectory(path)) return;
  if (files.tryFind(path)) throw new SystemError('EEXIST', path);
  const above = directoryName(path);
  if (!files.isDirectory(above)) makeParents(files, above, 0o777);
  files.makeDirectory(path, mode);
}

export const rm: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'rRfivd', '', ['recursive', 'force']);
  const [forced, recursive] = [options.has('f', 'force'), options.has('r', 'R', 'recursive')];
  if (options.rest.length === 0) return forced ? 0 : fail(process, 'missing operand');
  const remove = (path: string): void => {
    if (forced && !process.files.tryFind(path, false)) return;
    if (recursive) removeTree(process.files, path);
    else if (process.files.find(path, false).node.type === 'directory') throw new SystemError('EISDIR', path);
    else process.files.remove(path);
  };
  return each(process, options.rest, remove, (path) => `can't remove '${path}'`);
};

export function removeTree(files: FileView, path: string): void {
  const { node } = files.find(path, false);
  if (node.type === 'directory') for (const name of files.list(path)) removeTree(files, joinPath(path, name));
  files.remove(path);
}

export const rmdir: Program = (process) => {
  const { rest } = readOptions(process.args.slice(1), 'p');
  const remove = (path: string): void => {
    if (!process.files.isDirectory(path))
      throw new SystemError(process.files.tryFind(path) ? 'ENOTDIR' : 'ENOENT', path);
    process.files.remove(path);
  };
  return each(process, rest, remove, (path) => `'${path}'`);
};

/** The destination of a source: inside a directory, or the last argument itself. */
const targetOf = ({ files }: Process, source: string, target: string): string =>
  files.isDirectory(target) ? joinPath(target, baseName(source)) : target;

export const cp: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'rRafpvdTnLP', '', ['recursive']);
  const sources = [...options.rest];
  const target = sources.pop();
  if (target === undefined || sources.length === 0) return fail(process, 'missing file operand');
  const recursive = options.has('r', 'R', 'a', 'recursive');
  const copy = (path: string): string | void => {
    const to = targetOf(process, path, target);
    if (`${process.files.absolute(to)}/`.startsWith(`${process.files.absolute(path)}/`))
      throw new SystemError('EINVAL', path);
    copyNode(process.files, path, to, recursive, !options.has('L'));
    if (options.has('v')) return `'${path}' -> '${to}'\n`;
  };
  return each(process, sources, copy, (path) => `can't stat '${path}'`);
};

function copyNode(files: FileView, from: string, to: string, recursive: boolean, keepLinks: boolean): void {
  const { node } = files.find(from, !(recursive && keepLinks));
  if (node.type === 'link') return files.makeLink(to, node.target);
  if (node.type !== 'directory') return files.write(to, files.read(from), node.mode);
  if (!recursive) throw new SystemError('EISDIR', from);
  if (!files.isDirectory(to)) files.makeDirectory(to, node.mode);
  for (const name of files.list(from)) copyNode(files, joinPath(from, name), joinPath(to, name), recursive, keepLinks);
}

export const mv: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'fivnT');
  const sources = [...options.rest];
  const target = sources.pop();
  if (target === undefined || sources.length === 0) return fail(process, 'missing file operand');
  if (sources.length > 1 && !process.files.isDirectory(target))
    return fail(process, `target '${target}' is not a directory`);
  const rename = (path: string): string | void => {
    const to = targetOf(process, path, target);
    move(process.files, path, to);
    if (options.has('v')) return `'${path}' -> '${to}'\n`;
  };
  return each(process, sources, rename, (path) => `can't rename '${path}'`);
};

/** Between devices, a move is a copy and a removal. */
function move(files: FileView, from: string, to: string): void {
  try {
    files.rename(from, to);
  } catch (problem) {
    if (!(problem instanceof SystemError) || problem.code !== 'EXDEV') throw problem;
    copyNode(files, from, to, true, true);
    removeTree(files, from);
  }
}

export const touch: Program = (process) => {
  const options = readOptions(process.args.slice(1), 'cam', 'dtr');
  const run = (path: string): void => {
    if (!process.files.tryFind(path) && !options.has('c')) process.files.write(path, '');
    else process.files.setAttributes(path, { modified: process.system.clock.now() });
  };
  return each(process, options.rest, run);
};

export const ln: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'sfnvT', '', ['symbolic', 'force']);
  const sources = [...options.rest];
  const target = sources.length > 1 ? (sources.pop() as string) : '.';
  const link = (source: string): void => {
    const to = options.has('n', 'T') ? target : targetOf(process, source, target);
    if (options.has('f', 'force') && process.files.tryFind(to, false)) process.files.remove(to);
    if (options.has('s', 'symbolic')) process.files.makeLink(to, source);
    else process.files.makeHardLink(source, to);
  };
  return each(process, sources, link);
};

export const readlink: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'fnem');
  let code = 0;
  for (const path of options.rest) {
    const place = process.files.tryFind(path, options.has('f', 'e', 'm'));
    const text = options.has('f', 'e', 'm')
      ? (place?.path ?? process.files.absolute(path))
      : place?.node.type === 'link'
        ? place.node.target
        : undefined;
    if (text === undefined) code = 1;
    else await out(process, options.has('n') ? text : `${text}\n`);
  }
  return code;
};

export const realpath: Program = (process) => {
  const { rest } = readOptions(process.args.slice(1), 'esmq');
  return each(process, rest, (path) => `${process.files.realPath(path)}\n`);
};

/** Applies `u+x`, `go-w` or `755` to a mode; undefined if invalid. */
export function changeMode(mode: number, change: string, isDirectory: boolean): number | undefined {
  if (/^[0-7]{1,4}$/.test(change)) return parseInt(change, 8);
  let result = mode;
  for (const clause of change.split(',')) {
    const [, who = '', operator, letters = ''] = /^([ugoa]*)([-+=])([rwxXst]*)$/.exec(clause) ?? [];
    if (operator === undefined) return undefined;
    const shifts = (who === '' || who.includes('a') ? 'ugo' : who)
      .split('')
      .map((letter) => ({ u: 6, g: 3, o: 0 })[letter] ?? 0);
    const executes = letters.includes('x') || (letters.includes('X') && (isDirectory || (mode & 0o111) !== 0));
    const bits = (letters.includes('r') ? 4 : 0) | (letters.includes('w') ? 2 : 0) | (executes ? 1 : 0);
    let mask = shifts.reduce((sum, shift) => sum | (bits << shift), 0);
    if (letters.includes('t')) mask |= 0o1000;
    if (letters.includes('s')) mask |= (shifts.includes(6) ? 0o4000 : 0) | (shifts.includes(3) ? 0o2000 : 0);
    const cleared = operator === '=' ? shifts.reduce((sum, shift) => sum | (7 << shift), 0) : 0;
    result = operator === '-' ? result & ~mask : (result & ~cleared) | mask;
  }
  return result;
}

export const chmod: Program = async (process) => {
  const words = process.args.slice(1);
  const recursive = words.some((word) => /^-[a-z]*R/.test(word) || word === '--recursive');
  const [change = '', ...paths] = words.filter((word) => !/^-(R|f|v|c|-\w+)+$/.test(word));
  if (changeMode(0, change, false) === undefined) return fail(process, `invalid mode '${change}'`);
  const run = (path: string): void => {
    const { node } = process.files.find(path);
    process.files.setAttributes(path, { mode: changeMode(node.mode, change, node.type === 'directory') ?? node.mode });
  };
  return each(process, recursive ? paths.flatMap((path) => below(process.files, path)) : paths, run);
};

/** A path and all paths below it. */
export function below(files: FileView, path: string): string[] {
  if (files.tryFind(path, false)?.node.type !== 'directory') return [path];
  return [path, ...files.list(path).flatMap((name) => below(files, joinPath(path, name)))];
}

export const chown: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'RfvhLP');
  const [owner = '', ...paths] = options.rest;
  const isGroup = process.args[0]?.endsWith('chgrp') ?? false;
  const [user = '', group = ''] = isGroup ? ['', owner] : owner.split(/[:.]/);
  const uid = user === '' ? undefined : idOf(process, 'passwd', user);
  const gid = group === '' ? undefined : idOf(process, 'group', group);
  if ((user !== '' && uid === undefined) || (group !== '' && gid === undefined))
    return fail(process, `unknown user/group ${owner}`);
  const run = (path: string): void => {
    if (process.user.uid !== 0) throw new SystemError('EPERM', path);
    process.files.setAttributes(path, { ...(uid === undefined ? {} : { uid }), ...(gid === undefined ? {} : { gid }) });
  };
  return each(process, options.has('R') ? paths.flatMap((path) => below(process.files, path)) : paths, run);
};

export const mktemp: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'dqtu', 'p');
  const template = options.rest[0] ?? joinPath(options.value('p') ?? '/tmp', 'tmp.XXXXXX');
  const path = template.replace(/(?<!X)X+$/, (marks) => process.system.random.suffix(marks.length));
  return attempt(process, path, async () => {
    if (options.has('d')) process.files.makeDirectory(path, 0o700);
    else process.files.write(path, '', 0o600);
    await out(process, `${path}\n`);
  });
};

export const basename: Program = async (process) => {
  const [path = '', suffix = ''] = process.args.slice(1);
  const name = baseName(path);
  await out(
    process,
    `${suffix !== '' && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name}\n`,
  );
  return 0;
};

export const dirname: Program = async (process) => {
  await out(process, `${directoryName(process.args[1] ?? '')}\n`);
  return 0;
};

export const truncate: Program = (process) => {
  const options = readOptions(process.args.slice(1), 'c', 's', ['size=']);
  const size = Number(options.value('s', 'size') ?? 0);
  return each(process, options.rest, (path) => {
    const node = process.files.open(path);
    if (node.type === 'file') node.truncate(size, process.system.clock.now());
  });
};
