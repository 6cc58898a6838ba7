import { describe, expect, it } from 'vitest';
import { compareLines } from '../../src/ui/parts/Diff.tsx';
import { yamlTokens } from '../../src/ui/parts/yamlTokens.ts';
import { laidOut } from '../../src/ui/panels/requests/answer.ts';
import { printObject } from '../../src/ui/panels/object/yaml.ts';
import { age } from '../../src/ui/stores/clock.ts';

const noon = Date.UTC(2026, 0, 1, 12);
const ago = (seconds: number): string => new Date(noon - seconds * 1000).toISOString();

describe('an age', () => {
  it.each([
    [0, '0s'],
    [42, '42s'],
    [119, '119s'],
    [125, '2m5s'],
    [600, '10m'],
    [3 * 3600, '3h'],
    [3 * 3600 + 120, '3h2m'],
    [50 * 3600, '2d2h'],
    [40 * 86_400, '40d'],
    [-5, '0s'],
  ])('of %i seconds reads %s', (seconds, text) => {
    expect(age(ago(seconds), noon)).toBe(text);
  });

  it('says so where there is none, or none that makes sense', () => {
    expect([age(undefined, noon), age(null, noon), age('yesterday', noon)]).toEqual([
      '<unknown>',
      '<unknown>',
      '<invalid>',
    ]);
  });
});

describe('the colours of YAML', () => {
  const spoken = (line: string): string =>
    (yamlTokens(line)[0] ?? []).map(({ text, as }) => `${as ?? 'plain'}:${text}`).join('|');

  it.each([
    ['name: web', 'mark:|key:name|mark::|text: web'],
    ['  - port: 80', 'mark:  - |key:port|mark::|number: 80'],
    ['on: true', 'mark:|key:on|mark::|word: true'],
    ['# words', 'comment:# words'],
    ['- plain', 'mark:- |text:plain'],
    ['"quoted.key/a": {}', 'mark:|key:"quoted.key/a"|mark::|word: {}'],
    ['url: http://a.b:80/c', 'mark:|key:url|mark::|text: http://a.b:80/c'],
  ])('%s', (line, expected) => {
    expect(spoken(line)).toBe(expected);
  });

  it('take a block of text for text, until it ends', () => {
    const lines = yamlTokens('a: |\n  key: no\n\n  more\nb: 1');
    expect(lines.map((tokens) => tokens.map(({ as }) => as).join(' '))).toEqual([
      'mark key mark text',
      'text',
      'text',
      'text',
      'mark key mark number',
    ]);
  });
});

describe('a comparison of two texts', () => {
  const lines = (before: string, after: string): string[] =>
    compareLines(before, after).map(({ as, text }) => `${as} ${text}`);

  it('shows what was taken out and what was put in', () => {
    expect(lines('a\nb\nc\n', 'a\nx\nc\n')).toEqual(['same a', 'removed b', 'added x', 'same c']);
  });

  it('hides what is far from any change', () => {
    const many = Array.from({ length: 20 }, (_, n) => `l${n}`).join('\n');
    const shown = lines(`${many}\nend\n`, `${many}\nother\n`);
    expect(shown).toEqual(['gap 17 lines', 'same l17', 'same l18', 'same l19', 'removed end', 'added other']);
  });

  it('of equal texts is the text', () => {
    expect(lines('a\nb\n', 'a\nb\n')).toEqual(['same a', 'same b']);
  });
});

describe('an object in print', () => {
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's', creationTimestamp: null, managedFields: [{ manager: 'm' }] },
    data: { key: 'dmFsdWU=' },
    type: 'Opaque',
  };

  it('hides a secret’s values and the ledger of its fields until they are asked for', () => {
    const text = printObject(secret, { managedFields: false, secrets: false });
    expect(text).not.toContain('dmFsdWU');
    expect(text).not.toContain('managedFields');
    expect(printObject(secret, { managedFields: true, secrets: true })).toMatch(/managedFields[\s\S]*dmFsdWU=/);
  });

  it('leaves the object itself alone', () => {
    printObject(secret, { managedFields: false, secrets: false });
    expect(secret.data.key).toBe('dmFsdWU=');
  });
});

describe('an answer in print', () => {
  it('lays out JSON and leaves everything else', () => {
    expect([laidOut('{"a":[1]}'), laidOut('ok'), laidOut('{"type":"ADDED"}\n{"type":"ADDED"}\n')]).toEqual([
      '{\n  "a": [\n    1\n  ]\n}',
      'ok',
      '{"type":"ADDED"}\n{"type":"ADDED"}\n',
    ]);
  });
});
