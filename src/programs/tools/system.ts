import { encodeText } from '../../std/index.ts';
import { SystemError } from '../errors.ts';
import type { MountTable } from '../files/index.ts';
import type { Process, Program } from '../process.ts';
import { parseSignal, signalNumber } from '../signals.ts';
import { findProgram } from '../kernel/executable.ts';
import { formatDate } from './date.ts';
import { humanSize } from './ls.ts';
import { fail, out, parseTime, readOptions } from './tool.ts';
import { idName } from './users.ts';

/** Replaces this process with a program, as `exec` does; returns 127 or 126 if that fails. */
export async function runInPlace(process: Process, args: readonly string[], env = process.env): Promise<number> {
  try {
    const found = process.resolve(args);
    return await process.call(found.program, { args: found.args, env });
  } catch (problem) {
    if (!(problem instanceof SystemError)) throw problem;
    return fail(process, `can't execute '${args[0] ?? ''}': ${problem.message}`, problem.code === 'ENOENT' ? 127 : 126);
  }
}

export const env: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'i0', 'u', ['ignore-environment', 'unset='], true);
  const environment = new Map(options.has('i', 'ignore-environment') ? [] : process.env);
  for (const name of options.values('u', 'unset')) environment.delete(name);
  const words = [...options.rest];
  while (/^[^=]+=/.test(words[0] ?? '')) {
    const word = words.shift() as string;
    environment.set(word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1));
  }
  if (words.length > 0) return runInPlace(process, words, environment);
  await out(process, Array.from(environment, ([name, value]) => `${name}=${value}\n`).join(''));
  return 0;
};

export const printenv: Program = async (process) => {
  const [, ...names] = process.args;
  if (names.length === 0) return env(process);
  const values = names.flatMap((name) => process.env.get(name) ?? []);
  await out(process, values.map((value) => `${value}\n`).join(''));
  return values.length === names.length ? 0 : 1;
};

export const sleep: Program = async (process) => {
  const times = process.args.slice(1).map(parseTime);
  const bad = times.indexOf(undefined);
  if (times.length === 0) return fail(process, 'missing operand');
  if (bad >= 0) return fail(process, `invalid number '${process.args[bad + 1]}'`);
  const ms = times.reduce<number>((sum, time) => sum + (time ?? 0), 0);
  if (ms === Infinity) await process.wait(new Promise(() => undefined));
  await process.sleep(ms);
  return 0;
};

export const hostname: Program = async (process) => {
  const option = process.args[1];
  const { system } = process;
  const full = (): string => hostsName(process) ?? system.hostname;
  const text =
    option === '-i' || option === '-I'
      ? system.network.addresses.join(' ')
      : option === '-f'
        ? full()
        : option === '-d'
          ? full().split('.').slice(1).join('.')
          : system.hostname;
  await out(process, `${text}\n`);
  return 0;
};

/** The full name that the hosts file gives the container. */
function hostsName({ files, system }: Process): string | undefined {
  if (!files.tryFind('/etc/hosts')) return undefined;
  const line = files
    .text('/etc/hosts')
    .split('\n')
    .find((entry) => entry.split(/\s+/).includes(system.hostname));
  return line?.split(/\s+/)[1];
}

export const uname: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'asnrvmpio');
  const parts: readonly [string, string][] = [
    ['s', 'Linux'],
    ['n', process.system.hostname],
    ['r', '5.4.0-simulated'],
    ['v', '#1 SMP'],
    ['m', 'x86_64'],
    ['o', 'Linux'],
  ];
  const wanted = options.has('a') ? parts : parts.filter(([letter]) => options.has(letter));
  await out(process, `${(wanted.length > 0 ? wanted : parts.slice(0, 1)).map(([, text]) => text).join(' ')}\n`);
  return 0;
};

export const ps: Program = async (process) => {
  const lines = process.system
    .processes()
    .map(
      ({ pid, user, args }) =>
        `${String(pid).padStart(5)} ${idName(process, 'passwd', user.uid).padEnd(8)}  0:00 ${args.join(' ')}\n`,
    );
  await out(process, `  PID USER     TIME  COMMAND\n${lines.join('')}`);
  return 0;
};

export const pgrep: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'flxoan');
  const name = options.rest[0] ?? '';
  const found = process.system
    .processes()
    .filter(
      ({ pid, args }) => pid !== process.pid && (options.has('f') ? args.join(' ') : (args[0] ?? '')).includes(name),
    );
  await out(
    process,
    found.map(({ pid, args }) => `${pid}${options.has('l', 'a') ? ` ${args.join(' ')}` : ''}\n`).join(''),
  );
  return found.length > 0 ? 0 : 1;
};

export const mount: Program = async (process) => {
  if (process.args.length > 1) return fail(process, 'permission denied (are you root?)');
  await out(process, mountLines(process.files.mounts));
  return 0;
};

/** The table of mounts, a line each. */
export const mountLines = (mounts: MountTable): string =>
  mounts
    .list()
    .map(
      ({ path, root, readOnly }) =>
        `${root.device.name} on ${path} type ${root.device.type} (${readOnly ? 'ro' : 'rw'},relatime)\n`,
    )
    .join('');

