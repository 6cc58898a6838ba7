import { fromBase64, toBase64 } from '../../std/index.ts';
import { CERTIFICATES_HEADER } from './messages.ts';

/** A header's value for the certificates that a client proved: DER, its own first. */
export const packCertificates = (certificates: readonly Uint8Array[]): string => certificates.map(toBase64).join(',');

/** The certificates that came with a request, which loses their header. */
export function takeCertificates({ headers }: Request): readonly Uint8Array[] {
  const text = headers.get(CERTIFICATES_HEADER) ?? '';
  headers.delete(CERTIFICATES_HEADER);
  return text.split(',').flatMap((each) => (each === '' ? [] : (fromBase64(each.trim()) ?? [])));
}
