import { describe, expect, test } from 'vitest';
import { build } from '../../src/cli/kustomize/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { inMemory } from './ours.ts';

const names = namesOf('k8s.io');

/** Folders `f0` to `fN`, each of which names the one before it as its base, so many times. */
function levels(count: number, times: number, innermost = ''): Readonly<Record<string, string>> {
  const files: Record<string, string> = {
    'f0/kustomization.yaml': innermost === '' ? '{}\n' : 'resources: [object.yaml]\n',
    'f0/object.yaml': innermost,
  };
  for (let at = 1; at <= count; at++)
    files[`f${at}/kustomization.yaml`] = `bases: [${`../f${at - 1}, `.repeat(times)}]\n`;
  return files;
}

const object = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: only}\n';

describe('a build goes through a bounded number of folders', () => {
  test.each([
    ['empty ones', levels(22, 2)],
    ['ones whose objects collide', levels(22, 2, object)],
    ['many in one file', levels(1, 2000)],
  ])('%s', async (_, files) => {
    const path = Object.keys(files).at(-1)?.replace('/kustomization.yaml', '') ?? '';
    await expect(build(inMemory(files), path, names)).rejects.toThrow(
      /^the build of '\/work\/f\d+' leads to more than 1000 folders$/,
    );
  });

  test('a long chain of bases is built', async () => {
    expect(await build(inMemory(levels(100, 1, object)), 'f100', names)).toMatchObject([
      { metadata: { name: 'only' } },
    ]);
  });

  test('a folder may be built several times', async () => {
    expect(await build(inMemory(levels(6, 2)), 'f6', names)).toEqual([]);
  });
});
