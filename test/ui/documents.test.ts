import { describe, expect, it } from 'vitest';
import { readManifests } from '../../src/ui/editor/documents.ts';

describe('a text of manifests', () => {
  it('is read as its documents, with the line of each', () => {
    const { manifests, problems } = readManifests(
      '# first\napiVersion: v1\nkind: Pod\nmetadata: {name: a}\n---\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: b\n  namespace: c\n',
    );
    expect(problems).toEqual([]);
    expect(
      manifests.map(({ apiVersion, kind, name, namespace, line }) => ({ apiVersion, kind, name, namespace, line })),
    ).toEqual([
      { apiVersion: 'v1', kind: 'Pod', name: 'a', namespace: '', line: 2 },
      { apiVersion: 'apps/v1', kind: 'Deployment', name: 'b', namespace: 'c', line: 6 },
    ]);
  });

  it.each(['', '---\n', '---\n---\n# nothing but words\n', '\n\n'])(
    'that is empty (%j) says nothing, and that is no error',
    (text) => {
      expect(readManifests(text)).toMatchObject({ manifests: [], problems: [] });
    },
  );

  it.each([
    ['a tab as indentation', 'a: 1\nb:\n\tc: 2\n', 3],
    ['an unclosed quote, at the end that it reaches', 'a: "b\nc: d\n', 3],
    ['a key twice', 'kind: Pod\napiVersion: v1\nkind: Pod\n', 3],
    ['a list instead of an object', '- a\n- b\n', 1],
    ['no kind', 'metadata:\n  name: a\napiVersion: v1\n', 1],
    ['a bare word', 'hello\n', 1],
  ])('with %s has a problem at its line', (_what, text, line) => {
    const { manifests, problems } = readManifests(text);
    expect(manifests).toEqual([]);
    expect(problems[0]?.line).toBe(line);
    expect(problems[0]?.message).not.toBe('');
  });

  it('keeps the documents that are in order when another is not', () => {
    const { manifests, problems } = readManifests(
      'apiVersion: v1\nkind: Pod\n---\nkind: [\n---\napiVersion: v1\nkind: Service\n',
    );
    expect(manifests.map(({ kind }) => kind)).toEqual(['Pod', 'Service']);
    expect(problems.length).toBeGreaterThan(0);
  });

  it('refuses an alias that would grow beyond measure', () => {
    const bomb = `a: &a [x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]\nd: [*c, *c, *c, *c, *c, *c, *c, *c, *c]\n`;
    const { manifests, problems } = readManifests(bomb);
    expect(manifests).toEqual([]);
    expect(problems).toHaveLength(1);
  });
});
