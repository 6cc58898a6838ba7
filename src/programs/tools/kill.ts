import type { Process, ProcessInfo, Program } from '../process.ts';
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
  for (const word of words) {
    const problem = send(process, word, signal);
    if (problem !== undefined) code = await fail(process, `can't kill pid ${word}: ${problem}`);
  }
  return code;
};

/** Undefined where it was sent. */
function send(sender: Process, word: string, signal: Signal | 'probe'): string | undefined {
  const pid = Math.abs(Number(word));
  const { system } = sender;
  const target = system.processes().find((process) => process.pid === pid);
  if (!target) return 'No such process';
  if (!maySignal(sender, target)) return 'Operation not permitted';
  if (signal !== 'probe') system.signal(pid, signal);
  return undefined;
}

/** Root with the capability may signal every process, others those of their own user. */
function maySignal({ user, system }: Process, target: ProcessInfo): boolean {
  const { privileged, capabilities } = system.confinement;
  return user.uid === target.user.uid || (user.uid === 0 && (privileged || capabilities.has('KILL')));
}

/** `killall NAME…`, `pkill NAME`: sends a signal to all processes of that name. */
export const killall: Program = async (process) => {
  const words = process.args.slice(1);
  const signal = parseSignal(words.find((word) => word.startsWith('-'))?.slice(1) ?? 'TERM') ?? 'TERM';
  let code = 1;
  for (const name of words.filter((word) => !word.startsWith('-')))
    for (const target of process.system.processes())
      if (target.pid !== process.pid && target.args[0]?.replace(/^.*\//, '') === name && maySignal(process, target))
        if (process.system.signal(target.pid, signal)) code = 0;
  return code;
};
