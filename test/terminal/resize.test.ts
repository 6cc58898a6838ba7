/** A line that is being typed while the window of a real terminal changes its size. */
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { Drawing } from '../../src/terminal/line/drawing.ts';

// The terminal's script looks for a window when it loads; it shows nothing here.
vi.stubGlobal('window', globalThis);
const { Terminal } = await import('@xterm/xterm');

const OUTPUT = ['first output', 'second output'];

const open = (cols: number): InstanceType<typeof Terminal> => new Terminal({ cols, rows: 40 });
const write = (terminal: InstanceType<typeof Terminal>, text: string): Promise<void> =>
  new Promise((resolve) => terminal.write(text, resolve));

/** The lines of the screen as they were written, however they are wrapped. */
function linesOf({ buffer: { active } }: InstanceType<typeof Terminal>): string[] {
  const lines: string[] = [];
  for (let y = 0; y < active.length; y += 1) {
    const row = active.getLine(y);
    const text = row?.translateToString(true) ?? '';
    if (row?.isWrapped) lines.push(`${lines.pop() ?? ''}${text}`);
    else lines.push(text);
  }
  return lines.join('\n').trimEnd().split('\n');
}

const text = fc.string({
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwx', '漢', '\n'),
  maxLength: 90,
  size: 'max',
});
const sizes = fc.array(fc.integer({ min: 14, max: 50 }), { minLength: 2, maxLength: 4 });

test('a typed line is drawn once, below the output, however often the width changes', async () => {
  await fc.assert(
    fc.asyncProperty(text, fc.nat(), sizes, async (typed, n, [first = 40, ...others]) => {
      // The terminal itself moves the cursor when it joins lines below it, so that the cursor stands in the last one.
      const from = typed.lastIndexOf('\n') + 1;
      const line = { prompt: '$ ', text: typed, at: from + (n % (typed.length - from + 1)) };
      const terminal = open(first);
      const drawing = new Drawing();
      await write(terminal, OUTPUT.map((each) => `${each}\r\n`).join(''));
      await write(terminal, drawing.draw(line, { columns: first, rows: 40 }));
      for (const columns of others) {
        terminal.resize(columns, 40);
        drawing.rewrap(line, { columns, rows: 40 });
        await write(terminal, drawing.draw(line, { columns, rows: 40 }));
      }
      expect(linesOf(terminal)).toEqual([...OUTPUT, ...`$ ${typed.replaceAll('\n', '\n> ')}`.trimEnd().split('\n')]);
    }),
    { numRuns: 200 },
  );
});
