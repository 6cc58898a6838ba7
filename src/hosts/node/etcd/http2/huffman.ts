/** The Huffman code of HPACK (RFC 7541, appendix B). */

/** How many bits each byte's code has, from 0 to 255: `a` are 5. The code is canonical, so the codes follow from that. */
const LENGTHS =
  'isxxxxxxxtzxxzxxxxxxxxzxxxxxxxxxbffhibdgffdgdbbbaaabbbbbbbcdkbhfibccccccccccccccccccccccdcdioijbkabababbbaccbbbabcbaabccccckgjix' +
  'prpprrrsrssssststtrstssssqrsrsstrqprrssqsrrtqrssqqrqsrssprrrsrrsvvporsruvvvwwvtuoqvwwvwtqqvvxwwwptpqrqqsrruuttvsvwvvwwwwwxwwwwwv';
const SHORTEST = 5;
const LONGEST = 30;

/** Codes of one length: the first of them, and the bytes that they stand for in order. */
interface Codes {
  readonly first: number;
  readonly bytes: readonly number[];
}

const byLength: readonly Codes[] = codesOf();

function codesOf(): Codes[] {
  const codes: Codes[] = [];
  let next = 0;
  for (let length = 0; length <= LONGEST; length++) {
    const bytes = Array.from(LENGTHS, (_, byte) => byte).filter((byte) => lengthOf(byte) === length);
    codes.push({ first: next, bytes });
    next = (next + bytes.length) * 2;
  }
  return codes;
}

function lengthOf(byte: number): number {
  return LENGTHS.charCodeAt(byte) - 'a'.charCodeAt(0) + SHORTEST;
}

/** Throws RangeError for bytes that are no such code. */
export function decodeHuffman(encoded: Uint8Array): Uint8Array {
  const bytes: number[] = [];
  let [code, length] = [0, 0];
  for (const byte of encoded)
    for (let bit = 7; bit >= 0; bit--) {
      code = code * 2 + ((byte >> bit) & 1);
      if (++length > LONGEST) throw new RangeError('a header contains an invalid Huffman code');
      const { first, bytes: known } = byLength[length] ?? { first: 0, bytes: [] };
      const found = code < first ? undefined : known[code - first];
      if (found === undefined) continue;
      bytes.push(found);
      [code, length] = [0, 0];
    }
  // The last byte is filled up with ones.
  if (length > 7 || code !== 2 ** length - 1) throw new RangeError('a header ends within a Huffman code');
  return Uint8Array.from(bytes);
}
