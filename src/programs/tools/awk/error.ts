/** A program of awk can't be understood or run. */
export class AwkError extends Error {
  override name = 'AwkError';
}
