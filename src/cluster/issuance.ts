/** Gives the controllers what needs the cluster's keys: from the controller manager's flags and the files that they name. */
import {
  decodePem,
  openAuthority,
  readSigningKey,
  readSigningRequest,
  tokenMaker,
  type Authority,
  type AuthorityDeps,
  type SigningRequestView,
} from '../authn/index.ts';
import type { Issuance } from '../controllers/index.ts';
import type { Names } from '../names/index.ts';
import { FlagError } from './flags.ts';
import type { Files } from './pki.ts';

export interface IssuanceSettings extends AuthorityDeps {
  readonly names: Names;
  readonly flag: (name: string) => string | undefined;
  readonly files: Files;
}

/** The flags that give one signer an authority of its own; words of the naming profile are filled in. */
const SIGNER_FLAGS: readonly { readonly signer: string; readonly flag: string }[] = [
  { signer: '{label}/{prefix}-apiserver-client', flag: 'cluster-signing-{prefix}-apiserver-client' },
  { signer: '{label}/{prefix}-apiserver-client-{agent}', flag: 'cluster-signing-{agent}-client' },
  { signer: '{label}/{agent}-serving', flag: 'cluster-signing-{agent}-serving' },
  { signer: '{label}/legacy-unknown', flag: 'cluster-signing-legacy-unknown' },
];

/** Throws FlagError where a flag names no file. */
export async function openIssuance(settings: IssuanceSettings): Promise<Issuance> {
  const { names } = settings;
  const signers = new Map<string, Authority>();
  const shared = await authorityOf(settings, 'cluster-signing');
  for (const { signer, flag } of SIGNER_FLAGS) {
    const authority = (await authorityOf(settings, names.fill(flag))) ?? shared;
    if (authority) signers.set(names.fill(signer), authority);
  }
  const key = textOf(settings, 'service-account-private-key-file');
  const maker = key === undefined ? undefined : tokenMaker(await readSigningKey(key), '', names);
  const rootCA = textOf(settings, 'root-ca-file');
  return {
    readRequest: (pem) => described(readPem(pem)),
    signerOf: (name) => {
      const authority = signers.get(name);
      return authority && { sign: (pem, options) => authority.sign(readPem(pem), options) };
    },
    ...(maker ? { accountToken: (account, secretName) => maker.legacy(account, secretName) } : {}),
    ...(rootCA === undefined ? {} : { rootCA }),
  };
}

async function authorityOf(settings: IssuanceSettings, flag: string): Promise<Authority | undefined> {
  const [certificate, key] = [textOf(settings, `${flag}-cert-file`), textOf(settings, `${flag}-key-file`)];
  return certificate === undefined || key === undefined ? undefined : openAuthority({ certificate, key }, settings);
}

function textOf({ flag, files }: IssuanceSettings, name: string): string | undefined {
  const path = flag(name);
  if (path === undefined || path === '') return undefined;
  const text = files[path];
  if (text === undefined) throw new FlagError(`--${name}: there is no file ${JSON.stringify(path)}`);
  return text;
}

function readPem(pem: string): SigningRequestView {
  const [block] = decodePem(pem);
  if (block?.type !== 'CERTIFICATE REQUEST') throw new Error('PEM block type must be CERTIFICATE REQUEST');
  return readSigningRequest(block.der);
}

function described({ commonName, organizations, altNames }: SigningRequestView): ReturnType<Issuance['readRequest']> {
  const { dns, ip, email, uri } = altNames;
  return { commonName, organizations, dnsNames: dns, ipAddresses: ip, emailAddresses: email, uris: uri };
}
