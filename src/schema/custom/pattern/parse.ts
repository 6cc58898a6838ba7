/**
 * Reads a regular expression in RE2's syntax, which has no back references and no looking around: what is left can be
 * matched in one walk over the text.
 */
import { getOwn } from '../../../std/index.ts';
import { PatternError, type Assertion, type Expression } from './ast.ts';
import { charsBetween, charSet, oneChar, PERL_CLASSES, type CharRange } from './charSet.ts';
import { ClassReader } from './classReader.ts';
import { Cursor } from './cursor.ts';
import { readEscapedChar, readUnicodeClass } from './escapes.ts';

const MAX_REPEAT = 1000;
/** Deeper nesting is refused, so that reading it can't exhaust the stack. */
const MAX_DEPTH = 1000;

interface Flags {
  readonly fold: boolean;
  readonly multiLine: boolean;
  readonly dotAll: boolean;
}

/** Throws PatternError. */
export function parsePattern(pattern: string): Expression {
  const parser = new Parser(new Cursor(pattern));
  const expression = parser.choice(0);
  if (!parser.done) throw new PatternError(`unexpected ): \`${pattern}\``);
  return expression;
}

class Parser {
  readonly #cursor: Cursor;
  readonly #names = new Set<string>();
  #flags: Flags = { fold: false, multiLine: false, dotAll: false };

  constructor(cursor: Cursor) {
    this.#cursor = cursor;
  }

  get done(): boolean {
    return this.#cursor.done;
  }

