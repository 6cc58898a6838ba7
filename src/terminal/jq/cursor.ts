/** A place in the text of a jq filter, and the tokens from there on. */
import { SyntaxProblem, tokenAt, type Token } from './syntax.ts';

const MOST_NESTED = 2000;

export class Cursor {
  protected readonly text: string;
  protected at = 0;
  #depth = 0;

  constructor(text: string) {
    this.text = text;
  }

  protected peek(): Token {
    return tokenAt(this.text, this.at);
  }

  /** Whether a token of the type is next, and one of another type behind it. */
  protected after(type: string, next: string): boolean {
    const token = this.peek();
    return token.type === type && tokenAt(this.text, token.end).type === next;
  }

  protected take(): Token {
    const token = this.peek();
    this.at = token.end;
    return token;
  }

  /** Takes the token if it is of the type. */
  protected skip(type: string): boolean {
    const found = this.peek().type === type;
    if (found) this.take();
    return found;
  }

  protected expect(type: string): Token {
    const token = this.take();
    if (token.type !== type) throw new SyntaxProblem(`unexpected ${token.text}, expected ${type}`);
    return token;
  }

  /** Reads what may hold itself, so that no text takes more calls than there is room for. */
  protected nested<T>(read: () => T): T {
    this.#depth += 1;
    if (this.#depth > MOST_NESTED) throw new SyntaxProblem('the filter nests too deeply');
    const node = read();
    this.#depth -= 1;
    return node;
  }
}
