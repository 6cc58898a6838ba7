/** Reads the templates of Go's `text/template`: text with `{{actions}}`. */
import { getOwn } from '../../../std/index.ts';
import { TemplateError } from './errors.ts';
import { FUNCTIONS } from './functions.ts';

export type Operand =
  | { readonly is: 'value'; readonly value: unknown }
  | { readonly is: 'dot' }
  | { readonly is: 'variable'; readonly name: string }
  | { readonly is: 'function'; readonly name: string }
  | { readonly is: 'pipeline'; readonly pipeline: Pipeline };

/** An operand with the fields that are taken of it: `.a.b`, `$x.a`, `(index . 0).a`. */
export interface Term {
  readonly operand: Operand;
  readonly fields: readonly string[];
  /** As it is written. */
  readonly text: string;
  /** Where it stands in the template, as Go says it: of `.a.b`, where `.b` begins. */
  readonly at: number;
  /** Where it begins. */
  readonly from: number;
}

export interface Pipeline {
  /** Variables that are set to its value; two for the index and the item of a range. */
  readonly variables: readonly string[];
  /** Whether the variables are new. */
  readonly declares: boolean;
  readonly commands: readonly (readonly Term[])[];
}

export interface Block {
  readonly is: 'if' | 'with' | 'range';
  readonly pipeline: Pipeline;
  readonly body: readonly Node[];
  readonly otherwise: readonly Node[];
}

export type Node =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'print'; readonly pipeline: Pipeline }
  | Block
  | {
      readonly is: 'template';
      readonly name: string;
      readonly pipeline: Pipeline | undefined;
      /** Where its name stands, and how it is written. */
      readonly at: number;
      readonly text: string;
    }
  | { readonly is: 'break' }
  | { readonly is: 'continue' };

export interface Parsed {
  readonly nodes: readonly Node[];
  /** The templates that `define` and `block` name. */
  readonly named: ReadonlyMap<string, readonly Node[]>;
}

/** Throws TemplateError for a text that is no template. */
export function parse(text: string): Parsed {
  const parser = new Parser(pieces(text));
  const nodes = parser.nodes([]);
  return { nodes: nodes.body, named: parser.named };
}

/** A word of an action, and where it stands in the template. */
interface Word {
  readonly text: string;
  readonly at: number;
}

type Piece = { readonly text: string } | { readonly action: readonly Word[] };

