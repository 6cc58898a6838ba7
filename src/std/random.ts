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
    uuid: () => formatUuid(bytes(16)),
    bytes,
  };
}

/** Never the same twice. The host makes identifiers, faster than we could. */
export function hostRandom(seed: string | number): Random {
  const random = seededRandom(seed);
  return globalThis.isSecureContext === false ? random : { ...random, uuid: () => crypto.randomUUID() };
}

/** A random seed. */
export function freshSeed(): string {
  return formatUuid(crypto.getRandomValues(new Uint8Array(16)));
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function formatUuid(bytes: Uint8Array): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  let text = '';
  for (let i = 0; i < 16; i++) {
    if (i === 4 || i === 6 || i === 8 || i === 10) text += '-';
    text += HEX[bytes[i] as number];
  }
  return text;
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
