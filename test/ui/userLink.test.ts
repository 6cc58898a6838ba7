import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatWho, parseWho } from '../../src/ui/panels/object/UserLink.tsx';

test('a user and their groups come back from an address as they went in, whatever they are called', () => {
  const name = fc.string({ minLength: 1, unit: 'grapheme' });
  fc.assert(
    fc.property(name, fc.array(name), (user, groups) => {
      expect(parseWho(formatWho(user, groups))).toEqual({ name: user, groups });
    }),
  );
});

test.each(['', ',dev', '%'])('%j names nobody', (text) => expect(parseWho(text)).toBeUndefined());
