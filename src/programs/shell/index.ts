import { decodeText, inBackground, throwToHost } from '../../std/index.ts';
import { SystemError } from '../errors.ts';
import type { Process, Program } from '../process.ts';
import { readLine } from '../streams/index.ts';
import { setOptions } from './builtins/variables.ts';
import { Interpreter } from './interpreter.ts';
import { parseScript } from './parser.ts';
import { SyntaxError } from './reader.ts';
import { runShell } from './runShell.ts';
import { ShellState } from './state.ts';

/** `sh -c 'commands' name args…`, `sh file args…`, or commands from its input; with a terminal it prompts. */
export const shell: Program = async (process) => {
  const [name = 'sh', ...words] = process.args;
  const isBash = /bash$/.test(name);
  const { rest, takesCommand, options } = optionsOf(words);
  const [first, ...others] = rest;
  const state = new ShellState(
    takesCommand ? (others[0] ?? name) : (first ?? name),
    takesCommand ? others.slice(1) : others,
    isBash,
  );
  setOptions(state.options, options);
  importEnvironment(state, process);
  const interpreter = new Interpreter(process, state);
  return runShell(interpreter, () => {
    if (takesCommand) return interpreter.runText(first ?? '');
    return first === undefined ? runInput(interpreter) : runFile(interpreter, first);
  });
};

function optionsOf(words: readonly string[]): { rest: readonly string[]; takesCommand: boolean; options: string[] } {
  const options: string[] = [];
  let takesCommand = false;
  let at = 0;
  for (; at < words.length && /^[-+]./.test(words[at] ?? ''); at++) {
    const word = words[at] as string;
    if (word === '--') {
      at += 1;
      break;
    }
    if (word.startsWith('--')) continue;
    takesCommand ||= /^-\w*c/.test(word);
    options.push(word.replace(/[cil]/g, ''));
    if (/o$/.test(word)) options.push(words[++at] ?? '');
  }
  return { rest: words.slice(at), takesCommand, options: options.filter((word) => word.length > 1) };
}

function importEnvironment(state: ShellState, process: Process): void {
  for (const [key, value] of process.env) if (/^[A-Za-z_]\w*$/.test(key)) state.set(key, value, { exported: true });
  if (state.get('PATH') === undefined)
    state.set('PATH', '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin');
  state.set('PWD', process.cwd);
  state.set('IFS', ' \t\n');
}

/** The state for the prompt of the next command line. */
export interface Prompt {
  readonly cwd: string;
  /** The exit code of the command line before. */
  readonly status: number;
}

/**
 * An interactive shell: `next` returns complete command lines until there are no more, and INT ends the running
 * command. Variables and directory are kept between commands.
 */
export const typedShell =
  (next: (prompt: Prompt) => Promise<string | undefined>): Program =>
  (process) => {
    const state = new ShellState('sh', [], true);
    importEnvironment(state, process);
    const shell = new Interpreter(process, state);
    process.on('INT', () => shell.interrupt());
    return runShell(shell, async () => {
      for (;;) {
        const line = await process.wait(next({ cwd: process.cwd, status: state.status }));
        if (line === undefined) return state.status;
        await shell.runLine(line);
      }
    });
  };

async function runFile(shell: Interpreter, path: string): Promise<number> {
  try {
    return await shell.runText(shell.process.files.text(path));
  } catch (problem) {
    if (!(problem instanceof SystemError)) throw problem;
    await shell.complain(`can't open '${path}': ${problem.message}`, shell.streams);
    return 2;
  }
}

/**
 * Reads commands line by line, so that they may read what follows themselves. At a terminal it prompts, and INT ends the
 * command that runs, or gives up the line that is being typed.
 */
async function runInput(shell: Interpreter): Promise<number> {
  const { process, state } = shell;
  const isInteractive = process.stdin.terminal !== undefined;
  let text = '';
  let typing = true;
  const ask = (): Promise<void> => shell.write(2, text === '' ? prompt(process) : '> ', shell.streams);
  const giveUpLine = (): void => {
    text = '';
    state.status = 130;
    inBackground(ask(), throwToHost);
  };
  if (isInteractive) process.on('INT', () => (typing ? giveUpLine() : shell.interrupt()));
  for (;;) {
    typing = true;
    if (isInteractive) await ask();
    const line = await readLine(process.stdin, process.killed);
    typing = false;
    text += line ? decodeText(line) : '';
    if (line && isIncomplete(text)) continue;
    if (text.trim() !== '') await (isInteractive ? shell.runLine(text) : shell.runText(text));
    text = '';
    if (!line) return state.status;
  }
}

/** Whether a command line goes on in the next line. */
export function isIncomplete(text: string): boolean {
  if (/\\\n$/.test(text)) return true;
  try {
    parseScript(text);
    return false;
  } catch (problem) {
    return problem instanceof SyntaxError && problem.incomplete;
  }
}

const prompt = ({ cwd, user }: Process): string => `${cwd} ${user.uid === 0 ? '#' : '$'} `;
