import { parseDuration } from '../../schema/index.ts';

/** Reads a component's flags by their own names; a flag that is not set has the reference's default, which the reader states. */
export class Flags {
  readonly #flag: (name: string) => string | undefined;

  constructor(flag: (name: string) => string | undefined) {
    this.#flag = flag;
  }

  text(name: string, fallback = ''): string {
    return this.#flag(name) ?? fallback;
  }

  int(name: string, fallback: number): number {
    const value = Number(this.#flag(name));
    return this.#flag(name) !== undefined && Number.isInteger(value) ? value : fallback;
  }

  number(name: string, fallback: number): number {
    const value = Number(this.#flag(name));
    return this.#flag(name) !== undefined && Number.isFinite(value) ? value : fallback;
  }

  /** Milliseconds. */
  duration(name: string, fallback: number): number {
    const text = this.#flag(name);
    return (text === undefined ? undefined : parseDuration(text)) ?? fallback;
  }

  bool(name: string, fallback: boolean): boolean {
    const text = this.#flag(name);
    return text === undefined ? fallback : text === '' || text === 'true';
  }

  list(name: string, fallback: readonly string[]): readonly string[] {
    const text = this.#flag(name);
    return text === undefined
      ? fallback
      : text
          .replace(/^\[|\]$/g, '')
          .split(',')
          .map((item) => item.trim());
  }

  /** Whether a feature gate is on; `fallback` is its default. */
  gate(name: string, fallback: boolean): boolean {
    const setting = this.list('feature-gates', []).find((item) => item.startsWith(`${name}=`));
    return setting === undefined ? fallback : setting.endsWith('=true');
  }
}
