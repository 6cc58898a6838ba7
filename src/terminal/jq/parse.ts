/** From the text of a jq filter to its tree. */
import { Cursor } from './cursor.ts';
import { binding } from './alternatives.ts';
import { FINISH, OPERATORS, SyntaxProblem, type Definition, type Node, type Pattern, type Token } from './syntax.ts';

/** Throws SyntaxProblem. */
export function parseFilter(text: string): Node {
  return new Parser(text).whole();
}

/** Functions without anything after them. */
export function parseDefinitions(text: string): readonly Definition[] {
  return new Parser(text).definitions();
}

const IDENTITY: Node = { type: 'identity' };

class Parser extends Cursor {
  whole(): Node {
    if (this.peek().type === FINISH) return IDENTITY;
    const node = this.#pipe();
    this.expect(FINISH);
    return node;
  }

  definitions(): readonly Definition[] {
    const found: Definition[] = [];
    while (this.peek().type === 'def') found.push(this.#definition());
    this.expect(FINISH);
    return found;
  }

  #pipe(): Node {
    return this.nested(() => this.#unboundedPipe());
  }

  #unboundedPipe(): Node {
    if (this.peek().type === 'def') {
      const definition = this.#definition();
      return { type: 'define', definition, rest: this.#pipe() };
    }
    if (this.skip('label')) {
      const name = this.expect('variable').text.slice(1);
      this.expect('|');
      return { type: 'label', name, body: this.#pipe() };
    }
    const left = this.#comma();
    return this.skip('|') ? { type: 'pipe', left, right: this.#pipe() } : left;
  }

  #comma(): Node {
    let left = this.#operation(0);
    while (this.skip(',')) left = { type: 'comma', left, right: this.#operation(0) };
    return left;
  }

  #operation(level: number): Node {
    const row = OPERATORS[level];
    if (!row) return this.#unary();
    let left = this.#operation(level + 1);
    while (row.signs.includes(this.peek().type)) {
      const operator = this.take().type;
      const right = this.nested(() => this.#operation(row.side === 'right' ? level : level + 1));
      left = { type: 'operation', operator, left, right };
      if (row.side === 'none') break;
    }
    return left;
  }

  #unary(): Node {
    return this.skip('-') ? { type: 'negate', of: this.#postfix() } : this.#postfix();
  }

  #postfix(): Node {
    let node = this.#term();
    for (;;) {
      const { type, text } = this.peek();
      if (type === '?') node = { type: 'try', body: node, handler: this.#nothing() };
      else if (type === 'field') {
        this.take();
        node = { type: 'index', of: node, key: { type: 'literal', value: text.slice(1) } };
      } else if (type === '.' && this.after('.', 'text')) node = { type: 'index', of: node, key: this.#textAfterDot() };
      else if (type === '.' && this.after('.', '[')) this.take();
      else if (type === '[') node = this.#bracket(node);
      else if (type === 'as') return this.#binding(node);
      else return node;
    }
  }

  #nothing(): undefined {
    this.take();
    return undefined;
  }

  #textAfterDot(): Node {
    this.take();
    return this.#textNode('text');
  }

  #bracket(of: Node): Node {
    this.expect('[');
    if (this.skip(']')) return { type: 'iterate', of };
    if (this.skip(':')) {
      const to = this.#pipe();
      this.expect(']');
      return { type: 'slice', of, from: undefined, to };
    }
    const key = this.#pipe();
    if (this.skip(']')) return { type: 'index', of, key };
    this.expect(':');
    const to = this.peek().type === ']' ? undefined : this.#pipe();
    this.expect(']');
    return { type: 'slice', of, from: key, to };
  }

  #binding(source: Node): Node {
    this.expect('as');
    const pattern = this.#patterns();
    this.expect('|');
    return binding(source, pattern, this.#pipe());
  }

  #term(): Node {
    return this.nested(() => this.#unboundedTerm());
  }

  #unboundedTerm(): Node {
    const token = this.take();
    switch (token.type) {
      case 'number':
        return { type: 'literal', value: Number(token.text) };
      case '..':
        return { type: 'recurse' };
      case '.':
        return this.peek().type === 'text' ? { type: 'index', of: IDENTITY, key: this.#textNode('text') } : IDENTITY;
      case 'field':
        return { type: 'index', of: IDENTITY, key: { type: 'literal', value: token.text.slice(1) } };
      case 'variable':
        return token.text === '$__loc__' ? this.#location() : { type: 'variable', name: token.text.slice(1) };
      case 'format':
        return this.peek().type === 'text'
          ? this.#textNode(token.text.slice(1))
          : { type: 'format', name: token.text.slice(1) };
      case 'text':
        return this.#textBody('text');
      case '(':
        return this.#closed(this.#pipe(), ')');
      case '[':
        return this.skip(']')
          ? { type: 'array', body: undefined }
          : { type: 'array', body: this.#closed(this.#pipe(), ']') };
      case '{':
        return this.#object();
      case '-':
        return { type: 'negate', of: this.#postfix() };
      default:
        return this.#word(token);
    }
  }

  #closed(node: Node, sign: string): Node {
    this.expect(sign);
    return node;
  }

  #word(token: Token): Node {
    switch (token.type) {
      case 'if':
        return this.#condition();
      case 'try': {
        const body = this.#withoutBinding();
        return { type: 'try', body, handler: this.skip('catch') ? this.#withoutBinding() : undefined };
      }
      case 'reduce':
      case 'foreach':
        return this.#loop(token.type);
      case 'def': {
        // A definition may stand wherever a term may.
        this.at = token.end - 3;
        return this.#unboundedPipe();
      }
      case 'name':
        return this.#call(token.text);
      default:
        throw new SyntaxProblem(`unexpected ${token.text}`);
    }
  }

  /** A term with what stands behind it, but for `as`. */
  #withoutBinding(): Node {
    let node = this.#term();
    for (;;) {
      const { type, text } = this.peek();
      if (type === 'field') {
        this.take();
        node = { type: 'index', of: node, key: { type: 'literal', value: text.slice(1) } };
      } else if (type === '[') node = this.#bracket(node);
      else if (type === '?') node = { type: 'try', body: node, handler: this.#nothing() };
      else return node;
    }
  }

  #condition(): Node {
    const condition = this.#pipe();
    this.expect('then');
    const then = this.#pipe();
    if (this.skip('elif')) return { type: 'if', condition, then, otherwise: this.nested(() => this.#condition()) };
    this.expect('else');
    const otherwise = this.#pipe();
    this.expect('end');
    return { type: 'if', condition, then, otherwise };
  }

  /** Where in the filter this stands. */
  #location(): Node {
    const line = this.text.slice(0, this.at).split('\n').length;
    return { type: 'literal', value: { file: '<top-level>', line } };
  }

  #loop(type: 'reduce' | 'foreach'): Node {
    const source = this.#withoutBinding();
    this.expect('as');
    const pattern = this.#patterns();
    this.expect('(');
    const start = this.#pipe();
    this.expect(';');
    const update = this.#pipe();
    if (type === 'reduce') return this.#closed({ type, source, pattern, start, update }, ')');
    const extract = this.skip(';') ? this.#pipe() : undefined;
    return this.#closed({ type, source, pattern, start, update, extract }, ')');
  }

  #call(name: string): Node {
    if (name === 'null' || name === 'true' || name === 'false')
      return { type: 'literal', value: name === 'null' ? null : name === 'true' };
    if (name === 'break') return { type: 'break', name: this.expect('variable').text.slice(1) };
    const args: Node[] = [];
    if (this.skip('(')) {
      do args.push(this.#pipe());
      while (this.skip(';'));
      this.expect(')');
    }
    return { type: 'call', name, args };
  }

  #definition(): Definition {
    this.expect('def');
    const name = this.take().text;
    const parameters: string[] = [];
    if (this.skip('(')) {
      do parameters.push(this.take().text);
      while (this.skip(';'));
      this.expect(')');
    }
    this.expect(':');
    const body = this.#pipe();
    this.expect(';');
    return { name, parameters, body };
  }

