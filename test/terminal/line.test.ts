import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Drawing } from '../../src/terminal/line/drawing.ts';
import { History } from '../../src/terminal/line/history.ts';
import { KeyReader } from '../../src/terminal/line/keys.ts';
import { LineEditor, sharedStart } from '../../src/terminal/line/lineEditor.ts';
import { repeated } from '../../src/terminal/line/repeat.ts';
import { after, before, charWidth, textWidth } from '../../src/terminal/line/width.ts';

const HISTORY = ['kubectl get pods', 'echo one', 'kubectl get nodes', 'cat <<EOF\na\nEOF'];

/** What the line is after keys; `|` stands where the cursor is. */
async function typed(data: string, text = ''): Promise<string> {
  const editor = new LineEditor(
    {
      history: new History(HISTORY),
      isIncomplete: (line) => line.includes('(') && !line.includes(')'),
      complete: async () => ({ from: 0, choices: [] }),
    },
    text,
  );
  for (const key of new KeyReader().read(data)) await editor.press(key);
  const { text: line, at } = editor.buffer;
  return `${line.slice(0, at)}|${line.slice(at)}`;
}

test.each([
  ['a few choices', 3, ['choices', 'choices', 'choices']],
  ['many choices', 31, ['many', 'choices', 'typing']],
])('Tab with %s lists them at once, or counts them first and lists them once', async (_what, count, outcomes) => {
  const choices = Array.from({ length: count }, (_, i) => ({ text: `${i}-`, shown: `${i}` }));
  const editor = new LineEditor({
    ...{ history: new History([]), isIncomplete: () => false },
    complete: async () => ({ from: 0, choices }),
  });
  const tab = { type: 'key', name: 'tab' } as const;
  expect([await editor.press(tab), await editor.press(tab), await editor.press(tab)].map(({ type }) => type)).toEqual(
    outcomes,
  );
  await editor.press({ type: 'text', text: 'x' });
  await editor.press({ type: 'key', name: 'backspace' });
  expect(await editor.press(tab)).toMatchObject({ type: outcomes[0] });
});

const UP = '\x1b[A';
const DOWN = '\x1b[B';
const LEFT = '\x1b[D';

describe('a key changes the line', () => {
  test.each([
    ['text', 'abc', '', 'abc|'],
    ['left, and text between', `ac${LEFT}b`, '', 'ab|c'],
    ['ctrl-a', '\x01x', 'abc', 'x|abc'],
    ['ctrl-e', '\x01\x05x', 'abc', 'abcx|'],
    ['home and end', '\x1b[Hx\x1b[Fy', 'abc', 'xabcy|'],
    ['backspace', '\x7f', 'abc', 'ab|'],
    ['backspace at the beginning', '\x01\x7f', 'abc', '|abc'],
    ['delete', '\x01\x1b[3~', 'abc', '|bc'],
    ['ctrl-d within the line', '\x01\x04', 'abc', '|bc'],
    ['ctrl-k', `${LEFT}\x0b`, 'abc', 'ab|'],
    ['ctrl-u', `${LEFT}\x15`, 'abc', '|c'],
    ['ctrl-w', '\x17', 'get po/web-1 x', 'get po/web-1 |'],
    ['alt-backspace', '\x1b\x7f', 'get po/web-1', 'get po/web-|'],
    ['ctrl-w and ctrl-y', '\x17\x01\x19 ', 'one two', 'two |one '],
    ['alt-b', '\x1bb', 'one two-three', 'one two-|three'],
    ['ctrl-left', '\x1b[1;5D\x1b[1;5D', 'one two', '|one two'],
    ['alt-f', '\x01\x1bf', 'one two', 'one| two'],
    ['alt-d', '\x01\x1bd', 'one two', '| two'],
    ['ctrl-t', '\x14', 'ab', 'ba|'],
    ['alt-.', '\x1b.', 'ls ', 'ls EOF|'],
    ['left over a wide character', LEFT, '漢字', '漢|字'],
    ['left over an emoji of several', LEFT, 'a👩‍🔬', 'a|👩‍🔬'],
    ['backspace over an accent', '\x7f', 'ae\u0301', 'a|'],
    ['an unknown key', '\x1b[99~', 'ab', 'ab|'],
    ['alt-enter', '\x1b\r', 'ab', 'ab\n|'],
    ['enter in what is not whole', '\r', '(a', '(a\n|'],
  ])('%s', async (_what, keys, text, line) => {
    expect(await typed(keys, text)).toBe(line);
  });
});

