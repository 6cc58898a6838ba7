import type { Shell, Streams } from './shell.ts';
import { encodeText, inBackground, throwToHost } from '../../std/index.ts';
import { SystemError } from '../errors.ts';
import type { Child, Process } from '../process.ts';
import type { Signal } from '../signals.ts';
import { pipe, readAll, type Stream } from '../streams/index.ts';
import { ArithmeticError } from './arithmetic.ts';
import type { Command, Redirect, Script } from './ast.ts';
import { builtins } from './builtins/index.ts';
import { runCompound } from './compound.ts';
import { expandText, expandWords } from './expand.ts';
import { parseScript } from './parser.ts';
import { SyntaxError } from './reader.ts';
import { applyRedirects } from './redirects.ts';
import { runShell } from './runShell.ts';
import { FunctionReturn, LineAbandoned, LoopExit, ShellError, ShellExit, type ShellState } from './state.ts';

const DEEPEST_CALL = 200;
/** The exit code of a command line that ^C ended. */
const INTERRUPTED = 130;

/** Runs commands in one process, with the state of one shell. */
export class Interpreter implements Shell {
  readonly process: Process;
  readonly state: ShellState;
  /** Signals that arrived and wait for the command to end. */
  readonly #pending: Signal[] = [];
  #interrupt: (() => void) | undefined;
  /** The shell's own streams, which `exec` with redirects changes. */
  readonly streams: Map<number, Stream>;
  /** The exit code of the last command substitution: that of a command which is nothing else. */
  #substituted = 0;
  /** Where the command that is being expanded writes its errors. */
  #current: Streams;
  #isInterrupted = false;
  /** Whether somebody typed the line that runs. A subshell has an interpreter of its own, which runs a script. */
  #isTyped = false;

  constructor(process: Process, state: ShellState) {
    this.process = process;
    this.state = state;
    this.streams = new Map(process.streams);
    this.#current = this.streams;
  }

  /** Runs a text; syntax errors are reported and give 2. */
  async runText(text: string, streams: Streams = this.streams): Promise<number> {
    try {
      return await this.runScript(parseScript(text), streams);
    } catch (problem) {
      if (!(problem instanceof SyntaxError)) throw problem;
      await this.complain(`syntax error: ${problem.message}`, streams);
      return (this.state.status = 2);
    }
  }

  /** Runs one command line of somebody who types. What leads out of a loop or a function leads no further than its end. */
  async runLine(text: string): Promise<number> {
    this.#isTyped = true;
    try {
      return await this.runText(text);
    } catch (problem) {
      if (problem instanceof LineAbandoned) return (this.state.status = problem.code);
      if (problem instanceof LoopExit || problem instanceof FunctionReturn) return this.state.status;
      throw problem;
    } finally {
      this.#isTyped = false;
      this.#isInterrupted = false;
    }
  }

  /** Ends the command line that runs, as ^C does, with the programs that it started; those in the background go on. */
  interrupt(): void {
    this.#isInterrupted = true;
    this.#interrupt?.();
    const background = new Set(this.state.jobs.map((job) => job.pid));
    const started = new Set([this.process.pid]);
    // A process is listed after its parent. Others of the container, such as its main program, are not of this shell.
    for (const { pid, parent } of this.process.system.processes()) {
      if (!started.has(parent) || background.has(pid)) continue;
      started.add(pid);
      this.process.system.signal(pid, 'INT');
    }
  }

  async runScript(script: Script, streams: Streams): Promise<number> {
    for (const { command, background } of script.commands) {
      if (background) this.#inBackground(command, streams);
      else await this.#runChecked(command, streams);
      await this.runTraps(streams);
    }
    if (script.commands.length === 0) this.state.status = 0;
    return this.state.status;
  }

  /** Prints an error. */
  complain(message: string, streams: Streams): Promise<void> {
    return this.write(2, `${this.state.name}: ${message}\n`, streams);
  }

  async write(fd: number, text: string, streams: Streams): Promise<void> {
    await streams.get(fd)?.write(encodeText(text), this.process.killed);
  }

