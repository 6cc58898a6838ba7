import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Heap } from '../../src/std/index.ts';

test('a heap gives back what is first, whatever is pushed and taken out in between', () => {
  const removal = fc.record({ place: fc.nat(300) });
  const steps = fc.array(fc.oneof(fc.integer({ min: 0, max: 50 }), fc.constant('pop' as const), removal), {
    maxLength: 300,
  });
  fc.assert(
    fc.property(steps, (all) => {
      const heap = new Heap<number>((a, b) => a < b);
      const plain: number[] = [];
      for (const step of all) {
        if (step === 'pop') expect(heap.pop()).toBe(plain.shift());
        else if (typeof step === 'object') {
          if (heap.size === 0) continue;
          const place = step.place % heap.size;
          const removed = heap.at(place) as number;
          expect(heap.remove(place)).toBe(removed);
          plain.splice(plain.indexOf(removed), 1);
        } else {
          heap.push(step);
          plain.push(step);
          plain.sort((a, b) => a - b);
        }
        expect([heap.size, heap.peek()]).toEqual([plain.length, plain[0]]);
      }
    }),
  );
});
