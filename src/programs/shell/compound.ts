import { evaluate } from './arithmetic.ts';
import type { Command } from './ast.ts';
import { testCondition } from './conditions.ts';
import { expandPattern, expandText, expandWords } from './expand.ts';
import type { Shell, Streams } from './shell.ts';
import { parsePattern } from './pattern.ts';
import { LoopExit } from './state.ts';

/** Runs a command that is made of others: a loop, a choice, a group. */
export async function runCompound(
  shell: Shell,
  command: Exclude<Command, { type: 'simple' | 'pipeline' | 'and' | 'or' | 'function' }>,
  streams: Streams,
): Promise<number> {
  switch (command.type) {
    case 'group':
      return shell.runScript(command.body, streams);
    case 'subshell':
      return shell.process.wait(shell.fork((inner) => inner.runScript(command.body, inner.streams), streams).exit);
    case 'if':
      return runIf(shell, command, streams);
    case 'while':
    case 'until':
      return runWhile(shell, command, streams);
    case 'for':
      return runFor(shell, command, streams);
    case 'count':
      return runCount(shell, command, streams);
    case 'case':
      return runCase(shell, command, streams);
    case 'test':
      return (await testCondition(command.condition, shell)) ? 0 : 1;
    case 'arithmetic':
      return evaluate(await expandText(command.expression, shell), shell.state) === 0n ? 1 : 0;
  }
}

async function runIf(
  shell: Shell,
  { branches, otherwise }: Command & { type: 'if' },
  streams: Streams,
): Promise<number> {
  for (const { condition, body } of branches)
    if ((await shell.condition(() => shell.runScript(condition, streams))) === 0) return shell.runScript(body, streams);
  return otherwise ? shell.runScript(otherwise, streams) : 0;
}

async function runWhile(
  shell: Shell,
  command: Command & { type: 'while' | 'until' },
  streams: Streams,
): Promise<number> {
  let code = 0;
  const goesOn = async (): Promise<boolean> => {
    const slice = shell.process.step();
    if (slice) await slice;
    return (
      ((await shell.condition(() => shell.runScript(command.condition, streams))) === 0) === (command.type === 'while')
    );
  };
  await runLoop(shell, goesOn, async () => (code = await shell.runScript(command.body, streams)));
  return code;
}

async function runFor(
  shell: Shell,
  { name, words, body }: Command & { type: 'for' },
  streams: Streams,
): Promise<number> {
  const values = words ? await expandWords(words, shell) : [...shell.state.positional];
  let code = 0;
  let at = 0;
  await runLoop(
    shell,
    async () => at < values.length,
    async () => {
      shell.state.set(name, values[at++] ?? '');
      code = await shell.runScript(body, streams);
    },
  );
  return code;
}

async function runCount(
  shell: Shell,
  { parts: [first, second, third], body }: Command & { type: 'count' },
  streams: Streams,
): Promise<number> {
  const value = async (word: typeof first): Promise<bigint> => evaluate(await expandText(word, shell), shell.state);
  let [code, rounds] = [0, 0];
  await value(first);
  const goesOn = async (): Promise<boolean> => {
    if (rounds++ > 0) await value(third);
    return second.length === 0 || (await value(second)) !== 0n;
  };
  await runLoop(shell, goesOn, async () => (code = await shell.runScript(body, streams)));
  return code;
}

async function runLoop(shell: Shell, goesOn: () => Promise<boolean>, body: () => Promise<unknown>): Promise<void> {
  try {
    while (await goesOn()) {
      try {
        await body();
      } catch (problem) {
        if (!(problem instanceof LoopExit) || problem.kind === 'break' || problem.levels > 1) throw problem;
      }
    }
  } catch (problem) {
    if (!(problem instanceof LoopExit)) throw problem;
    shell.state.status = 0;
    if (problem.levels > 1) throw new LoopExit(problem.kind, problem.levels - 1);
  }
}

async function runCase(
  shell: Shell,
  { subject, items }: Command & { type: 'case' },
  streams: Streams,
): Promise<number> {
  const text = await expandText(subject, shell);
  let code = 0;
  let matched = false;
  for (const { patterns, body, fallsThrough } of items) {
    for (const pattern of matched ? [] : patterns)
      matched ||= parsePattern(await expandPattern(pattern, shell)).matches(text);
    if (!matched) continue;
    code = await shell.runScript(body, streams);
    if (!fallsThrough) break;
  }
  return code;
}
