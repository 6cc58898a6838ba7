import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainText, spansOf } from '../../src/ui/panels/logs/ansi.ts';
import { LogBuffer, lineOf, LONGEST_LINE, MOST_CHARACTERS, MOST_LINES } from '../../src/ui/panels/logs/logBuffer.ts';
import { rowsOf, searched } from '../../src/ui/panels/logs/rows.ts';
import { labelOf, logTargetOf, selectorText, sourcesOf } from '../../src/ui/panels/logs/sources.ts';

const ESC = '\x1b';

describe('the text of a log’s line', () => {
  test.each([
    ['plain', 'plain'],
    [`${ESC}[31mred${ESC}[0m text`, 'red text'],
    [`${ESC}]0;a title\x07after`, 'after'],
    [`${ESC}]8;;https://evil.example${ESC}\\link${ESC}]8;;${ESC}\\`, 'link'],
    [`${ESC}[2J${ESC}[10;10Hmoved`, 'moved'],
    ['10 %\r50 %\r100 %', '100 %'],
    ['windows\r', 'windows'],
    ['bell\x07 and \x9b31mC1', 'bell and 31mC1'],
    ['ab\u202Etxt.exe', 'abtxt.exe'],
    ['a\tb', 'a       b'],
    [`${ESC}`, ''],
    [`cut off ${ESC}[3`, 'cut off 3'],
  ])('%j is %j', (raw, text) => {
    expect(plainText(raw)).toBe(text);
    expect(
      spansOf(raw)
        .map((span) => span.text)
        .join(''),
    ).toBe(text);
  });

  test.each([
    [`a${ESC}[1;31mb${ESC}[22mc${ESC}[mz`, [['a'], ['b', 'bold', 'red'], ['c', 'red'], ['z']]],
    [`${ESC}[92mbright${ESC}[39mno`, [['bright', 'green'], ['no']]],
    [`${ESC}[38;5;196mpalette${ESC}[38;2;1;2;31mtrue`, [['palette'], ['true']]],
    [
      `${ESC}[4;3mx${ESC}[24my`,
      [
        ['x', 'underline', 'italic'],
        ['y', 'italic'],
      ],
    ],
    [
      `${ESC}[32munder ${ESC}[33mchanged`,
      [
        ['under ', 'green'],
        ['changed', 'yellow'],
      ],
    ],
  ])('%j has the looks %j', (raw, spans) => {
    expect(spansOf(raw).map(({ text, looks }) => [text, ...looks])).toEqual(spans);
  });

  test('no control character is ever left, and both readings say the same', () => {
    const parts = fc.oneof(fc.string(), fc.constantFrom(ESC, '[', ']', '31m', '\x07', '\\', '\r', '\x9c', '\u2066'));
    const property = fc.property(fc.array(parts), (pieces) => {
      const raw = pieces.join('').replaceAll('\t', ' ');
      const text = plainText(raw);
      expect(text).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
      expect(
        spansOf(raw)
          .map((span) => span.text)
          .join(''),
      ).toBe(text);
    });
    fc.assert(property, { seed: 12, numRuns: 400 });
  });
});

describe('a buffer of lines', () => {
  const at = (second: number, id: number, source = 'a'): ReturnType<typeof lineOf> =>
    lineOf(id, source, `2026-01-01T00:00:${String(second).padStart(2, '0')}.000000000Z line ${id}`);

  test('reads the time before a line', () => {
    expect(lineOf(1, 'a', '2026-01-01T00:00:05.000000000Z  two spaces')).toMatchObject({
      time: '2026-01-01T00:00:05.000000000Z',
      text: ' two spaces',
    });
    expect(lineOf(1, 'a', 'no time')).toMatchObject({ time: '', text: 'no time' });
    expect(lineOf(1, 'a', 'x'.repeat(LONGEST_LINE + 5)).text).toHaveLength(LONGEST_LINE + 1);
  });

  test('keeps lines of several sources in the order of their times', () => {
    const buffer = new LogBuffer();
    buffer.add([at(1, 1), at(3, 2), at(5, 3)]);
    buffer.add([at(2, 4, 'b'), at(3, 5, 'b'), at(9, 6, 'b')]);
    buffer.add([at(6, 7)]);
    expect(buffer.lines.map(({ id }) => id)).toEqual([1, 4, 2, 5, 3, 7, 6]);
  });

  test('drops its oldest lines when they are too many or too long', () => {
    const buffer = new LogBuffer();
    buffer.add(Array.from({ length: MOST_LINES + 10 }, (_, i) => lineOf(i, 'a', 'x')));
    expect([buffer.lines.length, buffer.lines[0]?.id, buffer.dropped]).toEqual([MOST_LINES, 10, 10]);
    const long = 'y'.repeat(LONGEST_LINE);
    buffer.add(Array.from({ length: 1000 }, (_, i) => lineOf(i, 'a', long)));
    const characters = buffer.lines.reduce((sum, { text }) => sum + text.length, 0);
    expect(characters).toBeLessThanOrEqual(MOST_CHARACTERS);
    expect(characters).toBeGreaterThan(MOST_CHARACTERS - LONGEST_LINE - 1);
  });
});

