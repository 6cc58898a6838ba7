const SMALLEST = -(1n << 63n);
const LARGEST = (1n << 63n) - 1n;

/** A decimal 64-bit integer, parsed as in Go; undefined if invalid. */
export function parseInt64(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
  const number = BigInt(text.replace('+', ''));
  return number < SMALLEST || number > LARGEST ? undefined : number;
}
