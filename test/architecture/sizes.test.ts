import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { functionsOf, readSources } from './source.ts';

const maxFileLines = 400;
const maxOwnLines = 40;
const maxSpan = 120;

/** Declarations of kinds, and the lists of them, are long by nature; the language they are written in is not. */
const isDeclaration = (path: string): boolean => /^src\/schema\/(?!define\/|derive\/|values\/)/.test(path);

const sources = readSources();

describe('sizes', () => {
  test(`files stay under ${maxFileLines} lines`, () => {
    const long = sources.filter((file) => file.lines >= maxFileLines && !isDeclaration(file.path));
    const list = long.map((file) => `${file.path}: ${file.lines} lines`);
    expect(list, 'find the second thing in the file and give it a file of its own').toEqual([]);
  });

  test(`functions have at most ${maxOwnLines} lines of their own, ${maxSpan} with nested ones`, () => {
    const exceptions = JSON.parse(readFileSync('test/architecture/longFunctions.json', 'utf8')) as Record<
      string,
      number
    >;
    const long = new Map<string, number>();
    for (const { id, own, span } of sources.flatMap(functionsOf)) {
      if (own > maxOwnLines || span > maxSpan) long.set(id, Math.max(long.get(id) ?? 0, span));
    }
    if (long.size > 0) console.log([...long].map(([id, span]) => `long function: ${id}, ${span} lines`).join('\n'));

    const fresh = [...long].filter(([id, span]) => span > (exceptions[id] ?? 0)).map(([id, span]) => `${id}: ${span}`);
    expect(fresh, 'name the steps of the function and let each be one').toEqual([]);
    const mended = Object.entries(exceptions).filter(([id, span]) => (long.get(id) ?? 0) < span);
    expect(mended, 'well done: lower or delete these in test/architecture/longFunctions.json').toEqual([]);
  });
});