  async capture(script: Script): Promise<Uint8Array> {
    const { input, output } = pipe();
    const streams = new Map(this.#current).set(1, output);
    const child = this.fork((inner) => inner.runScript(script, inner.streams), streams);
    output.release();
    const bytes = await readAll(input, this.process.killed);
    input.release();
    this.#substituted = await this.process.wait(child.exit);
    return bytes;
  }

  /** Handles a signal as `trap` says. */
  trap(signal: Signal, action: string | undefined): void {
    if (action === undefined) this.state.traps.delete(signal);
    else this.state.traps.set(signal, action);
    const handler = (): void => {
      this.#pending.push(signal);
      this.#interrupt?.();
    };
    this.process.on(signal, action === undefined ? undefined : action === '' ? () => undefined : handler);
  }

  /** Waits for a promise, or until a signal comes that is trapped; then 128 and its number. */
  async waitInterruptibly(exit: Promise<number>): Promise<number> {
    const interrupted = new Promise<number>((resolve) => (this.#interrupt = () => resolve(143)));
    try {
      return await this.process.wait(Promise.race([exit, interrupted]));
    } finally {
      this.#interrupt = undefined;
    }
  }

  async runTraps(streams: Streams): Promise<void> {
    for (let signal = this.#pending.shift(); signal; signal = this.#pending.shift()) {
      const { status } = this.state;
      await this.runText(this.state.traps.get(signal) ?? '', streams);
      this.state.status = status;
    }
  }

  /** Starts a subshell as a process of its own; it retains the streams. */
  fork(run: (inner: Shell) => Promise<number>, streams: Streams): Child {
    const state = this.state.copy();
    return this.process.fork((process) => runShell(new Interpreter(process, state), run), { streams });
  }

  #inBackground(command: Command, streams: Streams): void {
    const child = this.fork((inner) => inner.run(command, inner.streams), streams);
    const job = { pid: child.pid, exit: child.exit, code: undefined as number | undefined };
    inBackground(
      child.exit.then((code) => (job.code = code)),
      throwToHost,
    );
    this.state.jobs.push(job);
    this.state.lastJob = child.pid;
    this.state.status = 0;
  }

  async #runChecked(command: Command, streams: Streams): Promise<void> {
    const code = await this.run(command, streams);
    if (code === 0 || this.state.checked > 0 || command.type === 'and' || command.type === 'or') return;
    if (command.type === 'pipeline' && command.negated) return;
    const onError = this.state.traps.get('ERR');
    if (onError !== undefined) await this.runText(onError, streams);
    if (this.state.options.errexit) throw new ShellExit(code);
  }

  /** Runs one command; returns and remembers its exit code. */
  async run(command: Command, streams: Streams): Promise<number> {
    const slice = this.process.step();
    if (slice) await slice;
    if (this.#isInterrupted) throw new LineAbandoned(INTERRUPTED);
    this.#current = streams;
    try {
      this.state.status = await this.#dispatch(command, streams);
    } catch (problem) {
      this.state.status = await this.#recover(problem, streams);
    }
    return this.state.status;
  }

  /** What can't be done is reported; errors of expansion end the command line that somebody typed, or else the shell. */
  async #recover(problem: unknown, streams: Streams): Promise<number> {
    if (problem instanceof ArithmeticError) await this.complain(`arithmetic: ${problem.message}`, streams);
    else if (problem instanceof ShellError) await this.complain(problem.message, streams);
    else throw problem;
    const code = problem instanceof ShellError ? problem.code : 2;
    if (code !== 2) return code;
    throw this.#isTyped ? new LineAbandoned(code) : new ShellExit(code);
  }

  async #dispatch(command: Command, streams: Streams): Promise<number> {
    switch (command.type) {
      case 'simple':
        return this.#simple(command, streams);
      case 'pipeline':
        return this.#pipeline(command, streams);
      case 'and':
      case 'or': {
        const left = await this.condition(() => this.run(command.left, streams));
        return (left === 0) === (command.type === 'and') ? this.run(command.right, streams) : left;
      }
      case 'function':
        this.state.functions.set(command.name, command.body);
        return 0;
      default:
        return this.#redirected(command.redirects, streams, (inner) => runCompound(this, command, inner));
    }
  }

