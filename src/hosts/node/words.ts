/** Errors of files, sockets and TLS in plain words, for people at a command line. */

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

const NO_TLS = 'what answers there does not speak TLS';
const ENCRYPTED =
  'the key is encrypted; use a key without a passphrase (openssl pkey -in KEY -out PLAIN_KEY makes one)';
const NOT_PEM = 'it holds no certificate or key in PEM';

/** What the codes of OpenSSL mean, some of which are far from their cause. */
const TLS_REASONS: Readonly<Record<string, string>> = {
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  ERR_MISSING_PASSPHRASE: ENCRYPTED,
  ERR_OSSL_CRYPTO_INTERRUPTED_OR_CANCELLED: ENCRYPTED,
  ERR_OSSL_BAD_DECRYPT: ENCRYPTED,
  ERR_OSSL_PEM_NO_START_LINE: NOT_PEM,
  ERR_OSSL_UNSUPPORTED: NOT_PEM,
  ERR_OSSL_X509_KEY_VALUES_MISMATCH: 'the key does not belong to the certificate',
};

/**
 * The message of an error; for a system call without the call's name. A connect to a name with several addresses fails with one error
 * for each: the first stands for all.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '' && error.errors.length > 0)
    return reasonOf(error.errors[0]);
  const reasons = error instanceof Error && 'syscall' in error ? REASONS : TLS_REASONS;
  const code = codeOf(error) ?? '';
  if (Object.hasOwn(reasons, code)) return reasons[code] as string;
  const message = error instanceof Error ? error.message : String(error);
  // A failed write has no code for a TLS error, so its message is read.
  return code === 'EPROTO' && /wrong version number/.test(message) ? NO_TLS : message;
}

/** The code of the operating system, where an error has one. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