const ACTION =
  /\{\{(?:- )?((?:"(?:[^"\\\n]|\\.)*"|`[^`]*`|'(?:[^'\\\n]|\\.)*'|\/\*[\s\S]*?\*\/|(?!\}\})[\s\S])*?)(?: -)?\}\}/g;

/** Text and actions in turn. A dash inside the braces trims the text beside it. */
function pieces(text: string): readonly Piece[] {
  const found: Piece[] = [];
  let at = 0;
  let trims = false;
  // Every action in this part has an end, so that no search for one runs to the end of the text in vain.
  for (const match of text.slice(0, text.lastIndexOf('}}') + 2).matchAll(ACTION)) {
    const [whole, inside = ''] = match;
    const before = text.slice(at, match.index);
    const left = trims ? before.trimStart() : before;
    found.push({ text: /^\{\{- /.test(whole) ? left.trimEnd() : left });
    if (!/^\s*\/\*[\s\S]*\*\/\s*$/.test(inside))
      found.push({ action: words(inside, match.index + whole.indexOf(inside, 2)) });
    trims = whole.endsWith(' -}}');
    at = match.index + whole.length;
  }
  const rest = text.slice(at);
  if (rest.includes('{{')) throw new TemplateError('unclosed action');
  return [...found, { text: trims ? rest.trimStart() : rest }];
}

const WORD =
  /\s*("(?:[^"\\\n]|\\.)*"|`[^`]*`|'(?:[^'\\\n]|\\.)*'|:=|[|(),=]|\$?[\p{L}_$][\p{L}\p{Nd}_]*|\$|[+-]?(?:0x[\da-fA-F]+|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)|\.[\p{L}_][\p{L}\p{Nd}_]*|\.|[!-~])/uy;

/** A function, a variable or a field. */
const NAME = /^(?:\$?[\p{L}_]|\.[\p{L}_])/u;
const ENDS_NAME = /^$|[\s.,|:=()]/;

function badCharacter(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `bad character U+${code} '${character}'`;
}

/** The words of an action; a space is kept where it divides two terms. */
function words(text: string, begin: number): readonly Word[] {
  const found: Word[] = [];
  let at = 0;
  while (at < text.length) {
    if (/^\s+$/.test(text.slice(at))) break;
    WORD.lastIndex = at;
    const match = WORD.exec(text);
    if (!match) throw new TemplateError(`unexpected ${JSON.stringify(text.slice(at).trim().charAt(0))} in command`);
    if (/^\s/.test(match[0]) && found.length > 0) found.push({ text: ' ', at: begin + at });
    const [, word = ''] = match;
    const next = text.slice(WORD.lastIndex, WORD.lastIndex + 1);
    if (NAME.test(word) && !ENDS_NAME.test(next)) throw new TemplateError(badCharacter(next));
    found.push({ text: word, at: begin + WORD.lastIndex - word.length });
    at = WORD.lastIndex;
  }
  return found;
}

const BLOCKS: readonly string[] = ['if', 'with', 'range'];

interface Body {
  readonly body: readonly Node[];
  /** The action that ended it, without its spaces; empty at the end of the text. */
  readonly end: readonly Word[];
}

class Parser {
  #ranges = 0;
  readonly named = new Map<string, readonly Node[]>();
  readonly #pieces: Piece[];

  constructor(all: readonly Piece[]) {
    this.#pieces = [...all];
  }

  /** Until an action that begins with one of `ends`. */
  nodes(ends: readonly string[]): Body {
    const body: Node[] = [];
    for (let piece = this.#pieces.shift(); piece; piece = this.#pieces.shift()) {
      if ('text' in piece) {
        if (piece.text !== '') body.push({ is: 'text', text: piece.text });
        continue;
      }
      const first = piece.action[0]?.text ?? '';
      if (ends.includes(first)) return { body, end: piece.action };
      const node = this.#node(first, piece.action.slice(piece.action[1]?.text === ' ' ? 2 : 1), piece.action);
      if (node) body.push(node);
    }
    if (ends.length > 0) throw new TemplateError('unexpected EOF');
    return { body, end: [] };
  }

  #node(first: string, rest: readonly Word[], all: readonly Word[]): Node | undefined {
    if (first === 'break' || first === 'continue') {
      if (this.#ranges === 0) throw new TemplateError(`{{${first}}} outside {{range}}`);
      return { is: first };
    }
    if (first === 'end' || first === 'else') throw new TemplateError(`unexpected {{${first}}}`);
    if (BLOCKS.includes(first)) return this.#block(first as 'if' | 'with' | 'range', rest);
    if (first === 'define' || first === 'block' || first === 'template') return this.#named(first, rest);
    return { is: 'print', pipeline: pipelineOf(all, 'command') };
  }

  #block(is: 'if' | 'with' | 'range', rest: readonly Word[]): Node {
    const pipeline = pipelineOf(rest, is);
    if (is === 'range') this.#ranges++;
    const { body, end } = this.nodes(['else', 'end']);
    if (is === 'range') this.#ranges--;
    if (end[0]?.text === 'end') return { is, pipeline, body, otherwise: [] };
    const more = end.filter(({ text }) => text !== ' ');
    // `else if` is an `if` of its own that ends with this one.
    if (more[1]?.text === 'if')
      return { is, pipeline, body, otherwise: [this.#block('if', end.slice(end.indexOf(more[1]) + 1))] };
    return { is, pipeline, body, otherwise: this.nodes(['end']).body };
  }

  #named(is: 'define' | 'block' | 'template', rest: readonly Word[]): Node | undefined {
    const [first, ...more] = rest;
    const quoted = first?.text ?? '';
    const name = literal(quoted);
    if (typeof name !== 'string') throw new TemplateError(`unexpected ${JSON.stringify(quoted)} in ${is} clause`);
    const argument =
      more.filter(({ text }) => text !== ' ').length === 0 ? undefined : pipelineOf(more, `${is} clause`);
    if (is !== 'template') this.named.set(name, this.nodes(['end']).body);
    if (is === 'define') return undefined;
    const given = argument ? ` ${argument.commands.map(commandText).join(' | ')}` : '';
    const text = `{{template ${JSON.stringify(name)}${given}}}`;
    return { is: 'template', name, pipeline: argument, at: first?.at ?? 0, text };
  }
}

/** `place` is what the pipeline belongs to, as messages name it. */
function pipelineOf(all: readonly Word[], place: string): Pipeline {
  const reader = new Reader(all);
  const pipeline = reader.pipeline(place);
  if (reader.peek() !== undefined) throw new TemplateError(`unexpected ${JSON.stringify(reader.peek())} in operand`);
  return pipeline;
}

/** A command as it is written. */
export const commandText = (terms: readonly Term[]): string => terms.map(({ text }) => text).join(' ');

/** Reads the words of one action. */
class Reader {
  readonly #words: Word[];

  constructor(all: readonly Word[]) {
    this.#words = [...all];
    this.#skip();
  }

  peek(): string | undefined {
    return this.#words[0]?.text;
  }

  pipeline(place: string): Pipeline {
    const declared = this.#declared();
    const commands: (readonly Term[])[] = [];
    for (;;) {
      const terms = this.#terms(place);
      if (terms.length === 0) throw new TemplateError('missing value for command');
      commands.push(terms);
      if (this.peek() !== '|') return { ...declared, commands };
      this.#next();
    }
  }

  /** `$x :=`, `$i, $x :=`, `$x =` */
  #declared(): Pick<Pipeline, 'variables' | 'declares'> {
    const plain = this.#words.map(({ text }) => text).filter((text) => text !== ' ');
    const at = plain.findIndex((word) => word === ':=' || word === '=');
    if (at < 1 || !plain.slice(0, at).every((word) => word === ',' || word.startsWith('$')))
      return { variables: [], declares: false };
    const declares = plain[at] === ':=';
    const variables = plain.slice(0, at).filter((word) => word !== ',');
    while (this.#words.shift()?.text !== plain[at]);
    this.#skip();
    return { variables, declares };
  }

  #terms(place: string): readonly Term[] {
    const terms: Term[] = [];
    for (let word = this.peek(); word !== undefined && word !== '|' && word !== ')'; word = this.peek())
      terms.push(this.#term(terms.length === 0 ? place : 'operand'));
    return terms;
  }

  #term(place: string): Term {
    const from = this.#words[0]?.at ?? 0;
    const [operand, written] = this.#operand(place);
    const fields: Word[] = [];
    let text = written;
    if (operand.is === 'dot' && this.peek() === '.') text += this.#words.shift()?.text ?? '';
    for (let word = this.#words[0]; word?.text.startsWith('.') && word.text !== '.'; word = this.#words[0]) {
      fields.push(word);
      text += word.text;
      this.#words.shift();
    }
    this.#skip();
    const at = (operand.is === 'dot' ? fields[1] : fields[0])?.at ?? from;
    return { operand, fields: fields.map((word) => word.text.slice(1)), text, at, from };
  }

  /** With how it is written; dots are written by what follows them. */
  #operand(place: string): readonly [Operand, string] {
    const word = this.peek() ?? '';
    if (word === '.' || word.startsWith('.')) return [{ is: 'dot' }, ''];
    this.#words.shift();
    if (word === '(') {
      this.#skip();
      const pipeline = this.pipeline('parenthesized pipeline');
      if (this.#words.shift()?.text !== ')') throw new TemplateError('unclosed left paren');
      return [{ is: 'pipeline', pipeline }, `(${pipeline.commands.map(commandText).join(' | ')})`];
    }
    if (word.startsWith('$')) return [{ is: 'variable', name: word }, word];
    const value = literal(word);
    if (value !== undefined) return [{ is: 'value', value }, word];
    if (word === 'nil') return [{ is: 'value', value: null }, word];
    if (Object.hasOwn(FUNCTIONS, word)) return [{ is: 'function', name: word }, word];
    if (/^[\p{L}_]/u.test(word)) throw new TemplateError(`function ${JSON.stringify(word)} not defined`);
    throw new TemplateError(`unexpected ${JSON.stringify(word)} in ${place}`);
  }

  #next(): void {
    this.#words.shift();
    this.#skip();
  }

  #skip(): void {
    while (this.peek() === ' ') this.#words.shift();
  }
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '"': '"', "'": "'", '\\': '\\' };

/** Whole numbers are bigints, as Go keeps them apart from others. Undefined for what is no literal. */
function literal(word: string): unknown {
  if (/^[`]/.test(word)) return word.slice(1, -1);
  if (/^["']/.test(word)) {
    const text = word
      .slice(1, -1)
      .replace(/\\(u[\da-fA-F]{4}|x[\da-fA-F]{2}|.)/gs, (_, code: string) =>
        code.length > 1 ? String.fromCharCode(parseInt(code.slice(1), 16)) : (getOwn(ESCAPES, code) ?? code),
      );
    return word.startsWith('"') ? text : BigInt(text.codePointAt(0) ?? 0);
  }
  if (word === 'true' || word === 'false') return word === 'true';
  if (/^[+-]?(\d+|0x[\da-fA-F]+)$/.test(word))
    return word.startsWith('-') ? -BigInt(word.slice(1)) : BigInt(word.replace('+', ''));
  if (/^[+-]?\d/.test(word)) return Number(word);
  return undefined;
}
