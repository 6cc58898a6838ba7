/** Colours YAML line by line: enough for what the page prints itself. */

export interface Token {
  readonly text: string;
  readonly as?: 'key' | 'text' | 'number' | 'word' | 'comment' | 'mark';
}

const KEY = /^(\s*(?:- )*)("(?:[^"\\]|\\.)*"|'[^']*'|[^\s#:'"[{][^:#]*?)(:)(?=\s|$)(.*)$/;
const ITEM = /^(\s*(?:- )+)(.*)$/;
const BLOCK = /^\s*[|>][+-]?\d*\s*$/;
const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
const WORD = /^(true|false|null|~|\{\}|\[\])$/;

function valueTokens(text: string): Token[] {
  const value = text.trim();
  if (value === '') return text === '' ? [] : [{ text }];
  if (value.startsWith('#')) return [{ text, as: 'comment' }];
  if (NUMBER.test(value)) return [{ text, as: 'number' }];
  return [{ text, as: WORD.test(value) ? 'word' : 'text' }];
}

function lineTokens(line: string): Token[] {
  const key = KEY.exec(line);
  if (key) {
    const [, lead = '', name = '', colon = '', rest = ''] = key;
    return [{ text: lead, as: 'mark' }, { text: name, as: 'key' }, { text: colon, as: 'mark' }, ...valueTokens(rest)];
  }
  const item = ITEM.exec(line);
  if (item) return [{ text: item[1] ?? '', as: 'mark' }, ...valueTokens(item[2] ?? '')];
  return valueTokens(line);
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** The tokens of each line of a YAML text. */
export function yamlTokens(text: string): readonly (readonly Token[])[] {
  let block: number | undefined;
  return text.split('\n').map((line): readonly Token[] => {
    if (block !== undefined && (line.trim() === '' || indentOf(line) > block)) return [{ text: line, as: 'text' }];
    block = undefined;
    const tokens = lineTokens(line);
    const value = tokens.at(-1);
    if (value?.as === 'text' && BLOCK.test(value.text)) block = indentOf(line);
    return tokens;
  });
}
