/**
 * The part of PKCS#10 that is needed to read a signing request's subject. Signatures are verified where certificates
 * are created.
 */
import { decodeText, fromBase64, toHex } from '../../std/index.ts';
import { addressText } from '../values/addresses.ts';
import { BrokenDer, children, expect, only, type Element } from './der.ts';
import { decodePem } from './pem.ts';

/** The subject of a request, as plain values. */
export interface RequestedSubject {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dnsNames: readonly string[];
  readonly emailAddresses: readonly string[];
  readonly uris: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly serialNumber: string;
  readonly organizationalUnits: readonly string[];
  readonly countries: readonly string[];
  readonly localities: readonly string[];
  readonly provinces: readonly string[];
  readonly streets: readonly string[];
  readonly postalCodes: readonly string[];
}

/** Parses a request: base64 of PEM whose first block is a `CERTIFICATE REQUEST`; undefined if invalid. */
export function parseSigningRequest(base64: string): RequestedSubject | undefined {
  const pem = fromBase64(base64);
  const [block] = pem ? decodePem(decodeText(pem)) : [];
  const der = block?.type === 'CERTIFICATE REQUEST' ? block.der : undefined;
  if (!der) return undefined;
  try {
    return subjectOf(der);
  } catch (error) {
    if (error instanceof BrokenDer) return undefined;
    throw error;
  }
}

const INTEGER = 0x02;
const OID = 0x06;
const SEQUENCE = 0x30;
const SET = 0x31;
const OCTETS = 0x04;
const ATTRIBUTES = 0xa0;

const COMMON_NAME = '550403';
const SERIAL_NUMBER = '550405';
/** The parts of a subject that may be there several times. */
const PARTS = {
  organizations: '55040a',
  organizationalUnits: '55040b',
  countries: '550406',
  localities: '550407',
  provinces: '550408',
  streets: '550409',
  postalCodes: '550411',
} as const;
const EXTENSION_REQUEST = '2a864886f70d01090e';
const ALT_NAME = '551d11';

/** The tags of names in a subjectAltName extension. */
const NAME_TAGS = { email: 0x81, dns: 0x82, uri: 0x86, ip: 0x87 } as const;

function subjectOf(der: Uint8Array): RequestedSubject {
  const [info] = children(only(der, SEQUENCE));
  const [version, subject, key, attributes] = children(expect(info, SEQUENCE));
  expect(version, INTEGER);
  expect(key, SEQUENCE);
  const names = altNames(attributes);
  const texts = (tag: number): string[] => names.filter((n) => n.tag === tag).map((n) => decodeText(n.value));
  return {
    commonName: namesIn(subject, COMMON_NAME).at(-1) ?? '',
    serialNumber: namesIn(subject, SERIAL_NUMBER).at(-1) ?? '',
    organizations: namesIn(subject, PARTS.organizations),
    organizationalUnits: namesIn(subject, PARTS.organizationalUnits),
    countries: namesIn(subject, PARTS.countries),
    localities: namesIn(subject, PARTS.localities),
    provinces: namesIn(subject, PARTS.provinces),
    streets: namesIn(subject, PARTS.streets),
    postalCodes: namesIn(subject, PARTS.postalCodes),
    dnsNames: texts(NAME_TAGS.dns),
    emailAddresses: texts(NAME_TAGS.email),
    uris: texts(NAME_TAGS.uri),
    ipAddresses: names.filter((n) => n.tag === NAME_TAGS.ip).map(({ value }) => addressText(value)),
  };
}

function namesIn(subject: Element | undefined, oid: string): string[] {
  return children(expect(subject, SEQUENCE))
    .flatMap((rdn) => children(expect(rdn, SET)))
    .map((pair) => children(expect(pair, SEQUENCE)))
    .filter(([type]) => toHex(expect(type, OID).value) === oid)
    .map(([, value]) => decodeText(value?.value ?? new Uint8Array()));
}

function altNames(attributes: Element | undefined): Element[] {
  if (attributes?.tag !== ATTRIBUTES) return [];
  return children(attributes)
    .map((attribute) => children(expect(attribute, SEQUENCE)))
    .filter(([type]) => toHex(expect(type, OID).value) === EXTENSION_REQUEST)
    .flatMap(([, values]) => children(expect(values, SET)))
    .flatMap((extensions) => children(expect(extensions, SEQUENCE)))
    .map((extension) => children(expect(extension, SEQUENCE)))
    .filter(([type]) => toHex(expect(type, OID).value) === ALT_NAME)
    .flatMap((parts) => children(only(expect(parts.at(-1), OCTETS).value, SEQUENCE)));
}
