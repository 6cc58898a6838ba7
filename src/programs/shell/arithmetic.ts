import { getOwn } from '../../std/index.ts';
/** Arithmetic of `$(( ))`: whole numbers of 64 bits, with C's operators. */

export interface Variables {
  get(name: string): string | undefined;
  set(name: string, value: string): void;
}

export class ArithmeticError extends Error {
  override name = 'ArithmeticError';
}

const TOKEN =
  /\s*(?:(0[xX][0-9a-fA-F]+|\d+#[0-9a-zA-Z]+|\d+)|([A-Za-z_]\w*)|(<<=|>>=|\*\*|\+\+|--|&&|\|\||<<|>>|[-+*/%&|^<>=!]=|[-+*/%&|^<>=!~?:,()]))/y;

/** How tightly binary operators bind, the loosest first. */
const LEVELS: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!='],
  ['<', '<=', '>', '>='],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
  ['**'],
];

const DEEPEST = 100;
const LONGEST = 10_000;

/** The value of an expression. Throws ArithmeticError. */
export function evaluate(text: string, variables: Variables): bigint {
  return new Evaluator(text, variables, 0).whole();
}

type Token = { readonly number: bigint } | { readonly name: string } | { readonly operator: string };

class Evaluator {
  readonly #tokens: Token[];
  readonly #variables: Variables;
  #depth: number;
  #at = 0;
  /** Above 0 in what is read but not evaluated: the other branch of `?:`, `&&`, `||`. */
  #skipped = 0;

  constructor(text: string, variables: Variables, depth: number) {
    if (depth > DEEPEST || text.length > LONGEST) throw new ArithmeticError('expression recursion level exceeded');
    this.#tokens = tokens(text);
    this.#variables = variables;
    this.#depth = depth;
  }

  whole(): bigint {
    if (this.#tokens.length === 0) return 0n;
    const value = this.#comma();
    if (this.#at < this.#tokens.length) throw new ArithmeticError('arithmetic syntax error');
    return value;
  }

  #comma(): bigint {
    let value = this.#assignment();
    while (this.#takes(',')) value = this.#assignment();
    return value;
  }

  #assignment(): bigint {
    const token = this.#tokens[this.#at];
    const next = this.#tokens[this.#at + 1];
    if (token && 'name' in token && next && 'operator' in next && isAssignment(next.operator)) {
      this.#at += 2;
      const right = this.#assignment();
      const operator = next.operator.slice(0, -1);
      return this.#set(token.name, operator === '' ? right : this.#apply(operator, this.#value(token.name), right));
    }
    return this.#conditional();
  }

  #conditional(): bigint {
    const condition = this.#binary(0);
    if (!this.#takes('?')) return condition;
    const yes = this.#maybe(condition !== 0n, () => this.#assignment());
    if (!this.#takes(':')) throw new ArithmeticError('arithmetic syntax error');
    const no = this.#maybe(condition === 0n, () => this.#assignment());
    return condition !== 0n ? yes : no;
  }

  #binary(level: number): bigint {
    const operators = LEVELS[level];
    if (!operators) return this.#unary();
    if (++this.#depth > DEEPEST * 30) throw new ArithmeticError('expression recursion level exceeded');
    let left = this.#binary(level + 1);
    for (;;) {
      const operator = operators.find((candidate) => this.#takes(candidate));
      if (operator === undefined) return left;
      if (operator === '&&' || operator === '||') {
        const decided = operator === '&&' ? left === 0n : left !== 0n;
        const right = this.#maybe(!decided, () => this.#binary(level + 1));
        left = bool(decided ? left !== 0n : right !== 0n);
      } else left = this.#apply(operator, left, this.#binary(operator === '**' ? level : level + 1));
    }
  }

  #unary(): bigint {
    if (this.#takes('-')) return wrap(-this.#unary());
    if (this.#takes('+')) return this.#unary();
    if (this.#takes('!')) return bool(this.#unary() === 0n);
    if (this.#takes('~')) return wrap(~this.#unary());
    for (const [operator, change] of [
      ['++', 1n],
      ['--', -1n],
    ] as const)
      if (this.#takes(operator)) {
        const name = this.#name();
        return this.#set(name, this.#value(name) + change);
      }
    return this.#primary();
  }

  #primary(): bigint {
    const token = this.#tokens[this.#at++];
    if (token && 'number' in token) return token.number;
    if (token && 'name' in token) return this.#variable(token.name);
    if (token?.operator === '(') {
      const value = this.#comma();
      if (this.#takes(')')) return value;
    }
    throw new ArithmeticError('arithmetic syntax error');
  }

  #variable(name: string): bigint {
    const value = this.#value(name);
    if (this.#takes('++')) this.#set(name, value + 1n);
    else if (this.#takes('--')) this.#set(name, value - 1n);
    return value;
  }

  #apply(operator: string, left: bigint, right: bigint): bigint {
    if ((operator === '/' || operator === '%') && right === 0n) {
      if (this.#skipped > 0) return 0n;
      throw new ArithmeticError('divide by zero');
    }
    if (operator === '**' && right < 0n) throw new ArithmeticError('exponent less than 0');
    return wrap(getOwn(OPERATIONS, operator)?.(left, right) ?? 0n);
  }

  #value(name: string): bigint {
    const text = this.#variables.get(name)?.trim() ?? '';
    if (text === '') return 0n;
    if (/^-?\d+$/.test(text)) return wrap(number(text.replace('-', '')) * (text.startsWith('-') ? -1n : 1n));
    return new Evaluator(text, this.#variables, this.#depth + 1).whole();
  }

  #set(name: string, value: bigint): bigint {
    const wrapped = wrap(value);
    if (this.#skipped === 0) this.#variables.set(name, String(wrapped));
    return wrapped;
  }

  #maybe(evaluated: boolean, read: () => bigint): bigint {
    if (!evaluated) this.#skipped += 1;
    const value = read();
    if (!evaluated) this.#skipped -= 1;
    return value;
  }

  #name(): string {
    const token = this.#tokens[this.#at++];
    if (token && 'name' in token) return token.name;
    throw new ArithmeticError('arithmetic syntax error');
  }

  #takes(operator: string): boolean {
    const token = this.#tokens[this.#at];
    const found = token !== undefined && 'operator' in token && token.operator === operator;
    if (found) this.#at += 1;
    return found;
  }
}

function tokens(text: string): Token[] {
  const found: Token[] = [];
  TOKEN.lastIndex = 0;
  while (text.slice(TOKEN.lastIndex).trim() !== '') {
    const match = TOKEN.exec(text);
    if (!match) throw new ArithmeticError('arithmetic syntax error');
    const [, digits, name, operator = ''] = match;
    if (digits !== undefined) found.push({ number: number(digits) });
    else found.push(name !== undefined ? { name } : { operator });
  }
  return found;
}

function number(text: string): bigint {
  if (/^0[xX]/.test(text)) return wrap(BigInt(text));
  const based = /^(\d+)#(\w+)$/.exec(text);
  if (based) return BigInt(parseInt(based[2] ?? '', Number(based[1])));
  if (/^0[0-7]+$/.test(text)) return wrap(BigInt(`0o${text.slice(1)}`));
  return wrap(BigInt(text));
}

const isAssignment = (operator: string): boolean => /^(?:[-+*/%&|^]|<<|>>)?=$/.test(operator);
const wrap = (value: bigint): bigint => BigInt.asIntN(64, value);
const bool = (value: boolean): bigint => (value ? 1n : 0n);

const OPERATIONS: Readonly<Record<string, (left: bigint, right: bigint) => bigint>> = {
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
  '&': (a, b) => a & b,
  '==': (a, b) => bool(a === b),
  '!=': (a, b) => bool(a !== b),
  '<': (a, b) => bool(a < b),
  '<=': (a, b) => bool(a <= b),
  '>': (a, b) => bool(a > b),
  '>=': (a, b) => bool(a >= b),
  '<<': (a, b) => a << (b & 63n),
  '>>': (a, b) => a >> (b & 63n),
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '**': (a, b) => a ** (b > 64n ? 64n : b),
};
