/** What counts as another desired state. */
import { expect, test } from 'vitest';
import { keepGeneration } from '../../src/apiserver/registry/metadata.ts';

const slice = (fields: object): Parameters<typeof keepGeneration>[0] => ({
  metadata: { name: 's', generation: 1, creationTimestamp: null },
  addressType: 'IPv4',
  ...fields,
});
const endpoints = [{ addresses: ['10.0.0.1'] }];

test.each([
  [{ endpoints: null }, { endpoints: [] }, 1],
  [{ endpoints: [] }, {}, 1],
  [{ endpoints: null }, { endpoints }, 2],
  [{ endpoints }, { endpoints: [] }, 2],
  [{ endpoints }, { endpoints: [...endpoints], status: { a: 1 } }, 1],
  [{ endpoints: null }, { endpoints: {} }, 2],
])('%j, then %j', (before, after, generation) => {
  const object = slice(after);
  keepGeneration(object, slice(before), true);
  expect(object.metadata.generation).toBe(generation);
});
