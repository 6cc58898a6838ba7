import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { parseFieldPath, lineOfField, placeOfField } from '../../src/ui/editor/fieldPath.ts';

describe('a field path', () => {
  it.each([
    ['spec.replicas', ['spec', 'replicas']],
    ['.spec.replicas', ['spec', 'replicas']],
    ['spec.ports[0].port', ['spec', 'ports', 0, 'port']],
    ['metadata.labels[app]', ['metadata', 'labels', 'app']],
    ['metadata.annotations[example.com/a.b]', ['metadata', 'annotations', 'example.com/a.b']],
    ['.spec.containers[name="web"].image', ['spec', 'containers', { name: 'web' }, 'image']],
    ['.spec.ports[port=80,protocol="TCP"]', ['spec', 'ports', { port: '80', protocol: 'TCP' }]],
  ])('%s is read as its steps', (path, steps) => {
    expect(parseFieldPath(path)).toEqual(steps);
  });

  // A path that takes the square of its length to read would not end within the limit.
  it.each([
    ['many brackets without an end', `a${'['.repeat(1_000_000)}`, ['a']],
    ['the letters of a long name in brackets', `[${'a'.repeat(1_000_000)}]`, ['a'.repeat(1_000_000)]],
  ])('%s are read in linear time', (_, path, steps) => {
    expect(parseFieldPath(path)).toEqual(steps);
  });
});

const text = `kind: Pod
metadata:
  labels:
    app: web
spec:
  containers:
    - name: web
      image: nginx
    - name: side
      ports:
        - port: 80
          protocol: TCP
`;

describe('a field’s place in YAML', () => {
  it.each([
    ['kind', 'kind'],
    ['metadata.labels[app]', 'app'],
    ['spec.containers[0].image', 'image'],
    ['spec.containers[1].ports[0].protocol', 'protocol'],
    ['.spec.containers[name="side"].ports', 'ports'],
    ['.spec.containers[name="side"].ports[port=80,protocol="TCP"].port', 'port'],
  ])('%s is found by its key', (path, word) => {
    const place = placeOfField(parseDocument(text), path);
    expect(place && text.slice(place.start, place.end)).toBe(word);
  });

  it.each([
    ['metadata.name', 'metadata'],
    ['spec.containers[0].resources.limits', 'name'],
    ['spec.nodeName', 'spec'],
  ])('%s, which is missing, is shown at the nearest part that is there', (path, word) => {
    const place = placeOfField(parseDocument(text), path);
    expect(place && text.slice(place.start).startsWith(word)).toBe(true);
  });

  it('is unknown where nothing of the path is there', () => {
    expect(placeOfField(parseDocument(text), 'status.phase')).toBeUndefined();
  });

  it('is found by its line', () => {
    const line = lineOfField(text, '.spec.containers[name="side"].ports') ?? 0;
    expect(text.split('\n')[line - 1]).toContain('ports');
    expect(lineOfField(text, 'status.phase')).toBeUndefined();
  });
});
