/**
 * One command line, as it is typed: what each key does to it. It knows no terminal; `draw` of a `LineScreen` shows it. A line may
 * hold several rows: a command that isn't whole yet goes on in the next one, and so does pasted text.
 */
import * as edit from './buffer.ts';
import type { Buffer } from './buffer.ts';
import type { History } from './history.ts';
import type { Key, KeyName } from './keys.ts';

/** What can stand at the place of the cursor. */
export interface Completion {
  /** Where the word begins that is completed. */
  readonly from: number;
  /** What each choice puts in place of the word, with what follows it, such as a space. */
  readonly choices: readonly Choice[];
}

export interface Choice {
  readonly text: string;
  /** As it is listed. */
  readonly shown: string;
}

export interface LineOptions {
  readonly history: History;
  /** Whether Enter begins another row, because the command isn't whole. */
  readonly isIncomplete: (text: string) => boolean;
  readonly complete: (text: string, at: number) => Promise<Completion>;
}

/** What a key led to, besides a change of the line. */
export type Outcome =
  | { readonly type: 'typing' }
  | { readonly type: 'entered'; readonly text: string }
  /** ^C: the line is given up. */
  | { readonly type: 'given-up' }
  /** ^D in an empty line. */
  | { readonly type: 'ended' }
  | { readonly type: 'clear' }
  | { readonly type: 'choices'; readonly choices: readonly Choice[] }
  /** So many choices that they are listed only when Tab is pressed again. */
  | { readonly type: 'many'; readonly count: number };

/** More choices than these are counted first, as shells do: a screen reader reads a list to its end. */
const MOST_AT_ONCE = 30;

const TYPING: Outcome = { type: 'typing' };

interface Search {
  readonly text: string;
  readonly found: number | undefined;
  /** What stood in the line before. */
  readonly draft: Buffer;
}

export class LineEditor {
  readonly #options: LineOptions;
  #buffer = edit.EMPTY;
  /** Where in the history the line is; its length for the line that is new. */
  #place: number;
  #draft = edit.EMPTY;
  #search: Search | undefined;
  #killed = '';
  /** How often Tab was pressed since the last other key. */
  #tabs = 0;

  constructor(options: LineOptions, text = '') {
    this.#options = options;
    this.#buffer = edit.bufferOf(text);
    this.#place = options.history.lines.length;
  }

  get buffer(): Buffer {
    return this.#buffer;
  }

