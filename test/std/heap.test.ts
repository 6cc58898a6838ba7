import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Heap } from '../../src/std/index.ts';

test('a heap gives back what is first, whatever is pushed in between', () => {
  const steps = fc.array(fc.oneof(fc.integer({ min: 0, max: 50 }), fc.constant('pop' as const)), { maxLength: 300 });
  fc.assert(
    fc.property(steps, (all) => {
      const heap = new Heap<number>((a, b) => a < b);
      const plain: number[] = [];
      for (const step of all) {
        if (step === 'pop') expect(heap.pop()).toBe(plain.shift());
        else {
          heap.push(step);
          plain.push(step);
          plain.sort((a, b) => a - b);
        }
        expect([heap.size, heap.peek()]).toEqual([plain.length, plain[0]]);
      }
    }),
  );
});
