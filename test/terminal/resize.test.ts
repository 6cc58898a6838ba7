/** A line that is being typed while the window of a real terminal changes its size. */
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { Drawing } from '../../src/terminal/line/drawing.ts';
import { screenOf } from '../../src/ui/panels/terminal/screen.ts';

// The terminal's script looks for a window when it loads; it shows nothing here.
vi.stubGlobal('window', globalThis);
const { Terminal } = await import('@xterm/xterm');

const OUTPUT = ['first output', 'second output'];

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
      const line = { prompt: '$ ', text: typed, at: n % (typed.length + 1) };
      const terminal = new Terminal({ cols: first, rows: 40 });
      const screen = screenOf(terminal);
      const drawing = new Drawing();
      const draw = async (): Promise<void> => {
        await screen.write(drawing.draw(line, screen.size));
        screen.mark(drawing.row);
      };
      await screen.write(OUTPUT.map((each) => `${each}\r\n`).join(''));
      await draw();
      for (const columns of others) {
        terminal.resize(columns, 40);
        drawing.rewrap(screen.belowMark ?? 0);
        await draw();
      }
      expect(linesOf(terminal)).toEqual([...OUTPUT, ...`$ ${typed.replaceAll('\n', '\n> ')}`.trimEnd().split('\n')]);
    }),
    { numRuns: 200 },
  );
});
