/** Thrown only for bugs in this program. Invalid client input is answered with a Status instead. */
class AssertionError extends Error {
  override name = 'AssertionError';
}

/** Throws if `condition` is false; otherwise TypeScript narrows it. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionError(message);
}

/** Returns `value`; throws if it is missing, which would be a bug in this program. */
export function must<T>(value: T | undefined | null, message: string): T {
  assert(value !== undefined && value !== null, message);
  return value;
}

/** Closes a `switch` over a union: the compiler reports a missing case. */
export function unreachable(value: never): never {
  throw new AssertionError(`unexpected value ${JSON.stringify(value)}`);
}
