import type { Choice } from './lineEditor.ts';
import { textWidth } from './width.ts';

const MOST_CHOICES = 120;

/** Choices in as many columns as fit, read from top to bottom. */
export function listed(choices: readonly Choice[], columns: number): string {
  const shown = choices.slice(0, MOST_CHOICES).map((choice) => choice.shown);
  const width = Math.max(...shown.map(textWidth)) + 2;
  const across = Math.max(1, Math.floor(columns / width));
  const rows = Math.ceil(shown.length / across);
  const lines = Array.from({ length: rows }, (_, row) =>
    shown
      .filter((_text, i) => i % rows === row)
      .map((text) => text + ' '.repeat(width - textWidth(text)))
      .join('')
      .trimEnd(),
  );
  const more = choices.length - shown.length;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : []), ''].join('\r\n');
}
