/**
 * What programs write, made safe to show: objects and logs hold what others wrote. Of control sequences only colours and weights
 * are left; any other control character is shown as a person would write it (`^[`), and so are characters that turn the
 * direction of text or can't be seen.
 */

const COLOUR = /\x1b\[((?:0|1|2|3|4|22|23|24|3[0-7]|39|9[0-7])?(?:;(?:0|1|2|3|4|22|23|24|3[0-7]|39|9[0-7]))*)m/y;
const CARE = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
/** The beginning of a colour whose end is still to come. */
const UNFINISHED = /\x1b(?:\[[0-9;]{0,16})?$/;

/** Ends whatever colour is on. */
export const PLAIN = '\x1b[0m';

const visibleChar = (char: string): string => {
  const code = char.charCodeAt(0);
  if (code < 0x20) return `^${String.fromCharCode(code + 0x40)}`;
  if (code === 0x7f) return '^?';
  return `<${code.toString(16).toUpperCase().padStart(4, '0')}>`;
};

/** Makes one stream of text safe, piece by piece. */
export class Visible {
  #held = '';
  #coloured = false;

  /** The text as it may go to a terminal, lines ended as terminals want it. */
  take(text: string): string {
    const whole = this.#held + text;
    this.#held = (UNFINISHED.exec(whole)?.[0] ?? (whole.endsWith('\r') ? '\r' : '')) || '';
    return this.#shown(whole.slice(0, whole.length - this.#held.length));
  }

  /** What is still held back, and the end of colours. */
  finish(): string {
    const rest = this.#held;
    this.#held = '';
    const shown = this.#shown(rest);
    const reset = this.#coloured ? PLAIN : '';
    this.#coloured = false;
    return shown + reset;
  }

  #shown(text: string): string {
    const safe = text.replaceAll('\r\n', '\n').replace(CARE, (char, index: number, all: string) => {
      if (char !== '\x1b') return visibleChar(char);
      COLOUR.lastIndex = index;
      if (!COLOUR.test(all)) return visibleChar(char);
      this.#coloured = true;
      return char;
    });
    return safe.replaceAll('\n', '\r\n');
  }
}
