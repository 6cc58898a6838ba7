/** Long texts are read in linear time: one that grows with the square of the length would not end within the limit. */
import { expect, test } from 'vitest';
import { pairs } from '../../src/cli/command/flags.ts';
import { parse } from '../../src/cli/output/goTemplate/parse.ts';
import { printYaml } from '../../src/cli/output/yaml.ts';
import { matchesPath } from '../../src/network/ingress.ts';
import { baseName, directoryName } from '../../src/programs/files/paths.ts';

const LONG = 1_000_000;
const many = (text: string): string => text.repeat(LONG);

test('quotes in the value of a flag', () => {
  expect(pairs().take(`a=b${many('"')}c"`, new Map(), false)).toEqual(new Map([['a', `b${many('"')}c`]]));
});

test('empty lines in a text of YAML', () => {
  expect(printYaml({ a: `b${many('\n')}c\n` })).toContain('a: |');
});

test('actions of a template that have no end', () => {
  expect(() => parse(`{{.a}}${many('{{')}`)).toThrow('unclosed action');
});

test('slashes in the path of an ingress', () => {
  expect(matchesPath(`/${many('/')}a/`, 'Prefix', `/${many('/')}a/b`)).toBe(true);
});

test('slashes in the path of a file', () => {
  expect(baseName(`${many('/')}a//`)).toBe('a');
  expect(directoryName(`/b${many('/')}a//`)).toBe('/b');
});