describe('words for what was typed before', () => {
  test.each([
    ['!!', 'cat f one'],
    ['sudo !! | wc', 'sudo cat f one | wc'],
    ['"!!"', '"cat f one"'],
    ['ls !$', 'ls one'],
    ['!1', 'kubectl get pods'],
    ['!-2', 'echo one'],
    ['!kub -A', 'kubectl get pods -A'],
    ["echo '!!' \\!!", "echo '!!' \\!!"],
    ['echo "hi!" "wow !important"', 'echo "hi!" "wow !important"'],
    ['! false; [ a != b ]; echo $! ${!x} [!a]', '! false; [ a != b ]; echo $! ${!x} [!a]'],
    ['cat <<EOF\n!!\nEOF', 'cat <<EOF\n!!\nEOF'],
    [`echo "it's" !$`, `echo "it's" one`],
  ])('%s', (line, text) => {
    expect(repeated(line, ['kubectl get pods', 'echo one', 'cat f one'])).toEqual({ text });
  });

  test.each(['!nothing', '!9', '!0', '!-9'])('%s is missing', (line) => {
    expect(repeated(`echo ${line}`, ['kubectl get pods'])).toEqual({ missing: line });
  });
});

describe('the history', () => {
  test.each([
    ['up', UP.repeat(5), '', 'echo one|'],
    ['the rows of one line first', UP + UP, '', 'cat <<EOF\na|\nEOF'],
    ['down again', UP.repeat(5) + DOWN, '', 'kubectl get nodes|'],
    ['back to the draft', `${UP}${DOWN}`, 'draft', 'draft|'],
    ['before the first', UP.repeat(20), '', 'kubectl get pods|'],
    ['after the last', DOWN, 'x', 'x|'],
    ['ctrl-r', '\x12get', '', 'kubectl |get nodes'],
    ['ctrl-r twice', '\x12get\x12', '', 'kubectl |get pods'],
    ['ctrl-r beyond the oldest', '\x12get\x12\x12\x12', '', 'kubectl |get pods'],
    ['ctrl-r and less', '\x12getx\x7f', '', 'kubectl |get nodes'],
    ['ctrl-r and on', '\x12get\x05 -A', '', 'kubectl get nodes -A|'],
    ['ctrl-r given up', '\x12get\x07', 'draft', 'draft|'],
    ['ctrl-r and escape', '\x12get\x1b', 'draft', 'draft|'],
  ])('%s', async (_what, keys, text, line) => {
    expect(await typed(keys, text)).toBe(line);
  });

  test('keeps no line twice in a row, none that is empty, none that begins with a space', () => {
    const history = new History();
    for (const line of ['a', 'a', '', '  ', ' secret', 'b', 'a']) history.add(line);
    expect(history.lines).toEqual(['a', 'b', 'a']);
  });

  test('keeps the latest thousand', () => {
    const history = new History(Array.from({ length: 1005 }, (_, i) => `line ${i}`));
    expect([history.lines.length, history.lines[0]]).toEqual([1000, 'line 5']);
  });
});

describe('keys are read from what a terminal sends', () => {
  test('a paste is one text, without what can’t be typed', () => {
    const reader = new KeyReader();
    expect(reader.read('\x1b[200~one\r\ntwo\x1b[31m\x07\u202e\r')).toEqual([]);
    expect(reader.read('\n\x1b[201~\r')).toEqual([
      { type: 'paste', text: 'one\ntwo[31m' },
      { type: 'key', name: 'enter' },
    ]);
  });

  test('any text is read without an error, and text comes out as it went in', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const keys = new KeyReader().read(text);
        const plain = keys.map((key) => (key.type === 'text' ? key.text : '')).join('');
        if (!/[\x00-\x1f\x7f]/.test(text)) expect(plain).toBe(text);
      }),
      { seed: 1 },
    );
  });
});

