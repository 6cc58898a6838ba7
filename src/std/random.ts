/** The only source of randomness. With a seed it produces the same names, uids and choices again. */
export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** A whole number in [0, below). */
  int(below: number): number;
  /** `length` characters of the alphabet for generated names (no vowels, no look-alikes). */
  suffix(length: number): string;
  /** An RFC 4122 version 4 identifier. */
  uuid(): string;
  /** `length` random bytes; for identifiers, never for keys. */
  bytes(length: number): Uint8Array;
}

const NAME_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** The generator sfc32, seeded by hashing `seed`. */
export function seededRandom(seed: string | number): Random {
  const next32 = sfc32(...hash(String(seed)));
  const int = (below: number): number => Math.floor((next32() / 4294967296) * below);
  const bytes = (length: number): Uint8Array => {
    const made = new Uint8Array(length);
    for (let i = 0; i < length; i++) made[i] = next32() >>> 24;
    return made;
  };
  return {
    next: () => next32() / 4294967296,
    int,
    suffix: (length) => Array.from({ length }, () => NAME_ALPHABET[int(NAME_ALPHABET.length)]).join(''),
    uuid: () => uuidOf(bytes(16), 0),
    bytes,
  };
}

/** Bytes for so many identifiers are asked of the host together, because a question costs more than an identifier. */
const AT_ONCE = 256;

/** Its identifiers are never the same twice. */
export function hostRandom(seed: string | number): Random {
  const pool = new Uint8Array(16 * AT_ONCE);
  let next = pool.length;
  const uuid = (): string => {
    if (next === pool.length) {
      crypto.getRandomValues(pool);
      next = 0;
    }
    next += 16;
    return uuidOf(pool, next - 16);
  };
  return { ...seededRandom(seed), uuid };
}

/** A random seed. */
export function freshSeed(): string {
  return uuidOf(crypto.getRandomValues(new Uint8Array(16)), 0);
}

/** The characters of an identifier in the making, and where the digits of each byte are. */
const codes = Array.from('00000000-0000-0000-0000-000000000000', (character) => character.charCodeAt(0));
const PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
const DIGITS = Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));

/** Version 4, of 16 random bytes. It is one flat string: put together from pieces, it would keep all of them. */
function uuidOf(bytes: Uint8Array, from: number): string {
  for (let i = 0; i < 16; i++) {
    const place = PLACES[i] as number;
    let byte = bytes[from + i] as number;
    if (i === 6) byte = (byte & 0x0f) | 0x40;
    if (i === 8) byte = (byte & 0x3f) | 0x80;
    codes[place] = DIGITS[byte >> 4] as number;
    codes[place + 1] = DIGITS[byte & 15] as number;
  }
  return String.fromCharCode(...codes);
}

function hash(text: string): [number, number, number, number] {
  const state: [number, number, number, number] = [0x9e3779b9, 0x243f6a88, 0xb7e15162, 0xdeadbeef];
  for (let i = 0; i < text.length; i++) {
    for (let k = 0; k < 4; k++) {
      state[k] = Math.imul((state[k] as number) ^ (text.charCodeAt(i) + k * 0x85ebca6b), 0xc2b2ae35) >>> 0;
      state[k] = ((state[k] as number) ^ ((state[k] as number) >>> 15)) >>> 0;
    }
  }
  return state;
}

function sfc32(a: number, b: number, c: number, d: number): () => number {
  const next = (): number => {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return t >>> 0;
  };
  for (let i = 0; i < 12; i++) next();
  return next;
}
