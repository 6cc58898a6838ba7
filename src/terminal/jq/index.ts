/** `jq`: filters of JSON, as a program of the terminal. */
import { encodeText, yieldToTasks } from '../../std/index.ts';
import { fail, out, SystemError, type Process } from '../../programs/index.ts';
import { Halt, natives } from './builtins.ts';
import { Machine } from './evaluate.ts';
import { InputProblem, JsonInput, type Read } from './input.ts';
import { readJqOptions, UsageProblem, type JqOptions } from './options.ts';
import { checkNames } from './names.ts';
import { parseDefinitions, parseFilter } from './parse.ts';
import { PRELUDE } from './prelude.ts';
import { UnknownName } from './scope.ts';
import { SyntaxProblem, type Definition, type Node } from './syntax.ts';
import { JqError, jsonOf, typeOf } from './values.ts';

const USAGE = `Usage: jq [OPTIONS] FILTER [FILES...]
  -r  texts without quotes      -c  one line each          -n  no input
  -s  all inputs as one list    -S  sorted keys            -e  exit code from the last output
  -R  lines as texts            -j  as -r, without ends of lines
  --arg NAME TEXT, --argjson NAME JSON   variables for the filter
Examples: kubectl get pods -o json | jq -r '.items[].metadata.name'
          kubectl get pods -o json | jq '.items | map({name: .metadata.name, phase: .status.phase})'
`;
const USAGE_CODE = 2;
const SYNTAX_CODE = 3;
const ERROR_CODE = 5;

let prelude: ReadonlyMap<string, Definition> | undefined;

const definitions = (): ReadonlyMap<string, Definition> =>
  (prelude ??= new Map(parseDefinitions(PRELUDE).map((each) => [`${each.name}/${each.parameters.length}`, each])));

/** Runs the program; resolves to its exit code. */
export async function jq(process: Process): Promise<number> {
  try {
    const options = readJqOptions(process.args.slice(1));
    if (options.help) return await said(process, USAGE);
    const text = options.filterFile === undefined ? options.filter : process.files.text(options.filterFile);
    if (text === undefined)
      return await fail(process, `say what to do: jq '.items[].metadata.name'\n${USAGE.trimEnd()}`, USAGE_CODE);
    return await new Run(process, options, parseFilter(text)).run();
  } catch (problem) {
    if (problem instanceof UsageProblem) return fail(process, problem.message, USAGE_CODE);
    if (problem instanceof SystemError)
      return fail(process, `error: Could not open ${problem.path ?? ''}: ${problem.message}`, USAGE_CODE);
    if (problem instanceof InputProblem) return await complained(process, `parse error: ${problem.message}\n`);
    if (isTooDeep(problem)) return fail(process, 'error: the filter or its input nests too deeply', ERROR_CODE);
    if (problem instanceof SyntaxProblem || problem instanceof UnknownName)
      return fail(process, `error: ${problem.message}\njq: 1 compile error`, SYNTAX_CODE);
    throw problem;
  }
}

async function complained(process: Process, text: string): Promise<number> {
  await process.stderr.write(encodeText(text));
  return USAGE_CODE;
}

async function said(process: Process, text: string): Promise<number> {
  await out(process, text);
  return 0;
}

/** One run: each input goes through the filter, and what comes out is printed. */
class Run {
  readonly #process: Process;
  readonly #options: JqOptions;
  readonly #filter: Node;
  readonly #machine: () => Machine;
  readonly #next: () => Read | undefined;
  /** Where the input is from that is worked on. */
  #file: string | null = null;
  /** What the filter may take by `input`. */
  #waiting: Read[] = [];
  #last: unknown;
  #printed = false;
  #code = 0;
  #ran = false;
  /** What the filter said by `debug` and `stderr`, and was not written yet. */
  #notes = '';

