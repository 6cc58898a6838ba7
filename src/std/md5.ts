/** Rotations of the four rounds. */
const SHIFTS = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
] as const;

/** The integer part of 2³² × |sin(i + 1)|. */
const CONSTANTS = Array.from({ length: 64 }, (_, i) => Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32) >>> 0);

/**
 * The MD5 digest (RFC 1321), which Web Crypto lacks. It is used for names and order as in the reference, not for
 * security.
 */
export function md5(message: Uint8Array): Uint8Array {
  const words = paddedWords(message);
  const state: Digest = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476];
  for (let at = 0; at < words.length; at += 16) addBlock(state, words.subarray(at, at + 16));
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  state.forEach((word, i) => view.setUint32(i * 4, word, true));
  return bytes;
}

type Digest = [a: number, b: number, c: number, d: number];

/** The message, a single one bit, zeros, and its length in bits, as little-endian words in blocks of 16. */
function paddedWords(message: Uint8Array): Uint32Array {
  const words = new Uint32Array((((message.length + 8) >> 6) + 1) * 16);
  const addByte = (byte: number, i: number): void => {
    words[i >> 2] = (words[i >> 2] ?? 0) | (byte << ((i % 4) * 8));
  };
  message.forEach(addByte);
  addByte(0x80, message.length);
  words[words.length - 2] = message.length * 8;
  words[words.length - 1] = Math.floor(message.length / 2 ** 29);
  return words;
}

function addBlock(state: Digest, block: Uint32Array): void {
  let [a, b, c, d] = state;
  for (let i = 0; i < 64; i++) {
    const [mixed, word] = step(i, b, c, d);
    const sum = (a + mixed + (CONSTANTS[i] ?? 0) + (block[word] ?? 0)) | 0;
    const shift = SHIFTS[i >> 4]?.[i % 4] ?? 0;
    [a, b, c, d] = [d, (b + ((sum << shift) | (sum >>> (32 - shift)))) | 0, b, c];
  }
  state[0] = (state[0] + a) | 0;
  state[1] = (state[1] + b) | 0;
  state[2] = (state[2] + c) | 0;
  state[3] = (state[3] + d) | 0;
}

/** The function of the round applied to three words, and the index of the word of the block to add. */
function step(i: number, b: number, c: number, d: number): readonly [mixed: number, word: number] {
  if (i < 16) return [(b & c) | (~b & d), i];
  if (i < 32) return [(d & b) | (~d & c), (5 * i + 1) % 16];
  if (i < 48) return [b ^ c ^ d, (3 * i + 5) % 16];
  return [c ^ (b | ~d), (7 * i) % 16];
}
