/**
 * Resource quantities: exact decimal numbers with a suffix, such as `250m`, `1536Mi`, `12e6`.
 *
 * A quantity remembers which family of suffixes it was written with, and goes back to text in that family's canonical
 * form: no fraction, and the largest suffix that loses nothing.
 */

export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

const DECIMAL_SUFFIXES: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const BINARY_SUFFIXES: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };
const DECIMAL_BY_EXPONENT = new Map(Object.entries(DECIMAL_SUFFIXES).map(([suffix, exponent]) => [exponent, suffix]));
const BINARY_BY_POWER = ['', ...Object.keys(BINARY_SUFFIXES)];

/** The finest precision of a quantity as a power of ten; anything finer is rounded away from zero. */
const FINEST = -9;
const LARGEST_BINARY = (1n << 63n) - 1n;
/** Digits that the reference handles as a machine integer; only such texts can be canonical as they stand. */
const MACHINE_DIGITS = 18;
/** Larger exponents are refused: comparing with them would fill the memory. */
const LARGEST_EXPONENT = 1000;

/** The error for an invalid quantity. */
export const QUANTITY_ERROR =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

const powers: bigint[] = [1n];

/** Small powers are cached; large ones come from long texts, and would use too much memory. */
function pow10(exponent: number): bigint {
  if (exponent > LARGEST_EXPONENT) return 10n ** BigInt(exponent);
  for (let i = powers.length; i <= exponent; i++) powers.push((powers[i - 1] as bigint) * 10n);
  return powers[exponent] as bigint;
}

const abs = (n: bigint): bigint => (n < 0n ? -n : n);

/** Division that rounds away from zero. */
function divideUp(n: bigint, by: bigint): bigint {
  const quotient = n / by;
  if (quotient * by === n) return quotient;
  return n < 0n ? quotient - 1n : quotient + 1n;
}

/** An exact number, `unscaled × 10^scale`; immutable. */
export class Quantity {
  readonly unscaled: bigint;
  readonly scale: number;
  readonly format: QuantityFormat;
  #text: string | undefined;

  constructor(unscaled: bigint, scale: number, format: QuantityFormat, text?: string) {
    this.unscaled = unscaled;
    this.scale = scale;
    this.format = format;
    this.#text = text;
  }

  static readonly zero = new Quantity(0n, 0, 'DecimalSI', '0');

  /** A whole number. */
  static of(value: number | bigint, format: QuantityFormat = 'DecimalSI'): Quantity {
    return new Quantity(BigInt(value), 0, format);
  }

  /** Thousandths, as CPU is counted. */
  static ofMilli(value: number | bigint, format: QuantityFormat = 'DecimalSI'): Quantity {
    return new Quantity(BigInt(value), -3, format);
  }

  get sign(): -1 | 0 | 1 {
    return this.unscaled === 0n ? 0 : this.unscaled < 0n ? -1 : 1;
  }

  get isZero(): boolean {
    return this.unscaled === 0n;
  }

  /** Negative when this is less than `other`, zero when they are equal. */
  compare(other: Quantity): number {
    if (this.scale === other.scale) return this.unscaled < other.unscaled ? -1 : this.unscaled > other.unscaled ? 1 : 0;
    const [a, b] = aligned(this, other);
    return a < b ? -1 : a > b ? 1 : 0;
  }

  equals(other: Quantity): boolean {
    return this.compare(other) === 0;
  }

  /** The sum, in this quantity's format; in the other's where this is zero. */
  add(other: Quantity): Quantity {
    const [a, b] = aligned(this, other);
    return new Quantity(a + b, Math.min(this.scale, other.scale), this.isZero ? other.format : this.format);
  }

  sub(other: Quantity): Quantity {
    const [a, b] = aligned(this, other);
    return new Quantity(a - b, Math.min(this.scale, other.scale), this.isZero ? other.format : this.format);
  }

  negate(): Quantity {
    return new Quantity(-this.unscaled, this.scale, this.format);
  }

  /** How many times `10^scale` goes into it, rounded away from zero. */
  scaled(scale: number): bigint {
    const shift = this.scale - scale;
    return shift >= 0 ? this.unscaled * pow10(shift) : divideUp(this.unscaled, pow10(-shift));
  }

