import { FunctionReturn, LoopExit, ShellError, ShellExit, type ShellState } from '../state.ts';
import type { Builtin } from './builtin.ts';

/** Commands that lead out of loops, functions and the shell. */
export const control: Readonly<Record<string, Builtin>> = {
  ':': async () => 0,
  break: async (_, [levels]) => {
    throw new LoopExit('break', Math.max(1, Number(levels ?? 1)));
  },
  continue: async (_, [levels]) => {
    throw new LoopExit('continue', Math.max(1, Number(levels ?? 1)));
  },
  return: async ({ state }, [code]) => {
    throw new FunctionReturn(codeOf('return', code, state));
  },
  exit: async ({ state }, [code]) => {
    throw new ShellExit(codeOf('exit', code, state));
  },
};

function codeOf(name: string, text: string | undefined, { status }: ShellState): number {
  if (text === undefined) return status;
  if (!/^-?\d+$/.test(text)) throw new ShellError(`${name}: Illegal number: ${text}`, 2);
  return Number(text) & 255;
}
