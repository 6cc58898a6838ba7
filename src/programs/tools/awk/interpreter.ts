import { getOwn, encodeText } from '../../../std/index.ts';
import type { Process } from '../../process.ts';
import { LineWriter } from '../tool.ts';
import { formatted, functions, patternOf, splitFields, substitute, type Surroundings } from './functions.ts';
import { AwkError } from './error.ts';
import { Jump } from './jump.ts';
import type { AwkProgram, Expression, Rule, Statement } from './ast.ts';
import { Record, type InputLine } from './record.ts';
import { arithmetic, compare, COMPARISONS, Input, isTrue, toNumber, toText, UNSET, type Value } from './values.ts';

type Cell = Value | Map<string, Value>;

const MOST_CALLS = 200;

/** What isn't made of other values by an operator. */
type Simple = {
  readonly type:
    'number' | 'string' | 'regex' | 'variable' | 'element' | 'field' | 'assign' | 'step' | 'call' | 'getline';
};

/** Runs one program over its input. */
export class Awk implements Surroundings {
  readonly #process: Process;
  readonly #program: AwkProgram;
  readonly #lines: AsyncIterator<InputLine>;
  readonly #writer: LineWriter;
  readonly #globals = new Map<string, Cell>();
  readonly #frames: Map<string, Cell>[] = [];
  /** Ranges of rules that have begun. */
  readonly #open = new Set<Rule>();
  readonly #files = new Map<string, string>();
  readonly #record: Record;
  #exit = 0;

