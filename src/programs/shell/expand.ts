import { decodeText } from '../../std/index.ts';
import type { Process } from '../process.ts';
import { evaluate } from './arithmetic.ts';
import type { Parameter, Part, Script, Word } from './ast.ts';
import { expandBraces } from './braces.ts';
import { globPaths } from './glob.ts';
import { escapePattern, replace, trim } from './pattern.ts';
import { ShellError, type ShellState } from './state.ts';

/** What words are expanded with. */
export interface Expansion {
  readonly state: ShellState;
  readonly process: Process;
  /** Runs a script and returns what it writes. */
  capture(script: Script): Promise<Uint8Array>;
}

/** A piece of an expanded word. Between pieces that `split`, a field ends. */
interface Piece {
  readonly text: string;
  readonly quoted: boolean;
  /** A new field begins with it, as between the words of `"$@"`. */
  readonly begins?: boolean;
}

/** The fields that words become: expanded, split, matched against file names. */
export async function expandWords(words: readonly Word[], expansion: Expansion): Promise<string[]> {
  const fields: string[] = [];
  const { state } = expansion;
  for (const word of words)
    for (const alternative of state.isBash ? expandBraces(word) : [word])
      for (const field of split(await piecesOf(alternative, expansion), state.get('IFS') ?? ' \t\n'))
        fields.push(...paths(field, expansion));
  return fields;
}

/** Expands a word to one text: for assignments, redirects, here-documents. */
export async function expandText(word: Word, expansion: Expansion): Promise<string> {
  const separator = (expansion.state.get('IFS') ?? ' ').charAt(0);
  const pieces = await piecesOf(word, expansion);
  return pieces.map(({ text, begins }, i) => (begins && i > 0 ? separator : '') + text).join('');
}

/** Expands a word to a pattern: quoted parts are literal. */
export async function expandPattern(word: Word, expansion: Expansion): Promise<string> {
  const pieces = await piecesOf(word, expansion);
  return pieces.map(({ text, quoted }) => (quoted ? escapePattern(text) : text)).join('');
}

async function piecesOf(word: Word, expansion: Expansion): Promise<Piece[]> {
  const pieces: Piece[] = [];
  for (const [i, part] of word.entries()) {
    const isTilde = i === 0 && part.type === 'text' && !part.quoted && /^~(?=\/|$)/.test(part.text);
    if (isTilde)
      pieces.push(
        { text: expansion.state.get('HOME') ?? '/root', quoted: true },
        { text: part.text.slice(1), quoted: false },
      );
    else pieces.push(...(await expandPart(part, expansion)));
  }
  return pieces;
}

async function expandPart(part: Part, expansion: Expansion): Promise<Piece[]> {
  if (part.type === 'text') return [part];
  if (part.type === 'parameter') return expandParameter(part, expansion);
  if (part.type === 'arithmetic') {
    const text = await expandText(part.expression, expansion);
    return [{ text: String(evaluate(text, expansion.state)), quoted: part.quoted }];
  }
  const output = decodeText(await expansion.capture(part.script));
  return [{ text: output.replace(/\n+$/, '').replaceAll('\0', ''), quoted: part.quoted }];
}

async function expandParameter(part: Parameter, expansion: Expansion): Promise<Piece[]> {
  const { name, quoted, operator } = part;
  if ((name === '@' || name === '*') && operator === undefined) return allParameters(name, quoted, expansion.state);
  const value = valueOf(name, expansion);
  if (operator === undefined) return [{ text: value ?? missing(name, expansion), quoted }];
  if (operator === 'length') return [{ text: String(lengthOf(name, value, expansion)), quoted }];
  if (operator === 'indirect') return [{ text: valueOf(value ?? '', expansion) ?? '', quoted }];
  return alternative(part, value, expansion);
}

function lengthOf(name: string, value: string | undefined, { state }: Expansion): number {
  return name === '@' || name === '*' ? state.positional.length : [...(value ?? '')].length;
}

function allParameters(name: string, quoted: boolean, { positional }: ShellState): Piece[] {
  if (name === '*' && quoted) return [{ text: positional.join(' '), quoted }];
  return positional.map((text, i) => ({ text, quoted, ...(i > 0 ? { begins: true } : {}) }));
}

function missing(name: string, { state }: Expansion): string {
  if (state.options.nounset && !/^[@*]$/.test(name)) throw new ShellError(`${name}: parameter not set`, 2);
  return '';
}

