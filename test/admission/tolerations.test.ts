/** Merging tolerations loses nothing and keeps nothing twice. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { covers, mergeTolerations, type Toleration } from '../../src/admission/plugins/tolerations.ts';

const toleration: fc.Arbitrary<Toleration> = fc
  .record({
    key: fc.constantFrom('', 'a', 'b'),
    operator: fc.constantFrom('Exists', 'Equal'),
    effect: fc.constantFrom('', 'NoSchedule', 'NoExecute'),
    value: fc.constantFrom('', 'x'),
    seconds: fc.option(fc.nat(3), { nil: undefined }),
  })
  .map(({ seconds, ...rest }) => ({ ...rest, ...(seconds === undefined ? {} : { tolerationSeconds: seconds }) }));
const list = fc.array(toleration, { maxLength: 6 });

describe('merged tolerations', () => {
  it('cover everything that both lists cover', () =>
    fc.assert(
      fc.property(list, list, (a, b) => {
        const merged = mergeTolerations(a, b);
        for (const one of [...a, ...b]) expect(merged.some((wide) => covers(wide, one))).toBe(true);
      }),
    ));

  it('come from the lists, without duplicates', () =>
    fc.assert(
      fc.property(list, list, (a, b) => {
        const merged = mergeTolerations(a, b);
        for (const one of merged) expect([...a, ...b]).toContain(one);
        expect(new Set(merged.map((one) => JSON.stringify(one))).size).toBe(merged.length);
      }),
    ));
});
