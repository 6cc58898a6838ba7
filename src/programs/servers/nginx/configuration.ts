import { getOwn } from '../../../std/index.ts';
/** A directive of nginx: words and an optional block. */
export interface Directive {
  readonly name: string;
  readonly args: readonly string[];
  readonly block?: readonly Directive[];
}

export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}

const TOKEN = /\s+|#[^\n]*|([{};])|"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'|((?:\\.|\$\{\w+\}|[^\s{};"'\\])+)/y;
const DEEPEST = 20;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** What was read: most servers have the configuration that their image brings. Emptied when it has grown. */
const known = new Map<string, readonly Directive[]>();
const MOST_KNOWN = 50;

/** Reads a configuration. Throws ConfigurationError. */
export function parseConfiguration(text: string): readonly Directive[] {
  let parsed = known.get(text);
  if (parsed) return parsed;
  parsed = parse(text);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(text, parsed);
  return parsed;
}

function parse(text: string): Directive[] {
  const words = tokens(text);
  const parsed = block(words, 0);
  if (words.length > 0) throw new ConfigurationError('unexpected "}"');
  return parsed;
}

interface Token {
  readonly text: string;
  readonly isMark: boolean;
}

function tokens(text: string): Token[] {
  const found: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const match = TOKEN.exec(text);
    if (!match) throw new ConfigurationError('unexpected end of file');
    const [, mark, double, single, word] = match;
    if (mark !== undefined) found.push({ text: mark, isMark: true });
    const plain = double ?? single ?? word;
    if (plain !== undefined)
      found.push({
        text: plain.replace(/\\(["'\\nrt])/g, (_, char: string) => getOwn(ESCAPES, char) ?? char),
        isMark: false,
      });
  }
  return found;
}

function block(words: Token[], depth: number): Directive[] {
  if (depth > DEEPEST) throw new ConfigurationError('blocks are nested too deeply');
  const directives: Directive[] = [];
  while (words.length > 0 && !(words[0]?.isMark && words[0].text === '}')) directives.push(directive(words, depth));
  return directives;
}

function directive(words: Token[], depth: number): Directive {
  const args: string[] = [];
  for (let word = words.shift(); ; word = words.shift()) {
    if (!word) throw new ConfigurationError('unexpected end of file, expecting ";" or "}"');
    if (!word.isMark) {
      args.push(word.text);
      continue;
    }
    const [name = '', ...rest] = args;
    if (name === '' || word.text === '}') throw new ConfigurationError(`unexpected "${word.text}"`);
    if (word.text === ';') return { name, args: rest };
    const inner = block(words, depth + 1);
    if (words.shift()?.text !== '}') throw new ConfigurationError('unexpected end of file, expecting "}"');
    return { name, args: rest, block: inner };
  }
}
