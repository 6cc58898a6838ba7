import type { Word } from './ast.ts';

const BRACES = /^([^{}]*)\{([^{}]*)\}([\s\S]*)$/;
const SEQUENCE = /^(-?\d+|[a-z])\.\.(-?\d+|[a-z])(?:\.\.(\d+))?$/i;
const MOST_WORDS = 10_000;

/** Brace expansion: `{a,b}` and `{1..3}` in a word; other words are unchanged. */
export function expandBraces(word: Word): Word[] {
  const index = word.findIndex((part) => part.type === 'text' && !part.quoted && alternatives(part.text) !== undefined);
  const part = word[index];
  if (part?.type !== 'text') return [word];
  return (alternatives(part.text) ?? []).flatMap((text) =>
    expandBraces([...word.slice(0, index), { ...part, text }, ...word.slice(index + 1)]),
  );
}

function alternatives(text: string): string[] | undefined {
  const [, before = '', inner = '', after = ''] = BRACES.exec(text) ?? [];
  const words = inner.includes(',') ? inner.split(',') : sequence(inner);
  return words?.map((word) => before + word + after);
}

function sequence(text: string): string[] | undefined {
  const [, from = '', to = '', step = '1'] = SEQUENCE.exec(text) ?? [];
  const isNumeric = /\d/.test(from) && /\d/.test(to);
  if (from === '' || (!isNumeric && (/\d/.test(from) || /\d/.test(to)))) return undefined;
  const [start, end] = isNumeric ? [Number(from), Number(to)] : [from.charCodeAt(0), to.charCodeAt(0)];
  const size = Math.max(1, Number(step)) * (start <= end ? 1 : -1);
  const count = Math.min(MOST_WORDS, Math.floor(Math.abs(end - start) / Math.abs(size)) + 1);
  const width = /^-?0\d/.test(from) || /^-?0\d/.test(to) ? Math.max(from.length, to.length) : 0;
  return Array.from({ length: count }, (_, i) => {
    const value = start + i * size;
    return isNumeric ? String(value).padStart(width, '0') : String.fromCharCode(value);
  });
}
