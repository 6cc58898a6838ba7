import type { AwkFunction, AwkProgram, Expression, Rule, Statement } from './ast.ts';
import { AwkError } from './error.ts';
import { tokenize, type Token } from './tokens.ts';

/** Reads a program. Throws AwkError. */
export function parseAwk(text: string): AwkProgram {
  return new Parser(tokenize(text)).program();
}

/** Binary operators, the loosest first. Concatenation lies between comparison and `+`. */
const COMPARISONS = ['<', '<=', '==', '!=', '>', '>=', '~', '!~'];
const PRINT: Statement = { type: 'print', formatted: false, args: [] };
const MOST_DEPTH = 200;

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;
  /** In the arguments of `print`, `>` redirects. */
  #noGreater = false;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  program(): AwkProgram {
    const rules: Rule[] = [];
    const functions = new Map<string, AwkFunction>();
    for (this.#skipEnds(); !this.#is('end'); this.#skipEnds()) {
      if (this.#takes('function')) this.#function(functions);
      else rules.push(this.#rule());
    }
    return { rules, functions };
  }

  #function(functions: Map<string, AwkFunction>): void {
    const name = this.#name();
    this.#expect('(');
    const parameters: string[] = [];
    while (!this.#takes(')')) {
      parameters.push(this.#name());
      this.#takes(',');
    }
    this.#skipEnds();
    functions.set(name, { parameters, body: this.#block() });
  }

  #rule(): Rule {
    for (const when of ['BEGIN', 'END'] as const) if (this.#takes(when)) return { when, body: this.#block() };
    if (this.#isOperator('{')) return { when: {}, body: this.#block() };
    const from = this.#expression();
    const to = this.#takes(',') ? this.#expression() : undefined;
    const when = { from, ...(to ? { to } : {}) };
    return { when, body: this.#isOperator('{') ? this.#block() : PRINT };
  }

  #block(): Statement {
    this.#expect('{');
    const body: Statement[] = [];
    for (this.#skipEnds(); !this.#takes('}'); this.#skipEnds()) body.push(this.#statement());
    return { type: 'block', body };
  }

  #statement(): Statement {
    if (++this.#depth > MOST_DEPTH) throw new AwkError('nesting is too deep');
    const statement = this.#readStatement();
    this.#depth -= 1;
    return statement;
  }

  #readStatement(): Statement {
    if (this.#isOperator('{')) return this.#block();
    if (this.#takes('if')) return this.#if();
    if (this.#takes('while'))
      return { type: 'while', test: this.#parenthesized(), body: this.#body(), atLeastOnce: false };
    if (this.#takes('do')) return this.#do();
    if (this.#takes('for')) return this.#for();
    if (this.#takes(';')) return { type: 'block', body: [] };
    const statement = this.#simple();
    if (!this.#isOperator('}')) this.#takes(';');
    return statement;
  }

  #if(): Statement {
    const test = this.#parenthesized();
    const yes = this.#body();
    const mark = this.#at;
    this.#skipEnds();
    if (this.#takes('else')) return { type: 'if', test, yes, no: this.#body() };
    this.#at = mark;
    return { type: 'if', test, yes };
  }

  #do(): Statement {
    const body = this.#body();
    this.#skipEnds();
    this.#expect('while');
    return { type: 'while', test: this.#parenthesized(), body, atLeastOnce: true };
  }

  #for(): Statement {
    this.#expect('(');
    const [variable, word, name] = [this.#tokens[this.#at], this.#tokens[this.#at + 1], this.#tokens[this.#at + 2]];
    if (variable?.type === 'name' && word?.text === 'in' && name?.type === 'name') {
      this.#at += 3;
      this.#expect(')');
      return { type: 'forIn', variable: variable.text, name: name.text, body: this.#body() };
    }
    const first = this.#isOperator(';') ? undefined : this.#simple();
    this.#expect(';');
    const test = this.#isOperator(';') ? undefined : this.#expression();
    this.#expect(';');
    const next = this.#isOperator(')') ? undefined : this.#simple();
    this.#expect(')');
    const body = this.#body();
    return { type: 'for', body, ...(first ? { first } : {}), ...(test ? { test } : {}), ...(next ? { next } : {}) };
  }

  #body(): Statement {
    while (this.#is('newline')) this.#at += 1;
    return this.#statement();
  }

  #simple(): Statement {
    for (const type of ['break', 'continue', 'next'] as const) if (this.#takes(type)) return { type };
    for (const type of ['exit', 'return'] as const)
      if (this.#takes(type)) return this.#atEnd() ? { type } : { type, value: this.#expression() };
    if (this.#takes('print')) return this.#print(false);
    if (this.#takes('printf')) return this.#print(true);
    if (this.#takes('delete')) {
      const name = this.#name();
      return { type: 'delete', name, keys: this.#takes('[') ? this.#list(']') : [] };
    }
    return { type: 'expression', of: this.#expression() };
  }

  #print(formatted: boolean): Statement {
    const before = this.#noGreater;
    this.#noGreater = true;
    const args: Expression[] = [];
    while (!this.#atEnd() && !['>', '>>', '|'].includes(this.#tokens[this.#at]?.text ?? '')) {
      args.push(this.#expression());
      if (!this.#takes(',')) break;
    }
    this.#noGreater = before;
    const [only] = args;
    const items = only?.type === 'group' && args.length === 1 ? only.items : args;
    const operator = ['>', '>>', '|'].find((candidate) => this.#takes(candidate));
    return {
      type: 'print',
      formatted,
      args: items,
      ...(operator ? { to: { operator, target: this.#concatenation() } } : {}),
    };
  }

  #atEnd(): boolean {
    return this.#is('end') || this.#is('newline') || this.#isOperator(';') || this.#isOperator('}');
  }

  #expression(): Expression {
    if (++this.#depth > MOST_DEPTH) throw new AwkError('nesting is too deep');
    const expression = this.#assignment();
    this.#depth -= 1;
    return expression;
  }

  #assignment(): Expression {
    const left = this.#ternary();
    const operator = ['=', '+=', '-=', '*=', '/=', '%=', '^='].find((candidate) => this.#takes(candidate));
    if (operator === undefined) return left;
    if (!isTarget(left)) throw new AwkError('syntax error: assignment to what is no variable');
    return { type: 'assign', operator: operator.slice(0, -1), target: left, value: this.#assignment() };
  }

  #ternary(): Expression {
    const test = this.#or();
    if (!this.#takes('?')) return test;
    const yes = this.#assignment();
    this.#expect(':');
    return { type: 'condition', test, yes, no: this.#assignment() };
  }

  #or(): Expression {
    let left = this.#and();
    while (this.#takes('||')) left = { type: 'binary', operator: '||', left, right: this.#and() };
    return left;
  }

  #and(): Expression {
    let left = this.#membership();
    while (this.#takes('&&')) left = { type: 'binary', operator: '&&', left, right: this.#membership() };
    return left;
  }

  #membership(): Expression {
    let left = this.#comparison();
    while (this.#takes('in'))
      left = { type: 'in', keys: left.type === 'group' ? left.items : [left], name: this.#name() };
    return left;
  }

  #comparison(): Expression {
    let left = this.#concatenation();
    for (;;) {
      const operator = COMPARISONS.find(
        (candidate) => !(candidate === '>' && this.#noGreater) && this.#takes(candidate),
      );
      if (operator === undefined) return left;
      left = { type: 'binary', operator, left, right: this.#concatenation() };
    }
  }

  #concatenation(): Expression {
    let left = this.#additive();
    while (this.#startsOperand()) left = { type: 'binary', operator: ' ', left, right: this.#additive() };
    return left;
  }

  #startsOperand(): boolean {
    const token = this.#tokens[this.#at];
    if (!token) return false;
    if (token.type === 'name') return token.text !== 'in';
    if (['number', 'string', 'regex', 'call'].includes(token.type)) return true;
    return (
      token.type === 'operator' &&
      ['$', '!', '(', '-', '+', '++', '--'].includes(token.text) &&
      !(token.text === '!' && this.#tokens[this.#at + 1]?.text === '~')
    );
  }

  #additive(): Expression {
    return this.#binary(['+', '-'], () => this.#binary(['*', '/', '%'], () => this.#unary()));
  }

  #binary(operators: readonly string[], next: () => Expression): Expression {
    let left = next();
    for (;;) {
      const operator = operators.find((candidate) => this.#takes(candidate));
      if (operator === undefined) return left;
      left = { type: 'binary', operator, left, right: next() };
    }
  }

  #unary(): Expression {
    for (const operator of ['!', '-', '+'])
      if (this.#takes(operator)) return { type: 'unary', operator, of: this.#unary() };
    const base = this.#postfix();
    return this.#takes('^') ? { type: 'binary', operator: '^', left: base, right: this.#unary() } : base;
  }

  #postfix(): Expression {
    for (const operator of ['++', '--'] as const)
      if (this.#takes(operator)) return { type: 'step', operator, prefix: true, target: this.#primary() };
    const base = this.#primary();
    if (isTarget(base))
      for (const operator of ['++', '--'] as const)
        if (this.#takes(operator)) return { type: 'step', operator, prefix: false, target: base };
    return base;
  }

  #primary(): Expression {
    const token = this.#tokens[this.#at++];
    if (token?.type === 'number') return { type: 'number', value: Number(token.text) };
    if (token?.type === 'string') return { type: 'string', value: token.text };
    if (token?.type === 'regex') return { type: 'regex', source: token.text };
    if (token?.text === '$') return { type: 'field', index: this.#fieldIndex() };
    if (token?.text === '(') return this.#group();
    if (token?.type === 'call') return this.#call(token.text);
    if (token?.type === 'name') return token.text === 'getline' ? this.#getline() : this.#variable(token.text);
    throw new AwkError(`syntax error near ${token?.text || token?.type || 'the end'}`);
  }

  #fieldIndex(): Expression {
    for (const operator of ['++', '--'] as const)
      if (this.#takes(operator)) return { type: 'step', operator, prefix: true, target: this.#primary() };
    return this.#takes('-') ? { type: 'unary', operator: '-', of: this.#primary() } : this.#primary();
  }

  #group(): Expression {
    const noGreater = this.#noGreater;
    this.#noGreater = false;
    const items = this.#list(')');
    this.#noGreater = noGreater;
    return { type: 'group', items };
  }

  #call(name: string): Expression {
    this.#expect('(');
    const group = this.#group();
    return { type: 'call', name, args: group.type === 'group' ? group.items : [] };
  }

  #getline(): Expression {
    const token = this.#tokens[this.#at];
    return token?.type === 'name' || token?.text === '$'
      ? { type: 'getline', target: this.#primary() }
      : { type: 'getline' };
  }

  #variable(name: string): Expression {
    if (name === 'length') return { type: 'call', name, args: [] };
    return this.#takes('[') ? { type: 'element', name, keys: this.#list(']') } : { type: 'variable', name };
  }

  #list(end: string): Expression[] {
    const items: Expression[] = [];
    while (!this.#takes(end)) {
      while (this.#is('newline')) this.#at += 1;
      items.push(this.#expression());
      if (!this.#takes(',')) {
        this.#expect(end);
        break;
      }
    }
    return items;
  }

  #parenthesized(): Expression {
    this.#expect('(');
    const expression = this.#expression();
    this.#expect(')');
    return expression;
  }

  #name(): string {
    const token = this.#tokens[this.#at++];
    if (token?.type !== 'name' && token?.type !== 'call') throw new AwkError('syntax error: a name is missing');
    return token.text;
  }

  #is(type: Token['type']): boolean {
    return (this.#tokens[this.#at]?.type ?? 'end') === type;
  }

  #isOperator(text: string): boolean {
    const token = this.#tokens[this.#at];
    return token?.type === 'operator' && token.text === text;
  }

  #takes(text: string): boolean {
    const token = this.#tokens[this.#at];
    const found = token !== undefined && token.text === text && (token.type === 'operator' || token.type === 'name');
    if (found) this.#at += 1;
    if (found && [',', '{', '&&', '||', 'else', 'do'].includes(text)) while (this.#is('newline')) this.#at += 1;
    return found;
  }

  #expect(text: string): void {
    if (!this.#takes(text))
      throw new AwkError(`syntax error: ${text} is missing near ${this.#tokens[this.#at]?.text ?? 'the end'}`);
  }

  #skipEnds(): void {
    while (this.#is('newline') || this.#isOperator(';')) this.#at += 1;
  }
}

const isTarget = ({ type }: Expression): boolean => type === 'variable' || type === 'element' || type === 'field';
