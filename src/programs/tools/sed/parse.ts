import { compilePattern, type Pattern } from '../regex.ts';

/** A script of sed, read. */
export interface Command {
  readonly addresses: readonly Address[];
  readonly negated: boolean;
  readonly name: string;
  /** Text of `a`, `i`, `c`; label of `b`, `t`, `:`; file of `r`, `w`. */
  readonly text: string;
  readonly substitution?: Substitution;
  readonly translation?: ReadonlyMap<string, string>;
  readonly body?: readonly Command[];
}

export type Address =
  | { readonly line: number; readonly step?: number }
  | { readonly last: true }
  | { readonly pattern: Pattern }
  | { readonly count: number };

export interface Substitution {
  readonly pattern: Pattern;
  readonly replacement: readonly (string | number | Case)[];
  readonly all: boolean;
  readonly nth: number;
  readonly prints: boolean;
}

/** `\U`, `\L`, `\u`, `\l`, `\E` */
export interface Case {
  readonly change: string;
}

export class SedError extends Error {
  override name = 'SedError';
}

/** Reads a script. Throws SedError and PatternError. */
export function parseSed(script: string, extended: boolean): Command[] {
  return new Parser(script, extended).block(false);
}

class Parser {
  readonly #text: string;
  readonly #extended: boolean;
  #at = 0;

  constructor(text: string, extended: boolean) {
    this.#text = text;
    this.#extended = extended;
  }

  block(nested: boolean): Command[] {
    const commands: Command[] = [];
    for (;;) {
      this.#match(/[\s;]*/y);
      if (this.#at >= this.#text.length) {
        if (nested) throw new SedError('unmatched {');
        return commands;
      }
      if (this.#takes('}')) {
        if (!nested) throw new SedError('unexpected }');
        return commands;
      }
      if (this.#takes('#')) this.#match(/[^\n]*/y);
      else commands.push(this.#command());
    }
  }

  #command(): Command {
    const addresses = this.#addresses();
    this.#match(/\s*/y);
    const negated = this.#takes('!');
    this.#match(/\s*/y);
    const name = this.#text.charAt(this.#at++);
    const base = { addresses, negated, name, text: '' };
    if (name === '{') return { ...base, body: this.block(true) };
    if (name === 's') return { ...base, substitution: this.#substitution() };
    if (name === 'y') return { ...base, translation: this.#translation() };
    if (/[aic]/.test(name)) return { ...base, text: this.#insertedText() };
    if (/[:btTrwq]/.test(name)) return { ...base, text: this.#match(/[ \t]*[^\n;}]*/y).trim() };
    if (!/[dDpPnNgGhHxl=]/.test(name)) throw new SedError(`unsupported command ${name}`);
    return base;
  }

  #addresses(): Address[] {
    const first = this.#address();
    if (!first) return [];
    this.#match(/\s*/y);
    if (!this.#takes(',')) return [first];
    this.#match(/\s*/y);
    const second = this.#takes('+') ? { count: Number(this.#match(/\d+/y)) } : this.#address();
    if (!second) throw new SedError('unexpected ,');
    return [first, second];
  }

  #address(): Address | undefined {
    const digits = this.#match(/\d+/y);
    if (digits !== '')
      return this.#takes('~') ? { line: Number(digits), step: Number(this.#match(/\d+/y)) } : { line: Number(digits) };
    if (this.#takes('$')) return { last: true };
    const delimiter = this.#takes('/') ? '/' : this.#takes('\\') ? this.#text.charAt(this.#at++) : undefined;
    if (delimiter === undefined) return undefined;
    const pattern = this.#delimited(delimiter, true);
    const ignoreCase = this.#takes('I');
    return { pattern: compilePattern(pattern, { extended: this.#extended, ignoreCase }) };
  }

  #substitution(): Substitution {
    const delimiter = this.#text.charAt(this.#at++);
    const pattern = this.#delimited(delimiter, true);
    const replacement = this.#delimited(delimiter, false);
    const flags = this.#match(/[gpiIeMm\d]*/y);
    return {
      pattern: compilePattern(pattern, { extended: this.#extended, ignoreCase: /i/i.test(flags) }),
      replacement: replacementOf(replacement),
      all: flags.includes('g'),
      nth: Number(/\d+/.exec(flags)?.[0] ?? 1),
      prints: flags.includes('p'),
    };
  }

  #translation(): Map<string, string> {
    const delimiter = this.#text.charAt(this.#at++);
    const plain = (text: string): string[] => [...text.replace(/\\n/g, '\n').replace(/\\\\/g, '\\')];
    const from = plain(this.#delimited(delimiter, false));
    const to = plain(this.#delimited(delimiter, false));
    if (from.length !== to.length) throw new SedError('y: strings are different lengths');
    return new Map(from.map((char, i) => [char, to[i] ?? '']));
  }

  /** Up to a delimiter; an escaped one is plain. */
  #delimited(delimiter: string, isPattern: boolean): string {
    let text = '';
    for (let inBracket = false; this.#at < this.#text.length;) {
      const char = this.#text.charAt(this.#at++);
      if (char === delimiter && !inBracket) return text;
      if (char === '\\') {
        const next = this.#text.charAt(this.#at++);
        text += next === delimiter && !(isPattern && /[|+?(){}]/.test(next)) ? next : `\\${next}`;
        continue;
      }
      if (isPattern && char === '[') inBracket = true;
      else if (isPattern && char === ']') inBracket = false;
      text += char;
    }
    throw new SedError(`unterminated command: missing ${delimiter}`);
  }

  #insertedText(): string {
    this.#match(/[ \t]*(?:\\[ \t]*\n)?[ \t]*/y);
    const text = this.#match(/(?:\\\n|[^\n])*/y);
    return text.replace(/\\(\n|[\s\S])/g, '$1');
  }

  #takes(text: string): boolean {
    const found = this.#text.startsWith(text, this.#at);
    if (found) this.#at += text.length;
    return found;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }
}

function replacementOf(text: string): (string | number | Case)[] {
  const parts: (string | number | Case)[] = [];
  for (const [, escaped, plain] of text.matchAll(/\\([\s\S])|([\s\S])/g)) {
    if (escaped === undefined) parts.push(plain === '&' ? 0 : (plain ?? ''));
    else if (/\d/.test(escaped)) parts.push(Number(escaped));
    else if (/[ULulE]/.test(escaped)) parts.push({ change: escaped });
    else parts.push({ n: '\n', t: '\t' }[escaped] ?? escaped);
  }
  return parts;
}
