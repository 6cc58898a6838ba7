import { expect, test } from 'vitest';
import { terminal } from '../../src/programs/index.ts';
import { decodeText, encodeText } from '../../src/std/index.ts';

const open = (interrupt: () => void = () => undefined) => terminal({ columns: 80, rows: 24 }, interrupt);

test('Ctrl+C drops the lines that no program has read', async () => {
  let interrupts = 0;
  const { type, stream } = open(() => interrupts++);
  type(encodeText('sleep 1000\rhalf a line\x03echo yes\r'));
  expect(decodeText((await stream.read()) ?? new Uint8Array())).toBe('echo yes\n');
  expect(interrupts).toBe(1);
});
