import type { Condition, Word } from './ast.ts';
import { parseWord, type ScriptParser } from './parseWord.ts';
import { SyntaxError } from './reader.ts';

interface ConditionParser extends ScriptParser {
  skipSpace(): void;
}

const UNARY = /-[a-zA-Z](?=\s)/y;
const BINARY = /(?:=~|==|=|!=|<|>|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef)(?=\s))/y;
/** A word in `[[ ]]`; patterns may contain parentheses and bars. */
const PATTERN_END = /[\s]/;
const WORD_END = /[\s;&|<>()]/;

/** What stands between `[[` and `]]`, the closing one with it. Throws SyntaxError. */
export function parseCondition(parser: ConditionParser): Condition {
  const condition = parseOr(parser);
  parser.skipSpace();
  if (!parser.reader.takes(']]')) throw new SyntaxError('missing ]]', parser.reader.atEnd);
  return condition;
}

function parseOr(parser: ConditionParser): Condition {
  let left = parseAnd(parser);
  for (;;) {
    parser.skipSpace();
    if (!parser.reader.takes('||')) return left;
    left = { type: 'or', left, right: parseAnd(parser) };
  }
}

function parseAnd(parser: ConditionParser): Condition {
  let left = parseOne(parser);
  for (;;) {
    parser.skipSpace();
    if (!parser.reader.takes('&&')) return left;
    left = { type: 'and', left, right: parseOne(parser) };
  }
}

function parseOne(parser: ConditionParser): Condition {
  const { reader } = parser;
  parser.skipSpace();
  if (reader.match(/!(?=\s)/y)) return { type: 'not', of: parseOne(parser) };
  if (reader.takes('(')) return parseParentheses(parser);
  const operator = reader.match(UNARY);
  if (operator !== undefined) return { type: 'unary', operator, word: nextWord(parser, WORD_END) };
  const left = nextWord(parser, WORD_END);
  parser.skipSpace();
  const binary = reader.match(BINARY);
  if (binary === undefined) return { type: 'unary', operator: '-n', word: left };
  return { type: 'binary', operator: binary, left, right: nextWord(parser, PATTERN_END) };
}

function parseParentheses(parser: ConditionParser): Condition {
  const inner = parseOr(parser);
  parser.skipSpace();
  if (!parser.reader.takes(')')) throw new SyntaxError('missing )', parser.reader.atEnd);
  return inner;
}

function nextWord(parser: ConditionParser, ends: RegExp): Word {
  parser.skipSpace();
  const word = parseWord(parser, ends);
  if (word.length === 0) throw new SyntaxError('unexpected end of condition', parser.reader.atEnd);
  return word;
}
