/** For our own mistakes only: what a client sends wrong is answered with a Status, never with this. */
class AssertionError extends Error {
  override name = 'AssertionError';
}

/** Throws when `condition` does not hold; narrows it where it does. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionError(message);
}

/** The value itself, where the program's own logic says that it must be there. */
export function must<T>(value: T | undefined | null, message: string): T {
  assert(value !== undefined && value !== null, message);
  return value;
}

/** Closes a `switch` over a union: the compiler objects when a case is missing. */
export function unreachable(value: never): never {
  throw new AssertionError(`unexpected value ${JSON.stringify(value)}`);
}
