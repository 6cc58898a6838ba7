/** Functions of numbers, as the C library that jq calls has them. */
import { described, JqError } from './values.ts';

type OfNumbers = (...numbers: readonly number[]) => unknown;

const one = ['acosh', 'asinh', 'atanh', 'cosh', 'sinh', 'tanh', 'expm1', 'log1p'] as const;
const plain = [
  ...['floor', 'ceil', 'sqrt', 'trunc', 'log', 'log10', 'log2', 'exp', 'sin', 'cos', 'tan', 'asin', 'acos'],
  ...['atan', 'cbrt'],
] as ('floor' | 'ceil' | 'sqrt' | 'trunc' | 'log' | 'log10' | 'log2' | 'exp' | 'sin' | 'cos' | 'tan' | 'atan')[];

/** To the nearest whole number; halves go to the even one. */
function toEven(x: number): number {
  const below = Math.floor(x);
  const rest = x - below;
  return rest < 0.5 || (rest === 0.5 && below % 2 === 0) ? below : below + 1;
}

/** A number is `mantissa * 2 ** exponent`, the mantissa from 0.5 below 1. */
function parts(x: number): readonly [mantissa: number, exponent: number] {
  if (x === 0 || !Number.isFinite(x)) return [x, 0];
  let exponent = Math.max(-1022, Math.floor(Math.log2(Math.abs(x))) + 1);
  let mantissa = x / 2 ** exponent;
  for (; Math.abs(mantissa) < 0.5; exponent -= 1) mantissa *= 2;
  for (; Math.abs(mantissa) >= 1; exponent += 1) mantissa /= 2;
  return [mantissa, exponent];
}

/** The next number from `x` towards `to`. */
function next(x: number, to: number): number {
  if (x === to || Number.isNaN(x + to)) return x === to ? to : NaN;
  if (x === 0) return Math.sign(to) * Number.MIN_VALUE;
  const bits = new BigInt64Array(new Float64Array([x]).buffer);
  bits[0] = (bits[0] ?? 0n) + (to > x === x > 0 ? 1n : -1n);
  return new Float64Array(bits.buffer)[0] ?? NaN;
}

const STIRLING = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360_360, 1 / 156, -3617 / 122_400];

/** The logarithm of the absolute value of the gamma function. */
function logGamma(x: number): number {
  if (x <= 0 && Number.isInteger(x)) return Infinity;
  if (x < 0.5) return Math.log(Math.PI / Math.abs(Math.sin(Math.PI * x))) - logGamma(1 - x);
  // Stirling's series is exact enough from here on.
  let shift = 1;
  let y = x;
  for (; y < 12; y += 1) shift *= y;
  const series = STIRLING.reduce((sum, term, i) => sum + term / y ** (2 * i + 1), 0);
  return (y - 0.5) * Math.log(y) - y + Math.log(2 * Math.PI) / 2 + series - Math.log(shift);
}

const gammaSign = (x: number): number => (x < 0 && Math.floor(x) % 2 !== 0 ? -1 : 1);

function gamma(x: number): number {
  if (!Number.isInteger(x)) return gammaSign(x) * Math.exp(logGamma(x));
  let product = 1;
  for (let i = 2; i < Math.min(x, 180); i++) product *= i;
  return x <= 0 ? NaN : product;
}

/** The error function, by its series. */
function erf(x: number): number {
  if (Math.abs(x) > 6) return Math.sign(x);
  let [term, sum] = [x, x];
  for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum) && n < 300; n++) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}

/** The integral of a function by the trapezoidal rule. */
function integral(f: (t: number) => number, from: number, to: number, steps: number): number {
  const width = (to - from) / steps;
  let sum = (f(from) + f(to)) / 2;
  for (let i = 1; i < steps; i++) sum += f(from + i * width);
  return sum * width;
}

/** From here on Hankel's series of the Bessel functions of the orders 0 and 1 is exact enough. */
const LARGE = 25;

/** The Bessel functions of both kinds for large numbers. */
function hankel(n: number, x: number): readonly [first: number, second: number] {
  let [p, q, term] = [0, 0, 1];
  for (let k = 0; k < 16; k++) {
    const sign = k % 4 < 2 ? 1 : -1;
    if (k % 2 === 0) p += sign * term;
    else q += sign * term;
    term *= (4 * n * n - (2 * k + 1) ** 2) / ((k + 1) * 8 * x);
  }
  const angle = x - (n / 2 + 1 / 4) * Math.PI;
  const size = Math.sqrt(2 / (Math.PI * x));
  return [size * (p * Math.cos(angle) - q * Math.sin(angle)), size * (p * Math.sin(angle) + q * Math.cos(angle))];
}

const MOST_STEPS = 20_000;

/** The Bessel function of the first kind, by its integral, which is periodic. */
function besselJ(n: number, x: number): number {
  if (x > LARGE && n < 2 && n >= 0) return hankel(n, x)[0];
  const steps = Math.min(MOST_STEPS, 200 + Math.ceil(2 * (Math.abs(x) + Math.abs(n))));
  return integral((t) => Math.cos(n * t - x * Math.sin(t)), 0, Math.PI, steps) / Math.PI;
}

const EULER = 0.577_215_664_901_532_9;

