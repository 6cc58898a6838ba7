/** Certificates for a TLS host: from the API server's flags, or signed by the cluster's CA. */
import {
  exportPrivateKey,
  issueCertificate,
  platformKeys,
  type Authority,
  type AuthorityDeps,
} from '../authn/index.ts';
import { inOneTurn } from '../std/index.ts';
import { fileOf } from './flags/index.ts';
import { ownAuthority, type Files } from './pki.ts';

/** All PEM. */
export interface ServingFiles {
  readonly certificate: string;
  readonly key: string;
  /** The CA, for clients to trust; undefined if the flags name another certificate. */
  readonly authority: string | undefined;
  /** The CAs that clients are asked for a certificate of. */
  readonly clientAuthorities: string | undefined;
}

export interface ServingSettings extends AuthorityDeps {
  readonly flag: (name: string) => string | undefined;
  readonly files: Files;
}

const YEAR_MS = 365 * 24 * 3600_000;
const ADDRESS = /^[\d.]+$|:/;

/** `hosts` are names and addresses without ports. Throws FlagError if a flag names a missing file. */
export async function servingFiles(settings: ServingSettings, hosts: readonly string[]): Promise<ServingFiles> {
  const certificate = fileOf(settings, 'tls-cert-file');
  const key = fileOf(settings, 'tls-private-key-file');
  const clientAuthorities = fileOf(settings, 'client-ca-file');
  if (certificate !== undefined && key !== undefined)
    return { certificate, key, authority: undefined, clientAuthorities };
  return { ...(await ownFiles(settings, hosts)), clientAuthorities };
}

/** A certificate of the cluster's CA and its key, as PEM. */
export type Pair = Pick<ServingFiles, 'certificate' | 'key'>;

/** A client certificate for this user, for a cluster that trusts its own CA. */
export function clientFiles(settings: ServingSettings, user: string, groups: readonly string[]): Promise<Pair> {
  return pair(settings, { commonName: user, organizations: groups }, { usages: ['digital signature', 'client auth'] });
}

async function ownFiles(
  settings: ServingSettings,
  hosts: readonly string[],
): Promise<Omit<ServingFiles, 'clientAuthorities'>> {
  const names = { dns: hosts.filter((host) => !ADDRESS.test(host)), ip: hosts.filter((host) => ADDRESS.test(host)) };
  const usages = ['digital signature', 'key encipherment', 'server auth'];
  const made = await pair(settings, { commonName: 'apiserver' }, { usages, names });
  return { ...made, authority: ownAuthority(settings).certificate };
}

async function pair(
  settings: ServingSettings,
  subject: Parameters<Authority['issue']>[0],
  options: Omit<Parameters<Authority['issue']>[2], 'durationMs'>,
): Promise<Pair> {
  const { keyMaker = platformKeys } = settings;
  const keys = await keyMaker.generate();
  const given = [subject, keys.publicKey, { ...options, durationMs: YEAR_MS }] as const;
  const certificate = await issueCertificate(ownAuthority(settings), settings, ...given);
  return { certificate, key: await inOneTurn(() => exportPrivateKey(keys.privateKey)) };
}
