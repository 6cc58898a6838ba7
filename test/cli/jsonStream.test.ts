import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readJsonStream } from '../../src/cli/server/jsonStream.ts';

test('values are read as they were written, however they stand apart', () => {
  fc.assert(
    fc.property(fc.array(fc.json({ maxDepth: 3 })), fc.constantFrom('\n', ' \t', '\r\n\n'), (texts, space) => {
      expect(readJsonStream(texts.join(space))).toEqual({ values: texts.map((text) => JSON.parse(text) as unknown) });
    }),
  );
});

test('what is no JSON is a problem, whatever the mistake', () => {
  fc.assert(
    fc.property(
      fc.json({ maxDepth: 2 }),
      fc.nat(),
      fc.constantFrom('', '"', '{', '\\', '-', '\u0001'),
      (text, at, put) => {
        const place = at % (text.length + 1);
        const changed = `[${text.slice(0, place)}${put}${text.slice(place + 1)}]`;
        let isJson = true;
        try {
          JSON.parse(changed);
        } catch {
          isJson = false;
        }
        expect(readJsonStream(changed).problem === undefined).toBe(isJson);
      },
    ),
  );
});

test.each([
  ['{"a": 01}', "json: line 0: invalid character '1' after object key:value pair"],
  ['{"a": 1.}', "json: line 0: invalid character '}' after decimal point in numeric literal"],
  ['{"a": 1e}', "json: line 0: invalid character '}' in exponent of numeric literal"],
  ['{\n"a" 1}', "json: line 1: invalid character '1' after object key"],
  ['{"a": [1 2]}', "json: line 0: invalid character '2' after array element"],
  ['{"a": "\\x"}', "json: line 0: invalid character 'x' in string escape code"],
  ['{"a": tru}', "json: line 0: invalid character '}' in literal true (expecting 'e')"],
  ['{"a": ', 'unexpected EOF'],
])('%j: %s', (text, problem) => {
  expect(readJsonStream(text).problem).toBe(problem);
});
