import { getOwn } from '../../../std/index.ts';
import { SystemError } from '../../errors.ts';
import { normalize } from '../../files/index.ts';
import { findProgram } from '../../kernel/executable.ts';
import type { Shell } from '../shell.ts';
import { FunctionReturn, ShellExit } from '../state.ts';
import type { Builtin } from './builtin.ts';

const cd: Builtin = async (shell, args, streams) => {
  const { process, state } = shell;
  const wanted = args.find((arg) => !/^-[LP]$/.test(arg)) ?? state.get('HOME') ?? '/';
  const path = wanted === '-' ? (state.get('OLDPWD') ?? '/') : wanted;
  const target = normalize(path, process.cwd);
  try {
    if (process.files.find(target).node.type !== 'directory') throw new SystemError('ENOTDIR', path);
  } catch (problem) {
    if (!(problem instanceof SystemError)) throw problem;
    await shell.complain(`cd: can't cd to ${path}: ${problem.message}`, streams);
    return 1;
  }
  state.set('OLDPWD', process.cwd);
  process.cwd = target;
  state.set('PWD', target);
  return 0;
};

const pwd: Builtin = async (shell, _, streams) => {
  await shell.write(1, `${shell.process.cwd}\n`, streams);
  return 0;
};

const evaluate: Builtin = (shell, args, streams) => shell.runText(args.join(' '), streams);

/** Runs a file in this shell. */
const source: Builtin = async (shell, [path = '', ...args], streams) => {
  const { state, process } = shell;
  const { positional } = state;
  if (args.length > 0) state.positional = args;
  try {
    return await shell.runText(process.files.text(path), streams);
  } catch (problem) {
    if (problem instanceof FunctionReturn) return problem.code;
    if (!(problem instanceof SystemError)) throw problem;
    await shell.complain(`.: can't open '${path}': ${problem.message}`, streams);
    throw new ShellExit(2);
  } finally {
    state.positional = positional;
  }
};

/** Replaces the shell with a program; without arguments, makes redirects permanent. */
const exec: Builtin = async (shell, args, streams) => {
  if (args.length === 0) {
    shell.streams.clear();
    for (const [fd, stream] of streams) shell.streams.set(fd, stream.retain());
    return 0;
  }
  const { process, state } = shell;
  try {
    for (const signal of state.traps.keys()) if (signal !== 'EXIT' && signal !== 'ERR') shell.trap(signal, undefined);
    state.traps.clear();
    const found = process.resolve(args);
    throw new ShellExit(await process.call(found.program, { args: found.args, streams, env: state.environment() }));
  } catch (problem) {
    if (!(problem instanceof SystemError)) throw problem;
    throw new ShellExit(await shell.notRunnable(args, problem, streams));
  }
};

/** Runs a command without functions; `-v` prints what it is. */
const command: Builtin = async (shell, args, streams) => {
  if (args[0] === '-v' || args[0] === '-V') return describe(shell, args.slice(1), streams, args[0] === '-V');
  const words = args[0] === '-p' ? args.slice(1) : args;
  const own = getOwn(environment, words[0] ?? '');
  return own ? own(shell, words.slice(1), streams) : shell.runProgram(words, streams);
};

const type: Builtin = (shell, args, streams) => describe(shell, args, streams, true);

async function describe(
  shell: Shell,
  names: readonly string[],
  streams: Parameters<Builtin>[2],
  verbose: boolean,
): Promise<number> {
  let code = 0;
  for (const name of names) {
    const found = kindOf(shell, name);
    if (found) await shell.write(1, verbose ? `${name} is ${found.text}\n` : `${found.path}\n`, streams);
    else {
      code = 127;
      if (verbose) await shell.write(2, `${name}: not found\n`, streams);
    }
  }
  return code;
}

function kindOf({ state, process }: Shell, name: string): { readonly path: string; readonly text: string } | undefined {
  if (state.functions.has(name)) return { path: name, text: 'a function' };
  if (Object.hasOwn(environment, name) || SHELL_WORDS.has(name)) return { path: name, text: 'a shell builtin' };
  try {
    const path = findProgram(process.files, name, state.get('PATH'));
    return { path, text: path };
  } catch (problem) {
    if (problem instanceof SystemError) return undefined;
    throw problem;
  }
}

const SHELL_WORDS = new Set([
  'exit',
  'export',
  'read',
  'set',
  'shift',
  'trap',
  'unset',
  'wait',
  'local',
  'return',
  'break',
  'continue',
  ':',
]);

const umask: Builtin = async (shell, [mask], streams) => {
  if (mask === undefined) await shell.write(1, `${shell.process.umask.toString(8).padStart(4, '0')}\n`, streams);
  else shell.process.umask = parseInt(mask, 8) & 0o777;
  return 0;
};

/** Builtins about the shell's environment. */
export const environment: Readonly<Record<string, Builtin>> = {
  ...{ cd, pwd, exec, command, type, umask },
  eval: evaluate,
  '.': source,
  source,
  hash: async () => 0,
  ulimit: async (shell, _, streams) => {
    await shell.write(1, 'unlimited\n', streams);
    return 0;
  },
  alias: async () => 0,
  times: async (shell, _, streams) => {
    await shell.write(1, '0m0.000s 0m0.000s\n0m0.000s 0m0.000s\n', streams);
    return 0;
  },
};
