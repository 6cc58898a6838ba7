/** What inputs are made of: words of the API, and values that have broken programs before. */
import fc from 'fast-check';

/** Names that every JavaScript object inherits. */
export const inherited = fc.constantFrom('constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__');

export const oddTexts = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
  inherited,
  fc.constantFrom('', ' ', 'null', 'true', '-', '.', '..', '/', '%00', '%2e%2e', '\u0000', '\ud800', '😀', 'ä'),
  fc.constantFrom('x'.repeat(64), 'x'.repeat(254), 'a.b/c', 'A', '_', '*', '$patch', '{}', '[]', "'", '"', '\\', '\n'),
);

export const oddNumbers = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, -1, 1, 2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, -(2 ** 63), 1e308, 1e-7, 0.1),
);

export const oddQuantities = fc.oneof(
  fc.constantFrom('1', '-1', '100m', '1Gi', '1e3', '5.', '.5', '+1', '1e', '1E', '1Ei', '9223372036854775808', '0.1n'),
  fc
    .tuple(fc.integer(), fc.constantFrom('', 'm', 'k', 'Ki', 'E', 'Ei', 'e9', 'e-9', 'x'))
    .map((parts) => parts.join('')),
  fc.tuple(fc.nat(400), fc.constantFrom('', 'm', 'Ki')).map(([zeros, suffix]) => `1${'0'.repeat(zeros)}${suffix}`),
);

export const oddTimes = fc.constantFrom(
  '2020-01-01T00:00:00Z',
  '2020-13-01T00:00:00Z',
  '0000-00-00T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '2020-01-01T00:00:00+25:00',
);

export const oddScalars: fc.Arbitrary<unknown> = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  oddNumbers,
  oddTexts,
  oddQuantities,
  oddTimes,
);

/** Any JSON value, with `keys` for the keys of objects. */
export function jsonOf(keys: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'medium', withCrossShrink: true },
      oddScalars,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(keys, tie('value'), { maxKeys: 4 }),
    ),
  }));
  return value;
}

/** One of a list, by number: `constantFrom` for lists that are only known when the program runs. */
export const oneOf = <T>(list: readonly T[]): fc.Arbitrary<T> =>
  fc.nat(list.length - 1).map((index) => list[index] as T);
