import { describe, expect, it } from 'vitest';
import { looksLikeHistory, printHistory, readHistory } from '../../src/ui/share/history.ts';

const made = {
  name: 'shop',
  options: { naming: 'k8s.io', nodes: 300, apiserver: ['--authorization-mode=RBAC'] },
} as const;
const lines = '{"format":"vitrine-storage/1","revision":12,"compacted":4}\n{"end":1}\n';
const file = printHistory(made, new Blob([lines]));

describe('a history', () => {
  it('is read as it was printed, its lines left to the host', async () => {
    const { lines: kept, ...said } = await readHistory(file);
    expect(said).toEqual({ ...made, revision: 12, compacted: 4 });
    expect(await kept.text()).toBe(lines);
    expect(await looksLikeHistory(file)).toBe(true);
    expect(await looksLikeHistory(new Blob(['{"vitrine":"vitrine/1"}']))).toBe(false);
  });

  it.each([
    ['is cut off in its first lines', (text: string) => text.slice(0, 150), 'not complete'],
    [
      'is of another version',
      (text: string) => text.replace('history/1', 'history/9'),
      'another version ("vitrine-history/9")',
    ],
    ['has a name that names no cluster', (text: string) => text.replace('"shop"', '"../up"'), 'no name for a cluster'],
    ['has names of nobody', (text: string) => text.replace('k8s.io', 'example.com'), 'neither k8s.io nor cluster.io'],
    ['says no revision', (text: string) => text.replace('12', '"x"'), 'which revisions'],
  ])('that %s is refused in words', async (_what, change, words) => {
    await expect(readHistory(new Blob([change(await file.text())]))).rejects.toThrow(words);
  });
});