  /** `[$a] ?// $a`: alternatives, of which the first counts that fits. */
  #patterns(): Pattern {
    const patterns = [this.#pattern()];
    while (this.skip('?//')) patterns.push(this.#pattern());
    return patterns.length === 1 && patterns[0] ? patterns[0] : { type: 'any', patterns };
  }

  #pattern(): Pattern {
    return this.nested(() => this.#unboundedPattern());
  }

  #unboundedPattern(): Pattern {
    const token = this.take();
    if (token.type === 'variable') return { type: 'variable', name: token.text.slice(1) };
    if (token.type === '[') {
      const items: Pattern[] = [];
      do items.push(this.#pattern());
      while (this.skip(','));
      this.expect(']');
      return { type: 'array', items };
    }
    if (token.type !== '{') throw new SyntaxProblem(`unexpected ${token.text}`);
    const entries: { key: Node; variable: string | undefined; pattern: Pattern | undefined }[] = [];
    do {
      const { key, variable } = this.#patternKey();
      const pattern = this.skip(':') ? this.#pattern() : undefined;
      if (!pattern && variable === undefined) throw new SyntaxProblem('a key in a pattern needs a variable');
      entries.push({ key, variable, pattern });
    } while (this.skip(','));
    this.expect('}');
    return { type: 'object', entries };
  }

  #patternKey(): { readonly key: Node; readonly variable: string | undefined } {
    const token = this.take();
    if (token.type === 'variable') {
      const name = token.text.slice(1);
      return { key: { type: 'literal', value: name }, variable: name };
    }
    if (token.type === '(') return { key: this.#closed(this.#pipe(), ')'), variable: undefined };
    if (token.type === 'text') return { key: this.#textBody('text'), variable: undefined };
    return { key: { type: 'literal', value: token.text }, variable: undefined };
  }

  #object(): Node {
    const entries: (readonly [Node, Node])[] = [];
    while (!this.skip('}')) {
      entries.push(this.#entry());
      if (!this.skip(',') && this.peek().type !== '}')
        throw new SyntaxProblem(`unexpected ${this.peek().text} in an object`);
    }
    return { type: 'object', entries };
  }

  #entry(): readonly [Node, Node] {
    const token = this.take();
    if (token.type === 'variable') {
      const name = token.text.slice(1);
      return [
        { type: 'literal', value: name },
        { type: 'variable', name },
      ];
    }
    const key = this.#entryKey(token);
    if (this.skip(':')) return [key, this.#entryValue()];
    if (token.type === '(') throw new SyntaxProblem('a computed key needs a value');
    return [key, { type: 'index', of: IDENTITY, key }];
  }

  #entryKey(token: Token): Node {
    if (token.type === '(') return this.#closed(this.#pipe(), ')');
    if (token.type === 'text') return this.#textBody('text');
    if (token.type === 'format') return this.#textNode(token.text.slice(1));
    if (/^\w+$/.test(token.text)) return { type: 'literal', value: token.text };
    throw new SyntaxProblem(`unexpected ${token.text} in an object`);
  }

  /** No commas: they part the entries. */
  #entryValue(): Node {
    const left = this.#operation(0);
    return this.skip('|') ? { type: 'pipe', left, right: this.nested(() => this.#entryValue()) } : left;
  }

  #textNode(format: string): Node {
    this.expect('text');
    return this.#textBody(format);
  }

  /** What stands behind the quote that begins a text. */
  #textBody(format: string): Node {
    const parts: (string | Node)[] = [];
    let piece = '';
    for (;;) {
      const character = this.text[this.at];
      if (character === undefined) throw new SyntaxProblem('a text has no end');
      this.at += 1;
      if (character === '"') break;
      if (character !== '\\') piece += character;
      else if (this.text[this.at] === '(') {
        this.at += 1;
        parts.push(piece, this.#closed(this.#pipe(), ')'));
        piece = '';
      } else piece += this.#escaped();
    }
    parts.push(piece);
    return parts.length === 1 ? { type: 'literal', value: piece } : { type: 'text', parts, format };
  }

  #escaped(): string {
    const [found = ''] = /^(?:u[0-9a-fA-F]{4}|["\\/bfnrt])/.exec(this.text.slice(this.at, this.at + 5)) ?? [];
    if (found === '') throw new SyntaxProblem('invalid escape in a text');
    this.at += found.length;
    return JSON.parse(`"\\${found}"`) as string;
  }
}
