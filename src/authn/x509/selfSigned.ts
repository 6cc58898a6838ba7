/** A self-signed CA certificate, encoded by hand: every new cluster creates one, and so needs no library for it. */
import { encodeText } from '../../std/index.ts';
import type { KeyMaker } from './keyMaker.ts';
import { exportSpki } from './keys.ts';

type Bytes = Uint8Array<ArrayBuffer>;

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

const OID = {
  commonName: [0x55, 0x04, 0x03],
  ecdsaWithSha256: [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02],
  subjectKey: [0x55, 0x1d, 0x0e],
  keyUsage: [0x55, 0x1d, 0x0f],
  basicConstraints: [0x55, 0x1d, 0x13],
} as const;

/** Digital signature, key encipherment and certificate signing; the last two of the eight bits are unused. */
const USAGE = [0x02, 0xa4];
const P256_KEY_BYTES = 65;

/** The certificate as DER (RFC 5280): version 3, a CA without path length limit. */
export async function selfSigned(wanted: SelfSigned): Promise<Bytes> {
  const { keys, signer, serial, notBefore, notAfter, commonName } = wanted;
  const algorithm = sequence(oid(OID.ecdsaWithSha256));
  const name = sequence(tlv(0x31, sequence(oid(OID.commonName), tlv(0x0c, encodeText(commonName)))));
  const spki = await exportSpki(keys.publicKey);
  const content = sequence(
    tlv(0xa0, integer([2])),
    integer([...serial]),
    algorithm,
    name,
    sequence(time(notBefore), time(notAfter)),
    name,
    spki,
    tlv(0xa3, sequence(...(await extensions(spki)))),
  );
  return sequence(content, algorithm, bits(signatureOf(await signer.sign(keys.privateKey, content))));
}

async function extensions(spki: Bytes): Promise<Bytes[]> {
  const identifier = new Uint8Array(await crypto.subtle.digest('SHA-1', spki.slice(-P256_KEY_BYTES)));
  const critical = Uint8Array.of(0x01, 0x01, 0xff);
  const extension = (id: readonly number[], value: Bytes, ...flags: Bytes[]): Bytes =>
    sequence(oid(id), ...flags, tlv(0x04, value));
  return [
    extension(OID.basicConstraints, sequence(critical), critical),
    extension(OID.keyUsage, tlv(0x03, Uint8Array.from(USAGE)), critical),
    extension(OID.subjectKey, tlv(0x04, identifier)),
  ];
}

/** The platform's signature is two concatenated numbers; a certificate contains them as a sequence. */
function signatureOf(pair: Bytes): Bytes {
  const half = pair.length / 2;
  return sequence(integer([...pair.subarray(0, half)]), integer([...pair.subarray(half)]));
}

/** A non-negative integer of that size, big-endian. */
function integer(bytes: readonly number[]): Bytes {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = first === -1 ? [0] : bytes.slice(first);
  return tlv(0x02, Uint8Array.from((digits[0] ?? 0) < 0x80 ? digits : [0, ...digits]));
}

/** With a two-digit year until 2049, then a four-digit year. */
function time(ms: number): Bytes {
  const digits = new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, '');
  const year = Number(digits.slice(0, 4));
  return year >= 1950 && year < 2050 ? tlv(0x17, encodeText(digits.slice(2))) : tlv(0x18, encodeText(digits));
}

const oid = (id: readonly number[]): Bytes => tlv(0x06, Uint8Array.from(id));
const bits = (bytes: Bytes): Bytes => tlv(0x03, Uint8Array.of(0), bytes);
const sequence = (...parts: Bytes[]): Bytes => tlv(0x30, ...parts);

function tlv(tag: number, ...parts: Bytes[]): Bytes {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const head = length < 0x80 ? [tag, length] : [tag, 0x82, length >> 8, length & 0xff];
  if (length >= 0x80 && length < 0x100) head.splice(1, 2, 0x81);
  const made = new Uint8Array(head.length + length);
  made.set(head);
  let at = head.length;
  for (const part of parts) {
    made.set(part, at);
    at += part.length;
  }
  return made;
}
