/** A place in a pattern's text. */
export class Cursor {
  readonly text: string;
  position = 0;

  constructor(text: string) {
    this.text = text;
  }

  get done(): boolean {
    return this.position >= this.text.length;
  }

  get rest(): string {
    return this.text.slice(this.position);
  }

  /** The character here; empty at the end. */
  peek(): string {
    const codePoint = this.text.codePointAt(this.position);
    return codePoint === undefined ? '' : String.fromCodePoint(codePoint);
  }

  next(): string {
    const char = this.peek();
    this.position += char.length;
    return char;
  }

  at(text: string): boolean {
    return this.text.startsWith(text, this.position);
  }

  /** Steps over `text`, should it stand here. */
  take(text: string): boolean {
    if (!this.at(text)) return false;
    this.position += text.length;
    return true;
  }

  since(start: number): string {
    return this.text.slice(start, this.position);
  }

  /** Consumes a match of a sticky expression and converts it; does not move without a match. */
  match<T>(sticky: RegExp, make: (found: RegExpExecArray) => T): T | undefined {
    sticky.lastIndex = this.position;
    const found = sticky.exec(this.text);
    if (!found) return undefined;
    this.position += found[0].length;
    return make(found);
  }
}