  /** Whole units, rounded away from zero. */
  value(): number {
    return Number(this.scaled(0));
  }

  /** Thousandths, rounded away from zero. */
  milliValue(): number {
    return Number(this.scaled(-3));
  }

  /** Rounded away from zero to a multiple of `10^scale`; itself where it has no finer digits. */
  roundUp(scale: number): Quantity {
    return this.scale >= scale ? this : new Quantity(this.scaled(scale), scale, this.format);
  }

  /** Whether it is a multiple of `10^scale`. */
  isMultipleOf(scale: number): boolean {
    return this.scale >= scale || this.unscaled % pow10(scale - this.scale) === 0n;
  }

  toString(): string {
    return (this.#text ??= canonicalText(this));
  }
}

function aligned(a: Quantity, b: Quantity): readonly [bigint, bigint] {
  const scale = Math.min(a.scale, b.scale);
  return [a.unscaled * pow10(a.scale - scale), b.unscaled * pow10(b.scale - scale)];
}

function canonicalText(q: Quantity): string {
  if (q.isZero) return '0';
  if (q.format === 'BinarySI' && q.isMultipleOf(0) && abs(q.scaled(0)) >= 1024n) return binaryText(q.scaled(0));
  return decimalText(q.unscaled, q.scale, q.format === 'DecimalExponent');
}

function binaryText(value: bigint): string {
  let power = 0;
  while (power < BINARY_BY_POWER.length - 1 && value % 1024n === 0n) {
    value /= 1024n;
    power++;
  }
  return `${value}${BINARY_BY_POWER[power]}`;
}

/** Works on the digits as text: dividing by ten for each zero would take quadratic time. */
function decimalText(mantissa: bigint, exponent: number, asExponent: boolean): string {
  const text = mantissa.toString();
  const zeros = trailingZeros(text);
  const lowest = exponent + zeros;
  const highest = asExponent ? lowest : Math.min(lowest, 18);
  const target = Math.floor(highest / 3) * 3;
  const digits = text.slice(0, text.length - zeros) + '0'.repeat(lowest - target);
  if (target === 0) return digits;
  return asExponent ? `${digits}e${target}` : `${digits}${DECIMAL_BY_EXPONENT.get(target)}`;
}

function trailingZeros(digits: string): number {
  let end = digits.length;
  while (end > 1 && digits[end - 1] === '0') end--;
  return digits.length - end;
}

/** Sign, numerator, denominator, suffix. No character can belong to two of them, so that matching takes linear time. */
const SHAPE = /^([+-]?)([0-9]*)(?:\.([0-9]*))?((?:[eEinumkKMGTP][^]*)?)$/;

interface Suffix {
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

function parseSuffix(text: string): Suffix | undefined {
  const decimal = Object.hasOwn(DECIMAL_SUFFIXES, text) ? DECIMAL_SUFFIXES[text] : undefined;
  if (decimal !== undefined) return { base: 10, exponent: decimal, format: 'DecimalSI' };
  const binary = Object.hasOwn(BINARY_SUFFIXES, text) ? BINARY_SUFFIXES[text] : undefined;
  if (binary !== undefined) return { base: 2, exponent: binary, format: 'BinarySI' };
  if (!/^[eE][-+]?[0-9]+$/.test(text)) return undefined;
  const exponent = Number(text.slice(1));
  return exponent > LARGEST_EXPONENT ? undefined : { base: 10, exponent, format: 'DecimalExponent' };
}

/** A quantity's text taken apart. */
export interface QuantityText {
  readonly negative: boolean;
  /** Without sign and suffix: the number, `magnitude × 10^scale`. */
  readonly magnitude: bigint;
  readonly scale: number;
  readonly format: QuantityFormat;
  /** Whether the reference holds it as a machine integer rather than as a large number. */
  readonly isMachine: boolean;
  /** Whether the text is kept as it was written. */
  readonly isCanonical: boolean;
}

/** Parses a text; undefined if it is not a quantity. Nothing is limited or rounded yet. */
export function readQuantity(text: string): QuantityText | undefined {
  const shape = SHAPE.exec(text);
  if (!shape) return undefined;
  const [, sign, whole = '', denominator = '', suffixText = ''] = shape;
  const numerator = whole.replace(/^0+/, '');
  const suffix = parseSuffix(suffixText);
  if (!suffix) return undefined;
  const digits = (numerator === '' ? '0' : numerator) + denominator;
  const scale = (suffix.base === 10 ? suffix.exponent : 0) - denominator.length;
  const factor = suffix.base === 2 ? 1n << BigInt(suffix.exponent) : 1n;
  const isMachine = fitsMachine(digits, denominator.length, scale, suffix);
  return {
    negative: sign === '-',
    magnitude: BigInt(digits) * factor,
    scale,
    format: suffix.format,
    isMachine,
    isCanonical: isMachine && isCanonical(digits, scale, suffix),
  };
}

function parse(text: string): Quantity | undefined {
  if (text === '') return undefined;
  if (text === '0') return Quantity.zero;
  const read = readQuantity(text);
  if (!read) return undefined;
  return bounded(read.magnitude, read.scale, read.negative, read.format, read.isCanonical ? text : undefined);
}

/** Whether the number is small enough, and not too fine, for a machine integer. */
function fitsMachine(digits: string, decimals: number, scale: number, suffix: Suffix): boolean {
  if (suffix.format !== 'BinarySI') return digits.length <= MACHINE_DIGITS && scale >= FINEST;
  return decimals === 0 && 15 - digits.length - Math.trunc((suffix.exponent * 3) / 10) - 1 >= 0;
}

/** Texts that the reference keeps unchanged, even if it would format the same number differently. */
function isCanonical(digits: string, scale: number, suffix: Suffix): boolean {
  if (suffix.format === 'BinarySI') return BigInt(digits) % 8n !== 0n;
  return scale % 3 === 0 && !digits.endsWith('000') && digits[0] !== '0';
}

/** Whether it is so small that it is rounded up to the finest step: then its power of ten may be too large to be made. */
function isBelowFinest(magnitude: bigint, scale: number): boolean {
  return -scale > LARGEST_EXPONENT && magnitude.toString().length + scale <= FINEST;
}

/** Applies the limits: nothing finer than a billionth, nothing binary above 2^63-1. */
function bounded(
  magnitude: bigint,
  scale: number,
  negative: boolean,
  format: QuantityFormat,
  text: string | undefined,
): Quantity {
  if (magnitude === 0n) return new Quantity(0n, 0, format, text);
  if (scale < FINEST) {
    magnitude = isBelowFinest(magnitude, scale) ? 1n : divideUp(magnitude, pow10(FINEST - scale));
    scale = FINEST;
  }
  if (format === 'BinarySI' && magnitude > LARGEST_BINARY * pow10(-scale))
    return new Quantity(negative ? -LARGEST_BINARY : LARGEST_BINARY, 0, format);
  return new Quantity(negative ? -magnitude : magnitude, scale, format, text);
}

/** The same few texts come again and again: `100m`, `1Gi`. */
const cache = new Map<string, Quantity | undefined>();
const CACHE_SIZE = 4096;
const LONGEST_CACHED = 64;

/** The quantity of a text, or undefined if invalid. */
export function parseQuantity(text: string): Quantity | undefined {
  if (cache.has(text)) return cache.get(text);
  const parsed = parse(text.trim());
  if (text.length > LONGEST_CACHED) return parsed;
  if (cache.size >= CACHE_SIZE) cache.clear();
  cache.set(text, parsed);
  return parsed;
}

/** The quantity that a field holds: its text was checked when it was decoded. Absent is zero. */
export function quantityOf(text: string | undefined): Quantity {
  return (text === undefined ? undefined : parseQuantity(text)) ?? Quantity.zero;
}

/** The canonical text of a quantity, or undefined if invalid. */
export function canonicalQuantity(text: string): string | undefined {
  return parseQuantity(text)?.toString();
}

/** Negative, zero or positive as the first is less than, equal to or more than the second. */
export function compareQuantities(a: string | undefined, b: string | undefined): number {
  return quantityOf(a).compare(quantityOf(b));
}
