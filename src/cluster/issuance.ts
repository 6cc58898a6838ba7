/**
 * Provides the controllers with operations that need the cluster's keys, from the controller manager's flags and their
 * files.
 */
import {
  decodePem,
  openAuthority,
  readSigningKey,
  readSigningRequest,
  tokenMaker,
  x509Loaded,
  type Authority,
  type AuthorityDeps,
  type SigningRequestView,
} from '../authn/index.ts';
import type { Issuance } from '../controllers/index.ts';
import type { Names } from '../names/index.ts';
import { fileOf } from './flags/index.ts';
import type { Files } from './pki.ts';

export interface IssuanceSettings extends AuthorityDeps {
  readonly names: Names;
  readonly flag: (name: string) => string | undefined;
  readonly files: Files;
}

/** The flags for the shared CA, and those for single signers; placeholders of the naming profile are replaced. */
const SHARED = { certificate: 'cluster-signing-cert-file', key: 'cluster-signing-key-file' } as const;

const SIGNERS = [
  {
    signer: '{label}/{prefix}-apiserver-client',
    certificate: 'cluster-signing-{prefix}-apiserver-client-cert-file',
    key: 'cluster-signing-{prefix}-apiserver-client-key-file',
  },
  {
    signer: '{label}/{prefix}-apiserver-client-{agent}',
    certificate: 'cluster-signing-{agent}-client-cert-file',
    key: 'cluster-signing-{agent}-client-key-file',
  },
  {
    signer: '{label}/{agent}-serving',
    certificate: 'cluster-signing-{agent}-serving-cert-file',
    key: 'cluster-signing-{agent}-serving-key-file',
  },
  {
    signer: '{label}/legacy-unknown',
    certificate: 'cluster-signing-legacy-unknown-cert-file',
    key: 'cluster-signing-legacy-unknown-key-file',
  },
] as const;

/** Throws FlagError if a flag names a missing file. */
export async function openIssuance(settings: IssuanceSettings): Promise<Issuance> {
  const { names } = settings;
  const signers = new Map<string, Opening>();
  const shared = await authorityOf(settings, SHARED);
  for (const { signer, ...flags } of SIGNERS) {
    const authority = (await authorityOf(settings, flags)) ?? shared;
    if (authority) signers.set(names.fill(signer), authority);
  }
  const key = fileOf(settings, 'service-account-private-key-file');
  const maker = key === undefined ? undefined : tokenMaker(await readSigningKey(key, settings.keyMaker), '', names);
  const rootCA = fileOf(settings, 'root-ca-file');
  return {
    readRequest: async (pem) => described(await readPem(pem)),
    signerOf: (name) => {
      const authority = signers.get(name);
      return authority && { sign: async (pem, options) => (await authority()).sign(await readPem(pem), options) };
    },
    ...(maker ? { accountToken: (account, secretName) => maker.legacy(account, secretName) } : {}),
    ...(rootCA === undefined ? {} : { rootCA }),
  };
}

/** Opens a CA on first use. */
type Opening = () => Promise<Authority>;

async function authorityOf(
  settings: IssuanceSettings,
  flags: { readonly certificate: string; readonly key: string },
): Promise<Opening | undefined> {
  const { fill } = settings.names;
  const [certificate, key] = [fileOf(settings, fill(flags.certificate)), fileOf(settings, fill(flags.key))];
  if (certificate === undefined || key === undefined) return undefined;
  let opened: Promise<Authority> | undefined;
  const open = (): Promise<Authority> => (opened ??= openAuthority({ certificate, key }, settings));
  // Given certificates are read at the start, so that an invalid one stops it; the cluster's own are read later.
  if (x509Loaded()) await open();
  return open;
}

async function readPem(pem: string): Promise<SigningRequestView> {
  const [block] = decodePem(pem);
  if (block?.type !== 'CERTIFICATE REQUEST') throw new Error('PEM block type must be CERTIFICATE REQUEST');
  return readSigningRequest(block.der);
}

function described({
  commonName,
  organizations,
  altNames,
}: SigningRequestView): Awaited<ReturnType<Issuance['readRequest']>> {
  const { dns, ip, email, uri } = altNames;
  return { commonName, organizations, dnsNames: dns, ipAddresses: ip, emailAddresses: email, uris: uri };
}
