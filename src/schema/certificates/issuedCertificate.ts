/** A certificate in a request's status: PEM blocks without headers, each with certificates. */
import { decodeText, fromBase64 } from '../../std/index.ts';
import { BrokenDer, children, expect } from './der.ts';
import { decodePem } from './pem.ts';

const SEQUENCE = 0x30;
const BIT_STRING = 0x03;

/** The error in a certificate (base64 of PEM); undefined if it is valid or missing. */
export function certificateProblem(base64: string): string | undefined {
  if (base64 === '') return undefined;
  const blocks = decodePem(decodeText(fromBase64(base64) ?? new Uint8Array()));
  for (const { type, hasHeaders, der } of blocks) {
    if (type !== 'CERTIFICATE') return `only CERTIFICATE PEM blocks are allowed, found ${JSON.stringify(type)}`;
    if (hasHeaders) return 'no PEM block headers are permitted';
    if (der.length === 0) return 'found CERTIFICATE PEM block containing 0 certificates';
    if (!holdsCertificates(der)) return 'x509: malformed certificate';
  }
  return blocks.length === 0 ? 'must contain at least one CERTIFICATE PEM block' : undefined;
}

/** Whether DER is one certificate after the other: what is signed, by which algorithm, and the signature. */
function holdsCertificates(der: Uint8Array): boolean {
  try {
    for (const certificate of children({ tag: 0, value: der })) {
      const [signed, algorithm, signature, ...rest] = children(expect(certificate, SEQUENCE));
      if (rest.length > 0 || children(expect(signed, SEQUENCE)).length < 6) return false;
      expect(algorithm, SEQUENCE);
      expect(signature, BIT_STRING);
    }
    return true;
  } catch (problem) {
    if (problem instanceof BrokenDer) return false;
    throw problem;
  }
}
