import type { Shell } from './shell.ts';
import { FunctionReturn, LoopExit, ShellExit } from './state.ts';

/** Runs a shell to its end: `exit` sets its code, and the EXIT trap runs last. */
export async function runShell(shell: Shell, run: (shell: Shell) => Promise<number>): Promise<number> {
  let code = await untilExit(() => run(shell));
  const last = shell.state.traps.get('EXIT');
  if (last !== undefined) {
    shell.state.traps.delete('EXIT');
    shell.state.status = code;
    const own = await untilExit(async () => {
      await shell.runText(last);
      return code;
    });
    code = own;
  }
  return code;
}

async function untilExit(run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (problem) {
    if (problem instanceof ShellExit || problem instanceof FunctionReturn) return problem.code;
    if (problem instanceof LoopExit) return 0;
    throw problem;
  }
}
