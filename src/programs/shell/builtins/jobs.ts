import { parseSignal, type Signal } from '../../signals.ts';
import { ShellError } from '../state.ts';
import type { Builtin } from './builtin.ts';

/** Waits for jobs in the background: those named, or all. A signal that is trapped ends the waiting. */
const wait: Builtin = async (shell, args) => {
  const { jobs } = shell.state;
  const named = args.filter((arg) => arg !== '-n');
  const wanted =
    named.length > 0
      ? named.map((arg) => jobs.find((job) => String(job.pid) === arg || arg === `%${jobs.indexOf(job) + 1}`))
      : jobs;
  let code = 0;
  for (const job of [...wanted]) {
    if (!job) return 127;
    code = job.code ?? (await shell.waitInterruptibly(job.exit));
    if (job.code === undefined) return code;
    jobs.splice(jobs.indexOf(job), 1);
  }
  return named.length > 0 ? code : 0;
};

const list: Builtin = async (shell, args, streams) => {
  for (const [i, { pid, code }] of shell.state.jobs.entries()) {
    const text = args.includes('-p') ? `${pid}\n` : `[${i + 1}]  ${code === undefined ? 'Running' : `Done(${code})`}\n`;
    await shell.write(1, text, streams);
  }
  return 0;
};

/** `trap 'commands' SIGNAL…`, `trap '' SIGNAL…`, `trap - SIGNAL…` */
const trap: Builtin = async (shell, args, streams) => {
  const words = args[0] === '--' ? args.slice(1) : args;
  if (words.length === 0) {
    for (const [name, action] of shell.state.traps) await shell.write(1, `trap -- '${action}' ${name}\n`, streams);
    return 0;
  }
  const resets = words[0] === '-' || words.length === 1;
  for (const name of resets && words.length === 1 ? words : words.slice(1)) {
    const action = resets ? undefined : words[0];
    const condition = conditionOf(name);
    if (condition !== 'EXIT' && condition !== 'ERR') shell.trap(condition, action);
    else if (action === undefined) shell.state.traps.delete(condition);
    else shell.state.traps.set(condition, action);
  }
  return 0;
};

function conditionOf(name: string): Signal | 'EXIT' | 'ERR' {
  if (name === 'EXIT' || name === '0') return 'EXIT';
  if (name === 'ERR') return 'ERR';
  const signal = parseSignal(name);
  if (!signal) throw new ShellError(`trap: ${name}: invalid signal specification`);
  return signal;
}

/** Commands about jobs and signals. */
export const jobs: Readonly<Record<string, Builtin>> = {
  ...{ wait, trap },
  jobs: list,
  fg: (shell, _, streams) => wait(shell, [], streams),
  bg: async () => 0,
  disown: async () => 0,
};
