const P1 = 0x9e3779b1;
const P2 = 0x85ebca77;
const P3 = 0xc2b2ae3d;
const P4 = 0x27d4eb2f;
const P5 = 0x165667b1;

const rotate = (x: number, bits: number): number => (x << bits) | (x >>> (32 - bits));
const round = (lane: number, word: number): number => Math.imul(rotate((lane + Math.imul(word, P2)) | 0, 13), P1);

/**
 * xxHash32 with seed 0 of the bytes from `from` to `to` (exclusive). It detects damage, not manipulation. It costs a
 * fraction of decoding, so every byte can be checked whenever a database is opened.
 */
export function checksum(bytes: Uint8Array, from = 0, to = bytes.length): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = from;
  let hash = P5;
  if (to - from >= 16) {
    let [a, b, c, d] = [(P1 + P2) | 0, P2, 0, -P1 | 0];
    for (; at + 16 <= to; at += 16) {
      a = round(a, view.getUint32(at, true));
      b = round(b, view.getUint32(at + 4, true));
      c = round(c, view.getUint32(at + 8, true));
      d = round(d, view.getUint32(at + 12, true));
    }
    hash = (rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18)) | 0;
  }
  hash = (hash + (to - from)) | 0;
  for (; at + 4 <= to; at += 4) {
    hash = Math.imul(rotate((hash + Math.imul(view.getUint32(at, true), P3)) | 0, 17), P4);
  }
  for (; at < to; at++) hash = Math.imul(rotate((hash + Math.imul(bytes[at] as number, P5)) | 0, 11), P1);
  return avalanche(hash);
}

function avalanche(hash: number): number {
  hash = Math.imul(hash ^ (hash >>> 15), P2);
  hash = Math.imul(hash ^ (hash >>> 13), P3);
  return (hash ^ (hash >>> 16)) >>> 0;
}
