import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { sourcePaths } from './source.ts';

/** Phrases that make a comment hard to read at first sight, and what to write instead. */
const instead: readonly (readonly [RegExp, string])[] = [
  [/\bwh(o|om)ever\b/i, 'name the caller, user or client'],
  [/\bwhat (came|comes|became|becomes) of\b/i, '"the result of", "the outcome of"'],
  [/\bof whom\b|\bby whom\b|\bfor whom\b/i, 'split the sentence, subject first'],
  [/\b(is|are|was|were) told of\b|\bhears? of\b/i, '"is notified of", "is called for", "reports"'],
  [/\bis said to be\b|\bwhere (nothing|nobody) (is said|says)\b/i, '"by default", "if it is not set"'],
  [/\banswers whether\b/i, '"returns whether"'],
  [/\bthose (that|who) look on\b|\bhas the last word\b|\bhas no say\b/i, 'name the reader or the check'],
  [/\bfor good\b/i, '"permanently"'],
  [/\bone after the other\b/i, '"sequentially", "in order"'],
  [/^So (many|long|large) \w+ (is|are|may|can|pass)\b/, '"The maximum number of …"'],
];

/** The page and what belongs to it have texts of their own. */
const elsewhere = /^src\/(ui|explain|cli|terminal|lessons)\//;

describe('comments', () => {
  test('use plain English', () => {
    const found: string[] = [];
    for (const path of sourcePaths().filter((each) => !elsewhere.test(each))) {
      for (const [i, line] of readFileSync(path, 'utf8').split('\n').entries()) {
        const comment = /^\s*(?:\/\*\*|\*|\/\/)\s*(.*)$|\s\/\/ (.*)$/.exec(line);
        const text = comment?.[1] ?? comment?.[2];
        const rule = text === undefined ? undefined : instead.find(([phrase]) => phrase.test(text));
        if (rule) found.push(`${path}:${i + 1} ${text?.match(rule[0])?.[0]}: write ${rule[1]}`);
      }
    }
    expect(found).toEqual([]);
  });
});
