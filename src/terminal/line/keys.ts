/** What a keyboard sends, as keys: text, pasted text, and keys by their names. */

export type Key =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'paste'; readonly text: string }
  | { readonly type: 'key'; readonly name: KeyName };

const CONTROLS = {
  '\x01': 'home',
  '\x02': 'left',
  '\x03': 'interrupt',
  '\x04': 'end-of-input',
  '\x05': 'end',
  '\x06': 'right',
  '\x07': 'cancel',
  '\b': 'backspace',
  '\t': 'tab',
  '\n': 'enter',
  '\x0b': 'kill-to-end',
  '\f': 'clear',
  '\r': 'enter',
  '\x0e': 'down',
  '\x10': 'up',
  '\x12': 'search',
  '\x14': 'swap',
  '\x15': 'kill-to-start',
  '\x17': 'kill-word',
  '\x19': 'yank',
  '\x7f': 'backspace',
} as const;

const SEQUENCES = {
  '[A': 'up',
  '[B': 'down',
  '[C': 'right',
  '[D': 'left',
  '[H': 'home',
  '[F': 'end',
  OA: 'up',
  OB: 'down',
  OC: 'right',
  OD: 'left',
  OH: 'home',
  OF: 'end',
  '[1~': 'home',
  '[3~': 'delete',
  '[4~': 'end',
  '[7~': 'home',
  '[8~': 'end',
  '[Z': 'tab',
  '[1;5C': 'word-right',
  '[1;5D': 'word-left',
  '[1;3C': 'word-right',
  '[1;3D': 'word-left',
  b: 'word-left',
  f: 'word-right',
  d: 'kill-word-right',
  '.': 'last-word',
  '\r': 'new-line',
  '\x7f': 'kill-word-part',
} as const;

export type KeyName =
  (typeof CONTROLS)[keyof typeof CONTROLS] | (typeof SEQUENCES)[keyof typeof SEQUENCES] | 'escape' | 'unknown';

const SEQUENCE = /\x1b(?:\[[0-?]*[ -/]*[@-~]|O[A-Za-z]|[^[O])|\x1b$/y;
const TEXT = /[^\x00-\x1f\x7f]+/y;
const PASTE = '\x1b[200~';
const PASTE_END = '\x1b[201~';

const controls = new Map<string, KeyName>(Object.entries(CONTROLS));
const sequences = new Map<string, KeyName>(Object.entries(SEQUENCES));

/** Reads keys from what a terminal sends. A paste may come in several parts. */
export class KeyReader {
  #pasted: string | undefined;

  read(data: string): Key[] {
    const keys: Key[] = [];
    let rest = data;
    while (rest !== '') rest = this.#pasted === undefined ? this.#next(rest, keys) : this.#paste(rest, keys);
    return keys;
  }

  #next(data: string, keys: Key[]): string {
    if (data.startsWith(PASTE)) {
      this.#pasted = '';
      return data.slice(PASTE.length);
    }
    const text = matchOf(TEXT, data);
    if (text !== '') {
      keys.push({ type: 'text', text });
      return data.slice(text.length);
    }
    const sequence = data.startsWith('\x1b') ? matchOf(SEQUENCE, data) || '\x1b' : data.charAt(0);
    keys.push({ type: 'key', name: nameOf(sequence) });
    return data.slice(sequence.length);
  }

  #paste(data: string, keys: Key[]): string {
    const end = data.indexOf(PASTE_END);
    this.#pasted += end < 0 ? data : data.slice(0, end);
    if (end < 0) return '';
    keys.push({ type: 'paste', text: asTyped(this.#pasted ?? '') });
    this.#pasted = undefined;
    return data.slice(end + PASTE_END.length);
  }
}

function matchOf(pattern: RegExp, text: string): string {
  pattern.lastIndex = 0;
  return pattern.exec(text)?.[0] ?? '';
}

function nameOf(sequence: string): KeyName {
  if (sequence === '\x1b') return 'escape';
  const found = sequence.startsWith('\x1b') ? sequences.get(sequence.slice(1)) : controls.get(sequence);
  return found ?? 'unknown';
}

/** Line ends become one, and characters that a keyboard can't type are left out: what is seen is what runs. */
export const asTyped = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '')
    .replace(/\n+$/, '');