describe('rows', () => {
  const lines = [lineOf(1, 'a', 'abcdefghijklmnop'), lineOf(2, 'a', 'Short'), lineOf(3, 'a', '')];

  test('are lines where nothing is wrapped', () => {
    expect(rowsOf(lines, undefined)).toHaveLength(3);
  });

  test('are stretches of so many characters where lines are wrapped', () => {
    const texts = rowsOf(lines, 10).map(({ line, from, to }) => line.text.slice(from, to));
    expect(texts).toEqual(['abcdefghij', 'klmnop', 'Short', '']);
  });

  test('count wide characters twice, and cut none', () => {
    const texts = rowsOf([lineOf(1, 'a', '一二三四五六😀')], 8).map(({ line, from, to }) => line.text.slice(from, to));
    expect(texts).toEqual(['一二三四', '五六😀']);
  });

  test('are those of lines that match', () => {
    expect(searched(lines, 'SHO').map(({ id }) => id)).toEqual([2]);
    expect(searched(lines, '')).toBe(lines);
  });
});

describe('whose logs there are', () => {
  const status = (name: string, restartCount: number, state: object, containerID = ''): object => ({
    name,
    restartCount,
    state,
    containerID,
  });
  const pod = (name: string, ...containerStatuses: object[]): never =>
    ({ kind: 'Pod', metadata: { name, namespace: 'n', uid: name }, status: { containerStatuses } }) as never;

  test('each start of a container is a source; one that waits for its first start is none', () => {
    const pods = [
      pod('p', status('a', 1, { running: {} }, 'id-1'), status('b', 0, { waiting: {} })),
      pod('q', status('a', 2, { waiting: {} }, 'id-2')),
    ];
    expect(sourcesOf(pods, '', false).map(({ key }) => key)).toEqual(['p/a/id-1', 'q/a/id-2']);
    expect(sourcesOf(pods, 'b', false)).toEqual([]);
    expect(sourcesOf(pods, '', true).map(({ key }) => key)).toEqual(['p/a/before 1', 'q/a/before 2']);
  });

  test.each([
    [['web-5f-abc:c'], ['c']],
    [
      ['web-5f-abc:c', 'web-5f-def:c'],
      ['abc', 'def'],
    ],
    [
      ['web-5f-abc:c', 'web-6a-def:s'],
      ['5f-abc/c', '6a-def/s'],
    ],
    [
      ['p:c', 'p:s'],
      ['c', 's'],
    ],
    [
      ['db-0:c', 'db-10:c'],
      ['0', '10'],
    ],
  ])('of %j are called %j', (given, labels) => {
    const sources = given.map((text) => {
      const [name = '', container = ''] = text.split(':');
      return { key: text, namespace: 'n', pod: name, container };
    });
    expect(sources.map((source) => labelOf(source, sources))).toEqual(labels);
  });

  test.each([
    [{ matchLabels: { app: 'web', tier: 'a' } }, 'app=web,tier=a'],
    [{ app: 'web' }, 'app=web'],
    [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['x', 'y'] }] }, 'a in (x,y)'],
    [
      {
        matchExpressions: [
          { key: 'a', operator: 'NotIn', values: ['x'] },
          { key: 'b', operator: 'Exists' },
        ],
      },
      'a notin (x),b',
    ],
    [{ matchLabels: {}, matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] }, '!a'],
    [undefined, ''],
  ])('the selector %j is asked for as %j', (selector, text) => {
    expect(selectorText(selector)).toBe(text);
  });

  test('a service without a selector, and kinds that run nothing, have none', () => {
    const object = (kind: string, spec = {}): never =>
      ({ kind, metadata: { name: 'x', namespace: 'n' }, spec }) as never;
    expect(logTargetOf(object('Service'))).toBeUndefined();
    expect(logTargetOf(object('ConfigMap'))).toBeUndefined();
    expect(logTargetOf(object('Pod'))).toEqual({ title: 'Pod x', namespace: 'n', pod: 'x' });
    expect(logTargetOf(object('Job', { selector: { matchLabels: { a: 'b' } } }))?.labelSelector).toBe('a=b');
  });
});
