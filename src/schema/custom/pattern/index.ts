/** Regular expressions as definitions write them, matched in time that grows with the text and no faster. */
import { parsePattern } from './parse.ts';
import { Matcher } from './matcher.ts';
import { compile } from './program.ts';

export { PatternError } from './ast.ts';

export interface Pattern {
  /** Whether any part of the text matches; false also where finding out would take too long. */
  matches(text: string): boolean;
}

/** Throws PatternError for an invalid pattern. */
export function compilePattern(text: string): Pattern {
  const matcher = new Matcher(compile(parsePattern(text)));
  return { matches: (value) => matcher.matches(value) ?? false };
}
