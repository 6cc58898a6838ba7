/** Regular expressions of jq: `test`, `match` and what follows from them. They take time linear in the text. */
import { RE2JS } from 're2js';
import { described, JqError } from './values.ts';

export interface Match {
  readonly offset: number;
  readonly length: number;
  readonly string: string | null;
  readonly captures: readonly (Omit<Match, 'captures'> & { readonly name: string | null })[];
}

const LETTERS: Readonly<Record<string, number>> = { i: RE2JS.CASE_INSENSITIVE, s: RE2JS.DOTALL, p: RE2JS.DOTALL };

/** Offsets and lengths count characters. A pattern may be a list of the pattern and its flags. Throws JqError. */
export function matches(value: unknown, pattern: unknown, flags: unknown): readonly Match[] {
  if (Array.isArray(pattern)) return matches(value, pattern[0], pattern[1] ?? flags);
  if (typeof value !== 'string') throw new JqError(`${described(value)} cannot be matched, as it is not a string`);
  if (typeof pattern !== 'string') throw new JqError(`${described(pattern)} cannot be matched, as it is not a string`);
  if (flags !== null && typeof flags !== 'string') throw new JqError(`${described(flags)} is not a string`);
  const letters = flags ?? '';
  const unknown = /[^ginxslp]/.exec(letters);
  if (unknown) throw new JqError(`${letters} is not a valid modifier string`);
  const matcher = compiled(letters.includes('x') ? pattern.replace(/\s+|#.*$/gm, '') : pattern, letters).matcher(value);
  const found: Match[] = [];
  while (matcher.find()) {
    const text = matcher.group() ?? '';
    if (!(letters.includes('n') && text === '')) found.push(matchOf(value, matcher));
    if (!letters.includes('g')) break;
  }
  return found;
}

function compiled(pattern: string, letters: string): RE2JS {
  try {
    return RE2JS.compile(
      pattern,
      [...letters].reduce((all, letter) => all | (LETTERS[letter as 'i'] ?? 0), 0),
    );
  } catch (problem) {
    throw new JqError(
      `${pattern} (at offset 0) is not a valid regex: ${problem instanceof Error ? problem.message : ''}`,
    );
  }
}

type Matcher = ReturnType<RE2JS['matcher']>;

function matchOf(text: string, matcher: Matcher): Match {
  const names = new Map<number, string>(
    Object.entries(matcher.pattern().namedGroups()).map(([name, group]) => [Number(group), name]),
  );
  const part = (group: number): Omit<Match, 'captures'> => {
    const string = matcher.group(group);
    if (string === null || string === undefined) return { offset: -1, string: null, length: 0 };
    return { offset: lengthOf(text.slice(0, matcher.start(group))), length: lengthOf(string), string };
  };
  const captures = Array.from({ length: matcher.groupCount() }, (_, i) => ({
    ...part(i + 1),
    name: names.get(i + 1) ?? null,
  }));
  return { ...part(0), captures };
}

const lengthOf = (text: string): number => [...text].length;