  choice(depth: number): Expression {
    if (depth > MAX_DEPTH) throw new PatternError('expression nests too deeply');
    const options = [this.#sequence(depth)];
    while (this.#cursor.take('|')) options.push(this.#sequence(depth));
    return options.length === 1 ? (options[0] as Expression) : { type: 'choice', options };
  }

  #sequence(depth: number): Expression {
    const parts: Expression[] = [];
    let repeated = false;
    while (!this.done && !this.#cursor.at('|') && !this.#cursor.at(')')) {
      const count = this.#count();
      if (!count) {
        const part = this.#atom(depth);
        if (part) parts.push(...part);
        repeated = false;
        continue;
      }
      const last = parts.pop();
      if (!last) throw new PatternError(`missing argument to repetition operator: \`${count.text}\``);
      if (repeated) throw new PatternError(`invalid nested repetition operator: \`${count.text}\``);
      parts.push(repeat(last, count));
      repeated = true;
    }
    return parts.length === 1 ? (parts[0] as Expression) : { type: 'sequence', parts };
  }

  /** A repetition operator, should one stand here. */
  #count(): Count | undefined {
    const start = this.#cursor.position;
    const simple = { '*': [0, Infinity], '+': [1, Infinity], '?': [0, 1] }[this.#cursor.peek()];
    let range: readonly (number | undefined)[] | undefined = simple;
    if (simple) this.#cursor.next();
    else
      range = this.#cursor.match(/\{(0|[1-9]\d*)(?:(,)(0|[1-9]\d*)?)?\}/y, ([, low, comma, high]) => [
        Number(low),
        high === undefined ? (comma ? Infinity : Number(low)) : Number(high),
      ]);
    if (!range) return undefined;
    const [min = 0, max = 0] = range;
    this.#cursor.take('?');
    const text = this.#cursor.since(start);
    const tooMany = min > MAX_REPEAT || (max !== Infinity && (max > MAX_REPEAT || min > max));
    if (tooMany) throw new PatternError(`invalid repeat count: \`${text}\``);
    return { min, max, text, bounded: !simple };
  }

  /** One thing that can be repeated; several characters for a quotation, none for a change of flags. */
  #atom(depth: number): readonly Expression[] | undefined {
    const char = this.#cursor.peek();
    if (char === '(') return this.#group(depth);
    if (char === '\\') return this.#escape();
    if (char === '[') return [{ type: 'char', set: new ClassReader(this.#cursor, this.#flags.fold).read() }];
    this.#cursor.next();
    if (char === '^') return [assert(this.#flags.multiLine ? 'beginLine' : 'beginText')];
    if (char === '$') return [assert(this.#flags.multiLine ? 'endLine' : 'endText')];
    if (char === '.') return [this.#any()];
    return [this.#literal(char)];
  }

  #any(): Expression {
    return { type: 'char', set: this.#flags.dotAll ? charSet([charsBetween(0, 0x10ffff)], false) : NOT_NEWLINE };
  }

  #literal(char: string): Expression {
    return this.#set(oneChar(char.codePointAt(0) ?? 0));
  }

  #set(part: CharRange): Expression {
    return { type: 'char', set: charSet([part], this.#flags.fold) };
  }

  #group(depth: number): readonly Expression[] | undefined {
    const outer = this.#flags;
    this.#cursor.next();
    if (this.#cursor.at('?')) {
      const flags = this.#groupHead();
      this.#flags = flags.flags;
      // Flags without a colon hold up to the end of the group around them.
      if (!flags.opens) return undefined;
    }
    const inside = this.choice(depth + 1);
    if (!this.#cursor.take(')')) throw new PatternError(`missing closing ): \`${this.#cursor.text}\``);
    this.#flags = outer;
    return [inside];
  }

  /** What follows `(?`: a name, or flags. */
  #groupHead(): { flags: Flags; opens: boolean } {
    const name = this.#cursor.match(/\?P<([^>]*)>/y, ([, found = '']) => found);
    if (name !== undefined) {
      if (!/^\w+$/.test(name) || this.#names.has(name)) throw new PatternError(`invalid named capture: \`${name}\``);
      this.#names.add(name);
      return { flags: this.#flags, opens: true };
    }
    const head = this.#cursor.match(/\?([imsU]*)(-[imsU]+)?([:)])/y, (found) => found);
    if (!head) throw new PatternError(`invalid or unsupported Perl syntax: \`${this.#cursor.rest.slice(0, 3)}\``);
    const [, on = '', off = '', end] = head;
    if (on === '' && off === '' && end === ')') throw new PatternError('missing argument to repetition operator: `?`');
    const flag = (letter: string, now: boolean): boolean => (now || on.includes(letter)) && !off.includes(letter);
    const { fold, multiLine, dotAll } = this.#flags;
    const flags = { fold: flag('i', fold), multiLine: flag('m', multiLine), dotAll: flag('s', dotAll) };
    return { flags, opens: end === ':' };
  }

  #escape(): readonly Expression[] {
    const quoted = this.#cursor.match(/\\Q([^]*?)(?:\\E|$)/y, ([, text = '']) => text);
    if (quoted !== undefined) return [...quoted].map((char) => this.#literal(char));
    const place = this.#cursor.match(/\\([AzbB])/y, ([, letter = '']) => getOwn(PLACES, letter));
    if (place) return [assert(place)];
    const perl = this.#cursor.match(/\\([dDsSwW])/y, ([, letter = '']) => getOwn(PERL_CLASSES, letter));
    if (perl) return [this.#set(perl)];
    const unicode = readUnicodeClass(this.#cursor);
    if (unicode) return [this.#set(unicode)];
    return [this.#set(oneChar(readEscapedChar(this.#cursor)))];
  }
}

const NOT_NEWLINE = charSet([{ source: '\\n', negated: true }], false);

const PLACES: Readonly<Record<string, Assertion>> = {
  A: 'beginText',
  z: 'endText',
  b: 'wordBoundary',
  B: 'noWordBoundary',
};

const assert = (where: Assertion): Expression => ({ type: 'assert', where });

interface Count {
  readonly min: number;
  readonly max: number;
  readonly text: string;
  /** Written with numbers: such counts multiply when they are nested, and are limited. */
  readonly bounded: boolean;
}

function repeat(of: Expression, { min, max, text, bounded }: Count): Expression {
  const expression: Expression = { type: 'repeat', of, min, max };
  if (bounded && (min >= 2 || max >= 2) && !fits(expression, MAX_REPEAT))
    throw new PatternError(`invalid repeat count: \`${text}\``);
  return expression;
}

/** Whether nested counts stay below the limit when they are multiplied. */
function fits(expression: Expression, limit: number): boolean {
  switch (expression.type) {
    case 'sequence':
      return expression.parts.every((part) => fits(part, limit));
    case 'choice':
      return expression.options.every((option) => fits(option, limit));
    case 'repeat': {
      const times = expression.max === Infinity ? expression.min : expression.max;
      if (times > limit) return false;
      return fits(expression.of, times > 1 ? Math.floor(limit / times) : limit);
    }
    default:
      return true;
  }
}
