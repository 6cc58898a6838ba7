import { AwkError } from './error.ts';
import { splitFields } from './functions.ts';
import { Input } from './values.ts';

/** A line of the input, the file that it is from (empty: the standard input), and its number there. */
export interface InputLine {
  readonly text: string;
  readonly file: string;
  readonly number: number;
}

const MOST_FIELDS = 10_000;

/** The line that is being looked at, and its fields: a change of one changes the other. */
export class Record {
  readonly #variable: (name: 'FS' | 'OFS') => string;
  readonly #counted: (fields: number) => void;
  #fields: string[] = [];
  #text = '';

  constructor(variable: (name: 'FS' | 'OFS') => string, counted: (fields: number) => void) {
    this.#variable = variable;
    this.#counted = counted;
  }

  get text(): string {
    return this.#text;
  }

  set(text: string): void {
    this.#text = text;
    this.#fields = splitFields(text, this.#variable('FS'));
    this.#counted(this.#fields.length);
  }

  /** `$0` is the whole line. */
  field(index: number): Input {
    return new Input(index === 0 ? this.#text : (this.#fields[index - 1] ?? ''));
  }

  setField(index: number, text: string): void {
    if (index === 0) return this.set(text);
    if (index > MOST_FIELDS) throw new AwkError('field index is too large');
    while (this.#fields.length < index) this.#fields.push('');
    this.#fields[index - 1] = text;
    this.#counted(this.#fields.length);
    this.#join();
  }

  /** As when a program sets `NF`. */
  resize(count: number): void {
    this.#fields.length = Math.max(0, Math.min(count, MOST_FIELDS));
    this.#fields = Array.from(this.#fields, (field) => field ?? '');
    this.#join();
  }

  #join(): void {
    this.#text = this.#fields.join(this.#variable('OFS'));
  }
}
