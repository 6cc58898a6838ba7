/** Breaks running text into lines; lists, code and empty lines stay as they are. */

const BULLET = /^(\d+\.?|-|\*)\s/;

/** The lines of a text, broken between words at the given width. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let words: string[] = [];
  let last = '';
  const flush = (): void => {
    if (words.length > 0) lines.push(words.join(' '));
    if (words.length > 0) last = '';
    words = [];
  };
  for (const line of text.split('\n')) {
    const empty = line.trim() === '';
    if (line.startsWith('    ') || (lines.length > 0 && empty)) {
      flush();
      lines.push(empty ? '' : line);
      continue;
    }
    if (last.endsWith(':') || empty || BULLET.test(line.trim())) flush();
    for (const word of line.split(/\s+/).filter(Boolean)) {
      last = word;
      if (words.length > 0 && [...words, word].join(' ').length > width) flush();
      words.push(word);
      last = word;
    }
  }
  flush();
  return lines;
}
