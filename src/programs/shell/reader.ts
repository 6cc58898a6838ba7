/** A script can't be understood. `incomplete`: more lines could make it whole. */
export class SyntaxError extends Error {
  override name = 'SyntaxError';
  readonly incomplete: boolean;

  constructor(message: string, incomplete = false) {
    super(message);
    this.incomplete = incomplete;
  }
}

/** Like the shell of most images, this one has no arrays. */
export const withoutArrays = (): SyntaxError =>
  new SyntaxError('arrays are not supported; keep the words in one variable: list="a b"; for each in $list; do ...');

/** A place in a text that moves on. */
export class Reader {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get atEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** The character `ahead` of the place; empty beyond the end. */
  peek(ahead = 0): string {
    return this.text.charAt(this.at + ahead);
  }

  next(): string {
    return this.text.charAt(this.at++);
  }

  /** Moves over a text if it comes next. */
  takes(text: string): boolean {
    const found = this.text.startsWith(text, this.at);
    if (found) this.at += text.length;
    return found;
  }

  /** Moves over what a sticky pattern matches. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found) this.at += found.length;
    return found || undefined;
  }

  /** Moves past a text; returns what precedes it. Throws SyntaxError if it is missing. */
  until(end: string, problem: string): string {
    const index = this.text.indexOf(end, this.at);
    if (index < 0) throw new SyntaxError(problem, true);
    const found = this.text.slice(this.at, index);
    this.at = index + end.length;
    return found;
  }
}
