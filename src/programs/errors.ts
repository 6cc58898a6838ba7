/** What system calls fail with, and how programs put it. */
const TEXTS = {
  E2BIG: 'Argument list too long',
  EACCES: 'Permission denied',
  EADDRINUSE: 'Address already in use',
  EBADF: 'Bad file descriptor',
  EBUSY: 'Resource busy',
  ECONNREFUSED: 'Connection refused',
  ECONNRESET: 'Connection reset by peer',
  EEXIST: 'File exists',
  EHOSTUNREACH: 'No route to host',
  EINVAL: 'Invalid argument',
  EISDIR: 'Is a directory',
  ELOOP: 'Too many levels of symbolic links',
  ENOENT: 'No such file or directory',
  ENOEXEC: 'Exec format error',
  ENOSPC: 'No space left on device',
  ENOTDIR: 'Not a directory',
  ENOTEMPTY: 'Directory not empty',
  ENOTFOUND: 'Name or service not known',
  ENOTTY: 'Not a tty',
  EPERM: 'Operation not permitted',
  EPIPE: 'Broken pipe',
  EPROTO: 'Protocol error',
  EROFS: 'Read-only file system',
  ESRCH: 'No such process',
  ETIMEDOUT: 'Connection timed out',
  EXDEV: 'Cross-device link',
} as const;

export type ErrorCode = keyof typeof TEXTS;

/** A system call failed. The message is what programs print. */
export class SystemError extends Error {
  override name = 'SystemError';
  readonly code: ErrorCode;
  readonly path: string | undefined;

  constructor(code: ErrorCode, path?: string) {
    super(TEXTS[code]);
    this.code = code;
    this.path = path;
  }
}

/** The client does not trust the server's certificate; the message says why. */
export class CertificateError extends SystemError {
  override name = 'CertificateError';

  constructor(why: string) {
    super('EPROTO');
    this.message = why;
  }
}

/** Ends whatever a killed process still waits for. */
export class Killed extends Error {
  override name = 'Killed';
}

/** A process wants more memory than its container has. */
export class OutOfMemory extends Error {
  override name = 'OutOfMemory';
}

/**
 * The error text that a program prints. Errors that are not from a system call are bugs of the program and are
 * rethrown.
 */
export function problemText(problem: unknown): string {
  if (problem instanceof SystemError) return problem.message;
  throw problem;
}
