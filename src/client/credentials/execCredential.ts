/** The output of a credential plugin: an ExecCredential (specification, Client-credential exchange object). */
import { isObject, getOwn } from '../../std/index.ts';

/** PEM; certificate and key always occur together. */
export interface CertificatePair {
  readonly certificate: string;
  readonly key: string;
}

export interface ExecCredential {
  readonly token?: string;
  readonly pair?: CertificatePair;
  /** Milliseconds since the epoch; a credential without it is valid until the server refuses it. */
  readonly expires?: number;
}

/** A plugin failed, or its output is not a credential. */
class ExecCredentialError extends Error {
  override name = 'ExecCredentialError';
}

/** Parses a plugin's standard output. Throws ExecCredentialError. */
export function readExecCredential(output: string, apiVersion: string): ExecCredential {
  const object = parse(output);
  if (object.kind !== 'ExecCredential')
    throw new ExecCredentialError(`plugin returned kind ${JSON.stringify(object.kind)}`);
  if (object.apiVersion !== apiVersion) {
    throw new ExecCredentialError(
      `exec plugin is configured to use API version ${apiVersion}, plugin returned version ${String(object.apiVersion)}`,
    );
  }
  if (!isObject(object.status)) throw new ExecCredentialError("exec plugin didn't return a status field");
  return readStatus(object.status);
}

function parse(output: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(output);
    if (isObject(value)) return value;
  } catch {
    // Reported below, like any other output that is not an object.
  }
  throw new ExecCredentialError('decoding stdout: not a JSON object');
}

function readStatus(status: Record<string, unknown>): ExecCredential {
  const text = (field: string): string => {
    const value = getOwn(status, field);
    return typeof value === 'string' ? value : '';
  };
  const [token, certificate, key] = [text('token'), text('clientCertificateData'), text('clientKeyData')];
  if (token === '' && certificate === '' && key === '') {
    throw new ExecCredentialError("exec plugin didn't return a token or cert/key pair");
  }
  if ((certificate === '') !== (key === '')) {
    throw new ExecCredentialError('exec plugin returned only certificate or key, not both');
  }
  return {
    ...(token === '' ? {} : { token }),
    ...(certificate === '' ? {} : { pair: { certificate, key } }),
    ...readExpiry(text('expirationTimestamp')),
  };
}

function readExpiry(text: string): Pick<ExecCredential, 'expires'> {
  if (text === '') return {};
  const expires = Date.parse(text);
  if (Number.isNaN(expires)) throw new ExecCredentialError(`${JSON.stringify(text)} is not an RFC 3339 time`);
  return { expires };
}
