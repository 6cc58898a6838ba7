/** What is wrong with definitions, and where it is told. */
import { describe, expect, test } from 'vitest';
import { problems } from './problems.ts';

const schema = { openAPIV3Schema: { type: 'object' } };
const definition = (version: object): Record<string, unknown> => ({
  metadata: { name: 'tools.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'tools', kind: 'Tool' },
    versions: [{ name: 'v1', served: true, storage: true, schema, ...version }],
  },
});

describe('deprecated versions', () => {
  const wrong = ['Invalid spec.versions[0].deprecationWarning'];
  test.each([
    [{ deprecated: true }, []],
    [{ deprecated: true, deprecationWarning: 'use v2' }, []],
    [{ deprecated: true, deprecationWarning: 'x'.repeat(256) }, []],
    [{ deprecationWarning: 'use v2' }, wrong],
    [{ deprecated: true, deprecationWarning: '' }, wrong],
    [{ deprecated: true, deprecationWarning: 'ä'.repeat(129) }, wrong],
    [{ deprecated: true, deprecationWarning: 'use\nv2' }, wrong],
    [{ deprecated: true, deprecationWarning: `\u0007${'x'.repeat(256)}` }, [...wrong, ...wrong]],
  ])('%j', (version, expected) => {
    const found = problems('CustomResourceDefinition apiextensions.k8s.io/v1', definition(version));
    expect(found.filter((problem) => !problem.includes('storedVersions'))).toEqual(expected);
  });
});
