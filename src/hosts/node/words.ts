/** Errors of files and sockets in plain words, for people at a command line. */

/** What the codes of the operating system mean. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EISDIR: 'it is a directory, not a file',
  ENOTDIR: 'a part of the path is not a directory',
  EROFS: 'the file system is read-only',
  ENOSPC: 'there is no space left on the disk',
  EDQUOT: 'the disk quota is used up',
  EMFILE: 'this process has too many files open',
  EADDRINUSE: 'it is in use by another process',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no host of this name',
  ECONNREFUSED: 'the connection was refused: no program listens there',
  ECONNRESET: 'the other side closed the connection',
  EHOSTUNREACH: 'there is no route to the host',
  ETIMEDOUT: 'the connection timed out',
};

/**
 * The message of an error; for a system call without the call's name. A connect to a name with several addresses fails with one error
 * for each: the first stands for all.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '' && error.errors.length > 0)
    return reasonOf(error.errors[0]);
  const code = error instanceof Error && 'syscall' in error ? codeOf(error) : undefined;
  const known = code !== undefined && Object.hasOwn(REASONS, code) ? REASONS[code] : undefined;
  return known ?? (error instanceof Error ? error.message : String(error));
}

/** The code of the operating system, where an error has one. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
