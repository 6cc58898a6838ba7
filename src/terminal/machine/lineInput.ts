import { encodeText } from '../../std/index.ts';
import { textWidth } from '../line/width.ts';

/**
 * What is typed while a command runs. A command that reads gets it line by line, and the person sees it; where none reads, it
 * waits for the next prompt.
 */
export class LineInput {
  readonly #show: (text: string) => void;
  /** Typed ahead. */
  #ahead = '';
  readonly #lines: string[] = [];
  #line = '';
  #ended = 0;
  #waiting: (() => void)[] = [];

  constructor(show: (text: string) => void) {
    this.#show = show;
  }

  type(data: string): void {
    this.#ahead += data;
    if (this.#waiting.length > 0) this.#takeAhead();
  }

  async read(signal?: AbortSignal): Promise<Uint8Array | undefined> {
    for (;;) {
      this.#takeAhead();
      const line = this.#lines.shift();
      if (line !== undefined) return encodeText(line);
      if (this.#ended > 0 || signal?.aborted) {
        this.#ended = Math.max(0, this.#ended - 1);
        return undefined;
      }
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
        signal?.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }

  /** Nobody types any more. */
  end(): void {
    this.#ended = Infinity;
    this.#notify();
  }

  /** Drops what was typed ahead. */
  drop(): void {
    this.#lines.length = 0;
    this.#line = '';
    this.#ahead = '';
  }

  /** What was typed ahead and no command has read, for the shell. */
  takeBack(): string {
    const text = this.#lines.join('') + this.#line + this.#ahead.replaceAll('\x04', '');
    this.drop();
    this.#waiting = [];
    if (this.#ended !== Infinity) this.#ended = 0;
    return text;
  }

  #takeAhead(): void {
    const data = this.#ahead.replace(/\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|.)?/g, '').replace(/\r\n?/g, '\n');
    this.#ahead = '';
    const shown = [...data].map((char) => this.#key(char)).join('');
    if (shown !== '') this.#show(shown);
  }

  /** Takes a key; returns what is shown of it. */
  #key(char: string): string {
    if (char === '\n') {
      this.#enter(`${this.#line}\n`);
      return '\r\n';
    }
    if (char === '\x04') {
      if (this.#line === '') this.#ended += 1;
      this.#enter(this.#line);
      return '';
    }
    if (char === '\x7f' || char === '\b') {
      const last = [...this.#line].at(-1) ?? '';
      this.#line = this.#line.slice(0, this.#line.length - last.length);
      return '\b \b'.repeat(textWidth(last));
    }
    if (char < ' ' && char !== '\t') return '';
    this.#line += char;
    return char;
  }

  #enter(line: string): void {
    if (line !== '') this.#lines.push(line);
    this.#line = '';
    this.#notify();
  }

  #notify(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
