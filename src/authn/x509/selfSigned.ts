/** A self-signed CA certificate, encoded by hand: every new cluster creates one, and so needs no library for it. */
import { encodeText } from '../../std/index.ts';
import {
  BASIC_CONSTRAINTS,
  COMMON_NAME,
  KEY_USAGE,
  SUBJECT_KEY,
  ECDSA_WITH_SHA256,
  extension,
  integer,
  nameOf,
  oid,
  sequence,
  signatureOf,
  time,
  tlv,
  TRUE,
  type Bytes,
} from './der.ts';
import type { KeyMaker } from './keyMaker.ts';
import { exportSpki } from './keys.ts';

interface SelfSigned {
  readonly commonName: string;
  readonly serial: Uint8Array;
  /** Milliseconds since the epoch. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** On P-256. */
  readonly keys: CryptoKeyPair;
  readonly signer: Pick<KeyMaker, 'sign'>;
}

/** Digital signature, key encipherment and certificate signing; the last two of the eight bits are unused. */
const USAGE = [0x02, 0xa4];
const P256_KEY_BYTES = 65;

/** The certificate as DER (RFC 5280): a CA without path length limit. */
export async function selfSigned(wanted: SelfSigned): Promise<Bytes> {
  const { keys, signer, serial, notBefore, notAfter, commonName } = wanted;
  const name = sequence(nameOf(COMMON_NAME, tlv(0x0c, encodeText(commonName))));
  const spki = await exportSpki(keys.publicKey);
  const fields = { serial, notBefore, notAfter, issuer: name, subject: name, spki, extensions: await extensions(spki) };
  return encodeCertificate(fields, (content) => signer.sign(keys.privateKey, content));
}

/** The fields of a certificate; bytes are DER except for the serial number. */
interface Fields {
  readonly serial: Uint8Array;
  readonly issuer: Bytes;
  readonly notBefore: number;
  readonly notAfter: number;
  readonly subject: Bytes;
  readonly spki: Bytes;
  readonly extensions: readonly Bytes[];
}

/** An X.509 version 3 certificate as DER. `sign` makes its signature: ECDSA with SHA-256. */
export async function encodeCertificate(fields: Fields, sign: (content: Bytes) => Promise<Bytes>): Promise<Bytes> {
  const algorithm = sequence(oid(ECDSA_WITH_SHA256));
  const content = sequence(
    tlv(0xa0, integer([2])),
    integer(fields.serial),
    algorithm,
    fields.issuer,
    sequence(time(fields.notBefore), time(fields.notAfter)),
    fields.subject,
    fields.spki,
    tlv(0xa3, sequence(...fields.extensions)),
  );
  return sequence(content, algorithm, signatureOf(await sign(content)));
}

/** The identifier of a public key, of whose bits it is the SHA-1 hash (RFC 5280, 4.2.1.2). */
export const keyIdentifier = async (publicKey: Bytes): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest('SHA-1', publicKey));

async function extensions(spki: Bytes): Promise<Bytes[]> {
  const identifier = await keyIdentifier(spki.slice(-P256_KEY_BYTES));
  return [
    extension(BASIC_CONSTRAINTS, sequence(TRUE), true),
    extension(KEY_USAGE, tlv(0x03, Uint8Array.from(USAGE)), true),
    extension(SUBJECT_KEY, tlv(0x04, identifier)),
  ];
}
