/** Reads DER, without its types. */
import type { Bytes } from './der.ts';

/** An element: the whole of it, and its content. */
interface Element {
  readonly tag: number;
  readonly whole: Bytes;
  readonly content: Bytes;
}

/** The elements in the content of another one. Throws RangeError if there are not just these. */
export function elementsIn(content: Bytes): Element[] {
  const found: Element[] = [];
  for (let at = 0; at < content.length;) {
    const element = elementAt(content.subarray(at));
    found.push(element);
    at += element.whole.length;
  }
  return found;
}

function elementAt(bytes: Bytes): Element {
  const [tag = 0, first = 0] = bytes;
  const sizes = first < 0x80 ? 0 : first - 0x80;
  const length = sizes === 0 ? first : bytes.subarray(2, 2 + sizes).reduce((all, byte) => all * 256 + byte, 0);
  const end = 2 + sizes + length;
  if (end > bytes.length || sizes > 4) throw new RangeError('an element is longer than what contains it');
  return { tag, whole: bytes.subarray(0, end), content: bytes.subarray(2 + sizes, end) };
}
