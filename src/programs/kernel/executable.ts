import { decodeText } from '../../std/index.ts';
import { SystemError, type ErrorCode } from '../errors.ts';
import { EXECUTE, FileView, joinPath } from '../files/index.ts';
import type { Executable, Program } from '../process.ts';
import { variablesIn, type Kernel, type StartOptions } from './kernel.ts';

const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The program that words name, along `PATH` or by path. Throws SystemError: ENOENT, EACCES, ENOEXEC. */
export function executable(kernel: Kernel, options: StartOptions): Executable {
  const { args, user, cwd } = options;
  const files = new FileView(
    kernel.mounts,
    () => ({ user, cwd, umask: 0o022 }),
    () => kernel.clock.now(),
  );
  const name = args[0] ?? '';
  return load(files, findProgram(files, name, variablesIn(options).get('PATH')), args, 0);
}

/** The path of a program. Throws SystemError if there is no executable one. */
export function findProgram(files: FileView, name: string, path = DEFAULT_PATH): string {
  if (name === '') throw new SystemError('ENOENT', name);
  if (name.includes('/')) return checked(files, name);
  let code: ErrorCode = 'ENOENT';
  for (const directory of path.split(':')) {
    const candidate = joinPath(directory || '.', name);
    const node = files.look(candidate)?.node;
    if (!node || node.type === 'directory') continue;
    if (files.allows(node, EXECUTE)) return candidate;
    code = 'EACCES';
  }
  throw new SystemError(code, name);
}

function checked(files: FileView, path: string): string {
  const { node } = files.look(path) ?? files.find(path);
  if (node.type === 'directory' || !files.allows(node, EXECUTE)) throw new SystemError('EACCES', path);
  return path;
}

const DEEPEST_SCRIPT = 4;

function load(files: FileView, path: string, args: readonly string[], depth: number): Executable {
  const { node } = files.look(path) ?? files.find(path);
  if (node.type === 'file' && node.program) return { program: node.program as Program, args };
  const text = node.type === 'file' ? decodeText(node.content.subarray(0, 256)) : '';
  const [, interpreter = '', option] = /^#!\s*(\S+)(?:[ \t]+(\S+))?/.exec(text) ?? [];
  if (interpreter === '' || depth >= DEEPEST_SCRIPT) throw new SystemError('ENOEXEC', path);
  const words = [interpreter, ...(option ? [option] : []), path, ...args.slice(1)];
  return load(files, findProgram(files, interpreter), words, depth + 1);
}
