/** Reads templates of JSONPath as the reference's client does: text with `{actions}`. */
import { getOwn } from '../../../std/index.ts';

/** One step; what it finds is where the next step begins. */
export type Step =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'value'; readonly value: number | boolean }
  | { readonly is: 'word'; readonly word: string }
  | { readonly is: 'field'; readonly name: string }
  | { readonly is: 'children' }
  | { readonly is: 'descendants' }
  | {
      readonly is: 'slice';
      readonly from?: number;
      readonly to?: number;
      readonly step?: number;
      readonly one: boolean;
    }
  | { readonly is: 'filter'; readonly left: Path; readonly operator: string; readonly right: Path }
  | { readonly is: 'union'; readonly members: readonly Path[] };

export type Path = readonly Step[];

/** An error of a template, or of the value that it is applied to. */
export class JsonPathError extends Error {}

/** The template's parts: each text outside of braces, and each pair of braces. Throws JsonPathError. */
export function parse(text: string): readonly Path[] {
  const paths: Path[] = [];
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf('{', at);
    const to = open < 0 ? text.length : open;
    if (to > at) paths.push([{ is: 'text', text: text.slice(at, to) }]);
    if (open < 0) break;
    const action = new Action(text, open + 1);
    paths.push(action.steps());
    at = action.at;
  }
  return paths;
}

/** A text that stands for what is between one pair of braces. */
const inner = (text: string): Path => new Action(`${text}}`, 0).steps();

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };
const COMPARISON = /^([^!<>=]+)([!<>=]+)(.+?)$/s;
const SLICE = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/;
const LETTER = /[\p{L}\p{N}_]/u;

/** Reads what stands between a pair of braces. */
class Action {
  readonly #text: string;
  /** Behind what was read. */
  at: number;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  steps(): Path {
    const steps: Step[] = [];
    for (let next = this.#text[this.at]; next !== '}'; next = this.#text[this.at]) {
      if (next === undefined || next === '\n') throw new JsonPathError('unclosed action');
      steps.push(...this.#step(next));
    }
    this.at++;
    return steps;
  }

  #step(next: string): Path {
    const rest = this.#text.slice(this.at, this.at + 3);
    if (rest === '[?(') return [this.#filter()];
    if (rest.startsWith('..')) return this.#descendants();
    if (next === '[') return this.#array();
    if (next === '"' || next === "'") return [this.#quoted(next)];
    if (next === '.') {
      this.at++;
      return [this.#field()];
    }
    if (/[-+\d]/.test(next)) return [this.#number()];
    if (LETTER.test(next)) return [this.#word()];
    // The value itself: each path begins there.
    if (!/[ @$]/.test(next)) throw new JsonPathError(`unrecognized character in action: ${codeOf(next)}`);
    this.at++;
    return [];
  }

  /** Whatever matches here. */
  #take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.at += found.length;
    return found;
  }

  #field(): Step {
    const name = this.#take(/(?:\\[^]|[^\\\s.[\]$@{}])*/y);
    return name === '*' ? { is: 'children' } : { is: 'field', name: name.replaceAll('\\', '') };
  }

  #descendants(): Path {
    this.at += 2;
    const named = LETTER.test(this.#text[this.at] ?? '');
    return named ? [{ is: 'descendants' }, this.#field()] : [{ is: 'descendants' }];
  }

  #number(): Step {
    const text = this.#take(/[-+]?[\d.]*/y);
    if (!/^[-+]?(\d+\.?\d*|\.\d+)$/.test(text)) throw new JsonPathError(`cannot parse number ${text}`);
    return { is: 'value', value: Number(text) };
  }

  #word(): Step {
    const word = this.#take(/[^\s.,[\]$@{}]+/y);
    return word === 'true' || word === 'false' ? { is: 'value', value: word === 'true' } : { is: 'word', word };
  }

  #quoted(quote: string): Step {
    const text = this.#take(quote === '"' ? /"(?:[^"\\\n]|\\.)*"/y : /'(?:[^'\\\n]|\\.)*'/y);
    if (text === '') throw new JsonPathError('unterminated quoted string');
    const unescaped = text.slice(1, -1).replaceAll(/\\(.)/gs, (_, letter: string) => getOwn(ESCAPED, letter) ?? letter);
    return { is: 'text', text: unescaped };
  }

  #filter(): Step {
    this.at += 3;
    const text = this.#take(/(?:[^)"'\n]|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')*/y);
    if (this.#text[this.at] !== ')') throw new JsonPathError('unterminated filter');
    if (this.#text[this.at + 1] !== ']') throw new JsonPathError('unclosed array expect ]');
    this.at += 2;
    const [, left, operator, right] = COMPARISON.exec(text) ?? [];
    if (left === undefined || operator === undefined || right === undefined)
      return { is: 'filter', left: inner(text), operator: 'exists', right: [] };
    return { is: 'filter', left: inner(left), operator, right: inner(right) };
  }

  #array(): Path {
    const whole = this.#take(/\[[^\]\n]*\]/y);
    if (whole === '') throw new JsonPathError('unterminated array');
    const text = whole.slice(1, -1);
    const members = text.split(',');
    if (members.length > 1)
      return [{ is: 'union', members: members.map((each) => inner(`[${each.replaceAll(/^ +| +$/g, '')}]`)) }];
    const [, key] = /^'([^']*)'$/.exec(text) ?? [];
    if (key !== undefined) return inner(`.${key}`);
    return text === '*' ? [sliceOf(':')] : [sliceOf(text)];
  }
}

function sliceOf(text: string): Step {
  const found = SLICE.exec(text);
  if (!found) throw new JsonPathError(`invalid array index ${text}`);
  const [from, to, step] = found
    .slice(1)
    .map((part) => (/\d/.test(part ?? '') ? Number(part?.replace(':', '')) : undefined));
  return {
    is: 'slice',
    one: found[2] === undefined,
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(step !== undefined && { step }),
  };
}

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')} '${character}'`;