export const df: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'hkmTPai');
  const unit = options.has('h')
    ? humanSize
    : (bytes: number): string => String(Math.ceil(bytes / (options.has('m') ? 1024 ** 2 : 1024)));
  const wanted = options.rest.map((path) => process.files.find(path).mount);
  const mounts = wanted.length > 0 ? wanted : process.files.mounts.list();
  const type = options.has('T');
  const lines = mounts.map(({ path, root: { device } }) => {
    const limit = Number.isFinite(device.limit) ? device.limit : 100 * 1024 ** 3;
    const use = `${Math.ceil((device.used / limit) * 100)}%`;
    return `${device.name.padEnd(20)} ${type ? `${device.type.padEnd(10)} ` : ''}${unit(limit).padStart(9)} ${unit(device.used).padStart(9)} ${unit(limit - device.used).padStart(9)} ${use.padStart(4)} ${path}\n`;
  });
  await out(
    process,
    `${'Filesystem'.padEnd(20)} ${type ? 'Type       ' : ''}${(options.has('h') ? 'Size' : '1K-blocks').padStart(9)}      Used Available Use% Mounted on\n${lines.join('')}`,
  );
  return 0;
};

export const timeout: Program = async (process) => {
  const options = readOptions(
    process.args.slice(1),
    'v',
    'stk',
    ['signal=', 'kill-after=', 'preserve-status', 'foreground'],
    true,
  );
  const [first = '', ...rest] = options.rest;
  const old = options.value('t');
  const [time, words] = old === undefined ? [first, rest] : [old, options.rest];
  const ms = parseTime(time);
  const signal = parseSignal(options.value('s', 'signal') ?? 'TERM');
  if (ms === undefined || !signal || words.length === 0) return fail(process, `invalid time interval '${time}'`, 125);
  const child = spawned(process, words);
  if (typeof child === 'number') return child;
  let late = false;
  const timer = process.system.clock.setTimeout(() => {
    late = true;
    child.kill(signal);
  }, ms);
  const code = await process.wait(child.exit);
  process.system.clock.clearTimeout(timer);
  return late && !options.has('preserve-status')
    ? signal === 'KILL'
      ? 137
      : old === undefined
        ? 124
        : 128 + signalNumber(signal)
    : code;
};

function spawned(process: Process, words: readonly string[]): ReturnType<Process['spawn']> | number {
  try {
    return process.spawn(words);
  } catch (problem) {
    if (problem instanceof SystemError) return problem.code === 'ENOENT' ? 127 : 126;
    throw problem;
  }
}

/** `nohup`, `nice`, `setsid`: run what follows. */
export const wrapper: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'cw', 'n', ['adjustment='], true);
  return runInPlace(process, options.rest);
};

export const time: Program = async (process) => {
  const began = process.system.clock.now();
  const code = await runInPlace(process, process.args.slice(1));
  const seconds = ((process.system.clock.now() - began) / 1000).toFixed(2);
  await process.stderr.write(encodeText(`real\t0m ${seconds}s\nuser\t0m 0.00s\nsys\t0m 0.00s\n`));
  return code;
};

export const watch: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'td', 'n', [], true);
  for (;;) {
    await process.wait(process.spawn(['sh', '-c', options.rest.join(' ')]).exit);
    await process.sleep((parseTime(options.value('n') ?? '2') ?? 2000) || 100);
  }
};

export const which: Program = async (process) => {
  let code = 0;
  for (const name of process.args.slice(1).filter((word) => !word.startsWith('-'))) {
    try {
      await out(process, `${findProgram(process.files, name, process.env.get('PATH'))}\n`);
    } catch (problem) {
      if (!(problem instanceof SystemError)) throw problem;
      code = 1;
    }
  }
  return code;
};

export const nproc: Program = async (process) => {
  await out(process, '4\n');
  return 0;
};

export const uptime: Program = async (process) => {
  const { clock, startedAt } = process.system;
  await out(
    process,
    ` ${formatDate('%T', clock.now())} up ${Math.floor((clock.now() - startedAt) / 60_000)} min,  load average: 0.00, 0.00, 0.00\n`,
  );
  return 0;
};

export const tty: Program = async (process) => {
  await out(process, process.stdin.terminal ? '/dev/pts/0\n' : 'not a tty\n');
  return process.stdin.terminal ? 0 : 1;
};

/** Prints the size of the terminal. Its other settings can be read, but not changed. */
export const stty: Program = async (process) => {
  const size = process.stdin.terminal;
  if (!size) return fail(process, 'standard input: Inappropriate ioctl for device');
  const { rows, columns } = size;
  const words = process.args.slice(1);
  if (words.includes('size')) await out(process, `${rows} ${columns}\n`);
  else if (words.includes('-a')) await out(process, `speed 38400 baud; rows ${rows}; columns ${columns}; line = 0;\n`);
  else if (words.length === 0) await out(process, 'speed 38400 baud; line = 0;\n');
  return 0;
};

/** Does nothing and succeeds, or fails. */
export const succeed: Program = async () => 0;
export const refuse: Program = async () => 1;

export const free: Program = async (process) => {
  await out(
    process,
    '              total        used        free      shared  buff/cache   available\nMem:        8145856      612340     7533516           0           0     7533516\nSwap:             0           0           0\n',
  );
  return 0;
};

export const clear: Program = async (process) => {
  await out(process, '\x1b[H\x1b[J');
  return 0;
};
