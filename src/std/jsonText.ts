/** What a JSON text contains outside of its strings. */
export interface JsonShape {
  /** How deep it nests. */
  readonly depth: number;
  /** How many keys its objects have. */
  readonly keys: number;
  /** Whether a number has a fraction, an exponent, or so many digits that it may not be exact. */
  readonly special: boolean;
}

const [QUOTE, POINT, ZERO, NINE, COLON, LARGE_E, SMALL_E] = [34, 46, 48, 57, 58, 69, 101] as const;
const [OPEN_LIST, BACKSLASH, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 92, 93, 123, 125] as const;
/** Integers with fewer digits are exact. */
const LONG = 16;

/** Looks through a text without parsing it: a parser recurses, and could exhaust the stack. */
export function shapeOfJson(text: string): JsonShape {
  let [depth, deepest, keys, digits] = [0, 0, 0, 0];
  let [special, quoted] = [false, false];
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (quoted) {
      if (c === BACKSLASH) i++;
      else if (c === QUOTE) quoted = false;
      continue;
    }
    if (c >= ZERO && c <= NINE) {
      if (++digits >= LONG) special = true;
      continue;
    }
    if (digits > 0 && (c === POINT || c === SMALL_E || c === LARGE_E)) special = true;
    digits = 0;
    if (c === QUOTE) quoted = true;
    else if (c === COLON) keys++;
    else if (c === OPEN_OBJECT || c === OPEN_LIST) deepest = Math.max(deepest, ++depth);
    else if (c === CLOSE_OBJECT || c === CLOSE_LIST) depth--;
  }
  return { depth: deepest, keys, special };
}