  /** Runs something with redirects applied; one that fails makes the command fail. */
  async #redirected(
    redirects: readonly Redirect[],
    streams: Streams,
    run: (inner: Streams) => Promise<number>,
  ): Promise<number> {
    if (redirects.length === 0) return run(streams);
    const opened = await this.#open(redirects, streams);
    if (!opened) return 1;
    try {
      return await run(opened.streams);
    } finally {
      opened.close();
    }
  }

  async #open(redirects: readonly Redirect[], streams: Streams): ReturnType<typeof applyRedirects> {
    try {
      return await applyRedirects(redirects, streams, this);
    } catch (problem) {
      if (!(problem instanceof SystemError)) throw problem;
      const verb =
        problem.code === 'EBADF'
          ? ''
          : redirects.some((r) => r.operator.includes('>'))
            ? "can't create "
            : "can't open ";
      await this.complain(
        `${verb}${problem.path ?? ''}: ${verb && problem.code === 'ENOENT' ? 'nonexistent directory or file' : problem.message}`,
        streams,
      );
      return undefined;
    }
  }

  /** Runs what decides something: its failure doesn't end the shell. */
  async condition(run: () => Promise<number>): Promise<number> {
    this.state.checked += 1;
    try {
      return await run();
    } finally {
      this.state.checked -= 1;
    }
  }

  async #pipeline({ commands, negated }: Command & { type: 'pipeline' }, streams: Streams): Promise<number> {
    const codes =
      commands.length === 1
        ? [await this.condition(() => this.run(commands[0] as Command, streams))]
        : await this.#piped(commands, streams);
    const failed = this.state.options.pipefail ? codes.findLast((code) => code !== 0) : undefined;
    const code = failed ?? codes[codes.length - 1] ?? 0;
    return negated ? (code === 0 ? 1 : 0) : code;
  }

  async #piped(commands: readonly Command[], streams: Streams): Promise<number[]> {
    const children: Child[] = [];
    let input: Stream | undefined;
    for (const [i, command] of commands.entries()) {
      const isLast = i === commands.length - 1;
      const next = isLast ? undefined : pipe();
      const own = new Map(streams);
      if (input) own.set(0, input);
      if (next) own.set(1, next.output);
      children.push(this.fork((inner) => inner.run(command, inner.streams), own));
      input?.release();
      next?.output.release();
      input = next?.input;
    }
    return this.process.wait(Promise.all(children.map((child) => child.exit)));
  }

  async #simple(command: Command & { type: 'simple' }, streams: Streams): Promise<number> {
    this.#substituted = 0;
    const words = await expandWords(command.words, this);
    if (words.length === 0) {
      await this.#assign(command.assignments, streams);
      const code = this.#substituted;
      return this.#redirected(command.redirects, streams, async () => code);
    }
    return this.#redirected(command.redirects, streams, (inner) => this.#call(words, command.assignments, inner));
  }

  async #assign(assignments: (Command & { type: 'simple' })['assignments'], streams: Streams): Promise<void> {
    for (const { name, append, value } of assignments) {
      const text = await expandText(value, this);
      this.state.set(name, append ? (this.state.get(name) ?? '') + text : text);
      if (this.state.options.xtrace) await this.write(2, `+ ${name}=${text}\n`, streams);
    }
  }

  async #call(
    words: readonly string[],
    assignments: (Command & { type: 'simple' })['assignments'],
    streams: Streams,
  ): Promise<number> {
    if (this.state.options.xtrace) await this.write(2, `+ ${words.map(quoted).join(' ')}\n`, streams);
    const [name = ''] = words;
    const restore = new Map(assignments.map((a) => [a.name, this.state.variables.get(a.name)] as const));
    await this.#assign(assignments, streams);
    for (const { name: variable } of assignments)
      this.state.set(variable, this.state.get(variable) ?? '', { exported: true });
    try {
      const body = this.state.functions.get(name);
      if (body) return await this.callFunction(body, words.slice(1), streams);
      const builtin = builtins.get(name);
      return builtin ? await builtin(this, words.slice(1), streams) : await this.runProgram(words, streams);
    } finally {
      for (const [variable, value] of restore) {
        if (value) this.state.variables.set(variable, value);
        else this.state.variables.delete(variable);
      }
    }
  }

  async callFunction(body: Command, args: readonly string[], streams: Streams): Promise<number> {
    if (++this.state.depth > DEEPEST_CALL) throw new ShellError('maximum function nesting level exceeded', 2);
    const { positional } = this.state;
    this.state.positional = args;
    this.state.scopes.push(new Map());
    try {
      return await this.run(body, streams);
    } catch (problem) {
      if (problem instanceof FunctionReturn) return problem.code;
      throw problem;
    } finally {
      this.state.depth -= 1;
      this.state.positional = positional;
      this.state.leaveScope();
    }
  }

  /** Runs a program as a process of its own, and waits for it. */
  async runProgram(words: readonly string[], streams: Streams): Promise<number> {
    try {
      const child = this.process.spawn(words, { streams, env: this.state.environment(), cwd: this.process.cwd });
      return await this.process.wait(child.exit);
    } catch (problem) {
      if (!(problem instanceof SystemError)) throw problem;
      return this.notRunnable(words, problem, streams);
    }
  }

  /**
   * Why a command can't be run: 127 if it does not exist, 126 if it can't be executed. Text without a program is a
   * script.
   */
  async notRunnable(words: readonly string[], problem: SystemError, streams: Streams): Promise<number> {
    const [name = ''] = words;
    if (problem.code === 'ENOEXEC' && problem.path) return this.#runFile(problem.path, words, streams);
    const isMissing = problem.code === 'ENOENT';
    await this.complain(`${name}: ${isMissing ? 'not found' : problem.message}`, streams);
    return isMissing ? 127 : 126;
  }

  #runFile(path: string, words: readonly string[], streams: Streams): Promise<number> {
    const text = this.process.files.text(path);
    const child = this.fork((inner) => {
      inner.state.positional = words.slice(1);
      return inner.runText(text);
    }, streams);
    return this.process.wait(child.exit);
  }
}

const quoted = (word: string): string => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