describe('widths', () => {
  test.each([
    ['a', 1],
    ['漢', 2],
    ['ｱ', 1],
    ['Ａ', 2],
    ['\u0301', 0],
    ['\u200d', 0],
    ['é', 1],
  ])('%j takes %i', (char, width) => {
    expect(charWidth(char)).toBe(width);
  });

  test('each step over a character can be taken back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), fc.constantFrom('漢', '👩‍🔬', 'e\u0301', 'ß'), (ascii, wide) => {
        const text = ascii.replace(/(?<=.)/g, wide);
        for (let at = 0; at < text.length; at = after(text, at)) expect(before(text, after(text, at))).toBe(at);
      }),
      { seed: 2 },
    );
  });
});

/** A screen that knows just what drawing uses. */
class Grid {
  rows: string[][] = [[]];
  row = 0;
  column = 0;
  /** The first row that is on the screen; those above were scrolled away. */
  top = 0;
  readonly #columns: number;
  readonly #height: number;

  constructor(columns: number, height = Infinity) {
    this.#columns = columns;
    this.#height = height;
  }

  write(text: string): void {
    for (const [part, up, down, right, clears, colour] of text.matchAll(
      /\x1b\[(\d+)A|\x1b\[(\d+)B|\x1b\[(\d+)C|(\x1b\[J)|(\x1b\[[0-9;]*m)|[^]/gu,
    )) {
      if (up) this.row = Math.max(this.top, this.row - Number(up));
      else if (down) this.row += Number(down);
      else if (right) this.column += Number(right);
      else if (clears) this.#clear();
      else if (part === '\r') this.column = 0;
      else if (part === '\n') this.row += 1;
      else if (!colour) this.#put(part);
      this.top = Math.max(this.top, this.row - this.#height + 1);
    }
  }

  get text(): string {
    return this.rows.map((row) => row.join('').trimEnd()).join('\n');
  }

  #clear(): void {
    this.rows.length = this.row + 1;
    this.rows[this.row] = (this.rows[this.row] ?? []).slice(0, this.column);
  }

  #put(char: string): void {
    const width = textWidth(char);
    if (this.column + width > this.#columns) {
      this.row += 1;
      this.column = 0;
    }
    const row = (this.rows[this.row] ??= []);
    while (row.length < this.column) row.push(' ');
    row[this.column] = char;
    if (width === 2) row[this.column + 1] = '';
    this.column += width;
  }
}

describe('a line on the screen', () => {
  const size = { columns: 20, rows: 10 };

  // A screen reader reads aloud whatever is written.
  test.each([
    ['a typed character', ['ab', 2], ['abc', 3], 'c'],
    ['a completed word', ['get po', 6], ['get pods ', 9], 'ds '],
    ['a new row', ['a', 1], ['a\nb', 3], '> b'],
    ['nothing when the cursor moves', ['abc', 3], ['abc', 1], ''],
    ['nothing when the last character is deleted', ['abc', 3], ['ab', 2], ''],
    ['what follows an inserted character', ['ac', 1], ['abc', 2], 'bc'],
  ] as const)('writes only what changed: %s', (_what, [before, from], [after, to], written) => {
    const drawing = new Drawing();
    drawing.draw({ prompt: '$ ', text: before, at: from }, size);
    const drawn = drawing.draw({ prompt: '$ ', text: after, at: to }, size);
    expect(drawn.replace(/\x1b\[\d*[ABCJ]|[\r\n]/g, '')).toBe(written);
  });

  test.each([
    ['in one row', '$ ', 'abc', 3, 10, '$ abc', [0, 5]],
    ['over two rows', '$ ', 'abcdefghijkl', 12, 10, '$ abcdefgh\nijkl', [1, 4]],
    ['that fills a row', '$ ', 'abcdefgh', 8, 10, '$ abcdefgh\n', [1, 0]],
    ['with the cursor in the row above', '$ ', 'abcdefghijkl', 1, 10, '$ abcdefgh\nijkl', [0, 3]],
    ['with a wide character at the edge', '$ ', 'abcdefg漢', 8, 10, '$ abcdefg\n漢', [1, 2]],
    ['of two rows of text', '$ ', 'ab\ncd', 5, 10, '$ ab\n> cd', [1, 4]],
    ['with colours before it', '\x1b[32m$\x1b[0m ', 'a', 1, 10, '$ a', [0, 3]],
  ] as const)('%s', (_what, prompt, text, at, columns, shown, cursor) => {
    const grid = new Grid(columns);
    grid.write(new Drawing().draw({ prompt, text, at }, { columns, rows: Infinity }));
    expect([grid.text, [grid.row, grid.column]]).toEqual([shown, cursor]);
  });

  test('replaces what was drawn before, whatever that was', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '漢', '\n'), maxLength: 40 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(text, fc.nat()), { minLength: 1 }),
        fc.integer({ min: 5, max: 20 }),
        (lines, columns) => {
          const drawn = new Grid(columns);
          const drawing = new Drawing();
          for (const [line, n] of lines)
            drawn.write(
              drawing.draw({ prompt: '$ ', text: line, at: n % (line.length + 1) }, { columns, rows: Infinity }),
            );
          const [line = '', n = 0] = lines.at(-1) ?? [];
          const fresh = new Grid(columns);
          fresh.write(
            new Drawing().draw({ prompt: '$ ', text: line, at: n % (line.length + 1) }, { columns, rows: Infinity }),
          );
          expect([drawn.text.trimEnd(), drawn.row, drawn.column]).toEqual([
            fresh.text.trimEnd(),
            fresh.row,
            fresh.column,
          ]);
        },
      ),
      { seed: 3 },
    );
  });

  const long = Array.from({ length: 20 }, (_, index) => `line ${index}`).join('\n');

  test('of more rows than the screen has shows those around the cursor', () => {
    const grid = new Grid(20, 5);
    const drawing = new Drawing();
    const drawAt = (at: number): string => {
      grid.write(drawing.draw({ prompt: '$ ', text: long, at }, { columns: 20, rows: 5 }));
      return grid.text.split('\n').slice(grid.top).join('\n');
    };
    expect(drawAt(long.length)).toBe('> line 15\n> line 16\n> line 17\n> line 18\n> line 19');
    expect([grid.row - grid.top, grid.column]).toEqual([4, 9]);
    expect(drawAt(long.indexOf('17'))).toBe('> line 15\n> line 16\n> line 17\n> line 18\n> line 19');
    expect([grid.row - grid.top, grid.column]).toEqual([2, 7]);
    expect(drawAt(0)).toBe('$ line 0\n> line 1\n> line 2\n> line 3\n> line 4');
    expect([grid.row - grid.top, grid.column]).toEqual([0, 2]);
    grid.write(drawing.leave({ prompt: '$ ', text: long, at: 0 }, 20));
    expect(grid.text.trimEnd()).toBe(`$ ${long.replaceAll('\n', '\n> ')}`);
  });

  test('stands on the screen once when it is left, whatever was drawn on however few rows', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '漢', '\n'), maxLength: 60 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(text, fc.nat()), { minLength: 1 }),
        fc.integer({ min: 5, max: 20 }),
        fc.integer({ min: 1, max: 6 }),
        (lines, columns, rows) => {
          const drawn = new Grid(columns, rows);
          const drawing = new Drawing();
          for (const [line, n] of lines)
            drawn.write(drawing.draw({ prompt: '$ ', text: line, at: n % (line.length + 1) }, { columns, rows }));
          const [line = ''] = lines.at(-1) ?? [];
          const left = { prompt: '$ ', text: line, at: 0 };
          drawn.write(drawing.leave(left, columns));
          const fresh = new Grid(columns);
          fresh.write(new Drawing().leave(left, columns));
          expect(drawn.text.trimEnd()).toBe(fresh.text.trimEnd());
        },
      ),
      { seed: 4 },
    );
  });
});

test.each([
  [['abc', 'abd'], 'ab'],
  [['a'], 'a'],
  [['a', 'b'], ''],
  [[], ''],
])('what %j begin with', (texts, start) => {
  expect(sharedStart(texts)).toBe(start);
});
