/** Just enough of DER to walk through certificates and requests. */

/** Thrown for bytes that are not DER, or not of the expected structure. */
export class BrokenDer extends Error {
  override name = 'BrokenDer';
}

export interface Element {
  readonly tag: number;
  readonly value: Uint8Array;
}

/** The element, if it exists and has this tag. */
export function expect(element: Element | undefined, tag: number): Element {
  if (element?.tag !== tag) throw new BrokenDer();
  return element;
}

/** The one element that the bytes hold. */
export function only(bytes: Uint8Array, tag: number): Element {
  const elements = children({ tag: 0, value: bytes });
  if (elements.length !== 1) throw new BrokenDer();
  return expect(elements[0], tag);
}

export function children({ value }: Element): Element[] {
  const elements: Element[] = [];
  for (let at = 0; at < value.length;) {
    const { start, length } = header(value, at);
    if (start + length > value.length) throw new BrokenDer();
    elements.push({ tag: value[at] ?? 0, value: value.subarray(start, start + length) });
    at = start + length;
  }
  return elements;
}

/** Lengths under 128 take one byte, longer ones as many bytes as the first byte says. */
function header(bytes: Uint8Array, at: number): { start: number; length: number } {
  const first = bytes[at + 1];
  if (first === undefined) throw new BrokenDer();
  if (first < 0x80) return { start: at + 2, length: first };
  const size = first & 0x7f;
  if (size === 0 || size > 4) throw new BrokenDer();
  let length = 0;
  for (let i = 0; i < size; i++) length = length * 256 + (bytes[at + 2 + i] ?? 0);
  return { start: at + 2 + size, length };
}
