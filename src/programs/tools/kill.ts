import type { Program } from '../process.ts';
import { parseSignal, signalNames, signalNumber, type Signal } from '../signals.ts';
import { fail, out } from './tool.ts';

/** `kill -SIGNAL PID…`, `kill -0 PID`, `kill -l` */
export const kill: Program = async (process) => {
  let words = process.args.slice(1);
  if (words[0] === '-l') {
    await out(process, `${signalNames.map((signal) => `${signalNumber(signal)}) ${signal}`).join('\n')}\n`);
    return 0;
  }
  let signal: Signal | 'probe' = 'TERM';
  const option = words[0] === '-s' ? `-${words[1] ?? ''}` : (words[0] ?? '');
  if (/^-./.test(option)) {
    const parsed = option === '-0' ? 'probe' : parseSignal(option.slice(1));
    if (!parsed) return fail(process, `bad signal name '${option.slice(1)}'`);
    signal = parsed;
    words = words.slice(words[0] === '-s' ? 2 : 1);
  }
  let code = 0;
  for (const word of words)
    if (!send(process, word, signal)) code = await fail(process, `can't kill pid ${word}: No such process`);
  return code;
};

function send({ system }: Parameters<Program>[0], word: string, signal: Signal | 'probe'): boolean {
  const pid = Math.abs(Number(word));
  if (signal === 'probe') return system.processes().some((process) => process.pid === pid);
  return Number.isInteger(pid) && system.signal(pid, signal);
}

/** `killall NAME…`, `pkill NAME`: sends a signal to all processes of that name. */
export const killall: Program = async (process) => {
  const words = process.args.slice(1);
  const signal = parseSignal(words.find((word) => word.startsWith('-'))?.slice(1) ?? 'TERM') ?? 'TERM';
  let code = 1;
  for (const name of words.filter((word) => !word.startsWith('-')))
    for (const { pid, args } of process.system.processes())
      if (pid !== process.pid && args[0]?.replace(/.*\//, '') === name && process.system.signal(pid, signal)) code = 0;
  return code;
};