  /** What stands before the line instead of the prompt, while the history is searched. */
  get searching(): string | undefined {
    if (!this.#search) return undefined;
    const { text, found } = this.#search;
    return `${found === undefined && text !== '' ? 'not found' : 'search'} “${text}”: `;
  }

  async press(key: Key): Promise<Outcome> {
    const isTab = key.type === 'key' && key.name === 'tab';
    if (this.#search && this.#searchKey(key)) return TYPING;
    const outcome = isTab ? await this.#complete() : this.#plainKey(key);
    this.#tabs = isTab ? this.#tabs + 1 : 0;
    return outcome;
  }

  insert(text: string): void {
    this.#buffer = edit.insert(this.#buffer, text);
  }

  #plainKey(key: Key): Outcome {
    if (key.type !== 'key') {
      this.insert(key.text);
      return TYPING;
    }
    const move = MOVES[key.name];
    if (move) {
      this.#buffer = move(this.#buffer);
      return TYPING;
    }
    return this.#command(key.name);
  }

  #command(name: KeyName): Outcome {
    switch (name) {
      case 'enter':
        return this.#enter();
      case 'interrupt':
        return { type: 'given-up' };
      case 'end-of-input':
        if (this.#buffer.text === '') return { type: 'ended' };
        this.#delete();
        return TYPING;
      case 'clear':
        return { type: 'clear' };
      case 'search':
        this.#search = { text: '', found: undefined, draft: this.#buffer };
        return TYPING;
      default:
        this.#change(name);
        return TYPING;
    }
  }

  #change(name: KeyName): void {
    const { text, at } = this.#buffer;
    const start = edit.lineStart(this.#buffer);
    const end = edit.lineEnd(this.#buffer);
    if (name === 'up' || name === 'down') this.#upOrDown(name);
    else if (name === 'delete') this.#delete();
    else if (name === 'kill-to-end') this.#kill(at, end === at ? Math.min(at + 1, text.length) : end);
    else if (name === 'kill-to-start') this.#kill(start, at);
    else if (name === 'kill-word') this.#kill(edit.wordStart(this.#buffer, /\s/), at);
    else if (name === 'kill-word-part') this.#kill(edit.wordStart(this.#buffer), at);
    else if (name === 'kill-word-right') this.#kill(at, edit.wordEnd(this.#buffer));
    else if (name === 'yank') this.insert(this.#killed);
    else if (name === 'new-line') this.insert('\n');
    else if (name === 'last-word') this.insert(this.#options.history.lines.at(-1)?.split(/\s+/).at(-1) ?? '');
  }

  #delete(): void {
    const { at } = this.#buffer;
    this.#buffer = edit.cut(this.#buffer, at, edit.right(this.#buffer).at);
  }

  #kill(from: number, to: number): void {
    if (from === to) return;
    this.#killed = this.#buffer.text.slice(from, to);
    this.#buffer = edit.cut(this.#buffer, from, to);
  }

  #enter(): Outcome {
    const { text, at } = this.#buffer;
    if (!this.#options.isIncomplete(`${text}\n`)) return { type: 'entered', text };
    this.#buffer = at === text.length ? edit.insert(this.#buffer, '\n') : edit.bufferOf(`${text}\n`);
    return TYPING;
  }

  /** Another row of the same line, then another line of the history. */
  #upOrDown(name: 'up' | 'down'): void {
    const moved = edit.vertical(this.#buffer, name === 'up' ? -1 : 1);
    if (moved) this.#buffer = moved;
    else this.#goTo(this.#place + (name === 'up' ? -1 : 1));
  }

  #goTo(place: number): void {
    const { lines } = this.#options.history;
    if (place < 0 || place > lines.length) return;
    if (this.#place === lines.length) this.#draft = this.#buffer;
    this.#place = place;
    const line = lines[place];
    this.#buffer = line === undefined ? this.#draft : edit.bufferOf(line);
  }

  /** Whether a key belongs to the search; any other ends it and does what it does. */
  #searchKey(key: Key): boolean {
    const search = this.#search;
    if (!search) return false;
    if (key.type !== 'key') return this.#find(search, search.text + key.text);
    if (key.name === 'search') return this.#find(search, search.text, search.found);
    if (key.name === 'backspace') return this.#find(search, [...search.text].slice(0, -1).join(''));
    this.#search = undefined;
    if (key.name !== 'cancel' && key.name !== 'escape') return false;
    this.#buffer = search.draft;
    return true;
  }

  #find(search: Search, text: string, before?: number): true {
    const { history } = this.#options;
    const found = text === '' ? undefined : history.search(text, before);
    // At the oldest line that fits, another search stays there.
    const kept = found ?? before;
    this.#search = { ...search, text, found: kept };
    const line = kept === undefined ? undefined : history.lines[kept];
    if (line === undefined || kept === undefined) return true;
    this.#buffer = { text: line, at: line.indexOf(text) };
    this.#place = kept;
    return true;
  }

  async #complete(): Promise<Outcome> {
    const { text, at } = this.#buffer;
    const { from, choices } = await this.#options.complete(text, at);
    const typed = text.slice(from, at);
    const [only] = choices;
    if (!only) return TYPING;
    const added = choices.length === 1 ? only.text : sharedStart(choices.map((choice) => choice.text));
    if (added !== typed && (choices.length === 1 || added.length > typed.length)) {
      this.#buffer = edit.insert(edit.cut(this.#buffer, from, at), added);
      return TYPING;
    }
    const isLong = choices.length > MOST_AT_ONCE;
    if (isLong && this.#tabs === 0) return { type: 'many', count: choices.length };
    // A long list is written once: it may be read aloud.
    if (isLong && this.#tabs > 1) return TYPING;
    return this.#tabs > 0 || choices.length > 1 ? { type: 'choices', choices } : TYPING;
  }
}

const MOVES: Readonly<Partial<Record<KeyName, (buffer: Buffer) => Buffer>>> = {
  left: edit.left,
  right: edit.right,
  home: edit.home,
  end: edit.end,
  'word-left': edit.wordLeft,
  'word-right': edit.wordRight,
  swap: edit.swap,
  backspace: (buffer) => edit.cut(buffer, edit.left(buffer).at, buffer.at),
};

/** What all texts begin with. */
export function sharedStart([first = '', ...others]: readonly string[]): string {
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length--;
  return first.slice(0, length);
}
