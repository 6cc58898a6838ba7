/** Key usages by their names in signing requests. */
import { x509 } from './library.ts';

/** The bits of the key usage extension, lowest first. */
const FLAGS = {
  digitalSignature: 1,
  nonRepudiation: 2,
  keyEncipherment: 4,
  dataEncipherment: 8,
  keyAgreement: 16,
  keyCertSign: 32,
  cRLSign: 64,
  encipherOnly: 128,
  decipherOnly: 256,
} as const;

const KEY_USAGES: ReadonlyMap<string, number> = new Map([
  ['signing', FLAGS.digitalSignature],
  ['digital signature', FLAGS.digitalSignature],
  ['content commitment', FLAGS.nonRepudiation],
  ['key encipherment', FLAGS.keyEncipherment],
  ['key agreement', FLAGS.keyAgreement],
  ['data encipherment', FLAGS.dataEncipherment],
  ['cert sign', FLAGS.keyCertSign],
  ['crl sign', FLAGS.cRLSign],
  ['encipher only', FLAGS.encipherOnly],
  ['decipher only', FLAGS.decipherOnly],
]);

const EXTENDED_USAGES: ReadonlyMap<string, string> = new Map([
  ['any', '2.5.29.37.0'],
  ['server auth', '1.3.6.1.5.5.7.3.1'],
  ['client auth', '1.3.6.1.5.5.7.3.2'],
  ['code signing', '1.3.6.1.5.5.7.3.3'],
  ['email protection', '1.3.6.1.5.5.7.3.4'],
  ['s/mime', '1.3.6.1.5.5.7.3.4'],
  ['ipsec end system', '1.3.6.1.5.5.7.3.5'],
  ['ipsec tunnel', '1.3.6.1.5.5.7.3.6'],
  ['ipsec user', '1.3.6.1.5.5.7.3.7'],
  ['timestamping', '1.3.6.1.5.5.7.3.8'],
  ['ocsp signing', '1.3.6.1.5.5.7.3.9'],
  ['microsoft sgc', '1.3.6.1.4.1.311.10.3.3'],
  ['netscape sgc', '2.16.840.1.113730.4.1'],
]);

/** The flags and purposes for usages: each purpose once, in the order above. Throws for an unknown usage. */
export function readUsages(usages: readonly string[]): { readonly flags: number; readonly purposes: string[] } {
  const unknown = usages.filter((usage) => !KEY_USAGES.has(usage) && !EXTENDED_USAGES.has(usage));
  if (unknown.length > 0)
    throw new Error(`unrecognized usage values: [${unknown.map((usage) => JSON.stringify(usage)).join(' ')}]`);
  const flags = usages.reduce((all, usage) => all | (KEY_USAGES.get(usage) ?? 0), 0);
  const purposes = [...EXTENDED_USAGES].filter(([usage]) => usages.includes(usage)).map(([, oid]) => oid);
  return { flags, purposes: [...new Set(purposes)] };
}

/** The extensions for usages. */
export function usageExtensions(usages: readonly string[]): InstanceType<typeof x509.Extension>[] {
  const { flags, purposes } = readUsages(usages);
  return [
    ...(flags === 0 ? [] : [new x509.KeyUsagesExtension(flags, true)]),
    ...(purposes.length === 0 ? [] : [new x509.ExtendedKeyUsageExtension(purposes)]),
  ];
}

/** The usages of a certificate, by the same names. */
export function usageNames(keyUsage: number | undefined, extended: readonly string[] | undefined): string[] {
  const flags = [...KEY_USAGES]
    .filter(([name, flag]) => name !== 'signing' && ((keyUsage ?? 0) & flag) !== 0)
    .map(([name]) => name);
  const purposes = (extended ?? []).map((oid) => [...EXTENDED_USAGES].find(([, known]) => known === oid)?.[0] ?? oid);
  return [...flags, ...purposes];
}