  constructor(process: Process, program: AwkProgram, lines: AsyncIterable<InputLine>) {
    this.#process = process;
    this.#program = program;
    this.#lines = lines[Symbol.asyncIterator]();
    this.#writer = new LineWriter(process);
    this.#record = new Record(
      (name) => toText(this.get(name)),
      (count) => this.#globals.set('NF', count),
    );
    const initial = {
      FS: ' ',
      OFS: ' ',
      ORS: '\n',
      RS: '\n',
      NR: 0,
      NF: 0,
      SUBSEP: '\x1c',
      RSTART: 0,
      RLENGTH: -1,
      FILENAME: '',
    };
    for (const [name, value] of Object.entries(initial)) this.#globals.set(name, value);
    this.#globals.set('ENVIRON', new Map(process.env));
  }

  readonly now = (): number => this.#process.system.clock.now();
  readonly random = (): number => this.#process.system.random.next();

  async run(): Promise<number> {
    await this.#untilExit(async () => {
      await this.#rules('BEGIN');
      if (this.#program.rules.some(({ when }) => when !== 'BEGIN')) while (await this.#nextRecord()) await this.#main();
    });
    await this.#untilExit(() => this.#rules('END'));
    await this.#writer.flush();
    for (const [path, text] of this.#files) this.#process.files.write(path, text);
    return this.#exit;
  }

  readonly get = (name: string): Value => {
    const cell = this.#cell(name);
    return cell instanceof Map ? '' : cell;
  };

  readonly set = (name: string, value: Value): void => {
    const frame = this.#frames[this.#frames.length - 1];
    if (frame?.has(name)) frame.set(name, value);
    else this.#globals.set(name, value);
    if (name === 'NF') this.#record.resize(toNumber(value));
  };

  async #untilExit(run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (problem) {
      if (!(problem instanceof Jump) || problem.kind !== 'exit') throw problem;
      this.#exit = toNumber(problem.value) & 255;
    }
  }

  async #rules(when: 'BEGIN' | 'END'): Promise<void> {
    for (const rule of this.#program.rules) if (rule.when === when) await this.#execute(rule.body);
  }

  async #main(): Promise<void> {
    try {
      for (const rule of this.#program.rules) if (await this.#applies(rule)) await this.#execute(rule.body);
    } catch (problem) {
      if (!(problem instanceof Jump) || problem.kind !== 'next') throw problem;
    }
  }

  async #applies(rule: Rule): Promise<boolean> {
    if (typeof rule.when === 'string') return false;
    const { from, to } = rule.when;
    if (!from) return true;
    if (!this.#open.has(rule) && !isTrue(await this.#value(from))) return false;
    if (to && isTrue(await this.#value(to))) this.#open.delete(rule);
    else if (to) this.#open.add(rule);
    return true;
  }

  async #nextRecord(): Promise<boolean> {
    const line = await this.#nextLine();
    if (line === undefined) return false;
    this.#record.set(line);
    return true;
  }

  /** The next line of the input, which is counted; undefined at the end. */
  async #nextLine(): Promise<string | undefined> {
    const { done, value } = await this.#lines.next();
    if (done) return undefined;
    this.#globals.set('NR', toNumber(this.get('NR')) + 1);
    this.#globals.set('FNR', value.number);
    this.#globals.set('FILENAME', value.file);
    return value.text;
  }

  async #execute(statement: Statement): Promise<void> {
    const slice = this.#process.step();
    if (slice) await slice;
    switch (statement.type) {
      case 'block':
        for (const inner of statement.body) await this.#execute(inner);
        return;
      case 'expression':
        return void (await this.#value(statement.of));
      case 'print':
        return this.#print(statement);
      case 'if': {
        const branch = isTrue(await this.#value(statement.test)) ? statement.yes : statement.no;
        return branch && this.#execute(branch);
      }
      case 'while':
        return this.#loop(statement.test, statement.body, undefined, statement.atLeastOnce);
      case 'for':
        if (statement.first) await this.#execute(statement.first);
        return this.#loop(statement.test, statement.body, statement.next, false);
      case 'forIn':
        return this.#forIn(statement);
      case 'delete': {
        if (statement.keys.length === 0) return this.#array(statement.name).clear();
        return void this.#array(statement.name).delete(await this.#key(statement.keys));
      }
      case 'exit':
      case 'return':
        throw new Jump(
          statement.type,
          statement.value ? await this.#value(statement.value) : statement.type === 'exit' ? this.#exit : '',
        );
      default:
        throw new Jump(statement.type);
    }
  }

  async #loop(
    test: Expression | undefined,
    body: Statement,
    next: Statement | undefined,
    atLeastOnce: boolean,
  ): Promise<void> {
    for (let first = atLeastOnce; first || !test || isTrue(await this.#value(test)); first = false) {
      if (!(await this.#body(body))) return;
      if (next) await this.#execute(next);
    }
  }

  async #forIn({ variable, name, body }: Statement & { type: 'forIn' }): Promise<void> {
    for (const key of [...this.#array(name).keys()]) {
      this.set(variable, new Input(key));
      if (!(await this.#body(body))) return;
    }
  }

  /** Runs the body of a loop; false when it is left. */
  async #body(body: Statement): Promise<boolean> {
    try {
      await this.#execute(body);
      return true;
    } catch (problem) {
      if (problem instanceof Jump && problem.kind === 'continue') return true;
      if (problem instanceof Jump && problem.kind === 'break') return false;
      throw problem;
    }
  }

  async #print({ formatted: isFormatted, args, to }: Statement & { type: 'print' }): Promise<void> {
    const values: Value[] = [];
    for (const arg of args) values.push(await this.#value(arg));
    const plain = values.length === 0 ? this.#record.text : values.map(toText).join(toText(this.get('OFS')));
    const text = isFormatted ? formatted(values) : plain + toText(this.get('ORS'));
    if (!to) return this.#writer.write(text);
    const path = toText(await this.#value(to.target));
    if (to.operator === '|') throw new AwkError('pipes of awk are not simulated');
    if (path === '/dev/stderr') return this.#process.stderr.write(encodeText(text));
    if (path === '/dev/stdout') return this.#writer.write(text);
    const before =
      this.#files.get(path) ??
      (to.operator === '>>' && this.#process.files.tryFind(path) ? this.#process.files.text(path) : '');
    this.#files.set(path, before + text);
  }

  async #value(expression: Expression): Promise<Value> {
    switch (expression.type) {
      case 'number':
      case 'string':
        return expression.value;
      case 'regex':
        return patternOf(expression.source).test(this.#record.text) ? 1 : 0;
      case 'variable':
        return this.get(expression.name);
      case 'element': {
        const array = this.#array(expression.name);
        const key = await this.#key(expression.keys);
        if (!array.has(key)) array.set(key, UNSET);
        return array.get(key) ?? UNSET;
      }
      case 'field':
        return this.#record.field(toNumber(await this.#value(expression.index)));
      case 'assign':
        return this.#assign(expression.target, await this.#assigned(expression));
      case 'step':
        return this.#step(expression);
      case 'call':
        return this.#call(expression);
      case 'getline':
        return this.#getline(expression.target);
      default:
        return this.#combined(expression);
    }
  }

  async #combined(expression: Exclude<Expression, Simple>): Promise<Value> {
    switch (expression.type) {
      case 'unary': {
        const value = await this.#value(expression.of);
        if (expression.operator === '!') return isTrue(value) ? 0 : 1;
        return expression.operator === '-' ? -toNumber(value) : toNumber(value);
      }
      case 'binary':
        return this.#binary(expression);
      case 'condition':
        return this.#value(isTrue(await this.#value(expression.test)) ? expression.yes : expression.no);
      case 'in':
        return this.#array(expression.name).has(await this.#key(expression.keys)) ? 1 : 0;
      case 'group': {
        const [only] = expression.items;
        return expression.items.length === 1 && only ? this.#value(only) : this.#key(expression.items);
      }
    }
  }

  async #assigned({ operator, target, value }: Expression & { type: 'assign' }): Promise<Value> {
    const right = await this.#value(value);
    return operator === '' ? right : arithmetic(operator, toNumber(await this.#value(target)), toNumber(right));
  }

  async #assign(target: Expression, value: Value): Promise<Value> {
    if (target.type === 'variable') this.set(target.name, value);
    else if (target.type === 'element') this.#array(target.name).set(await this.#key(target.keys), value);
    else if (target.type === 'field') this.#record.setField(toNumber(await this.#value(target.index)), toText(value));
    return value;
  }

  async #step({ operator, prefix, target }: Expression & { type: 'step' }): Promise<Value> {
    const before = toNumber(await this.#value(target));
    const after = before + (operator === '++' ? 1 : -1);
    await this.#assign(target, after);
    return prefix ? after : before;
  }

  async #binary({ operator, left, right }: Expression & { type: 'binary' }): Promise<Value> {
    const first = await this.#value(left);
    if (operator === '&&') return isTrue(first) && isTrue(await this.#value(right)) ? 1 : 0;
    if (operator === '||') return isTrue(first) || isTrue(await this.#value(right)) ? 1 : 0;
    if (operator === '~' || operator === '!~') {
      const source = right.type === 'regex' ? right.source : toText(await this.#value(right));
      return patternOf(source).test(toText(first)) === (operator === '~') ? 1 : 0;
    }
    const second = await this.#value(right);
    if (operator === ' ') return toText(first) + toText(second);
    const test = getOwn(COMPARISONS, operator);
    return test ? (test(compare(first, second)) ? 1 : 0) : arithmetic(operator, toNumber(first), toNumber(second));
  }

  async #call({ name, args }: Expression & { type: 'call' }): Promise<Value> {
    if (this.#program.functions.has(name)) return this.#callOwn(name, args);
    if (name === 'length') return this.#length(args[0]);
    if (name === 'split') return this.#split(args);
    if (name === 'sub' || name === 'gsub') return this.#substitute(args, name === 'gsub');
    const built = Object.hasOwn(functions, name) ? functions[name] : undefined;
    if (!built) throw new AwkError(`function ${name} is not defined`);
    const values: Value[] = [];
    for (const arg of args) values.push(arg.type === 'regex' ? arg.source : await this.#value(arg));
    return built(values, this);
  }

  async #callOwn(name: string, args: readonly Expression[]): Promise<Value> {
    const called = this.#program.functions.get(name);
    if (!called || this.#frames.length > MOST_CALLS) throw new AwkError('function calls are nested too deeply');
    const frame = new Map<string, Cell>();
    for (const [i, parameter] of called.parameters.entries()) {
      const arg = args[i];
      const cell = arg?.type === 'variable' ? this.#cell(arg.name) : arg ? await this.#value(arg) : UNSET;
      // An argument that isn't anything yet may become an array of the caller's.
      frame.set(parameter, cell === UNSET && arg?.type === 'variable' ? this.#array(arg.name, true) : cell);
    }
    this.#frames.push(frame);
    try {
      await this.#execute(called.body);
      return '';
    } catch (problem) {
      if (problem instanceof Jump && problem.kind === 'return') return problem.value;
      throw problem;
    } finally {
      this.#frames.pop();
    }
  }

  async #length(arg: Expression | undefined): Promise<Value> {
    if (!arg) return this.#record.text.length;
    const cell = arg.type === 'variable' ? this.#cell(arg.name) : undefined;
    return cell instanceof Map ? cell.size : toText(await this.#value(arg)).length;
  }

  async #split([subject, target, separator]: readonly Expression[]): Promise<Value> {
    if (!subject || target?.type !== 'variable') throw new AwkError('split: an array is missing');
    const source =
      separator?.type === 'regex'
        ? separator.source
        : separator
          ? toText(await this.#value(separator))
          : toText(this.get('FS'));
    const fields = splitFields(toText(await this.#value(subject)), source);
    const array = this.#array(target.name);
    array.clear();
    fields.forEach((field, i) => array.set(String(i + 1), new Input(field)));
    return fields.length;
  }

  async #substitute([source, by, target]: readonly Expression[], all: boolean): Promise<Value> {
    const subject: Expression = target ?? { type: 'field', index: { type: 'number', value: 0 } };
    const pattern = source?.type === 'regex' ? source.source : source ? toText(await this.#value(source)) : '';
    const replacement = by ? toText(await this.#value(by)) : '';
    const [text, count] = substitute(toText(await this.#value(subject)), pattern, replacement, all);
    if (count > 0) await this.#assign(subject, text);
    return count;
  }

  async #getline(target: Expression | undefined): Promise<Value> {
    const line = await this.#nextLine();
    if (line === undefined) return 0;
    if (target) await this.#assign(target, new Input(line));
    else this.#record.set(line);
    return 1;
  }

  async #key(keys: readonly Expression[]): Promise<string> {
    const texts: string[] = [];
    for (const key of keys) texts.push(toText(await this.#value(key)));
    return texts.join(toText(this.get('SUBSEP')));
  }

  #cell(name: string): Cell {
    return this.#frames[this.#frames.length - 1]?.get(name) ?? this.#globals.get(name) ?? UNSET;
  }

  #array(name: string, quietly = false): Map<string, Value> {
    const frame = this.#frames[this.#frames.length - 1];
    const cell = this.#cell(name);
    if (cell instanceof Map) return cell;
    if (!quietly && cell !== UNSET) throw new AwkError(`${name} is not an array`);
    const made = new Map<string, Value>();
    (frame?.has(name) ? frame : this.#globals).set(name, made);
    return made;
  }
}
