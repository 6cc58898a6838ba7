import { getOwn } from '../../std/index.ts';
import type { Assignment, Branch, CaseItem, Command, ListItem, Redirect, Script, Word } from './ast.ts';
import { parseCondition } from './parseCondition.ts';
import { parseArithmetic, parseHereDocument, parseWord, type ScriptParser } from './parseWord.ts';
import { Reader, SyntaxError, withoutArrays } from './reader.ts';

interface HereDocument {
  readonly delimiter: string;
  readonly quoted: boolean;
  readonly stripTabs: boolean;
  readonly fill: (text: Word) => void;
}

const RESERVED = /(?:if|then|elif|else|fi|for|while|until|do|done|case|esac|function|\[\[|\{|\}|!)(?=[\s;&|<>()]|$)/y;
const WORD_OF_NAME = /[^\s;&|<>()'"\\$`=]+(?=\s*\(\s*\))/y;
const REDIRECT = /(\d*)(<<-|<<<|<<|<>|<&|>>|>\||>&|&>>|&>|<|>)/y;
/** `a=(x y)` and `a[0]=x`. */
const ARRAY = /[A-Za-z_][A-Za-z0-9_]*(\+?=\(|\[[^\]\s]*\]\+?=)/y;
const ASSIGNMENT = /[A-Za-z_][A-Za-z0-9_]*\+?=/y;

/** Deepest nesting of commands; deeper ones are somebody's attempt to exhaust the stack. */
const DEEPEST = 200;

/** Reads a script. Throws SyntaxError. */
export function parseScript(text: string): Script {
  return new Parser(text).whole();
}

class Parser implements ScriptParser {
  readonly reader: Reader;
  #hereDocuments: HereDocument[] = [];
  #depth: number;

  constructor(text: string, depth = 0) {
    this.reader = new Reader(text);
    this.#depth = depth;
  }

  whole(): Script {
    const script = this.#list([]);
    if (!this.reader.atEnd) this.#unexpected();
    if (this.#hereDocuments.length > 0) this.#readHereDocuments();
    return script;
  }

  parseText(text: string): Script {
    return new Parser(text, this.#depth + 1).whole();
  }

  scriptUntilParenthesis(): Script {
    const script = this.#list([]);
    if (!this.reader.takes(')')) this.#unexpected();
    return script;
  }

  /** Commands up to one of the words that end them, which stays unread. */
  #list(ends: readonly string[]): Script {
    const commands: ListItem[] = [];
    for (;;) {
      this.#skipLines();
      if (this.reader.atEnd || this.reader.peek() === ')' || this.reader.text.startsWith(';;', this.reader.at)) break;
      if (this.reader.text.startsWith(';&', this.reader.at)) break;
      const word = this.#peekReserved();
      if (word !== undefined && ends.includes(word)) break;
      const command = this.#andOr();
      this.#skipBlanks();
      const background = this.reader.peek() === '&' && this.reader.peek(1) !== '&';
      if (background) this.reader.next();
      else if (this.reader.peek() === ';' && !/[;&]/.test(this.reader.peek(1))) this.reader.next();
      else if (!this.#atListEnd()) this.#unexpected();
      commands.push({ command, background });
    }
    return { commands };
  }

  #atListEnd(): boolean {
    return this.reader.atEnd || /[\n);]/.test(this.reader.peek());
  }

  #andOr(): Command {
    let left = this.#pipeline();
    for (;;) {
      this.#skipBlanks();
      const type = this.reader.takes('&&') ? 'and' : this.reader.takes('||') ? 'or' : undefined;
      if (!type) return left;
      this.#skipLines();
      left = { type, left, right: this.#pipeline() };
    }
  }

  #pipeline(): Command {
    let negated = false;
    while (this.#takeReserved('!')) negated = !negated;
    const commands = [this.#command()];
    for (;;) {
      this.#skipBlanks();
      if (this.reader.peek() !== '|' || this.reader.peek(1) === '|') break;
      this.reader.next();
      const both = this.reader.takes('&');
      if (both) commands.push(withErrors(commands.pop() as Command));
      this.#skipLines();
      commands.push(this.#command());
    }
    const [only] = commands;
    return commands.length === 1 && only && !negated ? only : { type: 'pipeline', commands, negated };
  }

  #command(): Command {
    if (++this.#depth > DEEPEST) throw new SyntaxError('nesting is too deep');
    this.#skipBlanks();
    const command = this.#compound() ?? this.#function() ?? this.#simple();
    this.#depth -= 1;
    return command;
  }

  #compound(): Command | undefined {
    if (this.reader.text.startsWith('((', this.reader.at)) {
      this.reader.takes('((');
      return { type: 'arithmetic', expression: parseArithmetic(this), redirects: this.#redirects() };
    }
    if (this.reader.takes('(')) {
      const body = this.scriptUntilParenthesis();
      return { type: 'subshell', body, redirects: this.#redirects() };
    }
    const word = this.#peekReserved();
    if (word === undefined) return undefined;
    const read = getOwn(this.#readers, word);
    if (!read) this.#unexpected();
    this.#takeReserved(word);
    return read();
  }

  readonly #readers: Readonly<Record<string, (() => Command) | undefined>> = {
    if: () => this.#if(),
    for: () => this.#for(),
    while: () => this.#loop('while'),
    until: () => this.#loop('until'),
    case: () => this.#case(),
    function: () => this.#functionByKeyword(),
    '[[': () => this.#test(),
    '{': () => this.#group(),
  };

  #if(): Command {
    const branches: Branch[] = [];
    do {
      const condition = this.#listUntil('then');
      branches.push({ condition, body: this.#list(['elif', 'else', 'fi']) });
    } while (this.#takeReserved('elif'));
    const otherwise = this.#takeReserved('else') ? this.#list(['fi']) : undefined;
    this.#expect('fi');
    return { type: 'if', branches, ...(otherwise ? { otherwise } : {}), redirects: this.#redirects() };
  }

  #loop(type: 'while' | 'until'): Command {
    const condition = this.#listUntil('do');
    const body = this.#listUntil('done');
    return { type, condition, body, redirects: this.#redirects() };
  }

  #for(): Command {
    this.#skipBlanks();
    if (this.reader.takes('((')) return this.#countingLoop();
    const name = this.reader.match(/[A-Za-z_][A-Za-z0-9_]*/y) ?? this.#unexpected();
    this.#skipLines();
    const words = this.reader.match(/in(?=[\s;])/y) ? this.#wordsToLineEnd() : undefined;
    return { type: 'for', name, ...(words ? { words } : {}), body: this.#doBody(), redirects: this.#redirects() };
  }

  #countingLoop(): Command {
    const [first = [], second = [], third = []] = splitAtSemicolons(parseArithmetic(this));
    return { type: 'count', parts: [first, second, third], body: this.#doBody(), redirects: this.#redirects() };
  }

  #doBody(): Script {
    this.#skipBlanks();
    this.reader.takes(';');
    this.#skipLines();
    if (this.#takeReserved('{')) return this.#listUntil('}');
    this.#expect('do');
    return this.#listUntil('done');
  }

  #case(): Command {
    this.#skipBlanks();
    const subject = parseWord(this);
    this.#skipLines();
    if (!this.reader.match(/in(?=[\s)])/y)) this.#unexpected();
    const items: CaseItem[] = [];
    for (;;) {
      this.#skipLines();
      if (this.#takeReserved('esac')) return { type: 'case', subject, items, redirects: this.#redirects() };
      items.push(this.#caseItem());
    }
  }

  #caseItem(): CaseItem {
    this.reader.takes('(');
    const patterns: Word[] = [];
    do {
      this.#skipBlanks();
      patterns.push(parseWord(this));
      this.#skipBlanks();
    } while (this.reader.takes('|'));
    if (!this.reader.takes(')')) this.#unexpected();
    const body = this.#list(['esac']);
    const fallsThrough = this.reader.takes(';&');
    if (!fallsThrough) this.reader.takes(';;');
    return { patterns, body, fallsThrough };
  }

  #group(): Command {
    return { type: 'group', body: this.#listUntil('}'), redirects: this.#redirects() };
  }

  #test(): Command {
    const condition = parseCondition(this);
    return { type: 'test', condition, redirects: this.#redirects() };
  }

  #function(): Command | undefined {
    const name = this.reader.match(WORD_OF_NAME);
    if (name === undefined) return undefined;
    this.reader.match(/\s*\(\s*\)/y);
    return this.#functionBody(name);
  }

  #functionByKeyword(): Command {
    this.#skipBlanks();
    const name = this.reader.match(/[^\s;&|<>()]+/y) ?? this.#unexpected();
    this.reader.match(/\s*\(\s*\)/y);
    return this.#functionBody(name);
  }

  #functionBody(name: string): Command {
    this.#skipLines();
    return { type: 'function', name, body: this.#command() };
  }

  #simple(): Command {
    const assignments: Assignment[] = [];
    const words: Word[] = [];
    const redirects: Redirect[] = [];
    for (;;) {
      this.#skipBlanks();
      const redirect = this.#redirect();
      if (redirect) redirects.push(redirect);
      else if (this.reader.atEnd || /[;&|\n()]/.test(this.reader.peek())) break;
      else if (words.length === 0 && this.#assignment(assignments)) continue;
      else words.push(parseWord(this));
    }
    if (assignments.length + words.length + redirects.length === 0) this.#unexpected();
    return { type: 'simple', assignments, words, redirects };
  }

  #assignment(assignments: Assignment[]): boolean {
    if (this.reader.match(ARRAY) !== undefined) throw withoutArrays();
    const found = this.reader.match(ASSIGNMENT);
    if (found === undefined) return false;
    const append = found.endsWith('+=');
    assignments.push({ name: found.slice(0, append ? -2 : -1), append, value: parseWord(this) });
    return true;
  }

  #redirects(): Redirect[] {
    const redirects: Redirect[] = [];
    for (;;) {
      this.#skipBlanks();
      const redirect = this.#redirect();
      if (!redirect) return redirects;
      redirects.push(redirect);
    }
  }

  #redirect(): Redirect | undefined {
    const found = this.reader.match(REDIRECT);
    if (found === undefined) return undefined;
    const [, number = '', operator = ''] = /^(\d*)(.*)$/.exec(found) ?? [];
    const fd = number === '' ? (operator.startsWith('<') ? 0 : 1) : Number(number);
    this.#skipBlanks();
    if (operator === '<<' || operator === '<<-') return this.#hereDocument(fd, operator === '<<-');
    const target = parseWord(this);
    if (target.length === 0) this.#unexpected();
    return { fd, operator: operator as Redirect['operator'], target };
  }

  #hereDocument(fd: number, stripTabs: boolean): Redirect {
    const word = parseWord(this);
    const delimiter = word.map((part) => (part.type === 'text' ? part.text : '')).join('');
    const redirect: { fd: number; operator: '<<'; target: Word } = { fd, operator: '<<', target: [] };
    const quoted = word.some((part) => part.quoted);
    this.#hereDocuments.push({ delimiter, quoted, stripTabs, fill: (text) => (redirect.target = text) });
    return redirect;
  }

  #readHereDocuments(): void {
    const all = this.#hereDocuments;
    this.#hereDocuments = [];
    for (const { delimiter, quoted, stripTabs, fill } of all) {
      const text = this.#linesUntil(delimiter, stripTabs);
      fill(quoted ? [{ type: 'text', text, quoted: true }] : parseHereDocument(new Parser(text, this.#depth + 1)));
    }
  }

  #linesUntil(delimiter: string, stripTabs: boolean): string {
    let text = '';
    while (!this.reader.atEnd) {
      const line = this.reader.match(/[^\n]*/y) ?? '';
      const ended = this.reader.takes('\n');
      const stripped = stripTabs ? line.replace(/^\t+/, '') : line;
      if (stripped === delimiter) return text;
      text += stripped + (ended ? '\n' : '');
    }
    throw new SyntaxError('unterminated here-document', true);
  }

  #wordsToLineEnd(): Word[] {
    const words: Word[] = [];
    for (;;) {
      this.#skipBlanks();
      if (this.reader.atEnd || /[;\n&|()]/.test(this.reader.peek())) return words;
      words.push(parseWord(this));
    }
  }

  #listUntil(end: string): Script {
    const script = this.#list([end]);
    this.#expect(end);
    return script;
  }

  #expect(word: string): void {
    this.#skipLines();
    if (!this.#takeReserved(word)) this.#unexpected();
  }

  #peekReserved(): string | undefined {
    RESERVED.lastIndex = this.reader.at;
    return RESERVED.exec(this.reader.text)?.[0];
  }

  #takeReserved(word: string): boolean {
    this.#skipBlanks();
    return this.#peekReserved() === word && this.reader.takes(word);
  }

  /** Over blanks, comments and continued lines. */
  #skipBlanks(): void {
    this.reader.match(/(?:[ \t\r]|\\\n)+/y);
    const before = this.reader.text.charAt(this.reader.at - 1);
    if (this.reader.peek() === '#' && (this.reader.at === 0 || /[\s;&|()]/.test(before))) this.reader.match(/[^\n]*/y);
  }

  #skipLines(): void {
    for (;;) {
      this.#skipBlanks();
      if (!this.reader.takes('\n')) return;
      if (this.#hereDocuments.length > 0) this.#readHereDocuments();
    }
  }

  skipSpace(): void {
    this.#skipLines();
  }

  #unexpected(): never {
    if (this.reader.atEnd) throw new SyntaxError('unexpected end of file', true);
    const found = this.reader.match(/;;|&&|\|\||[;&|<>()\n]|[^\s;&|<>()]+/y) ?? '';
    throw new SyntaxError(`unexpected ${found === '\n' ? 'newline' : `"${found}"`}`);
  }
}

/** `a |& b`: what `a` reports goes through the pipe, too. */
function withErrors(command: Command): Command {
  if (!('redirects' in command)) return command;
  const target: Word = [{ type: 'text', text: '1', quoted: false }];
  return { ...command, redirects: [...command.redirects, { fd: 2, operator: '>&', target }] };
}

function splitAtSemicolons(word: Word): Word[] {
  const parts: Word[] = [[]];
  for (const part of word) {
    const pieces = part.type === 'text' ? part.text.split(';') : [undefined];
    pieces.forEach((piece, i) => {
      if (i > 0) parts.push([]);
      const last = parts[parts.length - 1] as Word[number][];
      last.push(piece === undefined ? part : { type: 'text', text: piece, quoted: true });
    });
  }
  return parts;
}