/** Those of the second kind of the orders 0 and 1, by Neumann's series. */
function besselY(order: 0 | 1, x: number): number {
  if (x <= 0) return x === 0 ? -Infinity : NaN;
  if (x > LARGE) return hankel(order, x)[1];
  const logarithm = Math.log(x / 2) + EULER;
  const terms = 30 + Math.ceil(x);
  let sum = 0;
  for (let k = 1; k < terms; k++) {
    const sign = k % 2 === 0 ? 1 : -1;
    if (order === 0) sum += (sign * besselJ(2 * k, x)) / k;
    else sum += (sign * (2 * k + 1) * besselJ(2 * k + 1, x)) / (k * (k + 1));
  }
  if (order === 0) return (2 / Math.PI) * (logarithm * besselJ(0, x) - 2 * sum);
  return (2 / Math.PI) * ((logarithm - 1) * besselJ(1, x) - sum - besselJ(0, x) / x);
}

function besselYn(n: number, x: number): number {
  if (n < 0) return (n % 2 === 0 ? 1 : -1) * besselYn(-n, x);
  if (n < 2) return besselY(n === 0 ? 0 : 1, x);
  let [before, now] = [besselY(0, x), besselY(1, x)];
  for (let k = 1; k < Math.min(n, 10_000); k++) [before, now] = [now, ((2 * k) / x) * now - before];
  return now;
}

const remainder = (a: number, b: number): number => a - b * toEven(a / b);
const scaled = (x: number, power: number): number => x * 2 ** power;
const logb = (x: number): number => (x === 0 ? -Infinity : parts(x)[1] - 1);

const numeric: Readonly<Record<string, OfNumbers>> = {
  ...Object.fromEntries([...one, ...plain].map((name) => [`${name}/0`, (x: number) => Math[name](x)])),
  'fabs/0': (x = 0) => Math.abs(x),
  'exp2/0': (x = 0) => 2 ** x,
  'exp10/0': (x = 0) => 10 ** x,
  'pow10/0': (x = 0) => 10 ** x,
  'round/0': (x = 0) => Math.sign(x) * Math.round(Math.abs(x)),
  'rint/0': (x = 0) => toEven(x),
  'nearbyint/0': (x = 0) => toEven(x),
  'logb/0': (x = 0) => logb(x),
  'significand/0': (x = 0) => (x === 0 ? 0 : parts(x)[0] * 2),
  'frexp/0': (x = 0) => parts(x),
  'modf/0': (x = 0) => [x - Math.trunc(x), Math.trunc(x)],
  'gamma/0': (x = 0) => logGamma(x),
  'lgamma/0': (x = 0) => logGamma(x),
  'lgamma_r/0': (x = 0) => [logGamma(x), gammaSign(x)],
  'tgamma/0': (x = 0) => gamma(x),
  'erf/0': (x = 0) => erf(x),
  'erfc/0': (x = 0) => 1 - erf(x),
  'j0/0': (x = 0) => besselJ(0, x),
  'j1/0': (x = 0) => besselJ(1, x),
  'y0/0': (x = 0) => besselY(0, x),
  'y1/0': (x = 0) => besselY(1, x),
  'isfinite/0': (x = 0) => Number.isFinite(x),
};

/** Functions of arguments; what they are given is not looked at. */
const ofArguments: Readonly<Record<string, OfNumbers>> = {
  'pow/2': (a = 0, b = 0) => a ** b,
  'atan2/2': (a = 0, b = 0) => Math.atan2(a, b),
  'fmin/2': (a = 0, b = 0) => Math.min(a, b),
  'fmax/2': (a = 0, b = 0) => Math.max(a, b),
  'fmod/2': (a = 0, b = 0) => a % b,
  'hypot/2': (a = 0, b = 0) => Math.hypot(a, b),
  'copysign/2': (a = 0, b = 0) => Math.abs(a) * (Object.is(b, -0) || b < 0 ? -1 : 1),
  'drem/2': (a = 0, b = 0) => remainder(a, b),
  'remainder/2': (a = 0, b = 0) => remainder(a, b),
  'fdim/2': (a = 0, b = 0) => Math.max(a - b, 0),
  'ldexp/2': (a = 0, b = 0) => scaled(a, b),
  'scalb/2': (a = 0, b = 0) => scaled(a, b),
  'scalbln/2': (a = 0, b = 0) => scaled(a, b),
  'nextafter/2': (a = 0, b = 0) => next(a, b),
  'nexttoward/2': (a = 0, b = 0) => next(a, b),
  'jn/2': (n = 0, x = 0) => besselJ(n, x),
  'yn/2': (n = 0, x = 0) => besselYn(n, x),
  'fma/3': (a = 0, b = 0, c = 0) => a * b + c,
};

/** Throws JqError for anything else. */
export function numberOf(value: unknown, what?: string): number {
  if (typeof value === 'number') return value;
  throw new JqError(what === undefined ? `${described(value)} number required` : `${what} must be numeric`);
}

/** The same, of values of any type. */
export const mathematics: Readonly<Record<string, (...values: readonly unknown[]) => unknown>> = Object.fromEntries([
  ...Object.entries(numeric).map(([name, f]) => [name, (value: unknown) => f(numberOf(value))] as const),
  ...Object.entries(ofArguments).map(
    ([name, f]) =>
      [name, (_: unknown, ...values: readonly unknown[]) => f(...values.map((each) => numberOf(each)))] as const,
  ),
]);
