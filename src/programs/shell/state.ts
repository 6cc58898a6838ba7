import type { Command } from './ast.ts';
import { OutOfMemory } from '../errors.ts';
import type { Signal } from '../signals.ts';

export interface Variable {
  readonly value: string;
  readonly exported: boolean;
  readonly readOnly: boolean;
}

export interface Options {
  errexit: boolean;
  nounset: boolean;
  xtrace: boolean;
  noglob: boolean;
  pipefail: boolean;
}

export interface Job {
  readonly pid: number;
  readonly exit: Promise<number>;
  code: number | undefined;
}

/** What a loop, a function or the shell is to be left with. */
export class LoopExit extends Error {
  readonly kind: 'break' | 'continue';
  levels: number;

  constructor(kind: 'break' | 'continue', levels: number) {
    super(kind);
    this.kind = kind;
    this.levels = levels;
  }
}

export class FunctionReturn extends Error {
  readonly code: number;

  constructor(code: number) {
    super('return');
    this.code = code;
  }
}

export class ShellExit extends Error {
  readonly code: number;

  constructor(code: number) {
    super('exit');
    this.code = code;
  }
}

/** The command line that runs is to end: somebody pressed ^C, or a part of it can't be expanded. */
export class LineAbandoned extends Error {
  readonly code: number;

  constructor(code: number) {
    super('the command line was abandoned');
    this.code = code;
  }
}

/** A command failed; the shell prints the reason and continues, or exits where the standard requires it. */
export class ShellError extends Error {
  readonly code: number;

  constructor(message: string, code = 1) {
    super(message);
    this.code = code;
  }
}

/** Characters in a variable; longer ones are more than a container has memory for. */
const LONGEST_VALUE = 4 * 1024 * 1024;

/** What a shell remembers between commands. A subshell begins with a copy. */
export class ShellState {
  readonly name: string;
  /** Whether `{1..3}` and `[[ ]]` mean what they mean to bash. */
  readonly isBash: boolean;
  readonly variables = new Map<string, Variable>();
  readonly functions = new Map<string, Command>();
  readonly traps = new Map<Signal | 'EXIT' | 'ERR', string>();
  readonly options: Options = { errexit: false, nounset: false, xtrace: false, noglob: false, pipefail: false };
  /** What `local` has to restore when a function returns, the innermost last. */
  readonly scopes: Map<string, Variable | undefined>[] = [];
  readonly jobs: Job[] = [];
  positional: readonly string[];
  status = 0;
  lastJob: number | undefined;
  /** Above 0 where a failure doesn't end the shell: in conditions. */
  checked = 0;
  depth = 0;

  constructor(name: string, positional: readonly string[], isBash: boolean) {
    this.name = name;
    this.positional = positional;
    this.isBash = isBash;
  }

  /** For a subshell: everything but jobs and traps. */
  copy(): ShellState {
    const copy = new ShellState(this.name, this.positional, this.isBash);
    for (const [name, variable] of this.variables) copy.variables.set(name, variable);
    for (const [name, body] of this.functions) copy.functions.set(name, body);
    Object.assign(copy.options, this.options);
    copy.status = this.status;
    copy.lastJob = this.lastJob;
    copy.checked = this.checked;
    copy.depth = this.depth;
    return copy;
  }

  get(name: string): string | undefined {
    return this.variables.get(name)?.value;
  }

  set(name: string, value: string, changes: { readonly exported?: boolean; readonly readOnly?: boolean } = {}): void {
    const before = this.variables.get(name);
    if (before?.readOnly) throw new ShellError(`${name}: is read only`, 2);
    if (value.length > LONGEST_VALUE) throw new OutOfMemory();
    this.variables.set(name, { value, exported: before?.exported ?? false, readOnly: false, ...changes });
  }

  unset(name: string): void {
    if (this.variables.get(name)?.readOnly) throw new ShellError(`${name}: is read only`, 2);
    this.variables.delete(name);
  }

  /** Makes a variable the function's own. */
  makeLocal(name: string): void {
    const scope = this.scopes[this.scopes.length - 1];
    if (!scope) throw new ShellError('local: not in a function');
    if (!scope.has(name)) scope.set(name, this.variables.get(name));
  }

  leaveScope(): void {
    for (const [name, before] of this.scopes.pop() ?? []) {
      if (before) this.variables.set(name, before);
      else this.variables.delete(name);
    }
  }

  /** The environment of programs that the shell starts. */
  environment(): Map<string, string> {
    const exported = [...this.variables].filter(([, variable]) => variable.exported);
    return new Map(exported.map(([name, { value }]) => [name, value]));
  }
}
