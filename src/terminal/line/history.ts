/** The command lines that were typed, the oldest first. */

const KEPT = 1000;

export class History {
  #lines: string[];

  constructor(lines: readonly string[] = []) {
    this.#lines = [...lines].slice(-KEPT);
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  /** Adds a line; false where it is not kept: the same as the last one, empty, or begun with a space, as shells have it. */
  add(line: string): boolean {
    if (line.trim() === '' || line.startsWith(' ') || line === this.#lines.at(-1)) return false;
    this.#lines.push(line);
    this.#lines = this.#lines.slice(-KEPT);
    return true;
  }

  clear(): void {
    this.#lines = [];
  }

  /** The latest line before `index` that holds a text. */
  search(text: string, index = this.#lines.length): number | undefined {
    for (let i = Math.min(index, this.#lines.length) - 1; i >= 0; i--) if (this.#lines[i]?.includes(text)) return i;
    return undefined;
  }
}
