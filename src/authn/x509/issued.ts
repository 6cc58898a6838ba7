/**
 * Certificates of an authority on P-256, such as a cluster's own, encoded without the certificate library: to load that
 * takes longer than all else that a server over TLS needs.
 */
import { parseAddress } from '../../schema/index.ts';
import { encodeText, inOneTurn, must } from '../../std/index.ts';
import { BACKDATE_MS, openAuthority, serialBytes, type AuthorityDeps, type AuthorityFiles } from './authority.ts';
import type { Authority, ServedNames } from './authority.ts';
import {
  BASIC_CONSTRAINTS,
  COMMON_NAME,
  KEY_USAGE,
  bits,
  extension,
  nameOf,
  oid,
  sequence,
  tlv,
  type Bytes,
} from './der.ts';
import { elementsIn } from './derReader.ts';
import { platformKeys } from './keyMaker.ts';
import { exportSpki, importPrivateKey } from './keys.ts';
import { encodePem, pemBodies } from './pem.ts';
import { encodeCertificate, keyIdentifier } from './selfSigned.ts';
import { readUsages } from './usages.ts';

/** Only these certificates have them; a page that only signs its own authority does not load them. */
const ORGANIZATION = '2.5.4.10';
const SUBJECT_NAMES = '2.5.29.17';
const AUTHORITY_KEY = '2.5.29.35';
const EXTENDED_KEY_USAGE = '2.5.29.37';

/** What `issue` of an authority does, without opening the authority. */
export async function issueCertificate(
  files: AuthorityFiles,
  deps: AuthorityDeps,
  ...[subject, publicKey, options]: Parameters<Authority['issue']>
): Promise<string> {
  const issuer = readIssuer(files.certificate);
  const key = await inOneTurn(() => importPrivateKey(files.key));
  const encodable = issuer && isOnP256(key) && options.names?.ip?.every(parseAddress) !== false;
  if (!encodable) return (await openAuthority(files, deps)).issue(subject, publicKey, options);
  const now = deps.clock.now();
  if (now >= issuer.notAfter) throw new Error('refusing to sign a certificate that expired in the past');
  const certificate = await encodeCertificate(
    {
      serial: serialBytes(deps.random),
      issuer: issuer.name,
      notBefore: now - BACKDATE_MS,
      notAfter: Math.min(now + options.durationMs, issuer.notAfter),
      subject: subjectOf(subject),
      spki: await inOneTurn(() => exportSpki(publicKey)),
      extensions: [
        ...usageExtensions(options.usages),
        extension(BASIC_CONSTRAINTS, sequence(), true),
        extension(AUTHORITY_KEY, sequence(tlv(0x80, await inOneTurn(() => keyIdentifier(issuer.publicKey))))),
        ...namesExtension(options.names),
      ],
    },
    (content) => (deps.keyMaker ?? platformKeys).sign(key, content),
  );
  return encodePem('CERTIFICATE', certificate);
}

const isOnP256 = ({ algorithm }: CryptoKey): boolean => (algorithm as EcKeyAlgorithm).namedCurve === 'P-256';

interface Issuer {
  readonly name: Bytes;
  readonly notAfter: number;
  /** The bits of the key, without its algorithm. */
  readonly publicKey: Bytes;
}

/** Undefined if the text is not what `encodeCertificate` writes. */
function readIssuer(pem: string): Issuer | undefined {
  const [der] = pemBodies(pem, 'CERTIFICATE');
  if (!der) return undefined;
  try {
    const [certificate] = elementsIn(der);
    const [content] = elementsIn(present(certificate).content);
    const [, , , , validity, subject, spki] = elementsIn(present(content).content);
    const [, notAfter] = elementsIn(present(validity).content);
    const [, key] = elementsIn(present(spki).content);
    const ends = timeOf(present(notAfter));
    const publicKey = present(key).content.subarray(1);
    return Number.isNaN(ends) ? undefined : { name: present(subject).whole, notAfter: ends, publicKey };
  } catch {
    return undefined;
  }
}

const present = <T>(element: T | undefined): T => must(element, 'a certificate has these elements');

/** Milliseconds since the epoch. */
function timeOf({ tag, content }: { readonly tag: number; readonly content: Bytes }): number {
  const text = String.fromCharCode(...content);
  const short = tag === 0x17;
  const digits = short ? `${Number(text.slice(0, 2)) < 50 ? '20' : '19'}${text}` : text;
  return Date.parse(digits.replace(/^(....)(..)(..)(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}

function subjectOf({ commonName, organizations = [] }: Parameters<Authority['issue']>[0]): Bytes {
  const groups = organizations.map((each) => nameOf(ORGANIZATION, directoryText(each)));
  return sequence(...groups, nameOf(COMMON_NAME, directoryText(commonName)));
}

const PRINTABLE = /^[A-Za-z0-9 '()+,./:=?-]*$/;

const directoryText = (text: string): Bytes => tlv(PRINTABLE.test(text) ? 0x13 : 0x0c, encodeText(text));

function usageExtensions(usages: readonly string[]): Bytes[] {
  const { flags, purposes } = readUsages(usages);
  return [
    ...(flags === 0 ? [] : [extension(KEY_USAGE, flagBits(flags), true)]),
    ...(purposes.length === 0 ? [] : [extension(EXTENDED_KEY_USAGE, sequence(...purposes.map(oid)))]),
  ];
}

/** The lowest flag is the first bit; zeros at the end are left out. */
function flagBits(flags: number): Bytes {
  const digits = [...flags.toString(2)].reverse().join('');
  const unused = (8 - (digits.length % 8)) % 8;
  const padded = digits.padEnd(digits.length + unused, '0');
  return bits(
    Uint8Array.from(padded.match(/.{8}/g) ?? [], (byte) => parseInt(byte, 2)),
    unused,
  );
}

function namesExtension({ dns = [], ip = [] }: ServedNames = {}): Bytes[] {
  if (dns.length + ip.length === 0) return [];
  const addresses = ip.map((each) => Uint8Array.from(parseAddress(each)?.toByteArray() ?? []));
  const names = [...dns.map((each) => tlv(0x82, encodeText(each))), ...addresses.map((each) => tlv(0x87, each))];
  return [extension(SUBJECT_NAMES, sequence(...names))];
}
