/** What counts as another desired state. */
import { describe, expect, it, test } from 'vitest';
import { keepGeneration } from '../../src/apiserver/registry/metadata.ts';
import type { RuleContext } from '../../src/schema/index.ts';
import type { EndpointSlice } from '../../src/schema/discovery/endpointSlice.ts';
import { endpointSliceRules } from '../../src/schema/discovery/endpointSlice.rules.ts';

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

describe('an endpoint slice', () => {
  const context = { gate: () => false } as Partial<RuleContext> as RuleContext;
  const endpoint = { addresses: ['10.0.0.1'], conditions: {} };
  const make = (fields: object): EndpointSlice =>
    ({ ...slice({ ports: null, endpoints: [endpoint] }), ...fields }) as EndpointSlice;

  it.each<[object, number]>([
    [{}, 1],
    [{ metadata: { name: 's', generation: 1, creationTimestamp: null, labels: { a: 'b' } } }, 1],
    [{ endpoints: [] }, 2],
    // What is dropped because its gate is closed was a change all the same.
    [{ endpoints: [{ ...endpoint, nodeName: 'n' }] }, 2],
  ])('changed by %j has generation %i', (change, generation) => {
    const object = make(change);
    endpointSliceRules.prepareUpdate?.(object, make({}), context);
    expect(object.metadata.generation).toBe(generation);
    expect(object.endpoints?.[0]?.nodeName).toBeUndefined();
  });
});
