import { describe, expect, test } from 'vitest';
import { tokenClaims, decodeToken, encodeText, fromBase64Url, toBase64Url } from '../../src/std/index.ts';

const part = (value: object): string => toBase64Url(encodeText(JSON.stringify(value)));

describe('a token is read', () => {
  // Without padding the text of each has another remainder by four.
  test.each(['jane', 'jane1', 'jane12', 'jäne'])('of %s', (sub) => {
    expect(tokenClaims(`.${part({ sub })}`)).toEqual({ sub });
    expect(decodeToken(`${part({ alg: 'none' })}.${part({ sub, exp: 2 })}.`)).toEqual({
      ...{ header: { alg: 'none' }, claims: { sub, exp: 2 } },
      ...{ expires: 2000, signed: false },
    });
  });

  test.each(['', 'a.b', 'a.b.c', `${part({})}.${part({})}`, `${part({})}.${part([])}.`])('not of %j', (text) => {
    expect(decodeToken(text)).toBeUndefined();
  });
});

test.each([0, 1, 2, 3, 4].map((length) => Uint8Array.from({ length }, (_, i) => 250 + i)))(
  'bytes of base64url: %j',
  (bytes) => {
    expect(fromBase64Url(toBase64Url(bytes))).toEqual(bytes);
  },
);
