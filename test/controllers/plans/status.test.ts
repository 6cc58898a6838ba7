import { describe, expect, test } from 'vitest';
import { sameStatus } from '../../../src/controllers/runtime/index.ts';

describe('two statuses', () => {
  test.each<[string, object | undefined, object | undefined, boolean]>([
    ['are the same', { replicas: 1 }, { replicas: 1 }, true],
    ['with another count differ', { replicas: 1 }, { replicas: 2 }, false],
    ['with a count more differ', { replicas: 1 }, { replicas: 1, readyReplicas: 1 }, false],
    ['none is one without counts', undefined, { replicas: 0 }, true],
    ['a count of zero may be left out', { replicas: 0 }, {}, true],
    ['an empty text may be left out', { phase: '' }, {}, true],
    ['no may be left out', { done: false }, {}, true],
    ['an empty list may be left out', { conditions: [] }, {}, true],
    ['an empty map may be left out', { disruptedPods: {} }, {}, true],
    ['a map with something in it may not', { disruptedPods: { web: 'now' } }, {}, false],
    ['what is said of one condition counts', { conditions: [{ status: 'True' }] }, { conditions: [{}] }, false],
  ])('%s', (_, a, b, expected) => {
    expect(sameStatus(a, b)).toBe(expected);
    expect(sameStatus(b, a)).toBe(expected);
  });
});