/** The value of a variable or special parameter. */
function valueOf(name: string, { state, process }: Expansion): string | undefined {
  if (/^\d+$/.test(name)) return name === '0' ? state.name : state.positional[Number(name) - 1];
  switch (name) {
    case '?':
      return String(state.status);
    case '#':
      return String(state.positional.length);
    case '$':
      return String(process.pid);
    case '!':
      return state.lastJob === undefined ? undefined : String(state.lastJob);
    case '@':
    case '*':
      return state.positional.length > 0 ? state.positional.join(' ') : undefined;
    case '-':
      return `${state.options.errexit ? 'e' : ''}${state.options.nounset ? 'u' : ''}${state.options.xtrace ? 'x' : ''}`;
    case 'RANDOM':
      return state.get(name) ?? String(process.system.random.int(32768));
    case 'SECONDS':
      return state.get(name) ?? String(Math.floor((process.system.clock.now() - process.system.startedAt) / 1000));
    case 'PPID':
      return String(process.parent);
    case 'UID':
      return state.get(name) ?? String(process.user.uid);
    default:
      return state.get(name);
  }
}

/** `${name:-word}` and its relatives. */
async function alternative(part: Parameter, value: string | undefined, expansion: Expansion): Promise<Piece[]> {
  const { name, quoted, operator = '', word = [], second } = part;
  const isSet = value !== undefined && !(operator.startsWith(':') && value === '');
  switch (operator) {
    case '-':
    case ':-':
      return isSet ? [{ text: value, quoted }] : piecesOf(word, expansion);
    case '+':
    case ':+':
      return isSet ? piecesOf(word, expansion) : [{ text: '', quoted: false }];
    case '=':
    case ':=': {
      if (isSet) return [{ text: value, quoted }];
      const text = await expandText(word, expansion);
      expansion.state.set(name, text);
      return [{ text, quoted }];
    }
    case '?':
    case ':?':
      if (isSet) return [{ text: value, quoted }];
      throw new ShellError(`${name}: ${(await expandText(word, expansion)) || 'parameter not set or null'}`, 2);
    default:
      return [{ text: await changed(value ?? missing(name, expansion), operator, word, second, expansion), quoted }];
  }
}

async function changed(
  value: string,
  operator: string,
  word: Word,
  second: Word | undefined,
  expansion: Expansion,
): Promise<string> {
  if (operator === ':')
    return substring(
      value,
      await expandText(word, expansion),
      second && (await expandText(second, expansion)),
      expansion,
    );
  if (operator === '^^') return value.toUpperCase();
  if (operator === ',,') return value.toLowerCase();
  if (operator === '^') return value.charAt(0).toUpperCase() + value.slice(1);
  if (operator === ',') return value.charAt(0).toLowerCase() + value.slice(1);
  const pattern = await expandPattern(word, expansion);
  if (operator.startsWith('/'))
    return replace(value, pattern, second ? await expandText(second, expansion) : '', operator as '/');
  return trim(value, pattern, operator.startsWith('#') ? 'start' : 'end', operator.length === 2);
}

function substring(value: string, offset: string, length: string | undefined, { state }: Expansion): string {
  const from = Number(evaluate(offset, state));
  const start = from < 0 ? Math.max(0, value.length + from) : from;
  if (length === undefined) return value.slice(start);
  const count = Number(evaluate(length, state));
  return value.slice(start, count < 0 ? value.length + count : start + count);
}

/** A field: its pieces, which are either plain or taken for a pattern. */
type Field = readonly Piece[];

/** Splits what isn't quoted at the characters of IFS. White space around is dropped; other separators make empty fields. */
function split(pieces: readonly Piece[], separators: string): Field[] {
  const fields: Field[] = [];
  let current: Piece[] | undefined;
  const finish = (): void => {
    if (current) fields.push(current);
    current = undefined;
  };
  for (const piece of pieces) {
    if (piece.begins) finish();
    if (piece.quoted) current = [...(current ?? []), piece];
    else
      for (const [chunk, isSeparator] of chunks(piece.text, separators)) {
        if (!isSeparator) current = [...(current ?? []), { text: chunk, quoted: false }];
        else if (current || chunk.trim() === '') finish();
        else fields.push([]);
      }
  }
  finish();
  return fields;
}

function* chunks(text: string, separators: string): Generator<readonly [string, boolean]> {
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (!separators.includes(text.charAt(at))) continue;
    if (at > start) yield [text.slice(start, at), false];
    let end = at;
    // White space around another separator belongs to it.
    while (end + 1 < text.length && separators.includes(text.charAt(end + 1)) && /\s/.test(text.charAt(end + 1)))
      end += 1;
    yield [text.slice(at, end + 1), true];
    at = end;
    start = end + 1;
  }
  if (start < text.length) yield [text.slice(start), false];
}

function paths(field: Field, { state, process }: Expansion): string[] {
  const text = field.map((piece) => piece.text).join('');
  if (state.options.noglob || !field.some((piece) => !piece.quoted && /[*?[]/.test(piece.text))) return [text];
  const pattern = field.map((piece) => (piece.quoted ? escapePattern(piece.text) : piece.text)).join('');
  const found = globPaths(process.files, pattern);
  return found.length > 0 ? found : [text];
}