  constructor(process: Process, options: JqOptions, filter: Node) {
    this.#process = process;
    this.#options = options;
    this.#filter = filter;
    const variables = this.#variables();
    checkNames(
      filter,
      new Set([...natives.keys(), ...definitions().keys(), ...[...variables.keys()].map((x) => `$${x}`)]),
    );
    const note = (text: string): void => void (this.#notes += text);
    const next = (): Read | undefined => {
      const read = this.#waiting.shift();
      this.#file = read?.file ?? this.#file;
      return read;
    };
    const file = (): string | null => this.#file;
    const now = (): number => process.system.clock.now();
    this.#next = next;
    this.#machine = () => new Machine({ natives, definitions: definitions(), variables, next, note, now, file });
  }

  async run(): Promise<number> {
    try {
      await this.#inputs();
    } catch (problem) {
      if (!(problem instanceof Halt)) throw problem;
      return this.#halted(problem);
    }
    if (this.#code !== 0 || !this.#options.exitStatus || !this.#ran) return this.#code;
    if (!this.#printed) return 4;
    return this.#last === null || this.#last === false ? 1 : 0;
  }

  async #inputs(): Promise<void> {
    const { nothing, slurp } = this.#options;
    if (!nothing && !slurp && !usesInput(this.#filter)) {
      for await (const { value, line } of this.#values()) await this.#apply(value, line);
      return;
    }
    const all: Read[] = [];
    for await (const read of this.#values()) all.push({ ...read, file: this.#file });
    if (!slurp) this.#file = null;
    const line = all.at(-1)?.line ?? 0;
    if (slurp) {
      const values = all.map(({ value }) => value);
      const whole = this.#options.rawInput ? values.join('') : values;
      this.#waiting = nothing ? [{ value: whole, line }] : [];
      return this.#apply(nothing ? null : whole, line);
    }
    this.#waiting = all;
    if (nothing) return this.#apply(null, line);
    for (let read = this.#next(); read; read = this.#next()) await this.#apply(read.value, read.line);
  }

  /** The inputs as they come. With `-n`, they are read only if the filter asks for them. */
  async *#values(): AsyncGenerator<Read> {
    if (this.#options.nothing && !usesInput(this.#filter)) return;
    const input = new JsonInput();
    let rest = '';
    let lines = 0;
    for await (const text of this.#texts())
      if (this.#options.rawInput && this.#options.slurp)
        yield { value: text, line: (lines += text.split('\n').length - 1) };
      else if (this.#options.rawInput) {
        const pieces = (rest + text).split('\n');
        rest = pieces.pop() ?? '';
        for (const value of pieces) yield { value, line: ++lines };
      } else {
        input.add(text);
        yield* input.take(false);
      }
    if (rest !== '') yield { value: rest, line: lines };
    if (!this.#options.rawInput) yield* input.take(true);
  }

  async *#texts(): AsyncGenerator<string> {
    const { files } = this.#options;
    for (const path of files) {
      this.#file = path;
      yield this.#process.files.text(path);
    }
    if (files.length > 0) return;
    const decoder = new TextDecoder();
    const { stdin, killed } = this.#process;
    for (let bytes = await stdin.read(killed); bytes; bytes = await stdin.read(killed))
      yield decoder.decode(bytes, { stream: true });
  }

  /** The last input decides about the exit code. */
  async #apply(value: unknown, line: number): Promise<void> {
    this.#code = 0;
    this.#ran = true;
    this.#printed = false;
    try {
      for (const result of this.#machine().results(this.#filter, value)) {
        await this.#writeNotes();
        if (!result) await yieldToTasks();
        else await this.#print((this.#last = result.value));
        await this.#process.step();
        this.#printed ||= result !== undefined;
      }
    } catch (problem) {
      await this.#writeNotes();
      await this.#report(problem, line);
    }
    await this.#writeNotes();
    await this.#process.step();
  }

  async #writeNotes(): Promise<void> {
    if (this.#notes === '') return;
    const text = this.#notes;
    this.#notes = '';
    await this.#process.stderr.write(encodeText(text));
  }

  async #report(problem: unknown, line: number): Promise<void> {
    const message = isTooDeep(problem)
      ? ': the filter nests too deeply'
      : problem instanceof JqError
        ? errorText(problem)
        : undefined;
    if (message === undefined) throw problem;
    this.#code = await fail(
      this.#process,
      `error (at ${this.#options.nothing ? '<unknown>' : `<stdin>:${line}`})${message}`,
      ERROR_CODE,
    );
  }

  async #print(value: unknown): Promise<void> {
    const { raw, join, indent, sorted, ascii } = this.#options;
    const text = raw && typeof value === 'string' ? value : jsonOf(value, { indent, sorted, ascii });
    await out(this.#process, join ? text : `${text}\n`);
  }

  async #halted({ code, value }: Halt): Promise<number> {
    if (value !== undefined && value !== null)
      await this.#process.stderr.write(encodeText(typeof value === 'string' ? value : `${jsonOf(value)}\n`));
    return code;
  }

  #variables(): ReadonlyMap<string, unknown> {
    const { named, fromFiles, positional } = this.#options;
    const read = fromFiles.map(({ name, path, raw }) => {
      const text = this.#process.files.text(path);
      const input = new JsonInput();
      input.add(text);
      return [name, raw ? text : [...input.take(true)].map(({ value }) => value)] as const;
    });
    const all = new Map<string, unknown>([...named, ...read]);
    return new Map([
      ['ENV', Object.fromEntries(this.#process.env)],
      ['__prog_args', positional],
      ['ARGS', { positional, named: Object.fromEntries(all) }],
      ...all,
    ]);
  }
}

const errorText = ({ value, message }: JqError): string =>
  typeof value === 'string'
    ? `: ${value}`
    : typeOf(value) === 'object' || typeOf(value) === 'array'
      ? ` (not a string): ${jsonOf(value)}`
      : `: ${message}`;

/** Whether calls nested too deeply; Firefox has an error of its own for it. Other errors of range are of memory. */
const isTooDeep = (problem: unknown): boolean =>
  problem instanceof Error && /call stack|too much recursion/i.test(problem.message) && !(problem instanceof JqError);

/** Whether a filter takes inputs itself. */
const usesInput = (filter: Node): boolean => /"name":"inputs?"/.test(JSON.stringify(filter));
