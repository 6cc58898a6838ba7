/** ImageReview: known where its group is switched on, served nowhere. */
import { describe, expect, it } from 'vitest';
import { createScheme, kinds } from '../../src/schema/index.ts';
import { names } from './helpers.ts';

const GVK = { group: 'imagepolicy.k8s.io', version: 'v1alpha1', kind: 'ImageReview' };

describe('ImageReview', () => {
  it.each([
    ['', false],
    ['imagepolicy.k8s.io/v1alpha1=true', true],
  ])('--runtime-config=%s', (runtimeConfig, known) => {
    const scheme = createScheme(names, kinds, { runtimeConfig, gate: () => true });
    expect(scheme.byKind(GVK) !== undefined).toBe(known);
    expect(scheme.resources(GVK)).toEqual([]);
    expect(scheme.groups.some(({ name }) => name === GVK.group)).toBe(false);
  });
});
