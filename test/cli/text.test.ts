import { describe, expect, test } from 'vitest';
import { lineUp } from '../../src/cli/describe/lines.ts';
import { parseGoTemplate } from '../../src/cli/output/goTemplate/index.ts';
import { humanDuration } from '../../src/cli/output/text.ts';
import { wrapped } from '../../src/cli/output/wrap.ts';

describe('running text breaks into lines', () => {
  test.each([
    ['at its width', 'abcd efgh', 9, ['abcd efgh']],
    ['one before its width', 'abcd efgh', 8, ['abcd', 'efgh']],
    ['not inside a word', 'abcdefgh i', 4, ['abcdefgh', 'i']],
    ['not at single line breaks', 'one\ntwo', 80, ['one two']],
    // The reference drops an empty line behind the first line.
    ['at empty lines', 'one\n\ntwo\n\nthree', 80, ['one', 'two', '', 'three']],
    ['before list items', 'one\n- two\n- three', 80, ['one', '- two', '- three']],
    ['after a colon', 'one:\ntwo', 80, ['one:', 'two']],
    ['around code', 'one\n    code  here\ntwo', 80, ['one', '    code  here', 'two']],
  ])('%s', (_, text, width, lines) => {
    expect(wrapped(text, width)).toEqual(lines);
  });
});

describe('lines with tabs line up', () => {
  test.each([
    ['two spaces after the widest cell', ['a\tx', 'long\ty'], 'a     x\nlong  y\n'],
    ['only with the lines beside them', ['a\tx', 'no tab', 'longer\ty'], 'a  x\nno tab\nlonger  y\n'],
    ['an empty cell keeps its room', ['a\t\tx', 'b\tc\ty'], 'a     x\nb  c  y\n'],
    ['the last cell is not padded', ['a\tx\t', 'b\tlong\tz'], 'a  x     \nb  long  z\n'],
    ['line breaks in a cell begin a line', ['a\tx\nb\ty'], 'a  x\nb  y\n'],
  ])('%s', (_, lines, text) => {
    expect(lineUp(lines)).toBe(text);
  });
});

describe('how long ago', () => {
  test.each([
    [0, '0s'],
    [119_000, '119s'],
    [120_000, '2m'],
    [599_000, '9m59s'],
    [179 * 60_000, '179m'],
    [180 * 60_000, '3h'],
    [7.5 * 3_600_000, '7h30m'],
    [47 * 3_600_000, '47h'],
    [50 * 3_600_000, '2d2h'],
    [400 * 86_400_000, '400d'],
    [800 * 86_400_000, '2y70d'],
    [-5000, '<invalid>'],
  ])('%d ms is %s', (ms, text) => {
    expect(humanDuration(ms)).toBe(text);
  });
});

describe('a Go template', () => {
  test.each([
    ['{{.nosuch.field}}', '<no value>'],
    ['{{$x := 1}}{{if true}}{{$x = 2}}{{end}}{{$x}}', '2'],
    ['{{$x := 1}}{{if true}}{{$x := 2}}{{end}}{{$x}}', '1'],
    ['{{range $k, $v := .map}}{{$k}}{{$v}}{{end}}', 'a1b2'],
    ['{{range .list}}{{.}}{{$.name}} {{end}}', '1n 2n '],
    ['{{block "x" .name}}<{{.}}>{{end}}{{template "x" "again"}}', '<n><again>'],
    ['{{len .list}} {{lt 1 2}} {{lt 2 2}} {{gt "b" "b"}} {{ne .name "m"}}', '2 true false false true'],
    ['{{printf "%05d|%-4s|%.2f|%x" 42 "ab" 1.5 "hi"}}', '00042|ab  |1.50|6869'],
    ['{{slice .name 0 1}}{{or "" .name}}{{and 1 0}}', 'nn0'],
    ['a  {{- "b" -}}  c', 'abc'],
  ])('%s', (template, text) => {
    expect(parseGoTemplate(template)({ name: 'n', list: [1, 2], map: { b: 2, a: 1 } })).toBe(text);
  });

  test.each([
    ['{{eq .one 1}}', 'incompatible types for comparison'],
    ['{{.one.field}}', "can't evaluate field field in type interface {}"],
    ['{{index .list 5}}', 'error calling index: index out of range: 5'],
    ['{{template "nosuch"}}', 'template "nosuch" not defined'],
    ['{{define "a"}}{{template "a"}}{{end}}{{template "a"}}', 'exceeded maximum template depth (1000)'],
    ['{{$y}}', 'undefined variable "$y"'],
  ])('%s says %s', (template, problem) => {
    expect(() => parseGoTemplate(template)({ one: 1, list: [] })).toThrow(problem);
  });
});
