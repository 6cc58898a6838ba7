/** Certificates for a host that speaks TLS: named by the API server's flags, or signed by the cluster's own authority. */
import { exportPrivateKey, openAuthority, platformKeys, type Authority, type AuthorityDeps } from '../authn/index.ts';
import { inOneTurn } from '../std/index.ts';
import { fileOf } from './flags/index.ts';
import { PKI, type Files } from './pki.ts';

/** All PEM. */
export interface ServingFiles {
  readonly certificate: string;
  readonly key: string;
  /** Who signed it, for clients to trust; undefined where the flags brought a certificate of somebody else. */
  readonly authority: string | undefined;
  /** The authorities that clients are told to bring a certificate of. */
  readonly clientAuthorities: string | undefined;
}

export interface ServingSettings extends AuthorityDeps {
  readonly flag: (name: string) => string | undefined;
  readonly files: Files;
}

const YEAR_MS = 365 * 24 * 3600_000;
const ADDRESS = /^[\d.]+$|:/;

/** `hosts` are names and addresses without ports. Throws FlagError where a flag names no file. */
export async function servingFiles(settings: ServingSettings, hosts: readonly string[]): Promise<ServingFiles> {
  const certificate = fileOf(settings, 'tls-cert-file');
  const key = fileOf(settings, 'tls-private-key-file');
  const clientAuthorities = fileOf(settings, 'client-ca-file');
  if (certificate !== undefined && key !== undefined)
    return { certificate, key, authority: undefined, clientAuthorities };
  return { ...(await ownFiles(settings, hosts)), clientAuthorities };
}

/** The authority whose files the cluster made for itself, or was given in their place. */
export function ownAuthority({ files, ...deps }: AuthorityDeps & { readonly files: Files }): Promise<Authority> {
  return openAuthority({ certificate: files[PKI.authority] ?? '', key: files[PKI.authorityKey] ?? '' }, deps);
}

async function ownFiles(
  settings: ServingSettings,
  hosts: readonly string[],
): Promise<Omit<ServingFiles, 'clientAuthorities'>> {
  const authority = await ownAuthority(settings);
  const keys = await (settings.keyMaker ?? platformKeys).generate();
  const names = { dns: hosts.filter((host) => !ADDRESS.test(host)), ip: hosts.filter((host) => ADDRESS.test(host)) };
  const options = { usages: ['digital signature', 'key encipherment', 'server auth'], durationMs: YEAR_MS, names };
  const certificate = await authority.issue({ commonName: 'apiserver' }, keys.publicKey, options);
  const key = await inOneTurn(() => exportPrivateKey(keys.privateKey));
  return { certificate, key, authority: authority.certificatePem };
}
